"""Robot worlds in MuJoCo, and the interface by which others are added.

A world of one's own is a class in a file, with the members of `world.World`; nothing is inherited:

    # my_worlds.py
    class Bench:
        name = "bench"
        ...

    from groundplan.adapt.worlds.checking import check_world
    from groundplan.adapt.worlds.registry import make_world
    print(check_world(make_world("my_worlds.py:Bench"), task))  # [] when nothing is wrong

A scene with the hand of this package is shorter: a subclass of `base.HandWorld` with its MJCF, its objects, where they
start, what it observes and what it detects; kitchen_lid.py is one to start from.
"""
