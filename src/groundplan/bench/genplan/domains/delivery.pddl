; Papers lie packed at the home base and go to the places that want one. Who enters an unsafe place never leaves it.
(define (domain trapnewspapers)
  (:requirements :strips :typing)
  (:types loc paper - object)
  (:predicates
    (at ?loc - loc)
    (ishomebase ?loc - loc)
    (satisfied ?loc - loc)
    (wantspaper ?loc - loc)
    (safe ?loc - loc)
    (unpacked ?paper - paper)     ; still at the home base
    (carrying ?paper - paper))

  ; Any number of papers may be carried.
  (:action pick-up
    :parameters (?paper - paper ?loc - loc)
    :precondition (and (at ?loc) (ishomebase ?loc) (unpacked ?paper))
    :effect (and (not (unpacked ?paper)) (carrying ?paper)))

  ; From a safe place to any other place.
  (:action move
    :parameters (?from - loc ?to - loc)
    :precondition (and (at ?from) (safe ?from))
    :effect (and (not (at ?from)) (at ?to)))

  ; A paper is used up by the delivery, wanted there or not.
  (:action deliver
    :parameters (?paper - paper ?loc - loc)
    :precondition (and (at ?loc) (carrying ?paper))
    :effect (and (not (carrying ?paper)) (not (wantspaper ?loc)) (satisfied ?loc))))
