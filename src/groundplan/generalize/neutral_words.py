"""Made-up words: easy to speak, without a meaning, none like another."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from groundplan.generalize.pddl_words import RESERVED

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_TRIES = 200


def neutral_words(rng: random.Random, avoided: Iterable[str] = ()) -> Iterator[str]:
    """Words of three syllables, longer ones when those run out, without end.

    No two have the same consonants, so that none is taken for another; none is among `avoided`, or a word of PDDL.
    """
    taken = {*avoided, *RESERVED}
    frames: set[str] = set()
    syllables = 3
    while True:
        for _ in range(_TRIES):
            frame = "".join(rng.choice(_CONSONANTS) for _ in range(syllables))
            if len(set(frame)) == len(frame) and frame not in frames:
                break
        else:
            syllables += 1
            continue
        word = "".join(consonant + rng.choice(_VOWELS) for consonant in frame)
        if word not in taken:
            frames.add(frame)
            taken.add(word)
            yield word
