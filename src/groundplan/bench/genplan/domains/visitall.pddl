; A robot walks over a map of places and has to set foot on some of them.
(define (domain grid-visit-all)
  (:requirements :strips :typing)
  (:types place - object)
  (:predicates
    (connected ?x ?y - place)
    (at-robot ?x - place)
    (visited ?x - place))

  ; One step to a connected place, which counts as visited from then on.
  (:action move
    :parameters (?curpos ?nextpos - place)
    :precondition (and (at-robot ?curpos) (connected ?curpos ?nextpos))
    :effect (and (at-robot ?nextpos) (not (at-robot ?curpos)) (visited ?nextpos))))
