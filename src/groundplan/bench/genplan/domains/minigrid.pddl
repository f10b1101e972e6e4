; A robot walks through rooms whose doors are locked. A key fits all locks of its shape and is not used up; the robot
; carries one key at a time. Doors are places, too: they open for good.
(define (domain grid)
  (:requirements :strips)
  (:predicates
    (place ?x)
    (key ?k)
    (shape ?s)
    (conn ?x ?y)
    (key-shape ?k ?s)
    (lock-shape ?x ?s)
    (at ?k ?x)
    (at-robot ?x)
    (holding ?k)
    (arm-empty)
    (locked ?x)
    (open ?x))

  ; One step to a connected open place.
  (:action move
    :parameters (?curpos ?nextpos)
    :precondition (and (place ?curpos) (place ?nextpos) (conn ?curpos ?nextpos) (at-robot ?curpos) (open ?nextpos))
    :effect (and (at-robot ?nextpos) (not (at-robot ?curpos))))

  ; Take a key with a free arm.
  (:action pickup
    :parameters (?curpos ?key)
    :precondition (and (place ?curpos) (key ?key) (at ?key ?curpos) (at-robot ?curpos) (arm-empty))
    :effect (and (holding ?key) (not (at ?key ?curpos)) (not (arm-empty))))

  ; Swap the key in hand for one that lies here.
  (:action pickup-and-loose
    :parameters (?curpos ?newkey ?oldkey)
    :precondition (and (place ?curpos) (key ?newkey) (key ?oldkey) (at ?newkey ?curpos) (at-robot ?curpos)
                       (holding ?oldkey))
    :effect (and (holding ?newkey) (at ?oldkey ?curpos) (not (holding ?oldkey)) (not (at ?newkey ?curpos))))

  ; Leave the key in hand here.
  (:action putdown
    :parameters (?curpos ?key)
    :precondition (and (place ?curpos) (key ?key) (at-robot ?curpos) (holding ?key))
    :effect (and (arm-empty) (at ?key ?curpos) (not (holding ?key))))

  ; Open a neighbouring lock with a key of its shape in hand.
  (:action unlock
    :parameters (?curpos ?lockpos ?key ?shape)
    :precondition (and (place ?curpos) (place ?lockpos) (key ?key) (shape ?shape) (conn ?curpos ?lockpos)
                       (key-shape ?key ?shape) (lock-shape ?lockpos ?shape) (at-robot ?curpos) (locked ?lockpos)
                       (holding ?key))
    :effect (and (open ?lockpos) (not (locked ?lockpos)))))
