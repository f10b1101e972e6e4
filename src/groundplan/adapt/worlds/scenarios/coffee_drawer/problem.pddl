;; Pod into the machine, mug under it. The pods are kept in a drawer now, and it is shut.
(define (problem coffee-drawer-1)
  (:domain coffee-drawer)

  (:objects
    gripper1 - gripper
    table1 - table
    pod-holder1 - pod-holder
    lid1 - machine-lid
    mug1 - mug
    coffee-pod1 - coffee-pod
    drawer1 - drawer)

  (:init
    ;; the machine, with the mug in place
    (attached lid1 pod-holder1)
    (lid-down lid1)
    (on-table mug1 table1)
    (under mug1 pod-holder1)
    (upright mug1)
    (open mug1)
    ;; the pod
    (on-table drawer1 table1)
    (in coffee-pod1 drawer1)
    ;; the hand
    (free gripper1)
    (graspable mug1 gripper1)
    (graspable coffee-pod1 gripper1))

  (:goal
    (and (under mug1 pod-holder1)
         (in coffee-pod1 pod-holder1)))
)
