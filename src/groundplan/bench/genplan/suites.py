"""What is measured: suites of tasks, and programs by domain and run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from groundplan.bench.genplan.generator import DOMAINS, SIZES, Size, generate
from groundplan.errors import InputError
from groundplan.generalize.kinds import NamedTask
from groundplan.pddl.diagnostics import did_you_mean, listing
from groundplan.pddl.read import read_task
from groundplan.pddl.source import read_source

Programs: TypeAlias = Mapping[str, Mapping[str, str]]
"""Program texts by domain, then by run. Whoever makes programs (files, a model) ends here."""

Split: TypeAlias = Literal["eval", "train"]

FIRST_SEED = 100_000
"""Generated tasks are numbered from here on, apart from the seeds that debugging tasks are drawn with."""

_PROGRAMS_HINT = "DIR/<domain>.py, or DIR/<domain>/<run>.py, or DIR/<domain>/<run>/program.py for several runs"


@dataclass(frozen=True, slots=True)
class Suite:
    """Tasks of one domain that are counted together. `load` makes them anew; nothing is held between uses."""

    domain: str
    name: str
    load: Callable[[], Sequence[NamedTask]]

    @property
    def label(self) -> str:
        return f"{self.domain} {self.name}"


def data_suite(folder: Path, domain: str, split: Split = "eval") -> Suite:
    """The tasks of `folder`/<domain>/{domain.pddl,<split>/*.pddl}. Raises InputError where there are none."""
    where = folder / domain
    files = sorted((where / split).glob("*.pddl"))
    if not (where / "domain.pddl").is_file() or not files:
        raise InputError(f"{where}: no tasks here; wanted are {where}/domain.pddl and {where}/{split}/*.pddl")

    def load() -> Sequence[NamedTask]:
        return [NamedTask(file.stem, read_task(where / "domain.pddl", file)) for file in files]

    return Suite(domain, split, load)


def generated_suite(domain: str, size: Size = "large", count: int = 30, first: int = FIRST_SEED) -> Suite:
    """`count` generated tasks of a benchmark domain. Raises InputError for an unknown domain or size."""
    if domain not in DOMAINS:
        hint = did_you_mean(domain, DOMAINS) or f"there are {listing(DOMAINS, len(DOMAINS))}"
        raise InputError(f"no tasks can be generated for `{domain}`: {hint}; for a domain of your own give --data DIR")
    if size not in SIZES:
        raise InputError(f"no size is called `{size}`: there are {listing(SIZES)}")

    def load() -> Sequence[NamedTask]:
        return [NamedTask(f"{size}-{seed}", generate(domain, size, seed)) for seed in range(first, first + count)]

    return Suite(domain, size, load)


def programs_in(folder: Path) -> dict[str, dict[str, str]]:
    """Programs of a folder, by domain and run. Raises InputError where there is none, or a file cannot be read."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such directory; programs are wanted as {_PROGRAMS_HINT}")
    found: dict[str, dict[str, str]] = {}
    for path in sorted(folder.iterdir()):
        if path.suffix == ".py" and path.is_file():
            found.setdefault(path.stem, {})["program"] = read_source(path).text
        elif path.is_dir():
            runs = {file.stem: file for file in sorted(path.glob("*.py"))}
            runs |= {file.parent.name: file for file in sorted(path.glob("*/program.py"))}
            for run, file in runs.items():
                found.setdefault(path.name, {})[run] = read_source(file).text
    if not found:
        raise InputError(f"{folder}: no programs here; wanted are {_PROGRAMS_HINT}")
    return found


def programs_from(files: Iterable[str], domains: Sequence[str] = ()) -> dict[str, dict[str, str]]:
    """Programs of single files, each a run: `domain=FILE`, a file named after its domain, or all of the one domain.

    Raises InputError where it is open which domain a file is for.
    """
    found: dict[str, dict[str, str]] = {}
    for word in files:
        domain, mark, name = word.partition("=")
        if not mark:
            name = word
            domain = domains[0] if len(domains) == 1 else Path(word).stem
            if domain not in (domains or DOMAINS):
                raise InputError(f"{word}: which domain is this program for? Write --program DOMAIN={word}")
        runs = found.setdefault(domain, {})
        run = Path(name).stem
        runs[run if run not in runs else name] = read_source(name).text
    return found
