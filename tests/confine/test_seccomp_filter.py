"""The filter, run by an interpreter of its instructions: for both machines, whichever this is."""

from __future__ import annotations

import errno
import struct

import pytest

from groundplan.confine.seccomp import instructions
from groundplan.confine.system_calls import AUDIT_ARCH, DEADLY, NUMBERS, allowed

OWN = 4321
KILL, ALLOW, REFUSE, ABSENT = 0x80000000, 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
KINDS = pytest.mark.parametrize("kind", sorted(NUMBERS))


def verdict(kind: str, number: int, *arguments: int, arch: int | None = None) -> int:
    words = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    data = struct.pack("<IIQ6Q", number, AUDIT_ARCH[kind] if arch is None else arch, 0, *words)
    program, at, value = instructions(OWN, kind), 0, 0
    while True:
        code, yes, no, k = program[at]
        at += 1
        match code:
            case 0x20:
                (value,) = struct.unpack_from("<I", data, k)
            case 0x54:
                value &= k
            case 0x06:
                return k
            case 0x15 | 0x35 | 0x45:
                holds = {0x15: value == k, 0x35: value >= k, 0x45: bool(value & k)}[code]
                at += yes if holds else no
            case _:
                raise AssertionError(f"an unknown instruction {code:#x}")


@KINDS
def test_plain_calls(kind: str) -> None:
    names = NUMBERS[kind]
    assert all(verdict(kind, number) == ALLOW for number in allowed(names))
    assert all(verdict(kind, names[name]) == KILL for name in DEADLY & names.keys())
    for name in ("fork", "vfork", "execve", "execveat", "kill", "prctl"):
        assert name not in names or verdict(kind, names[name]) == REFUSE
    known = set(names.values())
    assert all(verdict(kind, number) == REFUSE for number in range(600) if number not in known)


@KINDS
def test_foreign_machines_and_tables(kind: str) -> None:
    assert verdict(kind, NUMBERS[kind]["read"], arch=0x40000003) == KILL
    assert verdict("x86_64", 0x40000000) == KILL
    assert verdict("x86_64", 0xFFFFFFFF) == KILL


@KINDS
def test_conditions(kind: str) -> None:
    names = NUMBERS[kind]
    thread = 0x3D0F00
    assert verdict(kind, names["clone3"]) == ABSENT
    assert verdict(kind, names["clone"], thread) == ALLOW
    assert verdict(kind, names["clone"], 17) == REFUSE
    for new in (1 << 7, 1 << 17, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30):
        assert verdict(kind, names["clone"], thread | new) == REFUSE
    assert verdict(kind, names["tgkill"], OWN, OWN, 6) == ALLOW
    assert verdict(kind, names["tgkill"], OWN + 1, OWN, 6) == REFUSE
    assert verdict(kind, names["ioctl"], 1, 0x5401) == ALLOW
    assert verdict(kind, names["ioctl"], 1, 0x5412) == REFUSE  # TIOCSTI
    assert verdict(kind, names["fcntl"], 1, 3) == ALLOW
    assert verdict(kind, names["prlimit64"], 0, 7, 0, 99) == ALLOW
    assert verdict(kind, names["prlimit64"], 0, 7, 1 << 32) == REFUSE
    assert verdict(kind, names["prlimit64"], 0, 7, 8) == REFUSE
    for command in (8, 10, 15, 1024, 1026, 1031):
        assert verdict(kind, names["fcntl"], 1, command) == REFUSE


@KINDS
@pytest.mark.parametrize(
    ("flags", "expected"), [(0, ALLOW), (0x241, ALLOW), (0x242, ALLOW), (0x200, REFUSE), (0x203, REFUSE)]
)
def test_files_are_not_cut_by_reading(kind: str, flags: int, expected: int) -> None:
    assert verdict(kind, NUMBERS[kind]["openat"], 0, 0, flags) == expected
    if "open" in NUMBERS[kind]:
        assert verdict(kind, NUMBERS[kind]["open"], 0, flags) == expected
