; A robot digs through rock to gold. The laser cuts all rock, but gold in its beam is gone; a bomb clears soft rock and
; leaves the gold behind it whole.
(define (domain gold-miner-typed)
  (:requirements :strips :typing)
  (:types loc - object)
  (:predicates
    (robot-at ?x - loc)
    (bomb-at ?x - loc)
    (laser-at ?x - loc)
    (soft-rock-at ?x - loc)
    (hard-rock-at ?x - loc)
    (gold-at ?x - loc)
    (arm-empty)
    (holds-bomb)
    (holds-laser)
    (holds-gold)
    (clear ?x - loc)
    (connected ?x ?y - loc))

  ; One step to a connected location without rock.
  (:action move
    :parameters (?x ?y - loc)
    :precondition (and (robot-at ?x) (connected ?x ?y) (clear ?y))
    :effect (and (robot-at ?y) (not (robot-at ?x))))

  ; Take the laser with a free arm.
  (:action pickup-laser
    :parameters (?x - loc)
    :precondition (and (robot-at ?x) (laser-at ?x) (arm-empty))
    :effect (and (not (arm-empty)) (holds-laser) (not (laser-at ?x))))

  ; Take a bomb with a free arm; the store of bombs never runs out.
  (:action pickup-bomb
    :parameters (?x - loc)
    :precondition (and (robot-at ?x) (bomb-at ?x) (arm-empty))
    :effect (and (not (arm-empty)) (holds-bomb)))

  ; Leave the laser where the robot stands.
  (:action putdown-laser
    :parameters (?x - loc)
    :precondition (and (robot-at ?x) (holds-laser))
    :effect (and (arm-empty) (not (holds-laser)) (laser-at ?x)))

  ; Use up the bomb on soft rock next to the robot.
  (:action detonate-bomb
    :parameters (?x ?y - loc)
    :precondition (and (robot-at ?x) (holds-bomb) (connected ?x ?y) (soft-rock-at ?y))
    :effect (and (not (holds-bomb)) (arm-empty) (clear ?y) (not (soft-rock-at ?y))))

  ; Burn away all that is at a neighbouring location, gold included.
  (:action fire-laser
    :parameters (?x ?y - loc)
    :precondition (and (robot-at ?x) (holds-laser) (connected ?x ?y))
    :effect (and (clear ?y) (not (soft-rock-at ?y)) (not (gold-at ?y)) (not (hard-rock-at ?y))))

  ; Take the gold with a free arm.
  (:action pick-gold
    :parameters (?x - loc)
    :precondition (and (robot-at ?x) (arm-empty) (gold-at ?x))
    :effect (and (not (arm-empty)) (holds-gold))))
