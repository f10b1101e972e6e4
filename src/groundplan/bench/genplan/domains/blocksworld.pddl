; Blocks stand on a table or on each other. A hand moves one block at a time, and only one that bears no other.
(define (domain blocksworld-4ops)
  (:requirements :strips)
  (:predicates
    (clear ?x)        ; nothing stands on ?x
    (ontable ?x)
    (handempty)
    (holding ?x)
    (on ?x ?y))

  ; Take a block from the table.
  (:action pick-up
    :parameters (?ob)
    :precondition (and (clear ?ob) (ontable ?ob) (handempty))
    :effect (and (holding ?ob) (not (clear ?ob)) (not (ontable ?ob)) (not (handempty))))

  ; Put the held block on the table, which has room for all.
  (:action put-down
    :parameters (?ob)
    :precondition (holding ?ob)
    :effect (and (clear ?ob) (handempty) (ontable ?ob) (not (holding ?ob))))

  ; Put the held block on another one.
  (:action stack
    :parameters (?ob ?underob)
    :precondition (and (clear ?underob) (holding ?ob))
    :effect (and (handempty) (clear ?ob) (on ?ob ?underob) (not (clear ?underob)) (not (holding ?ob))))

  ; Take a block from the one that it stands on.
  (:action unstack
    :parameters (?ob ?underob)
    :precondition (and (on ?ob ?underob) (clear ?ob) (handempty))
    :effect (and (holding ?ob) (clear ?underob) (not (on ?ob ?underob)) (not (clear ?ob)) (not (handempty)))))
