"""A seccomp filter in ctypes: an allow-list of system calls, with conditions on a few arguments.

No library is used: the packages on the index wrap libseccomp, which many machines lack, and a filter is a few dozen
instructions of classic BPF (see seccomp(2)).
"""

from __future__ import annotations

import ctypes
import errno
import os
from dataclasses import dataclass

from groundplan.confine.system_calls import AUDIT_ARCH, DEADLY, NUMBERS, allowed, machine

_LOAD, _JEQ, _JGE, _JSET, _RETURN, _AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_X32 = 0x40000000
_CLONE_THREAD = 0x00010000
_CLONE_NEW = 0x7E020080
"""All kinds of new namespaces."""
_O_TRUNC, _O_ACCMODE, _O_WRONLY, _O_RDWR = 0x200, 3, 1, 2
_FCNTLS = (0, 1, 2, 3, 4, 1030, 1032)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ. F_SETOWN would let the kernel signal
other processes in the run's name, F_SETPIPE_SZ take memory that no limit counts."""
_IOCTLS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX."""
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


_LIBC = ctypes.CDLL(None, use_errno=True)


class _Instruction(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.POINTER(_Instruction))]


@dataclass(frozen=True, slots=True)
class _Op:
    code: int
    k: int
    jt: int = 0
    jf: int = 0


def is_known_machine() -> bool:
    return machine() in NUMBERS


def is_available() -> bool:
    """Whether this kernel takes filters: it looks at the (missing) filter before it refuses."""
    zero = ctypes.c_ulong(0)
    _LIBC.prctl(ctypes.c_int(_PR_SET_SECCOMP), ctypes.c_ulong(_MODE_FILTER), zero, zero, zero)
    return ctypes.get_errno() == errno.EFAULT


_OWN_PID = 0x7FFFFFFF
"""Stands for the process's own number until it is known; larger than any."""


def instructions(own_pid: int = _OWN_PID, kind: str = "") -> list[tuple[int, int, int, int]]:
    """The filter as (code, jt, jf, k): allowed calls pass, deadly ones kill, all others fail with EPERM."""
    kind = kind or machine()
    names = NUMBERS[kind]
    ops = [_Op(_LOAD, _ARCH), _Op(_JEQ, AUDIT_ARCH[kind], 1, 0), _Op(_RETURN, _KILL), _Op(_LOAD, _NUMBER)]
    if kind == "x86_64":
        ops += [_Op(_JGE, _X32, 0, 1), _Op(_RETURN, _KILL)]
    ops += _when(names["clone3"], [_Op(_RETURN, _ERRNO | errno.ENOSYS)])
    ops += _when(
        names["clone"], [_load(0), _Op(_JSET, _CLONE_NEW, 2, 0), _Op(_JSET, _CLONE_THREAD, 0, 1), _pass(), _refuse()]
    )
    ops += _when(names["tgkill"], [_load(0), _Op(_JEQ, own_pid, 0, 1), _pass(), _refuse()])
    ops += _when(names["ioctl"], [_load(1), *_one_of(_IOCTLS)])
    ops += _when(names["fcntl"], [_load(1), *_one_of(_FCNTLS)])
    # Landlock before Linux 6.2 lets files that may be read be cut: O_TRUNC takes a mode of writing.
    for name, flags in (("open", 1), ("openat", 2)):
        if name in names:
            writing = [_Op(_AND, _O_ACCMODE), *_one_of((_O_WRONLY, _O_RDWR))]
            ops += _when(names[name], [_load(flags), _Op(_JSET, _O_TRUNC, 1, 0), _pass(), *writing])
    # prlimit64 with a new limit (a pointer in the third argument) is refused: both halves must be zero.
    zero = [_load(2), _Op(_JEQ, 0, 0, 3), _Op(_LOAD, _ARGUMENTS + 8 * 2 + 4), _Op(_JEQ, 0, 0, 1), _pass(), _refuse()]
    ops += _when(names["prlimit64"], zero)
    for name in sorted(DEADLY & names.keys()):
        ops += _when(names[name], [_Op(_RETURN, _KILL)])
    for number in allowed(names):
        ops += _when(number, [_pass()])
    ops.append(_refuse())
    return [(op.code, op.jt, op.jf, op.k) for op in ops]


def _when(number: int, then: list[_Op]) -> list[_Op]:
    """`then` for this call; `then` always ends the filter, so the number is still loaded for the next one."""
    return [_Op(_JEQ, number, 0, len(then)), *then]


def _one_of(numbers: tuple[int, ...]) -> list[_Op]:
    return [*(op for number in numbers for op in (_Op(_JEQ, number, 0, 1), _pass())), _refuse()]


def _load(argument: int) -> _Op:
    return _Op(_LOAD, _ARGUMENTS + 8 * argument)


def _pass() -> _Op:
    return _Op(_RETURN, _ALLOW)


def _refuse() -> _Op:
    return _Op(_RETURN, _ERRNO | errno.EPERM)


class Filter:
    """The filter, laid out in memory once, for many processes forked from this one."""

    def __init__(self) -> None:
        rows = instructions()
        self._array = (_Instruction * len(rows))(*[_Instruction(code, jt, jf, k) for code, jt, jf, k in rows])
        self._program = _Program(len(rows), self._array)
        self._own = [n for n, row in enumerate(rows) if row[0] == _JEQ and row[3] == _OWN_PID]

    def install(self) -> None:
        """Put the filter on this thread, and all that it starts, for good. Raises OSError."""
        for position in self._own:
            self._array[position].k = os.getpid()
        _prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(self._program))


def _prctl(option: int, value: int, pointer: object = 0) -> None:
    third = pointer if pointer != 0 else ctypes.c_ulong(0)
    if _LIBC.prctl(ctypes.c_int(option), ctypes.c_ulong(value), third, ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")
