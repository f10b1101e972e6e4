"""Opening a confinement: which kinds there are, and what the machine must have for them."""

from __future__ import annotations

import shutil

from groundplan.confine import landlock, seccomp
from groundplan.confine.fork_server import ForkServers
from groundplan.confine.protocol import Confinement
from groundplan.confine.server_process import works_in
from groundplan.confine.system_calls import machine
from groundplan.errors import InputError

KINDS = ("auto", "fork-server", "bubblewrap", "bare")
_ANYWAY = "to run programs of a model with the rights of your own account all the same, pass --unconfined"


class CannotConfine(InputError):
    """This machine lacks what a confinement takes; the message names it and the way out."""


def open_confinement(kind: str = "auto", *, unconfined: bool = False) -> Confinement:
    """A confinement; close it after use.

    "fork-server": Landlock, seccomp and limits in every run. "bubblewrap": the same within a bubblewrap sandbox.
    "auto": bubblewrap where it is installed and works, else the fork server alone. "bare": processes with limits only,
    for machines that can do no better; wants `unconfined`. With `unconfined`, "auto" is bare where it must be.

    Raises CannotConfine where the machine lacks what it takes (never less than was asked for without saying so), and
    InputError for an unknown kind.
    """
    if kind not in KINDS:
        raise InputError(f"no confinement is called `{kind}`; there are {', '.join(KINDS)}")
    if kind == "bare":
        if not unconfined:
            raise CannotConfine(f"`bare` confines nothing; {_ANYWAY}")
        return ForkServers("bare", confined=False)
    missing = lacking()
    if missing:
        if unconfined and kind == "auto":
            return ForkServers("bare", confined=False)
        raise CannotConfine(f"this machine cannot confine programs: {missing}; {_ANYWAY}")
    if kind == "fork-server":
        return ForkServers("fork-server")
    bwrap = shutil.which("bwrap")
    if bwrap and works_in(bwrap):
        return ForkServers("bubblewrap", bwrap=bwrap)
    if kind == "bubblewrap":
        raise CannotConfine("bubblewrap (bwrap) is not installed, or cannot make namespaces here; use `fork-server`")
    return ForkServers("fork-server")


def lacking() -> str:
    """What the machine lacks for confining a process, in words; an empty text where it has all."""
    if not seccomp.is_known_machine():
        return (
            f"no system-call filter is written for {machine() or 'this kind of machine'} (x86_64 and aarch64 are known)"
        )
    lacks = []
    if landlock.abi() < 1:
        lacks.append("its kernel has no Landlock (Linux 5.13 or later, with landlock among its security modules)")
    if not seccomp.is_available():
        lacks.append("its kernel takes no seccomp filters (CONFIG_SECCOMP_FILTER)")
    return " and ".join(lacks)
