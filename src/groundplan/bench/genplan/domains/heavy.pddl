; Items are packed into a box in one pile, each on a heavier one.
(define (domain heavy-pack)
  (:requirements :strips)
  (:predicates
    (heavier ?item1 ?item2)
    (packed ?item)
    (unpacked ?item)
    (nothing-above ?item)
    (box-empty))

  ; The first item goes on the ground of the box.
  (:action pack-first
    :parameters (?item)
    :precondition (and (box-empty))
    :effect (and (not (box-empty)) (packed ?item) (nothing-above ?item) (not (unpacked ?item))))

  ; Every other item goes on the top of the pile.
  (:action stack
    :parameters (?bottom ?top)
    :precondition (and (packed ?bottom) (nothing-above ?bottom) (heavier ?bottom ?top) (unpacked ?top))
    :effect (and (packed ?top) (nothing-above ?top) (not (nothing-above ?bottom)) (not (unpacked ?top)))))
