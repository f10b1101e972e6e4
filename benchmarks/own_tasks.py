"""Two tasks of our own to measure and to mutate: a plain typed one, and one with everything the language has."""

from __future__ import annotations

GREENHOUSE = (
    """(define (domain greenhouse)
  (:requirements :strips :typing)
  (:types thing - object
          plant bench - thing)
  (:constants sink - bench)
  (:predicates (on ?p - plant ?b - bench)
               (wet ?p - plant)
               (free ?b - bench))
  (:action move
    :parameters (?p - plant ?from ?to - bench)
    :precondition (and (on ?p ?from) (free ?to))
    :effect (and (on ?p ?to) (free ?from)
                 (not (on ?p ?from)) (not (free ?to))))
  (:action water
    :parameters (?p - plant)
    :precondition (on ?p sink)
    :effect (wet ?p)))
""",
    """(define (problem two-plants)
  (:domain greenhouse)
  (:objects fern ivy - plant
            left right - bench)
  (:init (on fern left) (on ivy right) (free sink))
  (:goal (and (wet fern)
              (on fern left))))
""",
)

HARBOUR = (
    """; cranes, ferries and a tide: every construct that is supported (and brackets :) in a comment)
(define (domain harbour)
  (:requirements :adl :derived-predicates :action-costs)
  (:types place - object
          quay buoy - place
          ship ferry - vessel
          vessel crate - object)
  (:constants lighthouse - buoy)
  (:predicates (at ?v - vessel ?p - place)
               (stored ?c - crate ?where - (either quay vessel))
               (lane ?a ?b - place)
               (tide-high)
               (near ?a ?b - place)
               (damp ?c - crate))
  (:functions (total-cost) - number
              (distance ?a ?b - place) - number)
  (:derived (near ?a ?b - place)
    (or (lane ?a ?b) (exists (?c - place) (and (lane ?a ?c) (near ?c ?b)))))
  (:action sail
    :parameters (?v - vessel ?a ?b - place)
    :precondition (and (at ?v ?a) (near ?a ?b) (not (= ?a ?b)) (imply (= ?b lighthouse) (tide-high)))
    :effect (and (not (at ?v ?a)) (at ?v ?b)
                 (forall (?c - crate) (when (and (stored ?c ?v) (not (tide-high))) (damp ?c)))
                 (increase (total-cost) (distance ?a ?b))))
  (:action hoist
    :parameters (?c - crate ?q - quay ?v - vessel)
    :precondition (and (stored ?c ?q) (at ?v ?q) (forall (?o - crate) (or (= ?o ?c) (not (stored ?o ?v)))))
    :effect (and (stored ?c ?v) (not (stored ?c ?q)) (increase (total-cost) 2)))
  (:action wait-for-tide
    :parameters ()
    :precondition ()
    :effect (when (not (tide-high)) (tide-high))))
""",
    """(define (problem one-crate)
  (:domain harbour)
  (:objects north south - quay
            gull - ship heron - ferry
            salt - crate)
  (:init (at gull north) (at heron south) (stored salt north)
         (lane north lighthouse) (lane lighthouse south) (lane south north)
         (= (total-cost) 0)
         (= (distance north lighthouse) 3) (= (distance lighthouse south) 4) (= (distance south north) 1)
         (= (distance north south) 8))
  (:goal (and (exists (?v - vessel) (and (stored salt ?v) (at ?v south))) (not (damp salt))))
  (:metric minimize (total-cost)))
""",
)

OWN_TASKS = {"greenhouse": GREENHOUSE, "harbour": HARBOUR}
