"""Attack the reader and checker with damaged domains and problems: `python benchmarks/mutate_reader.py --n 50000`.

Whatever the damage, a check ends within a second of CPU time and without an exception; a rejection has at least one
error, each at a place inside its text, in all three forms; and what is accepted is accepted again, and means the
same, in the canonical text. The same seed makes the same texts. Exit code 1 on any breach, with the texts to repeat it.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from groundplan.pddl import CheckResult, Diagnostic, Domain, Problem, Source, check_sources, write_domain, write_problem
from own_tasks import OWN_TASKS

Pair = tuple[str, str]
SECONDS = 1.0

KEYWORDS = (
    "define domain problem :requirements :types :constants :predicates :functions :action :parameters :precondition "
    ":effect :derived :durative-action :objects :init :goal :metric and or not imply forall exists when = - ? either "
    "object number increase assign total-cost minimize :strips :typing :adl preference always at start"
).split()
GARBAGE = (
    "... … ``` ```pddl [ ] { } ' \" ` , ; # // /* */ ?? ?- -? ?x?y :: : -- 1e999 -5 .5 0x1F nil true eq \\ | & <= "
    "ünïcode 積み木 İstanbul ß \u200b \u202e \u00a0 \ufeff \U0001f600 é e\u0301"
).split(" ")
CONTROLS = "\x00\x01\x07\x08\x0b\x0c\x1b\x7f\x85\u2028\u2029\ud800\udfff\ufffe"

_TOKEN = re.compile(r"[()]|;[^\r\n]*|\s+|[^\s();]+")


# --- damage -----------------------------------------------------------------------------------------------------------


def mutated(text: str, rng: random.Random) -> str:
    """The text with one to four random faults."""
    tokens = _TOKEN.findall(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        if tokens:
            rng.choice(MUTATIONS)(tokens, rng)
    return "".join(tokens)


def _somewhere(tokens: list[str], rng: random.Random, wanted: Callable[[str], bool] = str.strip) -> int:  # type: ignore[assignment]
    places = [index for index, token in enumerate(tokens) if wanted(token)]
    return rng.choice(places) if places else rng.randrange(len(tokens))


def _is_word(token: str) -> bool:
    return bool(token.strip()) and token[0] not in "();"


def _delete(tokens: list[str], rng: random.Random) -> None:
    del tokens[_somewhere(tokens, rng)]


def _delete_bracket(tokens: list[str], rng: random.Random) -> None:
    del tokens[_somewhere(tokens, rng, lambda token: token in "()")]


def _duplicate(tokens: list[str], rng: random.Random) -> None:
    at = _somewhere(tokens, rng)
    tokens[at:at] = [tokens[at], rng.choice((" ", ""))]


def _duplicate_form(tokens: list[str], rng: random.Random) -> None:
    first, last = _form_at(tokens, _somewhere(tokens, rng, lambda token: token == "("))
    tokens[first:first] = tokens[first:last]


def _delete_form(tokens: list[str], rng: random.Random) -> None:
    first, last = _form_at(tokens, _somewhere(tokens, rng, lambda token: token == "("))
    del tokens[first:last]


def _form_at(tokens: list[str], first: int) -> tuple[int, int]:
    depth = 0
    for index in range(first, len(tokens)):
        depth += (tokens[index] == "(") - (tokens[index] == ")")
        if depth <= 0:
            return first, index + 1
    return first, len(tokens)


def _swap(tokens: list[str], rng: random.Random) -> None:
    one, two = _somewhere(tokens, rng), _somewhere(tokens, rng)
    tokens[one], tokens[two] = tokens[two], tokens[one]


def _insert(tokens: list[str], rng: random.Random) -> None:
    words = [token for token in tokens if _is_word(token)] or ["x"]
    kinds: tuple[Sequence[str], ...] = (["(", ")"], ["(", ")"], KEYWORDS, GARBAGE, words)
    tokens.insert(rng.randrange(len(tokens) + 1), rng.choice((" {} ", "{}")).format(rng.choice(rng.choice(kinds))))


def _insert_control(tokens: list[str], rng: random.Random) -> None:
    tokens.insert(rng.randrange(len(tokens) + 1), rng.choice(CONTROLS))


def _truncate(tokens: list[str], rng: random.Random) -> None:
    del tokens[rng.randrange(len(tokens)) :]


def _cut_front(tokens: list[str], rng: random.Random) -> None:
    del tokens[: rng.randrange(len(tokens) // 4 + 1)]


def _rename(tokens: list[str], rng: random.Random) -> None:
    at = _somewhere(tokens, rng, _is_word)
    word = tokens[at]
    place = rng.randrange(len(word) + 1)
    tokens[at] = rng.choice(
        (word + "s", word[:place] + rng.choice("abx-_?:1é ") + word[place:], word[:place], word[1:])
    )


def _replace(tokens: list[str], rng: random.Random) -> None:
    """A word in place of another, every time or once."""
    words = [token for token in tokens if _is_word(token)] or ["x"]
    old, new = rng.choice(words), rng.choice((rng.choice(words), rng.choice(KEYWORDS), rng.choice(GARBAGE)))
    places = [index for index, token in enumerate(tokens) if token == old]
    for place in places if rng.random() < 0.3 else places[:1]:
        tokens[place] = new


def _glue(tokens: list[str], rng: random.Random) -> None:
    del tokens[_somewhere(tokens, rng, str.isspace)]


def _change_case(tokens: list[str], rng: random.Random) -> None:
    at = _somewhere(tokens, rng, _is_word)
    tokens[at] = rng.choice((str.upper, str.title, str.swapcase))(tokens[at])


def _line_ends(tokens: list[str], rng: random.Random) -> None:
    end = rng.choice(("\r", "\r\n", "\t", "\n\n"))
    tokens[:] = [token.replace("\n", end) if token.isspace() else token for token in tokens]


def _repeat(tokens: list[str], rng: random.Random) -> None:
    """One token many times over: brackets nested or unclosed by the thousand, names by the thousand."""
    at = _somewhere(tokens, rng)
    tokens[at:at] = [tokens[at] + rng.choice((" ", ""))] * rng.choice((3, 50, 2000))


MUTATIONS = (
    *(_delete, _delete, _delete_bracket, _delete_bracket, _duplicate, _duplicate_form, _delete_form, _swap, _swap),
    *(_insert, _insert, _insert, _insert_control, _truncate, _cut_front, _rename, _rename, _replace, _replace),
    *(_glue, _change_case, _line_ends, _repeat),
)


# --- what must hold ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """One damaged task and what became of it; `breach` is empty when every promise was kept."""

    accepted: bool
    seconds: float
    codes: frozenset[str]
    breach: str = ""


def trial(domain: str, problem: str) -> Trial:
    """Check a task and everything that is promised of any task."""
    started = time.process_time()
    try:
        result = check_sources(Source(domain, "domain"), Source(problem, "problem"))
        seconds = time.process_time() - started
        breach = f"{seconds:.2f} s for one check" if seconds > SECONDS else ""
        breach = breach or (_unlike_itself(result) if result.ok else _badly_rejected(result))
    except Exception:  # noqa: BLE001 - any exception is what this program looks for
        return Trial(False, time.process_time() - started, frozenset(), traceback.format_exc(limit=-4))
    return Trial(result.ok, seconds, frozenset(found.code for found in result.diagnostics), breach)


def _badly_rejected(result: CheckResult) -> str:
    if not any(found.is_error for found in result.diagnostics):
        return "rejected without an error"
    return next(filter(None, map(badly_placed, result.diagnostics)), "")


def badly_placed(found: Diagnostic) -> str:
    """What is wrong with a diagnostic's place or forms, if anything."""
    data = json.loads(json.dumps(found.as_json()))
    text = found.source.text
    last = found.source.position(len(text))
    if not (1 <= data["line"] <= last.line and 1 <= data["column"] <= len(found.source.line(data["line"])) + 1):
        return f"{found.code}: no such place: line {data['line']}, column {data['column']}"
    if (data["end_line"], data["end_column"]) < (data["line"], data["column"]):
        return f"{found.code}: ends before it starts"
    if not found.message or "\n" in found.as_compact():
        return f"{found.code}: the compact form is not one line"
    if found.code not in found.as_text() or found.message not in found.as_text():
        return f"{found.code}: the text form lacks the code or the message"
    if max(map(len, (found.message, found.hint))) > 700:
        return f"{found.code}: an endless message"
    return ""


def _unlike_itself(result: CheckResult) -> str:
    """The canonical text of an accepted task must be accepted and mean the same."""
    task = result.task()
    domain, problem = write_domain(task.domain), write_problem(task.problem)
    again = check_sources(Source(domain, "written domain"), Source(problem, "written problem"))
    if not again.ok:
        return "accepted, but its canonical text is not: " + "; ".join(f.as_compact() for f in again.diagnostics[:3])
    read = again.task()
    if meaning(read.domain, read.problem) != meaning(task.domain, task.problem):
        return "its canonical text means something else"
    if (write_domain(read.domain), write_problem(read.problem)) != (domain, problem):
        return "writing its canonical text again changes it"
    return ""


def meaning(domain: Domain, problem: Problem) -> tuple[Domain, Problem]:
    """The task without what carries no meaning: requirements, missing names, the order of effects."""
    actions = tuple(replace(item, effects=tuple(sorted(item.effects, key=repr))) for item in domain.actions)
    return (
        replace(domain, name=domain.name or "unnamed", requirements=(), actions=actions),
        replace(problem, name=problem.name or "unnamed", domain_name=problem.domain_name or "unnamed", requirements=()),
    )


# --- the long run -----------------------------------------------------------------------------------------------------


def seeds(data: Path | None) -> list[Pair]:
    """Our own tasks, and one small task of every domain under a data folder."""
    pairs = list(OWN_TASKS.values())
    for folder in sorted(path.parent for path in data.glob("**/domain.pddl")) if data is not None else ():
        others = (path for path in folder.glob("**/*.pddl") if path.name != "domain.pddl")
        texts = [path.read_text("utf-8") for path in sorted(others, key=lambda path: (path.stat().st_size, path.name))]
        problem = next((text for text in texts if "(problem" in text.lower()), None)
        if problem is not None:
            pairs.append(((folder / "domain.pddl").read_text("utf-8"), problem))
    return pairs


def damaged(pairs: Sequence[Pair], count: int, seed: int) -> Iterator[Pair]:
    """Damaged tasks: the domain or the problem of a seed, at times both."""
    rng = random.Random(seed)
    for _ in range(count):
        domain, problem = rng.choice(pairs)
        which = rng.random()
        if which < 0.6:
            domain = mutated(domain, rng)
        if which > 0.5:
            problem = mutated(problem, rng)
        yield domain, problem


def run(cases: Iterable[Pair]) -> tuple[list[Trial], list[tuple[Pair, str]]]:
    trials, breaches = [], []
    for domain, problem in cases:
        trials.append(trial(domain, problem))
        if trials[-1].breach:
            breaches.append(((domain, problem), trials[-1].breach))
    return trials, breaches


def shortened(text: str) -> str:
    """A text as a Python literal, with what is repeated many times shown once and counted."""
    return re.sub(r"(.{1,40}?)\1{20,}", lambda found: f"{found[1]}<x{len(found[0]) // len(found[1])}>", repr(text))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--n", type=int, default=1500, help="number of damaged tasks")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--data", type=Path, help="folder with domain.pddl files to damage as well")
    options.add_argument("--show", type=int, default=3, help="breaches to print in full")
    chosen = options.parse_args()
    trials, breaches = run(damaged(seeds(chosen.data), chosen.n, chosen.seed))
    accepted = sum(item.accepted for item in trials)
    slowest = max((item.seconds for item in trials), default=0.0)
    print(f"{len(trials)} tasks: {accepted} accepted, {len(trials) - accepted} rejected, {len(breaches)} breaches")
    print(f"slowest check {1000 * slowest:.0f} ms, all {sum(item.seconds for item in trials):.0f} s of CPU")
    codes = Counter(code for item in trials for code in item.codes)
    print(f"{len(codes)} codes: " + ", ".join(f"{code} {count}" for code, count in codes.most_common()))
    for (domain, problem), breach in breaches[: chosen.show]:
        print(f"\n=== {breach[:2000]}\n--- domain\n{shortened(domain)}\n--- problem\n{shortened(problem)}")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
