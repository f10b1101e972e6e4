"""Faithful tasks of our own, each a text with its PDDL, in as many manners of writing as we could think of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Written:
    """A text and the task that it asks for."""

    name: str
    text: str
    domain: str
    problem: str


def _problem(objects: str, init: str, goal: str) -> str:
    return f"(define (problem p) (:domain d) (:objects {objects})\n (:init {init})\n (:goal {goal}))"


CARRY = """(define (domain d) (:requirements :strips :typing) (:types room thing arm)
  (:predicates (robot-in ?r - room) (thing-in ?t - thing ?r - room) (free ?a - arm) (holds ?a - arm ?t - thing))
  (:action go :parameters (?a ?b - room) :precondition (robot-in ?a) :effect (and (robot-in ?b) (not (robot-in ?a))))
  (:action take :parameters (?t - thing ?r - room ?a - arm)
    :precondition (and (robot-in ?r) (thing-in ?t ?r) (free ?a))
    :effect (and (holds ?a ?t) (not (thing-in ?t ?r)) (not (free ?a))))
  (:action leave :parameters (?t - thing ?r - room ?a - arm) :precondition (and (robot-in ?r) (holds ?a ?t))
    :effect (and (thing-in ?t ?r) (free ?a) (not (holds ?a ?t)))))"""

BALLS = CARRY.replace("thing", "ball")

POST = """(define (domain d) (:requirements :strips :typing) (:types letter box carrier)
  (:predicates (at ?l - letter ?b - box) (carrier-at ?c - carrier ?b - box) (in-bag ?l - letter ?c - carrier))
  (:action walk :parameters (?c - carrier ?a ?b - box) :precondition (carrier-at ?c ?a)
    :effect (and (carrier-at ?c ?b) (not (carrier-at ?c ?a))))
  (:action pick :parameters (?l - letter ?c - carrier ?b - box) :precondition (and (at ?l ?b) (carrier-at ?c ?b))
    :effect (and (in-bag ?l ?c) (not (at ?l ?b))))
  (:action drop :parameters (?l - letter ?c - carrier ?b - box)
    :precondition (and (in-bag ?l ?c) (carrier-at ?c ?b)) :effect (and (at ?l ?b) (not (in-bag ?l ?c)))))"""

BLOCKS = """(define (domain d) (:requirements :strips)
  (:predicates (on ?x ?y) (on-table ?x) (clear ?x) (arm-empty) (holding ?x))
  (:action grasp :parameters (?x) :precondition (and (clear ?x) (on-table ?x) (arm-empty))
    :effect (and (holding ?x) (not (clear ?x)) (not (on-table ?x)) (not (arm-empty))))
  (:action lay :parameters (?x) :precondition (holding ?x)
    :effect (and (clear ?x) (arm-empty) (on-table ?x) (not (holding ?x))))
  (:action pile :parameters (?x ?y) :precondition (and (clear ?y) (holding ?x))
    :effect (and (arm-empty) (clear ?x) (on ?x ?y) (not (clear ?y)) (not (holding ?x))))
  (:action lift :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x) (arm-empty))
    :effect (and (holding ?x) (clear ?y) (not (on ?x ?y)) (not (clear ?x)) (not (arm-empty)))))"""

FERRY = """(define (domain d) (:requirements :strips :typing) (:types car shore)
  (:predicates (ferry-at ?s - shore) (car-at ?c - car ?s - shore) (aboard ?c - car) (deck-empty))
  (:action sail :parameters (?a ?b - shore) :precondition (ferry-at ?a) :effect (and (ferry-at ?b) (not (ferry-at ?a))))
  (:action board :parameters (?c - car ?s - shore) :precondition (and (car-at ?c ?s) (ferry-at ?s) (deck-empty))
    :effect (and (aboard ?c) (not (car-at ?c ?s)) (not (deck-empty))))
  (:action land :parameters (?c - car ?s - shore) :precondition (and (aboard ?c) (ferry-at ?s))
    :effect (and (car-at ?c ?s) (deck-empty) (not (aboard ?c)))))"""

LAMPS = """(define (domain d) (:requirements :strips :typing) (:types lamp - object)
  (:predicates (lit ?l - lamp) (dark ?l - lamp))
  (:action switch-on :parameters (?l - lamp) :precondition (dark ?l) :effect (and (lit ?l) (not (dark ?l))))
  (:action switch-off :parameters (?l - lamp) :precondition (lit ?l) :effect (and (dark ?l) (not (lit ?l)))))"""

LIFT = """(define (domain d) (:requirements :strips :typing) (:types passenger floor)
  (:predicates (lift-at ?f - floor) (waits-at ?p - passenger ?f - floor) (inside ?p - passenger))
  (:action ride :parameters (?a ?b - floor) :precondition (lift-at ?a) :effect (and (lift-at ?b) (not (lift-at ?a))))
  (:action enter :parameters (?p - passenger ?f - floor) :precondition (and (waits-at ?p ?f) (lift-at ?f))
    :effect (and (inside ?p) (not (waits-at ?p ?f))))
  (:action exit :parameters (?p - passenger ?f - floor) :precondition (and (inside ?p) (lift-at ?f))
    :effect (and (waits-at ?p ?f) (not (inside ?p)))))"""

TRAVEL = """(define (domain d) (:requirements :strips :typing) (:types person city train)
  (:predicates (person-in ?p - person ?c - city) (train-in ?t - train ?c - city) (on-board ?p - person ?t - train)
    (rail ?a ?b - city))
  (:action run :parameters (?t - train ?a ?b - city) :precondition (and (train-in ?t ?a) (rail ?a ?b))
    :effect (and (train-in ?t ?b) (not (train-in ?t ?a))))
  (:action get-on :parameters (?p - person ?t - train ?c - city) :precondition (and (person-in ?p ?c) (train-in ?t ?c))
    :effect (and (on-board ?p ?t) (not (person-in ?p ?c))))
  (:action get-off :parameters (?p - person ?t - train ?c - city) :precondition (and (on-board ?p ?t) (train-in ?t ?c))
    :effect (and (person-in ?p ?c) (not (on-board ?p ?t)))))"""

HANOI = """(define (domain d) (:requirements :strips :typing) (:types disc peg - place place)
  (:predicates (on ?d - disc ?p - place) (clear ?p - place) (smaller ?d - disc ?p - place))
  (:action move :parameters (?d - disc ?a ?b - place)
    :precondition (and (on ?d ?a) (clear ?d) (clear ?b) (smaller ?d ?b))
    :effect (and (on ?d ?b) (clear ?a) (not (on ?d ?a)) (not (clear ?b)))))"""

SHELF = """(define (domain d) (:requirements :strips :typing) (:types book shelf)
  (:predicates (stands-on ?b - book ?s - shelf))
  (:action move :parameters (?b - book ?from ?to - shelf) :precondition (stands-on ?b ?from)
    :effect (and (stands-on ?b ?to) (not (stands-on ?b ?from)))))"""

WRITTEN = (
    Written(
        "eggs-in-words",
        "A dozen eggs lie in three baskets: five in the first, four in the second and the rest in the third. A girl "
        "with an apron stands at the first basket. She can carry as many eggs as she likes.\n\nBring all eggs to the "
        "third basket; it does not matter where the girl ends up.",
        POST.replace("letter", "egg").replace("box", "basket").replace("carrier", "girl"),
        _problem(
            " ".join(f"e{i}" for i in range(1, 13)) + " - egg b1 b2 b3 - basket g - girl",
            " ".join(f"(at e{i} b{1 if i < 6 else 2 if i < 10 else 3})" for i in range(1, 13)) + " (girl-at g b1)",
            f"(and {' '.join(f'(at e{i} b3)' for i in range(1, 13))})",
        ),
    ),
    Written(
        "letters-forall",
        "Seven letters are in two boxes, four in the first and three in the second. The one carrier of the village "
        "waits at the second box. Every letter must end up in box 1.",
        POST,
        _problem(
            "letter1 letter2 letter3 letter4 letter5 letter6 letter7 - letter box1 box2 - box carrier1 - carrier",
            "(at letter1 box1) (at letter2 box1) (at letter3 box1) (at letter4 box1) (at letter5 box2) "
            "(at letter6 box2) (at letter7 box2) (carrier-at carrier1 box2)",
            "(forall (?l - letter) (at ?l box1))",
        ).replace("(:domain d)", "(:domain d) (:requirements :adl)"),
    ),
    Written(
        "two-armed-robot",
        "A robot with two arms, left and right, is in the hall. Both arms are free. Cups one and two are in the hall, "
        "cup three is in the cellar. In the end cup one is in the cellar, cups two and three are in the attic, and the "
        "robot is back in the hall with both arms free.",
        CARRY.replace("thing", "cup"),
        _problem(
            "hall cellar attic - room cup1 cup2 cup3 - cup left right - arm",
            "(robot-in hall) (free left) (free right) (cup-in cup1 hall) (cup-in cup2 hall) (cup-in cup3 cellar)",
            "(and (cup-in cup1 cellar) (cup-in cup2 attic) (cup-in cup3 attic) (robot-in hall) (free left) (free right))",
        ),
    ),
    Written(
        "nursery",
        "A robot with two grippers, left and right, tidies a flat with three rooms: the bedroom, the corridor and the "
        "kitchen. Each gripper holds one ball at most.\n\nThe robot is in the corridor and both its grippers are empty. "
        "Balls 1 to 4 are in the bedroom, ball 5 is in the kitchen.\nBring balls 1, 2, 3 and 4 to the kitchen and ball 5 "
        "to the bedroom. At the end the robot must be back in the corridor.",
        BALLS.replace("arm", "gripper"),
        _problem(
            "bedroom corridor kitchen - room b1 b2 b3 b4 b5 - ball left right - gripper",
            "(robot-in corridor) (free left) (free right) (ball-in b1 bedroom) (ball-in b2 bedroom) "
            "(ball-in b3 bedroom) (ball-in b4 bedroom) (ball-in b5 kitchen)",
            "(and (ball-in b1 kitchen) (ball-in b2 kitchen) (ball-in b3 kitchen) (ball-in b4 kitchen) "
            "(ball-in b5 bedroom) (robot-in corridor))",
        ),
    ),
    Written(
        "compass-rooms",
        "There are four rooms, named north, east, south and west. The robot is in the north room. Its arms are called "
        "arm-a and arm-b, and both are free. Six balls, ball1 to ball6, are around: ball1 and ball2 in the east room, "
        "ball3, ball4 and ball5 in the south room, and ball6 in the north room. Bring ball1, ball2, ball3 and ball4 to "
        "the west room. Ball5 and ball6 may be anywhere in the end.",
        BALLS,
        _problem(
            "north east south west - room ball1 ball2 ball3 ball4 ball5 ball6 - ball arm-a arm-b - arm",
            "(robot-in north) (free arm-a) (free arm-b) (ball-in ball1 east) (ball-in ball2 east) "
            "(ball-in ball3 south) (ball-in ball4 south) (ball-in ball5 south) (ball-in ball6 north)",
            "(and (ball-in ball1 west) (ball-in ball2 west) (ball-in ball3 west) (ball-in ball4 west))",
        ),
    ),
    Written(
        "blocks-capital-letters",
        "Block A is on block B, block B is on the table, and block C is on the table. Blocks A and C are clear and the "
        "arm is empty. I want block B on block C and block A on block B.",
        BLOCKS,
        _problem(
            "block_a block_b block_c",
            "(on block_a block_b) (on-table block_b) (on-table block_c) (clear block_a) (clear block_c) (arm-empty)",
            "(and (on block_b block_c) (on block_a block_b))",
        ),
    ),
    Written(
        "five-colours",
        "Five wooden blocks lie on my desk: a red one, a blue one, a green one, a yellow one and a white one. A robot "
        "arm moves them for me. It can hold one block at a time, and it can only take a block that has nothing on it.\n"
        "\nAt the moment the red block stands on the blue one, and the blue one stands on the desk. The green block "
        "stands on the desk with the yellow one on top of it, and the white one is on top of the yellow one. The arm "
        "holds nothing.\n\nBuild one tower: green at the bottom, on the desk, then white, red, yellow, and blue on top.",
        BLOCKS,
        _problem(
            "red blue green yellow white",
            "(on red blue) (on-table blue) (on-table green) (on yellow green) (on white yellow) (clear red) "
            "(clear white) (arm-empty)",
            "(and (on-table green) (on white green) (on red white) (on yellow red) (on blue yellow))",
        ),
    ),
    Written(
        "colour-names",
        "The red block is on the green block. The green block and the blue block are on the table. The red block and "
        "the blue block are clear. My arm is empty. Your task is to put the green block on the blue block.",
        BLOCKS,
        _problem(
            "red-block green-block blue-block",
            "(on red-block green-block) (on-table green-block) (on-table blue-block) (clear red-block) "
            "(clear blue-block) (arm-empty)",
            "(on green-block blue-block)",
        ),
    ),
    Written(
        "colours-as-letters",
        "I have four blocks. The red block is on the blue block, the blue block is on the table, the orange block is "
        "on the yellow block and the yellow block is on the table. The red block is clear, the orange block is clear "
        "and the hand is empty. My goal is to have that the blue block is on the orange block and the red block is on "
        "the blue block.",
        BLOCKS,
        _problem(
            "x1 x2 x3 x4",
            "(on x1 x2) (on-table x2) (on x3 x4) (on-table x4) (clear x1) (clear x3) (arm-empty)",
            "(and (on x2 x3) (on x1 x2))",
        ),
    ),
    Written(
        "ferry-list",
        "A ferry takes one car at a time across a strait.\n\nInitial state:\n- The ferry is at the north shore.\n- Car 1 "
        "is at the north shore.\n- Car 2 is at the north shore.\n- Car 3 is at the south shore.\n- The deck is empty.\n"
        "\nGoal:\n- Car 1 is at the south shore.\n- Car 2 is at the south shore.\n- Car 3 is at the north shore.",
        FERRY,
        _problem(
            "c1 c2 c3 - car north south - shore",
            "(ferry-at north) (car-at c1 north) (car-at c2 north) (car-at c3 south) (deck-empty)",
            "(and (car-at c1 south) (car-at c2 south) (car-at c3 north))",
        ),
    ),
    Written(
        "ferry-from-zero",
        "There are 3 cars and 2 shores. Cars 1, 2 and 3 are at shore 1, and so is the ferry, whose deck is empty. Please "
        "move all cars to shore 2.",
        FERRY,
        _problem(
            "car0 car1 car2 - car shore0 shore1 - shore",
            "(ferry-at shore0) (car-at car0 shore0) (car-at car1 shore0) (car-at car2 shore0) (deck-empty)",
            "(and (car-at car0 shore1) (car-at car1 shore1) (car-at car2 shore1))",
        ),
    ),
    Written(
        "lamps",
        "The house has four lamps, in the kitchen, the hall, the study and the attic. The hall lamp is lit, the others "
        "are dark. When I come home, the kitchen lamp and the study lamp should be lit and the hall lamp should be dark.",
        LAMPS,
        _problem(
            "kitchen hall study attic - lamp",
            "(lit hall) (dark kitchen) (dark study) (dark attic)",
            "(and (lit kitchen) (lit study) (dark hall))",
        ),
    ),
    Written(
        "lift",
        "A lift serves floors 0 to 3 and is at floor 0 now. Passenger p1 waits at floor 2 and passenger p2 waits at "
        "floor 3. p1 wants to get to floor 0, p2 wants to get to floor 1.",
        LIFT,
        _problem(
            "f0 f1 f2 f3 - floor p1 p2 - passenger",
            "(lift-at f0) (waits-at p1 f2) (waits-at p2 f3)",
            "(and (waits-at p1 f0) (waits-at p2 f1))",
        ),
    ),
    Written(
        "train",
        "Alice and Bob live in Porto, Carla lives in Faro. A train runs between Porto and Lisbon and between Lisbon and "
        "Faro, both ways; it is in Lisbon at the moment. Alice must get to Faro, and Carla must get to Lisbon. Bob can "
        "stay where he likes.",
        TRAVEL,
        _problem(
            "alice bob carla - person porto lisbon faro - city t - train",
            "(person-in alice porto) (person-in bob porto) (person-in carla faro) (train-in t lisbon) (rail porto lisbon) "
            "(rail lisbon porto) (rail lisbon faro) (rail faro lisbon)",
            "(and (person-in alice faro) (person-in carla lisbon))",
        ),
    ),
    Written(
        "hanoi",
        "Towers of Hanoi with three discs and three pegs. Disc 1 is the smallest and disc 3 the largest. All discs are on "
        "the left peg, disc 1 on disc 2 and disc 2 on disc 3. A disc may only be put on a larger disc or on a free peg. "
        "Move the whole tower to the right peg.",
        HANOI,
        _problem(
            "d1 d2 d3 - disc left middle right - peg",
            "(on d1 d2) (on d2 d3) (on d3 left) (clear d1) (clear middle) (clear right) (smaller d1 d2) (smaller d1 d3) "
            "(smaller d2 d3) (smaller d1 left) (smaller d1 middle) (smaller d1 right) (smaller d2 left) "
            "(smaller d2 middle) (smaller d2 right) (smaller d3 left) (smaller d3 middle) (smaller d3 right)",
            "(and (on d1 d2) (on d2 d3) (on d3 right))",
        ),
    ),
    Written(
        "books",
        "The atlas and the dictionary stand on the top shelf and the novel stands on the bottom shelf. The middle shelf "
        "is empty. Please put the atlas and the novel on the middle shelf, and the dictionary on the bottom shelf.",
        SHELF,
        _problem(
            "atlas dictionary novel - book top middle bottom - shelf",
            "(stands-on atlas top) (stands-on dictionary top) (stands-on novel bottom)",
            "(and (stands-on atlas middle) (stands-on novel middle) (stands-on dictionary bottom))",
        ),
    ),
    Written(
        "books-exists",
        "Three books, the atlas, the diary and the novel, stand on the upper shelf; the lower shelf is free. At least one "
        "book must finally be on the lower shelf.",
        SHELF,
        _problem(
            "atlas diary novel - book upper lower - shelf",
            "(stands-on atlas upper) (stands-on diary upper) (stands-on novel upper)",
            "(exists (?b - book) (stands-on ?b lower))",
        ).replace("(:domain d)", "(:domain d) (:requirements :adl)"),
    ),
    Written(
        "depots",
        "Eight crates are spread over 4 depots, two at each. Two trucks start at the first depot. Each truck can take as "
        "many crates as you like. Gather all crates at the last depot, the trucks may end anywhere.",
        POST.replace("letter", "crate").replace("box", "depot").replace("carrier", "truck"),
        _problem(
            "crate1 crate2 crate3 crate4 crate5 crate6 crate7 crate8 - crate dp1 dp2 dp3 dp4 - depot tr1 tr2 - truck",
            "(at crate1 dp1) (at crate2 dp1) (at crate3 dp2) (at crate4 dp2) (at crate5 dp3) (at crate6 dp3) "
            "(at crate7 dp4) (at crate8 dp4) (truck-at tr1 dp1) (truck-at tr2 dp1)",
            f"(and {' '.join(f'(at crate{i} dp4)' for i in range(1, 9))})",
        ),
    ),
)
