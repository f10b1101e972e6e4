;; Cook the bread: into the pot with it, and the stove on. The lid on the pot is news to the robot.
(define (problem kitchen-lid-1)
  (:domain kitchen-lid)

  (:objects
    gripper1 - gripper
    table1 - table
    stove1 - stove
    switch1 - switch
    pot1 - pot
    lid1 - lid
    bread1 - bread)

  (:init
    ;; on the table
    (on-table stove1 table1)
    (on-table switch1 table1)
    (on-table bread1 table1)
    ;; on the stove
    (ontop pot1 stove1)
    (ontop lid1 pot1)
    (covered pot1)
    ;; the hand
    (free gripper1)
    (liftable pot1)
    (liftable lid1)
    (liftable bread1))

  (:goal
    (and (ontop pot1 stove1)
         (in bread1 pot1)
         (on stove1)))
)
