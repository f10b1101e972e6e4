;; What the robot knows of putting nuts on pegs: it takes a nut off the table and drops it over a peg of its shape. It
;; has never had to take one off a peg.
(define (domain nut-round-peg)
  (:requirements :strips :typing :negative-preconditions)

  (:types
    square-nut round-nut - nut
    square-peg round-peg - peg
    nut peg - item
    item table gripper - object)

  (:predicates
    ;; the hand
    (free ?hand - gripper)
    (grasped ?thing - item ?hand - gripper)
    (graspable ?thing - item ?hand - gripper)  ; thin enough for the fingers
    ;; where things are
    (on-table ?thing - item ?top - table)
    (on-peg ?ring - nut ?post - peg)
    (fits ?ring - nut ?post - peg))            ; both round or both square

  (:action pick-up-nut-from-tabletop
    :parameters (?ring - nut ?top - table ?hand - gripper)
    :precondition (and (free ?hand)
                       (graspable ?ring ?hand)
                       (on-table ?ring ?top))
    :effect (and (grasped ?ring ?hand)
                 (not (free ?hand))
                 (not (on-table ?ring ?top))))

  (:action put-nut-on-peg
    :parameters (?ring - nut ?post - peg ?hand - gripper)
    :precondition (and (grasped ?ring ?hand)
                       (fits ?ring ?post))
    :effect (and (on-peg ?ring ?post)
                 (not (grasped ?ring ?hand))
                 (free ?hand)))
)
