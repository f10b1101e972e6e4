def get_plan(objects, init, goal):
    # Step 0: nothing to do
    if all(fact in init for fact in goal):
        return []

    plan = []

    # Own copy of the state
    below = {}        # x -> y for ("on", x, y)
    clear = set()
    ontable = set()
    holding = None
    for fact in init:
        pred = fact[0]
        if pred == "on":
            below[fact[1]] = fact[2]
        elif pred == "clear":
            clear.add(fact[1])
        elif pred == "ontable":
            ontable.add(fact[1])
        elif pred == "holding":
            holding = fact[1]

    def put_down():
        nonlocal holding
        x = holding
        plan.append("(put-down %s)" % x)
        holding = None
        clear.add(x)
        ontable.add(x)

    def pick_up(x):
        nonlocal holding
        plan.append("(pick-up %s)" % x)
        holding = x
        clear.discard(x)
        ontable.discard(x)

    def unstack(x):
        nonlocal holding
        y = below.pop(x)
        plan.append("(unstack %s %s)" % (x, y))
        holding = x
        clear.discard(x)
        clear.add(y)

    def stack(y):
        nonlocal holding
        x = holding
        plan.append("(stack %s %s)" % (x, y))
        holding = None
        below[x] = y
        clear.discard(y)
        clear.add(x)

    # Step 1: free the hand
    if holding is not None:
        put_down()

    # Step 2: put every block on the table, each tower from top to bottom
    for top in sorted(x for x in below if x in clear):
        x = top
        while x in below and x in clear:
            y = below[x]
            unstack(x)
            put_down()
            x = y

    # Step 3: build the required towers from the bottom upwards
    todo = {}         # x -> y for the goal ("on", x, y)
    above = {}        # y -> x for the goal ("on", x, y)
    for fact in goal:
        if fact[0] == "on":
            todo[fact[1]] = fact[2]
            above[fact[2]] = fact[1]

    for bottom in sorted(y for y in above if y not in todo):
        y = bottom
        while y in above:
            x = above[y]
            pick_up(x)
            stack(y)
            y = x

    # Step 4: a block that has to be held at the end
    for fact in sorted(goal):
        if fact[0] == "holding":
            pick_up(fact[1])
            break

    return plan
