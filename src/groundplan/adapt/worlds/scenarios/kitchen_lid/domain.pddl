;; What the robot knows of the kitchen. It can lift things off the table and set them down, fill a pot, set one thing on
;; another, and work the stove's switch. It has never met a covered pot.
(define (domain kitchen-lid)
  (:requirements :strips :typing :negative-preconditions)

  (:types
    switch stove - appliance
    lid bread pot appliance - item
    item table gripper - object)

  (:predicates
    ;; the hand
    (free ?hand - gripper)
    (grasped ?thing - item ?hand - gripper)
    (liftable ?thing - item)               ; not fixed, and light enough
    ;; where things are
    (on-table ?thing - item ?top - table)
    (ontop ?above - item ?below - item)
    (in ?thing - item ?vessel - pot)
    (covered ?vessel - pot)                ; nothing can be put in
    ;; appliances
    (on ?device - appliance))

  (:action pick-up-from-tabletop
    :parameters (?thing - item ?top - table ?hand - gripper)
    :precondition (and (free ?hand)
                       (liftable ?thing)
                       (on-table ?thing ?top))
    :effect (and (grasped ?thing ?hand)
                 (not (free ?hand))
                 (not (on-table ?thing ?top))))

  (:action place-on-table
    :parameters (?thing - item ?top - table ?hand - gripper)
    :precondition (and (liftable ?thing)
                       (grasped ?thing ?hand)
                       (not (on-table ?thing ?top)))
    :effect (and (on-table ?thing ?top)
                 (not (grasped ?thing ?hand))
                 (free ?hand)))

  (:action place-on-object
    :parameters (?above - item ?below - item ?hand - gripper)
    :precondition (and (liftable ?above)
                       (grasped ?above ?hand)
                       (not (grasped ?below ?hand))
                       (not (ontop ?below ?above))
                       (not (ontop ?above ?below)))
    :effect (and (ontop ?above ?below)
                 (not (grasped ?above ?hand))
                 (free ?hand)))

  (:action place-in-pot
    :parameters (?food - bread ?vessel - pot ?hand - gripper)
    :precondition (and (grasped ?food ?hand)
                       (not (in ?food ?vessel))
                       (not (covered ?vessel)))
    :effect (and (in ?food ?vessel)
                 (not (grasped ?food ?hand))
                 (free ?hand)))

  (:action turn-on-stove
    :parameters (?knob - switch ?cooker - stove ?hand - gripper)
    :precondition (and (free ?hand)
                       (not (on ?knob))
                       (not (on ?cooker)))
    :effect (and (grasped ?knob ?hand)
                 (not (free ?hand))
                 (on ?knob)
                 (on ?cooker)))

  (:action let-go-of-fixture
    :parameters (?thing - item ?hand - gripper)
    :precondition (and (grasped ?thing ?hand)
                       (not (liftable ?thing)))
    :effect (and (not (grasped ?thing ?hand))
                 (free ?hand)))
)
