; Several robots take balls from room to room. Each has grippers of its own, and a gripper holds one ball.
(define (domain gripper-strips)
  (:requirements :strips :typing)
  (:types room robot gripper - object)      ; a ball is just an object
  (:predicates
    (at-robby ?r - robot ?x - room)
    (at ?o - object ?x - room)
    (free ?r - robot ?g - gripper)          ; of its own grippers only
    (carry ?r - robot ?o - object ?g - gripper))

  ; From any room to any room.
  (:action move
    :parameters (?r - robot ?from ?to - room)
    :precondition (and (at-robby ?r ?from))
    :effect (and (at-robby ?r ?to) (not (at-robby ?r ?from))))

  ; A robot takes a ball of its room with a free gripper of its own.
  (:action pick
    :parameters (?r - robot ?obj - object ?room - room ?g - gripper)
    :precondition (and (at ?obj ?room) (at-robby ?r ?room) (free ?r ?g))
    :effect (and (carry ?r ?obj ?g) (not (at ?obj ?room)) (not (free ?r ?g))))

  ; A robot leaves a ball in its room.
  (:action drop
    :parameters (?r - robot ?obj - object ?room - room ?g - gripper)
    :precondition (and (carry ?r ?obj ?g) (at-robby ?r ?room))
    :effect (and (at ?obj ?room) (free ?r ?g) (not (carry ?r ?obj ?g)))))
