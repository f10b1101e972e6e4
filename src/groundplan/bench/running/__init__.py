"""Running methods on the tasks of a set: in parallel, resumable, the same bytes however many workers there are."""
