; Satellites turn in space and take images with the instruments on board. One instrument of a satellite has power at a
; time, and switching it on undoes its calibration.
(define (domain satellite)
  (:requirements :strips :typing)
  (:types satellite direction instrument mode - object)
  (:predicates
    (on_board ?i - instrument ?s - satellite)
    (supports ?i - instrument ?m - mode)
    (pointing ?s - satellite ?d - direction)
    (power_avail ?s - satellite)
    (power_on ?i - instrument)
    (calibrated ?i - instrument)
    (have_image ?d - direction ?m - mode)
    (calibration_target ?i - instrument ?d - direction))

  ; From any direction to any other in one turn.
  (:action turn_to
    :parameters (?s - satellite ?d_new ?d_prev - direction)
    :precondition (and (pointing ?s ?d_prev))
    :effect (and (pointing ?s ?d_new) (not (pointing ?s ?d_prev))))

  ; Give an instrument the satellite's power.
  (:action switch_on
    :parameters (?i - instrument ?s - satellite)
    :precondition (and (on_board ?i ?s) (power_avail ?s))
    :effect (and (power_on ?i) (not (calibrated ?i)) (not (power_avail ?s))))

  ; Take the power back.
  (:action switch_off
    :parameters (?i - instrument ?s - satellite)
    :precondition (and (on_board ?i ?s) (power_on ?i))
    :effect (and (not (power_on ?i)) (power_avail ?s)))

  ; Calibrate on one of the instrument's own targets.
  (:action calibrate
    :parameters (?s - satellite ?i - instrument ?d - direction)
    :precondition (and (on_board ?i ?s) (calibration_target ?i ?d) (pointing ?s ?d) (power_on ?i))
    :effect (and (calibrated ?i)))

  ; Take an image in a mode that the calibrated instrument supports.
  (:action take_image
    :parameters (?s - satellite ?d - direction ?i - instrument ?m - mode)
    :precondition (and (calibrated ?i) (on_board ?i ?s) (supports ?i ?m) (power_on ?i) (pointing ?s ?d))
    :effect (and (have_image ?d ?m))))
