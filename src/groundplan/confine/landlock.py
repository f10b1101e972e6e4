"""Landlock in ctypes: which files a confined run may touch (see landlock(7)).

The three system calls are the same on every machine; no maintained package wraps them on the index.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _REFER, _IOCTL = 1 << 14, 1 << 13, 1 << 15
_MAKE_REGULAR, _REMOVE_FILE = 1 << 8, 1 << 5
_ALL_FILES = (1 << 13) - 1
_TCP = 3
_SCOPES = 3

READ = _READ_FILE | _READ_DIR
OWN = READ | _WRITE_FILE | _MAKE_REGULAR | _REMOVE_FILE | _TRUNCATE
_FOR_FILES = _READ_FILE | _WRITE_FILE | _TRUNCATE
_PACKAGES = ("site-packages", "dist-packages")

_LIBC = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("access", ctypes.c_uint64), ("parent", ctypes.c_int32)]


@dataclass(frozen=True, slots=True)
class Rule:
    """A file or folder, open, and the rights to it and all below it."""

    handle: int
    access: int


def abi() -> int:
    """The kernel's version of Landlock; 0 where it has none or it is switched off."""
    found = _LIBC.syscall(ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), _VERSION)
    return max(0, int(found))


def standard_library() -> list[Path]:
    """The folders of the standard library and of the machine's shared libraries; those of installed packages may lie
    within."""
    triplet = sysconfig.get_config_var("MULTIARCH") or ""
    names = [sysconfig.get_path(part) for part in ("stdlib", "platstdlib")]
    names += [f"/lib/{triplet}", f"/usr/lib/{triplet}"] if triplet else []
    return [path for path in map(Path, dict.fromkeys(names)) if path.is_dir()]


def without_packages(folders: Iterable[Path]) -> list[Path]:
    """What lies in these folders, but for installed packages."""
    return [item for folder in folders for item in folder.iterdir() if item.name not in _PACKAGES]


def rules(paths: Iterable[Path], access: int) -> list[Rule]:
    """A rule for each path; what is gone is left out. Its open file (for naming it alone) is the caller's to close."""
    found = []
    for path in paths:
        with contextlib.suppress(OSError):
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            found.append(Rule(handle, access if path.is_dir() else access & _FOR_FILES))
    return found


def restrict(allowed: Iterable[Rule], version: int) -> None:
    """Confine this process, and all that it starts, for good to what the rules allow. Raises OSError.

    A second call confines further: only what both allow remains.
    """
    handled = _ALL_FILES
    handled |= _REFER if version >= 2 else 0
    handled |= _TRUNCATE if version >= 3 else 0
    handled |= _IOCTL if version >= 5 else 0
    form = _Ruleset(handled, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _call(_CREATE, ctypes.byref(form), ctypes.c_size_t(size), 0)
    for rule in allowed:
        _call(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(_PathBeneath(rule.access & handled, rule.handle)), 0)
    _call(_RESTRICT, ruleset, 0)
    os.close(ruleset)


def _call(number: int, *arguments: object) -> int:
    found = _LIBC.syscall(ctypes.c_long(number), *arguments)
    if found < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"landlock ({number}): {os.strerror(error)}")
    return int(found)
