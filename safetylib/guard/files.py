"""Read a text file, or replace it with an atomic write. The caller has checked the path."""

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
from .signatures import signature

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
    """Decorate a function with an argument `path`: its errors are messages for the model.

    An OSError or ValueError then names the path and the reason. The path is the one that the model
    wrote, and never an absolute path of this machine.
    """

    @wraps(function)
    def run(*args: P.args, **named: P.kwargs) -> T:
        try:
            return function(*args, **named)
        except (OSError, ValueError) as problem:
            bound = signature(function).bind(*args, **named)
            bound.apply_defaults()
            raise explain_error(bound.arguments["path"], problem) from None

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
    """Return the text of a file. Raise OSError or ValueError if it is not a text file."""
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
    """Return a new text for a file, with the line ends and the byte order mark of the old text.

    Raise ValueError if the text cannot be written, or has a note of our tools in place of text.
    """
    encode(text)
    old = ""
    with suppress(OSError, ValueError):  # the file does not exist, or is not a text file
        old = read(path)
    refuse_notes(text, old)
    return keep_form(old, text)


def digest(path: Path) -> bytes | None:
    """Return a hash of the bytes of a file, or None if the file does not exist. Raise OSError."""
    try:
        with open_regular(path) as file:  # it may not fit into the memory
            return hashlib.file_digest(file, "sha256").digest()
    except FileNotFoundError:
        return None


def write(path: Path, text: str) -> int:
    """Replace a file with an atomic write, which creates missing folders. Return its size in bytes.

    An existing file keeps its mode and owner. Raise OSError or ValueError.
    """
    data = encode(text)
    try:
        old = require_regular(path.stat())
    except FileNotFoundError:
        write_new(path, data)
        return len(data)
    # A rename does not need a permission for the file itself, so a read-only file is refused here.
    if not old.st_mode & 0o222:
        raise PermissionError(errno.EACCES, "read-only")
    write_atomically(path, data, old=old)
    return len(data)


def write_new(path: Path, data: bytes) -> None:
    """Write a new file and the folders that are missing. If that fails, delete these folders."""
    missing = list(takewhile(lambda folder: not folder.exists(), path.parents))
    try:
        for folder in reversed(missing):  # not with `parents`, which recurses once for each folder
            folder.mkdir(exist_ok=True)
        write_atomically(path, data)
    except BaseException:
        for folder in missing:  # the deepest first
            with suppress(OSError):  # it was not created, or another program uses it already
                folder.rmdir()
        raise


def write_atomically(
    path: Path, data: bytes, *, replace: bool = True, old: os.stat_result | None = None
) -> Path:
    """Write `data` to a temporary file next to `path`, then rename it. Return `path`.

    Readers see the old content or the new one, never a mix. After an interrupt or on a full disk,
    the old file is unchanged. The new file gets the mode and owner of `old`, whatever the umask is.
    A symlink at `path` is replaced, and not followed. Without `replace`, raise FileExistsError if
    something is at `path`, even if it was put there in the meantime.
    """
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    # A private file must not be readable before it gets its mode.
    first_mode = 0o600 if old else 0o666
    try:
        # "x" does not follow a symlink that is already there.
        with open(temporary, "xb", opener=partial(os.open, mode=first_mode)) as file:
            file.write(data)
        if old:
            with suppress(PermissionError, AttributeError):  # only root may; Windows has no chown
                os.chown(temporary, old.st_uid, old.st_gid)
            temporary.chmod(stat.S_IMODE(old.st_mode))
        return temporary.replace(path) if replace else rename_to_new(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def rename_to_new(temporary: Path, path: Path) -> Path:
    """Rename a file to a name that is not taken. Return `path`, or raise FileExistsError.

    A rename replaces a file that is there. A link never does, but not every file system has links.
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

    The lock is a file, because no other kind of lock works on all network drives. A lock that stays
    for LOCK_SECONDS belongs to a notebook that was killed, so it is removed.
    """
    lock = target.with_name(f".{target.name[:50]}.lock")  # the longest name has no room for more
    last_made, since = 0, time.monotonic()
    while True:
        try:
            lock.touch(exist_ok=False)
            break
        except FileExistsError:
            with suppress(FileNotFoundError):
                made = lock.stat().st_mtime_ns
                if made != last_made:  # another notebook holds it now
                    last_made, since = made, time.monotonic()
                elif time.monotonic() - since > LOCK_SECONDS:
                    lock.unlink()
            time.sleep(0.02)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file to read its bytes. Raise OSError for anything else."""
    require_regular(path.stat())  # before it is opened: opening a device can have side effects
    file = open(path, "rb", opener=open_without_waiting)
    try:
        require_regular(os.fstat(file.fileno()))  # something else may have taken its place
    except OSError:
        file.close()
        raise
    return file


def open_without_waiting(path: str, flags: int) -> int:
    """Open a file for `open`. Opening a FIFO would otherwise wait for a program that writes.

    Windows and a browser have no FIFOs. In a browser, the flag does harm: JupyterLite 0.8.6 takes
    it for a wish to write, and saves the file, with a new time, when it is closed.
    """
    if sys.platform != "emscripten":
        flags |= getattr(os, "O_NONBLOCK", 0)
    return os.open(path, flags)


def require_regular(status: os.stat_result) -> os.stat_result:
    """Return `status` if it belongs to a regular file. Raise OSError if not."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.ENODEV, "Not a regular file")
    return status


def encode(text: str) -> bytes:
    """Return `text` in UTF-8. Raise ValueError if it is not a string or contains a surrogate."""
    if not isinstance(text, str):
        raise ValueError(f"was not written: content must be a string, not {type(text).__name__}.")
    try:
        return text.encode()
    except UnicodeEncodeError as problem:
        place = f"character {problem.start + 1:,} of the new text"
        raise ValueError(f"was not written: {place} is half a character (a surrogate).") from None
