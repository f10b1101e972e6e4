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

FIRST = (
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
            "(and (cup-in cup1 cellar) (cup-in cup2 attic) (cup-in cup3 attic) (robot-in hall) (free left) (free "
            "right))",
        ),
    ),
    Written(
        "nursery",
        "A robot with two grippers, left and right, tidies a flat with three rooms: the bedroom, the corridor and the "
        "kitchen. Each gripper holds one ball at most.\n\nThe robot is in the corridor and both its grippers are "
        "empty. "
        "Balls 1 to 4 are in the bedroom, ball 5 is in the kitchen.\nBring balls 1, 2, 3 and 4 to the kitchen and "
        "ball 5 "
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
        "holds nothing.\n\nBuild one tower: green at the bottom, on the desk, then white, red, yellow, and blue on "
        "top.",
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
        "A ferry takes one car at a time across a strait.\n\nInitial state:\n- The ferry is at the north shore.\n- "
        "Car 1 "
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
        "There are 3 cars and 2 shores. Cars 1, 2 and 3 are at shore 1, and so is the ferry, whose deck is empty. "
        "Please "
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
        "are dark. When I come home, the kitchen lamp and the study lamp should be lit and the hall lamp should be "
        "dark.",
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
        "Alice and Bob live in Porto, Carla lives in Faro. A train runs between Porto and Lisbon and between Lisbon "
        "and "
        "Faro, both ways; it is in Lisbon at the moment. Alice must get to Faro, and Carla must get to Lisbon. Bob can "
        "stay where he likes.",
        TRAVEL,
        _problem(
            "alice bob carla - person porto lisbon faro - city t - train",
            "(person-in alice porto) (person-in bob porto) (person-in carla faro) (train-in t lisbon) (rail porto "
            "lisbon) "
            "(rail lisbon porto) (rail lisbon faro) (rail faro lisbon)",
            "(and (person-in alice faro) (person-in carla lisbon))",
        ),
    ),
    Written(
        "hanoi",
        "Towers of Hanoi with three discs and three pegs. Disc 1 is the smallest and disc 3 the largest. All discs "
        "are on "
        "the left peg, disc 1 on disc 2 and disc 2 on disc 3. A disc may only be put on a larger disc or on a free "
        "peg. "
        "Move the whole tower to the right peg.",
        HANOI,
        _problem(
            "d1 d2 d3 - disc left middle right - peg",
            "(on d1 d2) (on d2 d3) (on d3 left) (clear d1) (clear middle) (clear right) (smaller d1 d2) (smaller d1 "
            "d3) "
            "(smaller d2 d3) (smaller d1 left) (smaller d1 middle) (smaller d1 right) (smaller d2 left) "
            "(smaller d2 middle) (smaller d2 right) (smaller d3 left) (smaller d3 middle) (smaller d3 right)",
            "(and (on d1 d2) (on d2 d3) (on d3 right))",
        ),
    ),
    Written(
        "books",
        "The atlas and the dictionary stand on the top shelf and the novel stands on the bottom shelf. The middle "
        "shelf "
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
        "Three books, the atlas, the diary and the novel, stand on the upper shelf; the lower shelf is free. At "
        "least one "
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
        "Eight crates are spread over 4 depots, two at each. Two trucks start at the first depot. Each truck can "
        "take as "
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

SECOND = (
    Written(
        "second: dated steps",
        "You are a warehouse robot with one gripper. Step 1 of every shift is to read the list. Here is today's list: "
        "item 1 and item 2 are in aisle 1, item 3 is in aisle 2. You start in aisle 2 with a free gripper. It takes 5 "
        "minutes to change aisles. At the end of the shift, item 1 must be in aisle 2, item 2 must be in aisle 3 and "
        "item 3 must be in aisle 1.",
        CARRY.replace("thing", "item").replace("room", "aisle").replace("arm", "gripper"),
        _problem(
            "item-1 item-2 item-3 - item aisle-1 aisle-2 aisle-3 - aisle g - gripper",
            "(robot-in aisle-2) (free g) (item-in item-1 aisle-1) (item-in item-2 aisle-1) (item-in item-3 aisle-2)",
            "(and (item-in item-1 aisle-2) (item-in item-2 aisle-3) (item-in item-3 aisle-1))",
        ),
    ),
    Written(
        "second: swap",
        "In a library the robot may carry a single book in its hand. The globe is in the reading room, the map is in "
        "the archive; the robot is in the archive, too. Swap the globe and the map, please.",
        CARRY.replace("arm", "hand"),
        _problem(
            "reading-room archive - room globe map - thing hand1 - hand",
            "(robot-in archive) (free hand1) (thing-in globe reading-room) (thing-in map archive)",
            "(and (thing-in globe archive) (thing-in map reading-room))",
        ),
    ),
    Written(
        "second: story",
        "Grandmother left her spectacles in the parlour and her needle in the pantry. Her robot helper has two hands "
        "and stands in the parlour with nothing in them. She sits in the garden and would like to have both the "
        "spectacles and the needle there.",
        CARRY.replace("arm", "hand"),
        _problem(
            "parlour pantry garden - room spectacles needle - thing left right - hand",
            "(robot-in parlour) (free left) (free right) (thing-in spectacles parlour) (thing-in needle pantry)",
            "(and (thing-in spectacles garden) (thing-in needle garden))",
        ),
    ),
    Written(
        "second: every one",
        "At the start ten letters lie in box 1 and box 2 is empty. There are two carriers, both at box 2. Each carrier "
        "can take any number of letters. Every one of the ten letters has to be brought to box 2, and both carriers "
        "have "
        "to be back at box 2.",
        POST,
        _problem(
            " ".join(f"l{i}" for i in range(10)) + " - letter box-1 box-2 - box c1 c2 - carrier",
            " ".join(f"(at l{i} box-1)" for i in range(10)) + " (carrier-at c1 box-2) (carrier-at c2 box-2)",
            f"(and {' '.join(f'(at l{i} box-2)' for i in range(10))} (carrier-at c1 box-2) (carrier-at c2 box-2))",
        ),
    ),
    Written(
        "second: stacks with numbers",
        "Blocks are numbered 1 to 5. Block 1 is on block 2, block 2 is on block 3, and block 3 is on the table. "
        "Block 4 "
        "is on block 5, which is on the table. Nothing is on block 1 or block 4. The arm is empty. Final state: "
        "block 5 "
        "is on block 1. Where the other blocks are does not matter.",
        BLOCKS,
        _problem(
            "b1 b2 b3 b4 b5",
            "(on b1 b2) (on b2 b3) (on-table b3) (on b4 b5) (on-table b5) (clear b1) (clear b4) (arm-empty)",
            "(on b5 b1)",
        ),
    ),
    Written(
        "second: reversed tower",
        "A tower of three blocks stands on the table: A on top, B in the middle, C at the bottom. Reverse the "
        "tower, so "
        "that C is on B and B is on A.",
        BLOCKS,
        _problem(
            "a b c",
            "(on a b) (on b c) (on-table c) (clear a) (arm-empty)",
            "(and (on c b) (on b a))",
        ),
    ),
    Written(
        "second: sugar and salt",
        "Two jars, sugar and salt, are both on the low shelf. A third jar, flour, is on the high shelf. I can move "
        "one jar "
        "at a time. I need sugar and flour to be together on the middle shelf; salt can stay where it is.",
        SHELF.replace("book", "jar"),
        _problem(
            "sugar salt flour - jar low middle high - shelf",
            "(stands-on sugar low) (stands-on salt low) (stands-on flour high)",
            "(and (stands-on sugar middle) (stands-on flour middle))",
        ),
    ),
    Written(
        "second: two trains",
        "The cities are Kiel, Bonn and Ulm; there is a railway line between Kiel and Bonn and one between Bonn and "
        "Ulm. "
        "Trains can use the lines in both directions. Train T1 is in Kiel and train T2 is in Ulm. Max is in Kiel "
        "and Eva is "
        "in Ulm. They want to meet in Bonn.",
        TRAVEL,
        _problem(
            "max eva - person kiel bonn ulm - city t1 t2 - train",
            "(person-in max kiel) (person-in eva ulm) (train-in t1 kiel) (train-in t2 ulm) (rail kiel bonn) "
            "(rail bonn kiel) (rail bonn ulm) (rail ulm bonn)",
            "(and (person-in max bonn) (person-in eva bonn))",
        ),
    ),
    Written(
        "second: hall lights",
        "Lamps L1 through L6 hang in the hall. The odd ones, L1, L3 and L5, are lit; L2, L4 and L6 are dark. Turn "
        "the lamps "
        "so that all of them are dark except L6, which has to be lit.",
        LAMPS,
        _problem(
            "l1 l2 l3 l4 l5 l6 - lamp",
            "(lit l1) (dark l2) (lit l3) (dark l4) (lit l5) (dark l6)",
            "(and (dark l1) (dark l2) (dark l3) (dark l4) (dark l5) (lit l6))",
        ),
    ),
    Written(
        "second: no car left",
        "There are 4 cars on the left bank and none on the right bank. The ferry can take one car at a time and is "
        "at the "
        "left bank. No car may stay on the left bank. The ferry should end on the left bank.",
        FERRY.replace("shore", "bank"),
        _problem(
            "c1 c2 c3 c4 - car left right - bank",
            "(ferry-at left) (car-at c1 left) (car-at c2 left) (car-at c3 left) (car-at c4 left) (deck-empty)",
            "(and (car-at c1 right) (car-at c2 right) (car-at c3 right) (car-at c4 right) (ferry-at left))",
        ),
    ),
    Written(
        "second: quantified lift",
        "A hotel has five floors, the ground floor and floors 1-4. The lift is on the ground floor. Three guests, "
        "Ann, Ben "
        "and Cid, wait on floors 1, 2 and 3 respectively. All guests want to go to floor 4.",
        LIFT.replace("passenger", "guest"),
        _problem(
            "ground f1 f2 f3 f4 - floor ann ben cid - guest",
            "(lift-at ground) (waits-at ann f1) (waits-at ben f2) (waits-at cid f3)",
            "(forall (?g - guest) (waits-at ?g f4))",
        ).replace("(:domain d)", "(:domain d) (:requirements :adl)"),
    ),
    Written(
        "second: disk peg letters",
        "Three pegs A, B, C; two disks, a small one and a big one, on peg A, the small one on top. Big disks never "
        "go on "
        "small disks. Task: get both disks to peg C.",
        HANOI.replace("disc", "disk"),
        _problem(
            "small big - disk peg-a peg-b peg-c - peg",
            "(on small big) (on big peg-a) (clear small) (clear peg-b) (clear peg-c) (smaller small big) "
            "(smaller small peg-a) (smaller small peg-b) (smaller small peg-c) (smaller big peg-a) (smaller big peg-b) "
            "(smaller big peg-c)",
            "(and (on big peg-c) (on small big))",
        ),
    ),
    Written(
        "second: crates with colours",
        "A truck called t and three depots: north, south and central. The red crate and the green crate are at "
        "north, the "
        "blue crate is at south. t is parked at central. Deliver the red crate to south and both other crates to "
        "central. "
        "Leave the truck wherever you want.",
        POST.replace("letter", "crate").replace("box", "depot").replace("carrier", "truck"),
        _problem(
            "crate_red crate_green crate_blue - crate north south central - depot t - truck",
            "(at crate_red north) (at crate_green north) (at crate_blue south) (truck-at t central)",
            "(and (at crate_red south) (at crate_green central) (at crate_blue central))",
        ),
    ),
    Written(
        "second: markdown",
        "## Task\n\nMove parcels between **three** depots with one van.\n\n### Objects\n* parcels: p1, p2, p3\n* "
        "depots: d1, "
        "d2, d3\n* van: v1\n\n### Start\n* p1 and p2 are at d1\n* p3 is at d2\n* v1 is at d3\n\n### Goal\n* p1 is "
        "at d3\n* p2 is "
        "at d2\n* p3 is at d1\n",
        POST.replace("letter", "parcel").replace("box", "depot").replace("carrier", "van"),
        _problem(
            "p1 p2 p3 - parcel d1 d2 d3 - depot v1 - van",
            "(at p1 d1) (at p2 d1) (at p3 d2) (van-at v1 d3)",
            "(and (at p1 d3) (at p2 d2) (at p3 d1))",
        ),
    ),
)
PAINT = """(define (domain d) (:requirements :strips :typing :negative-preconditions) (:types wall colour)
  (:predicates (painted ?w - wall ?c - colour) (bare ?w - wall) (brush-has ?c - colour) (brush-clean) (dry ?w - wall))
  (:action dip :parameters (?c - colour) :precondition (brush-clean)
    :effect (and (brush-has ?c) (not (brush-clean))))
  (:action rinse :parameters (?c - colour) :precondition (brush-has ?c)
    :effect (and (brush-clean) (not (brush-has ?c))))
  (:action paint :parameters (?w - wall ?c - colour) :precondition (and (bare ?w) (brush-has ?c))
    :effect (and (painted ?w ?c) (not (bare ?w)) (not (dry ?w)))))"""

ROVER = """(define (domain d) (:requirements :strips)
  (:predicates (rover ?r) (site ?s) (sample ?x) (road ?a ?b) (at ?r ?s) (lies ?x ?s) (has ?r ?x) (analysed ?x))
  (:action drive :parameters (?r ?a ?b) :precondition (and (rover ?r) (site ?a) (site ?b) (at ?r ?a) (road ?a ?b))
    :effect (and (at ?r ?b) (not (at ?r ?a))))
  (:action collect :parameters (?r ?x ?s) :precondition (and (rover ?r) (sample ?x) (at ?r ?s) (lies ?x ?s))
    :effect (and (has ?r ?x) (not (lies ?x ?s))))
  (:action analyse :parameters (?r ?x) :precondition (and (rover ?r) (has ?r ?x)) :effect (analysed ?x)))"""

DOORS = """(define (domain d) (:requirements :adl) (:types room key door)
  (:predicates (in ?r - room) (key-in ?k - key ?r - room) (have ?k - key) (opens ?k - key ?d - door) (locked ?d - door)
    (joins ?d - door ?a ?b - room))
  (:action go :parameters (?a ?b - room ?d - door) :precondition (and (in ?a) (joins ?d ?a ?b) (not (locked ?d)))
    :effect (and (in ?b) (not (in ?a))))
  (:action grab :parameters (?k - key ?r - room) :precondition (and (in ?r) (key-in ?k ?r))
    :effect (and (have ?k) (not (key-in ?k ?r))))
  (:action unlock :parameters (?k - key ?d - door ?a ?b - room)
    :precondition (and (in ?a) (joins ?d ?a ?b) (have ?k) (opens ?k ?d) (locked ?d)) :effect (not (locked ?d))))"""

THIRD = (
    Written(
        "third: paint",
        "Three walls need paint: the north wall, the south wall and the east wall are all bare. I have one brush, "
        "it is "
        "clean, and there are two colours, cream and mint. The north wall and the south wall are to be painted "
        "cream, the "
        "east wall mint, and in the end the brush should be clean again.",
        PAINT,
        _problem(
            "north south east - wall cream mint - colour",
            "(bare north) (bare south) (bare east) (brush-clean) (dry north) (dry south) (dry east)",
            "(and (painted north cream) (painted south cream) (painted east mint) (brush-clean))",
        ),
    ),
    Written(
        "third: rover",
        "Rover R1 is at site S0. The sites S0, S1 and S2 lie on one road, in this order, and the rover can drive "
        "along it "
        "in both directions. There is a soil sample at S1 and a rock sample at S2. Both samples must be analysed; "
        "samples "
        "must be collected first.",
        ROVER,
        _problem(
            "r1 s0 s1 s2 soil rock",
            "(rover r1) (site s0) (site s1) (site s2) (sample soil) (sample rock) (road s0 s1) (road s1 s0) (road "
            "s1 s2) "
            "(road s2 s1) (at r1 s0) (lies soil s1) (lies rock s2)",
            "(and (analysed soil) (analysed rock))",
        ),
    ),
    Written(
        "third: two rovers",
        "Two rovers, Spirit and Opportunity, stand at the base. From the base a road leads to the crater, and from the "
        "crater one leads to the ridge. All roads run both ways. Sample a1 lies in the crater, samples a2 and a3 on "
        "the "
        "ridge. Have all three samples analysed, and have Spirit return to the base.",
        ROVER,
        _problem(
            "spirit opportunity base crater ridge a1 a2 a3",
            "(rover spirit) (rover opportunity) (site base) (site crater) (site ridge) (sample a1) (sample a2) "
            "(sample a3) "
            "(road base crater) (road crater base) (road crater ridge) (road ridge crater) (at spirit base) "
            "(at opportunity base) (lies a1 crater) (lies a2 ridge) (lies a3 ridge)",
            "(and (analysed a1) (analysed a2) (analysed a3) (at spirit base))",
        ),
    ),
    Written(
        "third: doors",
        "You are locked in the cellar of an old house. There is a door between the cellar and the kitchen, and another "
        "one between the kitchen and the garden. Both doors are locked. The rusty key, which opens the cellar door, "
        "is in "
        "the cellar; the silver key, which opens the garden door, is in the kitchen. Get out into the garden!",
        DOORS,
        _problem(
            "cellar kitchen garden - room rusty silver - key cellar-door garden-door - door",
            "(in cellar) (key-in rusty cellar) (key-in silver kitchen) (opens rusty cellar-door) (opens silver "
            "garden-door) "
            "(locked cellar-door) (locked garden-door) (joins cellar-door cellar kitchen) (joins cellar-door "
            "kitchen cellar) "
            "(joins garden-door kitchen garden) (joins garden-door garden kitchen)",
            "(in garden)",
        ),
    ),
    Written(
        "third: doors by number",
        "Rooms r1, r2 and r3 lie in a row; door 1 joins r1 and r2, door 2 joins r2 and r3. Door 2 is locked, and "
        "its key, "
        "k2, lies in r1. I start in r2. I must end in r3 and have the key with me.",
        DOORS,
        _problem(
            "r1 r2 r3 - room k2 - key door1 door2 - door",
            "(in r2) (key-in k2 r1) (opens k2 door2) (locked door2) (joins door1 r1 r2) (joins door1 r2 r1) "
            "(joins door2 r2 r3) (joins door2 r3 r2)",
            "(and (in r3) (have k2))",
        ),
    ),
    Written(
        "third: waiters",
        "In the restaurant, a waiter robot with a left and a right hand brings dishes from the kitchen to tables "
        "one, two "
        "and three. It is in the kitchen and both hands are free. The soup, the salad and the steak are ready in the "
        "kitchen. Table one has ordered the soup, table two the salad, and table three the steak. Serve everyone.",
        CARRY.replace("thing", "dish").replace("room", "place").replace("arm", "hand"),
        _problem(
            "kitchen table1 table2 table3 - place soup salad steak - dish left right - hand",
            "(robot-in kitchen) (free left) (free right) (dish-in soup kitchen) (dish-in salad kitchen) "
            "(dish-in steak kitchen)",
            "(and (dish-in soup table1) (dish-in salad table2) (dish-in steak table3))",
        ),
    ),
    Written(
        "third: terse",
        "3 rooms (a, b, c), 2 boxes (x, y), robot with 1 arm. Robot in a, arm free. x in b, y in c. Goal: x in c, y "
        "in b, "
        "robot in a.",
        CARRY.replace("thing", "box"),
        _problem(
            "a b c - room x y - box arm1 - arm",
            "(robot-in a) (free arm1) (box-in x b) (box-in y c)",
            "(and (box-in x c) (box-in y b) (robot-in a))",
        ),
    ),
    Written(
        "third: questions",
        "Can you help me? My four grandchildren, Tom, Tim, Kim and Jim, are all in Rome. There's one bus, in Pisa, "
        "that "
        "goes from Pisa to Rome and back. How do I get Tom and Kim to Pisa? Tim and Jim do not have to go.",
        TRAVEL.replace("train", "bus"),
        _problem(
            "tom tim kim jim - person rome pisa - city bus1 - bus",
            "(person-in tom rome) (person-in tim rome) (person-in kim rome) (person-in jim rome) (bus-in bus1 pisa) "
            "(rail rome pisa) (rail pisa rome)",
            "(and (person-in tom pisa) (person-in kim pisa))",
        ),
    ),
    Written(
        "third: upper case",
        "BLOCKS A, B, C AND D ARE ON THE TABLE, ALL ARE CLEAR AND THE ARM IS EMPTY. STACK A ON B, C ON D AND B ON C.",
        BLOCKS,
        _problem(
            "a b c d",
            "(on-table a) (on-table b) (on-table c) (on-table d) (clear a) (clear b) (clear c) (clear d) (arm-empty)",
            "(and (on a b) (on c d) (on b c))",
        ),
    ),
    Written(
        "third: long numbers",
        "The depot has twenty-four crates, crate 1 to crate 24; the first twelve are in hall A, the others in hall "
        "B. One "
        "truck, in hall A. The first twelve crates must get to hall B and the others to hall A.",
        POST.replace("letter", "crate").replace("box", "hall").replace("carrier", "truck"),
        _problem(
            " ".join(f"crate{i}" for i in range(1, 25)) + " - crate hall-a hall-b - hall truck1 - truck",
            " ".join(f"(at crate{i} hall-{'ab'[i > 12]})" for i in range(1, 25)) + " (truck-at truck1 hall-a)",
            "(and " + " ".join(f"(at crate{i} hall-{'ba'[i > 12]})" for i in range(1, 25)) + ")",
        ),
    ),
    Written(
        "third: one of each",
        "A lift with a capacity of 4 people runs between floors 1 and 6. It is at floor 3. Two people are waiting: "
        "one at "
        "floor 1, who wants to go to floor 6, and one at floor 6, who wants to go to floor 1.",
        LIFT.replace("passenger", "person"),
        _problem(
            "f1 f2 f3 f4 f5 f6 - floor p1 p2 - person",
            "(lift-at f3) (waits-at p1 f1) (waits-at p2 f6)",
            "(and (waits-at p1 f6) (waits-at p2 f1))",
        ),
    ),
    Written(
        "third: keep",
        "Lamps 1 and 2 are lit and lamp 3 is dark. Lamp 1 must stay lit, lamp 2 must be dark at the end and lamp 3 "
        "lit.",
        LAMPS,
        _problem(
            "lamp1 lamp2 lamp3 - lamp",
            "(lit lamp1) (lit lamp2) (dark lamp3)",
            "(and (lit lamp1) (dark lamp2) (lit lamp3))",
        ),
    ),
)
FOURTH = (
    Written(
        "fourth: kitchen robot",
        "My kitchen robot has a single arm. The plate and the bowl are in the dishwasher, the pan is in the sink. "
        "The robot "
        "stands at the sink and its arm is free. Please see to it that the plate and the pan end up in the "
        "cupboard. The "
        "bowl should go into the sink.",
        CARRY.replace("room", "spot"),
        _problem(
            "dishwasher sink cupboard - spot plate bowl pan - thing arm1 - arm",
            "(robot-in sink) (free arm1) (thing-in plate dishwasher) (thing-in bowl dishwasher) (thing-in pan sink)",
            "(and (thing-in plate cupboard) (thing-in pan cupboard) (thing-in bowl sink))",
        ),
    ),
    Written(
        "fourth: letters of a name",
        "Five children (Ada, Bea, Cem, Dov and Eli) wait on the ground floor, floor 0. The lift goes up to floor 3 "
        "and is on "
        "floor 3 right now. It is big enough for everybody. Ada and Bea live on floor 1, Cem lives on floor 2, Dov "
        "and Eli "
        "live on floor 3. Bring every child home.",
        LIFT.replace("passenger", "child"),
        _problem(
            "floor0 floor1 floor2 floor3 - floor ada bea cem dov eli - child",
            "(lift-at floor3) (waits-at ada floor0) (waits-at bea floor0) (waits-at cem floor0) (waits-at dov floor0) "
            "(waits-at eli floor0)",
            "(and (waits-at ada floor1) (waits-at bea floor1) (waits-at cem floor2) (waits-at dov floor3) "
            "(waits-at eli floor3))",
        ),
    ),
    Written(
        "fourth: crates by pairs",
        "There are six crates in pairs: crates 1 and 2 at depot A, crates 3 and 4 at depot B, crates 5 and 6 at "
        "depot C. A "
        "truck with plenty of room is at depot B. After the work is done, crates 1 and 3 must be at depot C, crate "
        "5 must be "
        "at depot A. The other crates may be anywhere, and so may the truck.",
        POST.replace("letter", "crate").replace("box", "depot").replace("carrier", "truck"),
        _problem(
            "c1 c2 c3 c4 c5 c6 - crate da db dc - depot t - truck",
            "(at c1 da) (at c2 da) (at c3 db) (at c4 db) (at c5 dc) (at c6 dc) (truck-at t db)",
            "(and (at c1 dc) (at c3 dc) (at c5 da))",
        ),
    ),
    Written(
        "fourth: two towers",
        "On the table there are two towers. The first one has, from top to bottom, block P, block Q and block R. "
        "The second "
        "one is just block S. The gripper is empty. Rebuild them so that block S is at the very top of a tower with "
        "block R "
        "below it, and block R on the table.",
        BLOCKS,
        _problem(
            "p q r s",
            "(on p q) (on q r) (on-table r) (on-table s) (clear p) (clear s) (arm-empty)",
            "(and (on s r) (on-table r))",
        ),
    ),
    Written(
        "fourth: lights out",
        "A corridor has 6 lamps in a row. The first three lamps are lit and the last three are dark. I'd like "
        "exactly the "
        "opposite.",
        LAMPS,
        _problem(
            "lamp1 lamp2 lamp3 lamp4 lamp5 lamp6 - lamp",
            "(lit lamp1) (lit lamp2) (lit lamp3) (dark lamp4) (dark lamp5) (dark lamp6)",
            "(and (dark lamp1) (dark lamp2) (dark lamp3) (lit lamp4) (lit lamp5) (lit lamp6))",
        ),
    ),
    Written(
        "fourth: ferry rules",
        "Rules: the ferry carries at most one car. A car can only board when the ferry is at the shore where the "
        "car is and "
        "when its deck is empty. Every car must leave the ferry before another one boards.\\nSituation: two cars, "
        "red and "
        "white, stand on the west shore; the ferry lies at the east shore with an empty deck.\\nWanted: red and "
        "white both "
        "on the east shore, and the ferry back on the west shore.",
        FERRY,
        _problem(
            "red white - car west east - shore",
            "(ferry-at east) (car-at red west) (car-at white west) (deck-empty)",
            "(and (car-at red east) (car-at white east) (ferry-at west))",
        ),
    ),
    Written(
        "fourth: museum",
        "The museum's robot Rob has two grippers g1 and g2. It waits in the foyer. In the vault are the crown and "
        "the orb, "
        "in the workshop is the sceptre. Tomorrow the crown, the orb and the sceptre will be on show in the "
        "gallery, so they "
        "must all be there by tonight. Rob should end the day in the foyer, grippers free.",
        CARRY.replace("arm", "gripper"),
        _problem(
            "foyer vault workshop gallery - room crown orb sceptre - thing g1 g2 - gripper",
            "(robot-in foyer) (free g1) (free g2) (thing-in crown vault) (thing-in orb vault) (thing-in sceptre "
            "workshop)",
            "(and (thing-in crown gallery) (thing-in orb gallery) (thing-in sceptre gallery) (robot-in foyer) (free "
            "g1) "
            "(free g2))",
        ),
    ),
    Written(
        "fourth: painters",
        "We paint four walls, w1 to w4. w1 and w2 become grey-blue and w3 and w4 become sand. All walls are bare "
        "and dry, the "
        "brush is clean. The brush holds one colour at a time and must be rinsed before it is dipped again.",
        PAINT,
        _problem(
            "w1 w2 w3 w4 - wall grey-blue sand - colour",
            "(bare w1) (bare w2) (bare w3) (bare w4) (dry w1) (dry w2) (dry w3) (dry w4) (brush-clean)",
            "(and (painted w1 grey-blue) (painted w2 grey-blue) (painted w3 sand) (painted w4 sand))",
        ),
    ),
    Written(
        "fourth: samples",
        "The rover has to analyse two of the three rock samples, namely x and z. Samples x and y lie at site one, "
        "sample z "
        "lies at site two. The rover is at site one. A road joins the two sites.",
        ROVER,
        _problem(
            "rv s1 s2 x y z",
            "(rover rv) (site s1) (site s2) (sample x) (sample y) (sample z) (road s1 s2) (road s2 s1) (at rv s1) "
            "(lies x s1) "
            "(lies y s1) (lies z s2)",
            "(and (analysed x) (analysed z))",
        ),
    ),
    Written(
        "fourth: library",
        "Shelves are labelled a1, a2 and b1. Books: 'Emma' on a1, 'Ulysses' on a1, 'Walden' on b1. Move 'Emma' and "
        "'Walden' "
        "to a2 and leave 'Ulysses' where it is.",
        SHELF,
        _problem(
            "emma ulysses walden - book a1 a2 b1 - shelf",
            "(stands-on emma a1) (stands-on ulysses a1) (stands-on walden b1)",
            "(and (stands-on emma a2) (stands-on walden a2) (stands-on ulysses a1))",
        ),
    ),
)
WRITTEN = (*FIRST, *SECOND, *THIRD, *FOURTH)
