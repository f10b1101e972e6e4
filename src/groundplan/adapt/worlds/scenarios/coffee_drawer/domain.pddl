;; What the robot knows of making coffee: it flips the machine's lid up and down, lets go of it, puts a pod into the
;; holder and a mug under it, and lifts things off the table. Pods
;; always lay on the table: it has never opened a drawer.
(define (domain coffee-drawer)
  (:requirements :strips :typing :negative-preconditions)

  (:types
    pod-holder mug drawer - container
    container coffee-pod machine-lid - item
    item table gripper - object)

  (:predicates
    ;; the hand
    (free ?hand - gripper)
    (grasped ?thing - item ?hand - gripper)
    (graspable ?thing - item ?hand - gripper)  ; can be carried off
    ;; where things are
    (on-table ?thing - item ?top - table)
    (in ?thing - item ?vessel - container)
    (under ?cup - mug ?seat - pod-holder)
    ;; how they are
    (open ?vessel - container)
    (upright ?cup - mug)
    (attached ?flap - machine-lid ?seat - pod-holder)
    (lid-up ?flap - machine-lid)
    (lid-down ?flap - machine-lid))

  (:action pick-up-from-tabletop
    :parameters (?thing - item ?top - table ?hand - gripper)
    :precondition (and (free ?hand)
                       (graspable ?thing ?hand)
                       (on-table ?thing ?top))
    :effect (and (grasped ?thing ?hand)
                 (not (free ?hand))
                 (not (on-table ?thing ?top))))

  (:action open-pod-holder
    :parameters (?seat - pod-holder ?flap - machine-lid ?hand - gripper)
    :precondition (and (free ?hand)
                       (attached ?flap ?seat)
                       (not (open ?seat))
                       (lid-down ?flap))
    :effect (and (grasped ?flap ?hand)
                 (not (free ?hand))
                 (open ?seat)
                 (lid-up ?flap)
                 (not (lid-down ?flap))))

  (:action close-pod-holder
    :parameters (?seat - pod-holder ?flap - machine-lid ?hand - gripper)
    :precondition (and (free ?hand)
                       (attached ?flap ?seat)
                       (open ?seat)
                       (lid-up ?flap))
    :effect (and (grasped ?flap ?hand)
                 (not (free ?hand))
                 (not (open ?seat))
                 (lid-down ?flap)
                 (not (lid-up ?flap))))

  (:action let-go-of-fixture
    :parameters (?thing - item ?hand - gripper)
    :precondition (and (grasped ?thing ?hand)
                       (not (graspable ?thing ?hand)))
    :effect (and (not (grasped ?thing ?hand))
                 (free ?hand)))

  (:action place-pod-in-holder
    :parameters (?pod - coffee-pod ?seat - pod-holder ?hand - gripper)
    :precondition (and (grasped ?pod ?hand)
                       (open ?seat))
    :effect (and (in ?pod ?seat)
                 (not (grasped ?pod ?hand))
                 (free ?hand)))

  (:action place-mug-under-holder
    :parameters (?cup - mug ?seat - pod-holder ?hand - gripper)
    :precondition (grasped ?cup ?hand)
    :effect (and (under ?cup ?seat)
                 (upright ?cup)
                 (not (grasped ?cup ?hand))
                 (free ?hand)))
)
