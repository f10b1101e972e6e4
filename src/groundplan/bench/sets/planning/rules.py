"""The rules of each domain in words, with the words for its actions: what a method is told beside a task of our own."""

from __future__ import annotations

from collections.abc import Mapping

RULES: Mapping[str, str] = {
    "blocksworld": """\
Blocks of equal size stand on a table, alone or in towers. A robot arm moves them, one block at a time. It knows four \
actions.
Pick up a block: takes a block off the table. The block must stand directly on the table, nothing may be on it, and \
the arm must hold nothing. Afterwards the arm holds the block; the block is neither on the table nor clear.
Put down a block: sets the block that the arm holds on the table. Afterwards the block stands on the table and is \
clear, and the arm holds nothing.
Unstack a block from another: takes the upper of two blocks off the lower one. The upper block must stand directly on \
the lower one, nothing may be on it, and the arm must hold nothing. Afterwards the arm holds the upper block, which \
is no longer clear, and the lower one is clear.
Stack a block on another: sets the block that the arm holds on a block that is clear. Afterwards the first block \
stands on the second and is clear, the second is not clear, and the arm holds nothing.
A block is clear when nothing stands on it and the arm does not hold it. The table has room for all blocks.""",
    "gripper": """\
A robot carries balls between rooms. It has grippers, each of which carries one ball at most. It knows three actions.
Move from a room to a room: the robot must be in the first room; afterwards it is in the second, and not in the first. \
All rooms are connected.
Pick a ball in a room with a gripper: the robot and the ball must both be in the room, and the gripper must be free. \
Afterwards the gripper carries the ball; it is not free, and the ball is not in the room.
Drop a ball in a room with a gripper: the gripper must carry the ball, and the robot must be in the room. Afterwards \
the ball is in the room, and the gripper is free and does not carry the ball.""",
    "logistics": """\
Packages are brought to places. Each place lies in a city, and some places are airports. Trucks drive inside a city, \
airplanes fly between airports. There are six actions.
Load a package into a truck at a place, or load a package into an airplane at a place: package and vehicle must both \
be at the place. Afterwards the package is in the vehicle, and not at the place.
Unload a package from a truck at a place, or unload a package from an airplane at a place: the package must be in \
the vehicle, and the vehicle at the place. Afterwards the package is at the place, and not in the vehicle.
Drive a truck from a place to a place in a city: the truck must be at the first place, and both places must lie in \
that city. Afterwards the truck is at the second place, and not at the first.
Fly an airplane from an airport to an airport: the airplane must be at the first one. Afterwards it is at the second, \
and not at the first.""",
}

ACTIONS: Mapping[str, Mapping[str, str]] = {
    "blocksworld": {
        "pick-up": "pick up {}",
        "put-down": "put down {}",
        "stack": "stack {} on {}",
        "unstack": "unstack {} from {}",
    },
    "gripper": {
        "move": "move from {} to {}",
        "pick": "pick {} in {} with {}",
        "drop": "drop {} in {} with {}",
    },
    "logistics": {
        "load-truck": "load {} into {} at {}",
        "load-airplane": "load {} into {} at {}",
        "unload-truck": "unload {} from {} at {}",
        "unload-airplane": "unload {} from {} at {}",
        "drive-truck": "drive {} from {} to {} in {}",
        "fly-airplane": "fly {} from {} to {}",
    },
}
