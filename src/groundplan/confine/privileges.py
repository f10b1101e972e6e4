"""Giving up what the account could do: no new privileges, and no capability (see capabilities(7)).

Without this a run started by root could do by `madvise` or `clone` what other accounts cannot.
"""

from __future__ import annotations

import ctypes
import os

_PR_SET_NO_NEW_PRIVS = 38
_VERSION_3 = 0x20080522
_LIBC = ctypes.CDLL(None, use_errno=True)


def give_up() -> None:
    """What Landlock and seccomp want first, and the end of all capabilities. Raises OSError."""
    _check(
        _LIBC.prctl(
            ctypes.c_int(_PR_SET_NO_NEW_PRIVS),
            ctypes.c_ulong(1),
            ctypes.c_ulong(0),
            ctypes.c_ulong(0),
            ctypes.c_ulong(0),
        )
    )
    header = (ctypes.c_uint32 * 2)(_VERSION_3, 0)
    none = (ctypes.c_uint32 * 6)()
    _check(_LIBC.capset(ctypes.byref(header), ctypes.byref(none)))


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"giving up privileges: {os.strerror(number)}")
