"""One file inside one folder: opened without a race, read as text, replaced in one step.

A caller checks a path first and then opens it, and between the two a running command may have
put a link in the path's place. So nothing here follows a link: the caller hands over a path
without any, as its `parts` from the folder down, and a link met on the way was put there since.
"""

import codecs
import errno
import os
import secrets
import stat
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

MAX_READ_BYTES = 10 * 2**20  # bytes of a file that are ever read

# Windows has neither these flags nor folders as descriptors, and wants to be told "no \r\n".
NO_LINK = getattr(os, "O_NOFOLLOW", 0)
FOLDER = os.O_RDONLY | NO_LINK | getattr(os, "O_DIRECTORY", 0)
# Without O_NONBLOCK, to open a FIFO is to wait until somebody opens its other end.
READ = os.O_RDONLY | NO_LINK | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | getattr(os, "O_BINARY", 0)

CODECS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

replace_lock = threading.Lock()  # between the last look at a file and its replacement

SENTENCES = {
    errno.ENOENT: "does not exist in the workspace: look for it with bash (ls), or write it.",
    errno.EISDIR: "is a folder, not a file: list it with bash (ls).",
    errno.ENOTDIR: "cannot be reached: a part of this path is not a folder.",
    errno.ELOOP: "is a link that leads nowhere: name the file itself.",
    errno.EACCES: "is closed to you: its permissions, or its folder's, forbid this.",
    errno.EPERM: "is closed to you: its permissions, or its folder's, forbid this.",
    errno.EROFS: "cannot be written: it lies on a disk that is read-only.",
    errno.ENODEV: "is not a file with content (a pipe, socket or device): choose another.",
    errno.ENAMETOOLONG: "cannot exist: the name is too long.",
    errno.EILSEQ: "cannot exist: the name is not valid text.",
    errno.ENOSPC: "was not written, and is as it was: no space is left on the disk.",
    errno.EDQUOT: "was not written, and is as it was: your share of the disk is used up.",
    errno.EFBIG: "was not written, and is as it was: it would be larger than is allowed.",
    errno.ESTALE: "cannot be reached: the workspace's folder is gone. Start again with a new one.",
    errno.EBUSY: "changed while it was being edited, and is as it was: read it again.",
}


@dataclass(frozen=True)
class File:
    """What was read of a file: its bytes, their text and encoding, and its status at that time."""

    data: bytes
    text: str
    bom: bytes  # the byte order mark that it begins with, or nothing
    codec: str
    status: os.stat_result

    @property
    def unread(self) -> int:
        """How many bytes of a giant file were not read."""
        return max(0, self.status.st_size - MAX_READ_BYTES)

    def encode(self, text: str) -> bytes:
        """`text` in this file's encoding."""
        return self.bom + encode(text, self.codec)


@contextmanager
def naming(path: object, note: str = "") -> Iterator[None]:
    """Turn an OSError or ValueError of the block into one full sentence: path, reason, note.

    The path is shown as it was given, so no sentence tells where on the machine it lies.
    """
    shown = repr(path)
    if isinstance(path, str) and path.strip() and path.isprintable():
        shown = path
    if len(shown) > 100:
        shown = f"{shown[:60]}...{shown[-30:]}"
    try:
        yield
    except OSError as problem:
        reason = SENTENCES.get(problem.errno or 0, f"cannot be used: {problem.strerror}.")
        raise type(problem)(f"{shown} {reason}{note}") from None
    except ValueError as problem:
        raise ValueError(f"{shown} {problem}{note}") from None


@contextmanager
def open_parent(
    root: Path, parts: Sequence[str], make: bool = False
) -> Iterator[tuple[int | None, str]]:
    """Open the folder that `parts[-1]` lies in; yield (descriptor, name) for use with dir_fd.

    `make` creates the folders that are missing. On Windows the descriptor is None and the name
    is the whole path: no more than the caller's own check protects there.
    """
    if not parts:
        raise OSError(errno.EISDIR, "the folder itself")
    if os.open not in os.supports_dir_fd:
        place = root.joinpath(*parts)
        if make:
            place.parent.mkdir(parents=True, exist_ok=True)
        yield None, str(place)
        return
    try:
        folder = os.open(root, FOLDER)
    except FileNotFoundError:
        raise OSError(errno.ESTALE, "no workspace") from None
    try:
        for part in parts[:-1]:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=folder)
            inner = os.open(part, FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder, parts[-1]
    finally:
        os.close(folder)


def require_regular_file(status: os.stat_result, need: int) -> os.stat_result:
    """Return the `status` of a regular file that has a permission bit of `need`, or raise OSError.

    Root may read and write whatever the bits say. They count here nonetheless, so that a lesson
    goes the same way in a container (root) as on a laptop.
    """
    if stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, "a folder")
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, "a link")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.ENODEV, "a special file")
    if not status.st_mode & need:
        raise OSError(errno.EACCES, "no permission")
    return status


def read(root: Path, parts: Sequence[str], whole: bool = False) -> File:
    """Read the file, of a giant one the first MAX_READ_BYTES bytes. Raises OSError or ValueError.

    With `whole`, a file that is larger is refused.
    """
    with open_parent(root, parts) as (folder, name):
        # Looked at before it is opened, because opening a device can already do something.
        require_regular_file(os.stat(name, dir_fd=folder, follow_symlinks=False), 0o444)
        descriptor = os.open(name, READ, dir_fd=folder)
    with open(descriptor, "rb") as file:
        status = require_regular_file(os.fstat(descriptor), 0o444)
        size = status.st_size
        if whole and size > MAX_READ_BYTES:
            raise ValueError(f"is too large for this tool ({size:,} bytes): use bash, such as sed.")
        # Room is made for as much as is asked for. Where the system computes a file it has no size.
        return decode(file.read(min(size, MAX_READ_BYTES) or MAX_READ_BYTES), status)


def write(
    root: Path, parts: Sequence[str], data: bytes, known: os.stat_result | None = None
) -> None:
    """Put `data` in the file's place in one step: others see the old file or the new, whole.

    An existing file's mode is kept. With `known`, the file's status when it was read, a file
    that was changed since is left alone. Raises OSError.
    """
    with open_parent(root, parts, make=True) as (folder, name):
        old = require_replaceable(folder, name, known)
        beside = os.path.join(os.path.dirname(name), f".{secrets.token_hex(8)}.tmp")
        try:
            with open(os.open(beside, CREATE, 0o666, dir_fd=folder), "wb") as file:
                file.write(data)
                file.flush()  # to write after the mode is set would take a bit of it away again
                keep_mode(file.fileno(), old)
            with replace_lock:
                require_replaceable(folder, name, known)  # by now it may have changed
                os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside, dir_fd=folder)
            raise


def require_replaceable(
    folder: int | None, name: str, known: os.stat_result | None
) -> os.stat_result | None:
    """The status of the file that is to be replaced, None where there is none. Raises OSError."""
    try:
        old = require_regular_file(os.stat(name, dir_fd=folder, follow_symlinks=False), 0o222)
    except FileNotFoundError:
        old = None
    if known and (old is None or fingerprint(old) != fingerprint(known)):
        raise OSError(errno.EBUSY, "changed meanwhile")
    return old


def fingerprint(status: os.stat_result) -> tuple[int, int, int]:
    """What changes when a file's content does: which file, when written, how long."""
    return status.st_ino, status.st_mtime_ns, status.st_size


def keep_mode(descriptor: int, old: os.stat_result | None) -> None:
    """Give a new file the owner and mode of the one that it replaces."""
    if old is None or not hasattr(os, "fchown"):
        return
    with suppress(PermissionError):  # only root gives files away
        os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))


def decode(data: bytes, status: os.stat_result) -> File:
    """Read `data` as UTF-8, or as UTF-16 where a byte order mark says so.

    Anything else raises ValueError; naming() completes its sentence.
    """
    bom = next((bom for bom in CODECS if data.startswith(bom)), b"")
    codec = CODECS.get(bom, "utf-8")
    is_whole = status.st_size <= MAX_READ_BYTES  # otherwise it may be cut within a character
    try:
        text = codecs.getincrementaldecoder(codec)().decode(data[len(bom) :], is_whole)
    except UnicodeDecodeError as problem:
        byte = problem.start + len(bom) + 1
        raise ValueError(f"is not text in UTF-8 or UTF-16: see its byte {byte:,}.") from None
    if "\0" in text:
        raise ValueError("is a binary file, not text: look at it with bash, such as xxd.")
    return File(data, text, bom, codec, status)


def encode(text: str, codec: str = "utf-8") -> bytes:
    """Encode `text`; raise ValueError if it holds what no file can, or is not a string."""
    if not isinstance(text, str):
        raise ValueError(f"was not written: content must be a string, not {type(text).__name__}.")
    if "\0" in text:
        raise ValueError("was not written: a NUL makes it a binary file. Use bash, such as printf.")
    try:
        return text.encode(codec)
    except UnicodeEncodeError as problem:
        place = f"character {problem.start + 1:,} of the new text"
        raise ValueError(f"was not written: {place} is half a character (a surrogate).") from None
