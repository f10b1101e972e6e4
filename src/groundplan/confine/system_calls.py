"""System calls that a confined run may make, by machine; all others are refused.

Left out on purpose: `truncate` (Landlock cannot forbid it before Linux 6.2), `mkdir` (a run's directory stays flat, so
that clearing it away is one short loop), and the timers (a run keeps its alarm).
"""

from __future__ import annotations

import platform

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_X86_64 = {
    "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7, "lseek": 8, "mmap": 9,
    "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "ioctl": 16,
    "pread64": 17, "pwrite64": 18, "readv": 19, "writev": 20, "access": 21, "select": 23, "sched_yield": 24,
    "mremap": 25, "msync": 26, "mincore": 27, "madvise": 28, "dup": 32, "dup2": 33, "nanosleep": 35, "getpid": 39,
    "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "exit": 60, "kill": 62, "uname": 63, "fcntl": 72, "fsync": 74,
    "fdatasync": 75, "ftruncate": 77, "getdents": 78, "getcwd": 79, "chdir": 80, "rename": 82,
    "creat": 85, "unlink": 87, "readlink": 89, "umask": 95, "gettimeofday": 96,
    "getrlimit": 97, "getrusage": 98, "sysinfo": 99, "times": 100, "ptrace": 101, "getuid": 102, "getgid": 104,
    "geteuid": 107, "getegid": 108, "getppid": 110, "getpgrp": 111, "sigaltstack": 131, "prctl": 157,
    "pivot_root": 155, "mount": 165, "umount2": 166, "init_module": 175, "gettid": 186,
    "time": 201, "futex": 202, "sched_getaffinity": 204, "getdents64": 217, "set_tid_address": 218,
    "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230, "exit_group": 231,
    "tgkill": 234, "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "openat": 257,
    "newfstatat": 262, "unlinkat": 263, "renameat": 264, "readlinkat": 267, "faccessat": 269,
    "pselect6": 270, "ppoll": 271, "unshare": 272, "set_robust_list": 273, "get_robust_list": 274, "dup3": 292,
    "pipe2": 293, "perf_event_open": 298, "prlimit64": 302, "setns": 308, "process_vm_readv": 310,
    "process_vm_writev": 311, "finit_module": 313, "renameat2": 316, "getrandom": 318, "kexec_file_load": 320,
    "bpf": 321, "execveat": 322, "userfaultfd": 323, "membarrier": 324, "statx": 332, "rseq": 334,
    "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "clone3": 435, "close_range": 436,
    "faccessat2": 439,
}  # fmt: skip

_AARCH64 = {
    "getcwd": 17, "dup": 23, "dup3": 24, "fcntl": 25, "ioctl": 29, "unlinkat": 35, "renameat": 38,
    "umount2": 39, "mount": 40, "pivot_root": 41, "ftruncate": 46, "faccessat": 48, "chdir": 49,
    "openat": 56, "close": 57, "pipe2": 59, "getdents64": 61, "lseek": 62, "read": 63, "write": 64, "readv": 65,
    "writev": 66, "pread64": 67, "pwrite64": 68, "pselect6": 72, "ppoll": 73, "readlinkat": 78, "newfstatat": 79,
    "fstat": 80, "fsync": 82, "fdatasync": 83, "exit": 93, "exit_group": 94, "set_tid_address": 96, "unshare": 97,
    "futex": 98, "set_robust_list": 99, "get_robust_list": 100, "nanosleep": 101, "kexec_load": 104,
    "init_module": 105, "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "ptrace": 117,
    "sched_getaffinity": 123, "sched_yield": 124, "restart_syscall": 128, "kill": 129, "tgkill": 131,
    "sigaltstack": 132, "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigreturn": 139, "times": 153, "uname": 160,
    "getrusage": 165, "umask": 166, "prctl": 167, "gettimeofday": 169, "getpid": 172, "getppid": 173, "getuid": 174,
    "geteuid": 175, "getgid": 176, "getegid": 177, "gettid": 178, "sysinfo": 179, "brk": 214, "munmap": 215,
    "mremap": 216, "add_key": 217, "request_key": 218, "keyctl": 219, "clone": 220, "execve": 221, "mmap": 222,
    "mprotect": 226, "msync": 227, "mincore": 232, "madvise": 233, "perf_event_open": 241, "prlimit64": 261,
    "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271, "finit_module": 273, "renameat2": 276,
    "getrandom": 278, "bpf": 280, "execveat": 281, "userfaultfd": 282, "membarrier": 283, "statx": 291, "rseq": 293,
    "kexec_file_load": 294, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "clone3": 435,
    "close_range": 436, "faccessat2": 439,
}  # fmt: skip

NUMBERS = {"x86_64": _X86_64, "aarch64": _AARCH64}

DEADLY = frozenset(
    "ptrace process_vm_readv process_vm_writev bpf mount umount2 pivot_root unshare setns keyctl add_key request_key "
    "io_uring_setup io_uring_enter io_uring_register perf_event_open kexec_load kexec_file_load init_module "
    "finit_module userfaultfd".split()
)
"""No program that solves planning tasks makes these: the process is killed."""

REFUSED = frozenset("fork vfork execve execveat kill prctl".split())
"""Known numbers that are refused with an error, as every call is that is in no list."""

WITH_CONDITIONS = frozenset("clone clone3 tgkill ioctl fcntl prlimit64 open openat".split())
"""Threads only; ENOSYS, so that the C library falls back to clone; to itself; harmless requests (twice); reading only;
no cutting of files that are opened for reading (twice)."""


def machine() -> str:
    return platform.machine()


def allowed(names: dict[str, int]) -> list[int]:
    """The numbers of the calls that are allowed whatever their arguments."""
    return sorted(number for name, number in names.items() if name not in DEADLY | REFUSED | WITH_CONDITIONS)
