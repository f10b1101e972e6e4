;; Each nut onto the peg of its own shape. Someone has left the square nut on the round peg, above the round one.
(define (problem nut-round-peg-1)
  (:domain nut-round-peg)

  (:objects
    gripper1 - gripper
    table1 - table
    round-peg1 - round-peg
    square-peg1 - square-peg
    round-nut1 - round-nut
    square-nut1 - square-nut)

  (:init
    ;; on the table; the round nut lies around its peg
    (on-table round-peg1 table1)
    (on-table square-peg1 table1)
    (on-table round-nut1 table1)
    (on-peg round-nut1 round-peg1)
    (on-peg square-nut1 round-peg1)
    ;; shapes
    (fits round-nut1 round-peg1)
    (fits square-nut1 square-peg1)
    ;; the hand
    (free gripper1)
    (graspable round-nut1 gripper1)
    (graspable square-nut1 gripper1))

  (:goal
    (and (on-peg round-nut1 round-peg1)
         (on-peg square-nut1 square-peg1)))
)
