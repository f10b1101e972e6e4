"""The plan-learn-execute loop: do the plan in a world, learn what the robot cannot do yet, go on, plan again."""
