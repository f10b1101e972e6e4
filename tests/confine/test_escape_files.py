"""A run reads nothing but the standard library, and writes nothing but its own directory."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from groundplan.confine.outcome import Ending

SECRET = "the-secret-of-the-caller"
FRAME = """
import ctypes, fcntl, mmap, os, socket, tempfile
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    result = getattr(libc, name)(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), name)
    return result
def f(secret, parent):
    {body}
"""

REFUSED = {
    "read": "return open(secret).read()",
    "write": "open(secret, 'w').write('x')",
    "append": "open(secret, 'a').write('x')",
    "cut while reading": "os.open(secret, os.O_RDONLY | os.O_TRUNC)",
    "cut with a strange mode": "os.open(secret, 3 | os.O_TRUNC)",
    "cut by name": "os.truncate(secret, 0)",
    "remove": "os.remove(secret)",
    "move away": "os.rename(secret, 'mine')",
    "move over": "open('mine', 'w').close(); os.rename('mine', secret)",
    "hard link": "os.link(secret, 'mine')",
    "symbolic link": "os.symlink(secret, 'mine'); return open('mine').read()",
    "mode": "os.chmod(secret, 0o777)",
    "times": "os.utime(secret, (0, 0))",
    "make beside": "open(secret + '.new', 'w')",
    "list beside": "return os.listdir(os.path.dirname(secret))",
    "list other runs": "return os.listdir('..')",
    "list the root": "return os.listdir('/')",
    "climb": "return open('../' * 20 + secret).read()",
    "from a folder's handle": "return os.open(secret[1:], os.O_RDONLY, dir_fd=os.open('/', os.O_PATH | os.O_DIRECTORY))",  # noqa: E501
    "through a named handle": "return open(f'/proc/self/fd/{os.open(secret, os.O_PATH)}').read()",
    "by the C library": "call('open', secret.encode(), 0)",
    "openat by the C library": "call('openat', -100, secret.encode(), 2)",
    "openat2": "call('syscall', 437, -100, secret.encode(), bytes(24), 24)",
    "creat": "call('creat', secret.encode(), 0o600)",
    "passwords": "return open('/etc/passwd').read()",
    "own environment": "return open('/proc/self/environ').read()",
    "own memory map": "return open('/proc/self/maps').read()",
    "own memory": "return open('/proc/self/mem', 'rb').read(1)",
    "caller's memory": "return open(f'/proc/{parent}/mem', 'rb').read(1)",
    "caller's environment": "return open(f'/proc/{parent}/environ').read()",
    "caller's files": "return os.listdir(f'/proc/{parent}/fd')",
    "process list": "return os.listdir('/proc')",
    "kernel settings": "open('/proc/sys/kernel/core_pattern', 'w')",
    "/sys": "return os.listdir('/sys')",
    "/dev/null": "open('/dev/null', 'w')",
    "terminal": "open('/dev/tty')",
    "shared memory": "open('/dev/shm/groundplan-escape', 'w')",
    "shared memory by the C library": "call('shm_open', b'/groundplan-escape', 0o102, 0o600)",
    "write the library": "open(os.__file__, 'a')",
    "cut the library": "os.open(os.__file__, os.O_RDONLY | os.O_TRUNC)",
    "remove the library": "os.remove(os.__file__)",
    "folder": "os.mkdir('d')",
    "pipe with a name": "os.mkfifo('p')",
    "device": "os.mknod('d', 0o20666, os.makedev(1, 1))",
    "change root": "os.chroot('.')",
    "memory file": "os.memfd_create('m')",
    "lock in memory": "call('mlock', ctypes.create_string_buffer(4096), 4096)",
    "owner of a file's signals": "fcntl.fcntl(1, fcntl.F_SETOWN, parent)",
    "size of a pipe": "fcntl.fcntl(1, 1031, 1 << 20)",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED.keys())
def test_refused(run, tmp_path: Path, body: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    before = secret.stat().st_mtime_ns, secret.stat().st_mode
    library = os.path.getsize(os.__file__)

    ran = run(FRAME.format(body=body), str(secret), os.getpid())

    absent = ran.error in ("FileNotFoundError", "NotADirectoryError") and ran.ending is Ending.RAISED
    assert ran.ending is Ending.FORBIDDEN or absent, ran
    assert SECRET not in repr(ran)
    assert secret.read_text() == SECRET
    assert (secret.stat().st_mtime_ns, secret.stat().st_mode) == before
    assert os.listdir(tmp_path) == ["secret"]
    assert os.path.getsize(os.__file__) == library
    assert not os.path.exists("/dev/shm/groundplan-escape")


def test_absence_is_no_excuse_for_the_fork_server(plain_run, tmp_path: Path) -> None:
    """In bubblewrap the caller's files are not there; here they are there and refused."""
    (tmp_path / "secret").write_text(SECRET)
    ran = plain_run(FRAME.format(body=REFUSED["read"]), str(tmp_path / "secret"), os.getpid())
    assert (ran.ending, ran.error) == (Ending.FORBIDDEN, "PermissionError")


def test_own_directory_is_empty_and_can_be_used(run) -> None:
    body = """names = os.listdir('.')
    with open('a', 'w') as file:
        file.write('x')
    os.rename('a', 'b')
    return names, open('b').read(), os.listdir('.')"""
    assert run(FRAME.format(body=body), "", 0).value == ([], "x", ["b"])


def test_two_runs_do_not_share_a_directory(run) -> None:
    source = "import os\ndef f():\n    found = os.listdir('.')\n    open('left', 'w').close()\n    return found"
    assert [run(source).value, run(source).value] == [[], []]


def test_late_imports_work_and_packages_are_not_there(run) -> None:
    source = "def f():\n    import xml.dom.minidom, sqlite3, email.mime.text, zipfile\n    return 'imported'"
    assert run(source).value == "imported"
    assert run("import groundplan\ndef f(): pass").error == "ModuleNotFoundError"
    assert run("import hypothesis\ndef f(): pass").error == "ModuleNotFoundError"


def test_environment_is_empty(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDPLAN_TEST_KEY", SECRET)
    source = """
import ctypes, os, sys
def f():
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_char_p
    return dict(os.environ), libc.getenv(b"PATH"), libc.getenv(b"GROUNDPLAN_TEST_KEY"), sys.argv, sys.orig_argv
"""
    assert run(source).value == ({}, None, None, [""], [])


@pytest.mark.parametrize(
    "body",
    [
        "with open('big', 'wb') as file:\n        for _ in range(20): file.write(bytes(1 << 20))",
        "for n in range(100):\n        with open(str(n), 'wb') as file: file.write(bytes(4 << 20))\n    while True: pass",  # noqa: E501
        "for n in range(10**6): open(str(n), 'w').close()",
        "kept = []\n    while True:\n        kept.append(open('x', 'wb')); os.remove('x'); kept[-1].write(bytes(1 << 12))",  # noqa: E501
    ],
    ids=["one large file", "many large files", "many files", "open files without a name"],
)
def test_the_directory_cannot_be_filled(run, body: str) -> None:
    ran = run(FRAME.format(body=body), "", 0)
    assert ran.ending in (Ending.OUTPUT, Ending.RAISED), ran
    assert ran.seconds < 4
