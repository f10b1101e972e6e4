"""`--model local`: the embedded small model with adapters of our own training, which serves without a key.

What it is good for was measured, and stands in the shipped policy.json under `measured`: faithful success by domain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from groundplan.errors import InputError
from groundplan.pddl.read import domain_from_text
from groundplan.train.checkpoint import HEAD, read_head
from groundplan.train.domain_form import DomainForm, domain_form
from groundplan.train.role_model import RoleModel, load_policy
from groundplan.train.texts import domain_text

SHIPPED = Path(__file__).parent / "local"
NAME = "local"


def open_local(tell: Callable[[str], None] | None = None, folder: Path = SHIPPED) -> RoleModel:
    """The local model. `tell` is told what it is good for, and once for each domain that it was never measured on.

    Raises InputError where it is not there (a source tree without the adapter) or the embedded model cannot be had.
    """
    if not (folder / HEAD).is_file():
        raise InputError(f"the local model is not part of this installation ({folder} is missing)")
    say = tell or (lambda _: None)
    measured = dict(read_head(folder).get("measured", {}))
    say("local model: " + what_it_is_good_for(measured))
    return RoleModel(load_policy(folder), NAME, _watch(measured, say))


def what_it_is_good_for(measured: dict[str, dict[str, Any]]) -> str:
    """One sentence with the measured figures."""
    figures = ", ".join(
        f"{name} {figures['faithful']:.0%} of {figures['n']}" for name, figures in sorted(measured.items())
    )
    return (
        "writes problems for a given domain, in plain English of one manner of speaking; "
        f"faithful on PlanBench's texts: {figures or 'never measured'}"
    )


def _watch(measured: dict[str, dict[str, Any]], say: Callable[[str], None]) -> Callable[[DomainForm], None]:
    seen: set[DomainForm] = set()

    def watch(domain: DomainForm) -> None:
        if domain in seen:
            return
        seen.add(domain)
        known = [name for name in measured if _form(name) == replace(domain, name="")]
        if not known:
            say(
                f"warning: the local model was never measured on the domain `{domain.name}`; expect wrong problems, "
                "and read what it writes"
            )

    return watch


@cache
def _form(name: str) -> DomainForm:
    return replace(domain_form(domain_from_text(domain_text(name))), name="")
