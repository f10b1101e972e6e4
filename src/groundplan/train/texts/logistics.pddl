; Trucks carry packages inside a city, airplanes carry them between the airports.
(define (domain logistics)
  (:requirements :strips)
  (:predicates
    (obj ?o) (truck ?t) (location ?l) (airplane ?a) (city ?c) (airport ?l)
    (at ?o ?l) (in ?o ?v) (in-city ?l ?c))

  (:action load-truck
    :parameters (?o ?t ?l)
    :precondition (and (obj ?o) (truck ?t) (location ?l) (at ?t ?l) (at ?o ?l))
    :effect (and (in ?o ?t) (not (at ?o ?l))))

  (:action unload-truck
    :parameters (?o ?t ?l)
    :precondition (and (obj ?o) (truck ?t) (location ?l) (at ?t ?l) (in ?o ?t))
    :effect (and (at ?o ?l) (not (in ?o ?t))))

  (:action load-airplane
    :parameters (?o ?a ?l)
    :precondition (and (obj ?o) (airplane ?a) (location ?l) (at ?a ?l) (at ?o ?l))
    :effect (and (in ?o ?a) (not (at ?o ?l))))

  (:action unload-airplane
    :parameters (?o ?a ?l)
    :precondition (and (obj ?o) (airplane ?a) (location ?l) (at ?a ?l) (in ?o ?a))
    :effect (and (at ?o ?l) (not (in ?o ?a))))

  (:action drive-truck
    :parameters (?t ?from ?to ?c)
    :precondition (and (truck ?t) (location ?from) (location ?to) (city ?c)
      (at ?t ?from) (in-city ?from ?c) (in-city ?to ?c))
    :effect (and (at ?t ?to) (not (at ?t ?from))))

  (:action fly-airplane
    :parameters (?a ?from ?to)
    :precondition (and (airplane ?a) (airport ?from) (airport ?to) (at ?a ?from))
    :effect (and (at ?a ?to) (not (at ?a ?from)))))
