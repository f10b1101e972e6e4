"""Landlock in ctypes: which files a confined run may touch (see landlock(7)).

The three system calls are the same on every machine; no maintained package wraps them on the index.
"""

from __future__ import annotations

import ctypes
import os
import sysconfig
from collections.abc import Iterable
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_VERSION, _PATH_BENEATH = 1, 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _REFER, _IOCTL = 1 << 14, 1 << 13, 1 << 15
_MAKE_REGULAR, _MAKE_DIRECTORY = 1 << 8, 1 << 7
_REMOVE_DIRECTORY, _REMOVE_FILE = 1 << 4, 1 << 5
_ALL_FILES = (1 << 13) - 1
_TCP = 3
_SCOPES = 3

_READ = _READ_FILE | _READ_DIR
_OWN = _READ | _WRITE_FILE | _MAKE_REGULAR | _MAKE_DIRECTORY | _REMOVE_DIRECTORY | _REMOVE_FILE | _TRUNCATE
_FILE_ONLY = _READ_FILE


_LIBC = ctypes.CDLL(None, use_errno=True)


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("access", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def abi() -> int:
    """The kernel's version of Landlock; 0 where it has none or it is switched off."""
    found = _LIBC.syscall(ctypes.c_long(_CREATE), None, ctypes.c_size_t(0), _VERSION)
    return max(0, int(found))


def standard_library() -> list[Path]:
    """What a program may read: the standard library without installed packages, and the machine's shared libraries."""
    found: list[Path] = []
    for name in dict.fromkeys(sysconfig.get_path(part) for part in ("stdlib", "platstdlib")):
        folder = Path(name)
        if folder.is_dir():
            found += [item for item in folder.iterdir() if item.name not in ("site-packages", "dist-packages")]
    triplet = sysconfig.get_config_var("MULTIARCH") or ""
    found += [path for path in (Path("/lib") / triplet, Path("/usr/lib") / triplet) if triplet and path.is_dir()]
    return found


def open_paths(paths: Iterable[Path]) -> list[tuple[int, bool]]:
    """Each path opened for naming it in rules, with whether it is a directory; what is gone is left out."""
    handles = []
    for path in paths:
        try:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        handles.append((handle, path.is_dir()))
    return handles


def restrict(readable: Iterable[tuple[int, bool]], own: str, version: int) -> None:
    """Confine this process, for good, to reading `readable` and to its directory `own`. Raises OSError."""
    handled = _ALL_FILES
    handled |= _REFER if version >= 2 else 0
    handled |= _TRUNCATE if version >= 3 else 0
    handled |= _IOCTL if version >= 5 else 0
    rules = _Ruleset(handled, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = _call(_CREATE, ctypes.byref(rules), ctypes.c_size_t(size), 0)
    for handle, is_directory in readable:
        _allow(ruleset, handle, (_READ if is_directory else _FILE_ONLY) & handled)
    here = os.open(own, os.O_PATH | os.O_CLOEXEC)
    _allow(ruleset, here, _OWN & handled)
    _call(_RESTRICT, ruleset, 0)
    os.close(here)
    os.close(ruleset)


def _allow(ruleset: int, handle: int, access: int) -> None:
    rule = _PathBeneath(access, handle)
    _call(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)


def _call(number: int, *arguments: object) -> int:
    found = _LIBC.syscall(ctypes.c_long(number), *arguments)
    if found < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"landlock ({number}): {os.strerror(error)}")
    return int(found)
