; A ferry takes cars from place to place, one at a time.
(define (domain ferry)
  (:requirements :strips)
  (:predicates
    (not-eq ?x ?y)      ; two different places
    (car ?c)
    (location ?l)
    (at-ferry ?l)
    (at ?c ?l)
    (empty-ferry)
    (on ?c))            ; on board

  ; Between any two places, with a car or without.
  (:action sail
    :parameters (?from ?to)
    :precondition (and (not-eq ?from ?to) (location ?from) (location ?to) (at-ferry ?from))
    :effect (and (at-ferry ?to) (not (at-ferry ?from))))

  ; A car drives onto the empty ferry.
  (:action board
    :parameters (?car ?loc)
    :precondition (and (car ?car) (location ?loc) (at ?car ?loc) (at-ferry ?loc) (empty-ferry))
    :effect (and (on ?car) (not (at ?car ?loc)) (not (empty-ferry))))

  ; The car drives ashore where the ferry is.
  (:action debark
    :parameters (?car ?loc)
    :precondition (and (car ?car) (location ?loc) (on ?car) (at-ferry ?loc))
    :effect (and (at ?car ?loc) (empty-ferry) (not (on ?car)))))
