; A hiker crosses a map with hills and water. The marked trail is dry; who steps into water never gets out.
(define (domain hiking)
  (:requirements :strips :typing :negative-preconditions)
  (:types loc - object)
  (:predicates
    (at ?loc - loc)
    (iswater ?loc - loc)
    (ishill ?loc - loc)
    (adjacent ?loc1 ?loc2 - loc)
    (ontrail ?from ?to - loc))

  ; One step to a neighbouring location that is no hill.
  (:action walk
    :parameters (?from ?to - loc)
    :precondition (and (not (ishill ?to)) (at ?from) (adjacent ?from ?to) (not (iswater ?from)))
    :effect (and (at ?to) (not (at ?from))))

  ; One step up a neighbouring hill.
  (:action climb
    :parameters (?from ?to - loc)
    :precondition (and (ishill ?to) (at ?from) (adjacent ?from ?to) (not (iswater ?from)))
    :effect (and (at ?to) (not (at ?from)))))
