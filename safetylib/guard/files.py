"""Read a text file, or replace it with an atomic write. paths.py has checked its path."""

import errno
import hashlib
import os
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial, wraps
from io import BufferedReader
from itertools import takewhile
from pathlib import Path
from typing import ParamSpec, TypeVar

from .edits import keep_form, refuse_notes

P = ParamSpec("P")
T = TypeVar("T")

MAX_READ_BYTES = 10 * 2**20  # far more than a model can read or edit
LOCK_SECONDS = 10.0  # far longer than to compare and rename a file on a slow network drive

REASONS = {
    errno.ENOENT: "does not exist in the workspace: look for it with bash (ls), or write it.",
    errno.EISDIR: "is a folder, not a file: list it with bash (ls).",
    errno.ENOTDIR: "cannot be reached: a part of this path is not a folder.",
    errno.EEXIST: "cannot be reached: a part of this path is not a folder.",
    errno.ELOOP: "is a symlink that leads nowhere: name the file itself.",
    errno.EACCES: "cannot be used: permission denied, for the file or for its folder.",
    errno.EPERM: "cannot be used: permission denied, for the file or for its folder.",
    errno.ENODEV: "is not a regular file (a pipe, socket or device): choose another.",
    errno.ENAMETOOLONG: "cannot exist: the name is too long.",
    errno.ENOSPC: "was not written (disk full). The file is unchanged.",
}


def explain_errors(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function whose second argument is `path`: its errors are messages for the model.

    An OSError or ValueError then says which path, and why. It contains the path as the model gave
    it, never an absolute path of this machine.
    """

    @wraps(function)
    def run(*given: P.args, **named: P.kwargs) -> T:
        try:
            return function(*given, **named)
        except (OSError, ValueError) as problem:
            path = named["path"] if "path" in named else given[1]
            raise explain_error(path, problem) from None

    return run


def explain_error(path: object, problem: OSError | ValueError) -> OSError | ValueError:
    """Return an error of the same type whose message has the path and the reason."""
    shown = path if isinstance(path, str) and path.strip() and path.isprintable() else repr(path)
    if len(shown) > 100:
        shown = f"{shown[:60]}...{shown[-30:]}"
    if isinstance(problem, OSError):
        reason = REASONS.get(problem.errno or 0, f"cannot be used: {problem.strerror}.")
        return type(problem)(f"{shown} {reason}")
    return ValueError(f"{shown} {problem}")


def read(path: Path) -> str:
    """Return the text of a file. Raises OSError or ValueError if it is no text file."""
    with open_regular(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_READ_BYTES:
            raise ValueError(
                f"is too large for this tool ({size:,} bytes): use bash, such as head."
            )
        data = file.read()
    try:
        text = data.decode()
    except UnicodeDecodeError as problem:
        raise ValueError(
            f"is not text in UTF-8 (byte {problem.start + 1:,}): look at it with bash, such as xxd."
        ) from None
    if "\0" in text:
        raise ValueError("is a binary file, not text: look at it with bash, such as xxd.")
    return text


def in_its_form(path: Path, text: str) -> str:
    """Return a new text for a file, with the line ends and the byte order mark that it has.

    Raises ValueError if the text cannot be written, or has a note of our tools in place of text.
    """
    encode(text)
    old = ""
    with suppress(OSError, ValueError):  # there is no file, or it has no text
        old = read(path)
    refuse_notes(text, old)
    return keep_form(old, text)


def digest(path: Path) -> bytes | None:
    """Return a hash of the bytes of a file, or None if there is none. Raises OSError."""
    try:
        with open_regular(path) as file:  # it may be much larger than the memory
            return hashlib.file_digest(file, "sha256").digest()
    except FileNotFoundError:
        return None


def write(path: Path, text: str) -> int:
    """Replace a file with an atomic write, which creates missing folders. Return its size in bytes.

    An existing file keeps its mode and owner. Raises OSError or ValueError.
    """
    data = encode(text)
    try:
        old = require_regular(path.stat())
    except FileNotFoundError:
        write_new(path, data)
        return len(data)
    # A rename needs no permission for the file itself. A read-only file is not replaced.
    if not old.st_mode & 0o222:
        raise PermissionError(errno.EACCES, "read-only")
    write_atomically(path, data, old=old)
    return len(data)


def write_new(path: Path, data: bytes) -> None:
    """Write a new file and the folders that are missing. If that fails, delete these folders."""
    missing = list(takewhile(lambda folder: not folder.exists(), path.parents))
    try:
        for folder in reversed(missing):  # one by one: `parents` calls itself for each of them
            folder.mkdir(exist_ok=True)
        write_atomically(path, data)
    except BaseException:
        for folder in missing:  # the deepest first
            with suppress(OSError):  # it was not created, or somebody else uses it already
                folder.rmdir()
        raise


def write_atomically(
    path: Path, data: bytes, *, replace: bool = True, old: os.stat_result | None = None
) -> Path:
    """Write `data` to a temporary file next to `path`, then rename it. Return `path`.

    Readers see the old content or the new, never a mix, and an interrupt or a full disk leaves the
    old file, or none. The new file gets the mode and owner of `old`, whatever the umask is. A
    symlink at `path` is replaced, not followed. Raise FileExistsError if not `replace` and
    something is at `path`, also if it was put there in the meantime.
    """
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    # A private file must not be readable before it gets its mode.
    first = 0o600 if old else 0o666
    try:
        # "x" does not follow a symlink that is already there.
        with open(temporary, "xb", opener=partial(os.open, mode=first)) as file:
            file.write(data)
        if old:
            with suppress(PermissionError, AttributeError):  # only root may, and not on Windows
                os.chown(temporary, old.st_uid, old.st_gid)
            temporary.chmod(stat.S_IMODE(old.st_mode))
        return temporary.replace(path) if replace else rename_to_new(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def rename_to_new(temporary: Path, path: Path) -> Path:
    """Rename a file to a name that is not taken. Return `path`, or raise FileExistsError.

    A rename replaces what is there, and a link never does, but not every file system has links.
    """
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except (OSError, AttributeError):
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        return temporary.replace(path)
    temporary.unlink()
    return path


@contextmanager
def exclusive(target: Path) -> Iterator[None]:
    """Let only one notebook at a time compare a file and replace it. Raise OSError.

    The lock is a file, because network drives have no other one that works everywhere. The same
    one for LOCK_SECONDS is that of a notebook that was killed.
    """
    lock = target.with_name(f".{target.name[:50]}.lock")  # the longest name has no room for more
    seen, since = 0, time.monotonic()
    while True:
        try:
            lock.touch(exist_ok=False)
            break
        except FileExistsError:
            with suppress(FileNotFoundError):
                if (made := lock.stat().st_mtime_ns) != seen:
                    seen, since = made, time.monotonic()
                elif time.monotonic() - since > LOCK_SECONDS:
                    lock.unlink()
            time.sleep(0.02)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file to read its bytes. Raises OSError if it is none."""
    require_regular(path.stat())  # before opening it: to open a device can have side effects
    file = open(path, "rb", opener=open_without_waiting)
    try:
        require_regular(os.fstat(file.fileno()))  # something else may have taken its place
    except OSError:
        file.close()
        raise
    return file


def open_without_waiting(path: str, flags: int) -> int:
    """Open a file for `open`. Opening a FIFO would otherwise wait for a program that writes.

    Windows and a browser have no FIFOs, and JupyterLite 0.8.6 takes this flag for a wish to write:
    it saves the file, with a new time, when it is closed.
    """
    is_needed = sys.platform != "emscripten"
    return os.open(path, flags | (getattr(os, "O_NONBLOCK", 0) if is_needed else 0))


def require_regular(status: os.stat_result) -> os.stat_result:
    """Return `status` if it is that of a regular file. Raises OSError if not."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.ENODEV, "Not a regular file")
    return status


def encode(text: str) -> bytes:
    """Return `text` in UTF-8. Raises ValueError if it is not a string or contains a surrogate."""
    if not isinstance(text, str):
        raise ValueError(f"was not written: content must be a string, not {type(text).__name__}.")
    try:
        return text.encode()
    except UnicodeEncodeError as problem:
        place = f"character {problem.start + 1:,} of the new text"
        raise ValueError(f"was not written: {place} is half a character (a surrogate).") from None
