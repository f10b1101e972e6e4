; Parts leave an aeroplane in a fixed order and wait on racks until the production line calls for them, in an order of
; its own. A rack is a row with two ends: the aeroplane's truck works at one, the factory's truck at the other, one part
; at a time. `rack-succ` runs from a part to the next one on the factory's side; a part with no-rack-pre is the first
; (aeroplane's side), with no-rack-succ the last. A rack's level is the sum of the sizes on it, by the table fit-n-sum.
(define (domain beluga)
  (:requirements :strips :typing :equality :negative-preconditions)
  (:types
    part rack part-type truck production-line num num-swaps - object
    beluga-truck fab-truck - truck)
  (:constants
    nonep - part
    noner - rack
    n00 - num)
  (:predicates
    (ready-to-unload ?p - part)
    (next-to-unload ?pc ?pn - part)
    (on-truck ?p - part ?t - truck)
    (empty ?t - truck)
    (on-rack ?r - rack ?p - part)
    (rack-succ ?p1 ?p2 - part)
    (no-rack-succ ?p - part)
    (no-rack-pre ?p - part)
    (p-line-next ?pl - production-line ?p - part)
    (p-line-succ ?p1 ?p2 - part)
    (needed-next ?p - part)
    (processed ?p - part)
    (unused ?r - rack)
    (size ?p - part ?n - num)
    (level ?r - rack ?n - num)
    (fit-n-sum ?n1 ?n2 ?n3 - num))

  ; The next part comes out of the aeroplane onto its truck.
  (:action unload-from-beluga
    :parameters (?p ?np - part ?t - beluga-truck)
    :precondition (and (ready-to-unload ?p) (next-to-unload ?p ?np) (empty ?t))
    :effect (and (not (ready-to-unload ?p)) (ready-to-unload ?np) (not (empty ?t)) (on-truck ?p ?t)))

  ; Aeroplane's side: a part onto an empty rack.
  (:action put-on-rack-first-beluga
    :parameters (?t - beluga-truck ?p - part ?r - rack ?psize - num)
    :precondition (and (on-truck ?p ?t) (on-rack noner ?p) (no-rack-pre ?p) (no-rack-succ ?p) (size ?p ?psize)
                       (level ?r n00) (fit-n-sum n00 ?psize ?psize))
    :effect (and (not (on-truck ?p ?t)) (empty ?t) (not (on-rack noner ?p)) (on-rack ?r ?p) (not (unused ?r))
                 (not (level ?r n00)) (level ?r ?psize)))

  ; Aeroplane's side: the only part off a rack.
  (:action put-on-truck-first-beluga
    :parameters (?t - beluga-truck ?p - part ?r - rack ?psize - num)
    :precondition (and (empty ?t) (on-rack ?r ?p) (no-rack-pre ?p) (no-rack-succ ?p) (size ?p ?psize) (level ?r ?psize)
                       (fit-n-sum n00 ?psize ?psize))
    :effect (and (on-truck ?p ?t) (not (empty ?t)) (on-rack noner ?p) (not (on-rack ?r ?p)) (not (level ?r ?psize))
                 (level ?r n00)))

  ; Aeroplane's side: a part in front of the first of a rack, where the rack has room for it.
  (:action put-on-rack-beluga
    :parameters (?t - beluga-truck ?p - part ?r - rack ?pfirst - part ?psize ?rlevel ?newlevel - num)
    :precondition (and (not (= ?p ?pfirst)) (on-truck ?p ?t) (on-rack ?r ?pfirst) (on-rack noner ?p)
                       (no-rack-pre ?pfirst) (no-rack-pre ?p) (no-rack-succ ?p) (size ?p ?psize) (level ?r ?rlevel)
                       (fit-n-sum ?rlevel ?psize ?newlevel))
    :effect (and (not (on-truck ?p ?t)) (empty ?t) (not (on-rack noner ?p)) (on-rack ?r ?p) (not (no-rack-pre ?pfirst))
                 (not (no-rack-succ ?p)) (rack-succ ?p ?pfirst) (not (ready-to-unload ?p)) (not (unused ?r))
                 (not (level ?r ?rlevel)) (level ?r ?newlevel)))

  ; Aeroplane's side: the first part off a rack with others.
  (:action put-on-truck-beluga
    :parameters (?t - beluga-truck ?p - part ?r - rack ?pfirst - part ?psize ?rlevel ?newlevel - num)
    :precondition (and (not (= ?p ?pfirst)) (empty ?t) (on-rack ?r ?pfirst) (on-rack ?r ?p) (no-rack-pre ?p)
                       (rack-succ ?p ?pfirst) (size ?p ?psize) (level ?r ?newlevel)
                       (fit-n-sum ?rlevel ?psize ?newlevel))
    :effect (and (not (on-rack ?r ?p)) (on-rack noner ?p) (on-truck ?p ?t) (not (empty ?t)) (no-rack-pre ?pfirst)
                 (no-rack-succ ?p) (not (rack-succ ?p ?pfirst)) (not (level ?r ?newlevel)) (level ?r ?rlevel)))

  ; The production line calls for its next part, once the one before is processed.
  (:action set-next
    :parameters (?pl - production-line ?pa ?pn - part)
    :precondition (and (needed-next nonep) (p-line-next ?pl ?pa) (p-line-succ ?pa ?pn))
    :effect (and (needed-next ?pa) (not (needed-next nonep)) (not (p-line-next ?pl ?pa)) (p-line-next ?pl ?pn)))

  ; Factory's side: the only part off a rack. The last two parameters may be any numbers.
  (:action put-on-truck-fab-last
    :parameters (?t - fab-truck ?r - rack ?p - part ?psize ?rlevel ?newlevel - num)
    :precondition (and (empty ?t) (on-rack ?r ?p) (no-rack-pre ?p) (no-rack-succ ?p) (size ?p ?psize) (level ?r ?psize))
    :effect (and (not (on-rack ?r ?p)) (on-rack noner ?p) (not (empty ?t)) (on-truck ?p ?t) (not (level ?r ?psize))
                 (level ?r n00)))

  ; Factory's side: a part onto an empty rack. The last two parameters may be any numbers.
  (:action put-on-rack-fab-last
    :parameters (?t - fab-truck ?r - rack ?p - part ?psize ?rlevel ?newlevel - num)
    :precondition (and (on-truck ?p ?t) (on-rack noner ?p) (no-rack-pre ?p) (no-rack-succ ?p) (size ?p ?psize)
                       (level ?r n00))
    :effect (and (not (on-rack noner ?p)) (on-rack ?r ?p) (empty ?t) (not (on-truck ?p ?t)) (not (level ?r n00))
                 (level ?r ?psize)))

  ; Factory's side: the last part off a rack with others; the level falls from rlevel to newlevel.
  (:action put-on-truck-fab
    :parameters (?t - fab-truck ?r - rack ?pright ?pbefore - part ?psize ?rlevel ?newlevel - num)
    :precondition (and (not (= ?pright ?pbefore)) (empty ?t) (on-rack ?r ?pright) (on-rack ?r ?pbefore)
                       (rack-succ ?pbefore ?pright) (no-rack-succ ?pright) (size ?pright ?psize) (level ?r ?rlevel)
                       (fit-n-sum ?newlevel ?psize ?rlevel))
    :effect (and (not (empty ?t)) (on-truck ?pright ?t) (not (on-rack ?r ?pright)) (on-rack noner ?pright)
                 (not (rack-succ ?pbefore ?pright)) (no-rack-pre ?pright) (no-rack-succ ?pbefore)
                 (not (level ?r ?rlevel)) (level ?r ?newlevel)))

  ; Factory's side: a part behind the last of a rack; the level rises from newlevel to rlevel.
  (:action put-on-rack-fab
    :parameters (?t - fab-truck ?r - rack ?pright ?pbefore - part ?psize ?rlevel ?newlevel - num)
    :precondition (and (not (= ?pright ?pbefore)) (on-truck ?pright ?t) (on-rack noner ?pright) (no-rack-pre ?pright)
                       (no-rack-succ ?pright) (on-rack ?r ?pbefore) (no-rack-succ ?pbefore) (size ?pright ?psize)
                       (level ?r ?newlevel) (fit-n-sum ?newlevel ?psize ?rlevel))
    :effect (and (empty ?t) (not (on-truck ?pright ?t)) (not (on-rack noner ?pright)) (on-rack ?r ?pright)
                 (not (no-rack-pre ?pright)) (rack-succ ?pbefore ?pright) (not (level ?r ?newlevel))
                 (level ?r ?rlevel)))

  ; The part that the line calls for goes from the truck into production.
  (:action to-fab
    :parameters (?t - fab-truck ?p - part)
    :precondition (and (needed-next ?p) (on-truck ?p ?t))
    :effect (and (not (on-truck ?p ?t)) (empty ?t) (not (needed-next ?p)) (needed-next nonep) (processed ?p))))
