(define (domain two-armed-robot)
  (:requirements :strips :typing)
  (:types room ball arm)
  (:predicates (robot-in ?r - room)
               (ball-in ?b - ball ?r - room)
               (holds ?a - arm ?b - ball)
               (free ?a - arm))
  (:action drive
    :parameters (?from ?to - room)
    :precondition (robot-in ?from)
    :effect (and (robot-in ?to) (not (robot-in ?from))))
  (:action take
    :parameters (?b - ball ?r - room ?a - arm)
    :precondition (and (robot-in ?r) (ball-in ?b ?r) (free ?a))
    :effect (and (holds ?a ?b) (not (ball-in ?b ?r)) (not (free ?a))))
  (:action leave
    :parameters (?b - ball ?r - room ?a - arm)
    :precondition (and (robot-in ?r) (holds ?a ?b))
    :effect (and (ball-in ?b ?r) (free ?a) (not (holds ?a ?b)))))
