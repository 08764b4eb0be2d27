"""Read one file of a folder as text, or replace it with an atomic write.

The caller has checked the path: paths.inside() returns its `parts` below the folder, with every
symlink resolved.
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

MAX_READ_BYTES = 10 * 2**20  # read_file returns 50,000 characters; edit_file needs the whole file

CODECS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

replace_lock = threading.Lock()  # two threads must not check and then replace the same file

REASONS = {
    errno.ENOENT: "does not exist in the workspace: look for it with bash (ls), or write it.",
    errno.EISDIR: "is a folder, not a file: list it with bash (ls).",
    errno.ENOTDIR: "cannot be reached: a part of this path is not a folder.",
    errno.EEXIST: "cannot be reached: a part of this path is not a folder.",
    errno.ELOOP: "is a symlink that leads nowhere: name the file itself.",
    errno.EACCES: "cannot be used: permission denied, for the file or for its folder.",
    errno.EPERM: "cannot be used: permission denied, for the file or for its folder.",
    errno.EROFS: "cannot be written: it is on a read-only disk.",
    errno.ENODEV: "is not a regular file (a pipe, socket or device): choose another.",
    errno.ENAMETOOLONG: "cannot exist: the name is too long.",
    errno.EILSEQ: "cannot exist: the name is not valid text.",
    errno.ENOSPC: "was not written (disk full). The file is unchanged.",
    errno.EDQUOT: "was not written (disk quota used up). The file is unchanged.",
    errno.EFBIG: "was not written (larger than the limit for files). The file is unchanged.",
    errno.ESTALE: "cannot be reached: the workspace's folder is gone. Start again with a new one.",
    errno.EBUSY: "was not edited: it changed at the same time. Read it again.",
}


@dataclass(frozen=True)
class File:
    """A file that was read: its bytes, decoded text, encoding, and the status at that time."""

    data: bytes
    text: str
    bom: bytes  # the byte order mark at the beginning, or b""
    codec: str
    status: os.stat_result

    @property
    def unread(self) -> int:
        """Return how many bytes beyond MAX_READ_BYTES were not read."""
        return max(0, self.status.st_size - MAX_READ_BYTES)

    def encode(self, text: str) -> bytes:
        """Return `text` in this file's encoding, with its byte order mark."""
        return self.bom + encode(text, self.codec)


@contextmanager
def naming(path: object, note: str = "") -> Iterator[None]:
    """Turn an OSError or ValueError of the block into a message: path, reason, `note`.

    The message contains the path as the model gave it, never an absolute path of this machine.
    """
    shown = repr(path)
    if isinstance(path, str) and path.strip() and path.isprintable():
        shown = path
    if len(shown) > 100:
        shown = f"{shown[:60]}...{shown[-30:]}"
    try:
        yield
    except OSError as problem:
        reason = REASONS.get(problem.errno or 0, f"cannot be used: {problem.strerror}.")
        raise type(problem)(f"{shown} {reason}{note}") from None
    except ValueError as problem:
        raise ValueError(f"{shown} {problem}{note}") from None


def join(root: Path, parts: Sequence[str]) -> Path:
    """Return the path of a file below `root`. Raises OSError if there is no such folder."""
    if not root.is_dir():
        raise OSError(errno.ESTALE, "no workspace")
    if not parts:
        raise OSError(errno.EISDIR, "the folder itself")
    return root.joinpath(*parts)


def require_regular_file(status: os.stat_result, permission: int) -> os.stat_result:
    """Return `status` if it is a regular file with a bit of `permission`; raise OSError if not.

    Root may read and write any file. The bits are checked for root as well, so that a lesson
    behaves the same in a container (root) and on a laptop.
    """
    if stat.S_ISDIR(status.st_mode):
        raise OSError(errno.EISDIR, "a folder")
    if stat.S_ISLNK(status.st_mode):
        raise OSError(errno.ELOOP, "a symlink")
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.ENODEV, "a special file")
    if not status.st_mode & permission:
        raise OSError(errno.EACCES, "no permission")
    return status


def read(root: Path, parts: Sequence[str], whole: bool = False) -> File:
    """Read a file, at most its first MAX_READ_BYTES bytes. Raises OSError or ValueError.

    With `whole`, reject a larger file.
    """
    path = join(root, parts)
    # Check before opening: opening a FIFO waits for a writer, and a device can have side effects.
    status = require_regular_file(path.lstat(), 0o444)
    size = status.st_size
    if whole and size > MAX_READ_BYTES:
        raise ValueError(f"is too large for this tool ({size:,} bytes): use bash, such as sed.")
    with path.open("rb") as file:
        # Files that the kernel computes have the size 0.
        return decode(file.read(min(size, MAX_READ_BYTES) or MAX_READ_BYTES), status)


def write(
    root: Path, parts: Sequence[str], data: bytes, known: os.stat_result | None = None
) -> None:
    """Replace a file with an atomic write: readers see the old content or the new, never a mix.

    Missing folders are created, and an existing file keeps its mode and owner. With `known`, the
    status when the file was read, a file that was changed since then is rejected. Raises OSError.
    """
    path = join(root, parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    old = require_replaceable(path, known)
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        temporary.write_bytes(data)
        if old:
            with suppress(PermissionError, AttributeError):  # only root may, and not on Windows
                os.chown(temporary, old.st_uid, old.st_gid)
            temporary.chmod(stat.S_IMODE(old.st_mode))
        with replace_lock:
            require_replaceable(path, known)  # it may have changed since the first check
            os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def require_replaceable(path: Path, known: os.stat_result | None) -> os.stat_result | None:
    """Return the status of the file to replace, or None if it is new. Raises OSError."""
    try:
        old = require_regular_file(path.lstat(), 0o222)
    except FileNotFoundError:
        old = None
    if known and (old is None or fingerprint(old) != fingerprint(known)):
        raise OSError(errno.EBUSY, "changed since it was read")
    return old


def fingerprint(status: os.stat_result) -> tuple[int, int, int]:
    """Return inode, modification time and size: these differ if the content has changed."""
    return status.st_ino, status.st_mtime_ns, status.st_size


def decode(data: bytes, status: os.stat_result) -> File:
    """Decode `data` as UTF-8, or as UTF-16 if it begins with that byte order mark.

    Raises ValueError for anything else; naming() completes its message.
    """
    bom = next((bom for bom in CODECS if data.startswith(bom)), b"")
    codec = CODECS.get(bom, "utf-8")
    is_whole = status.st_size <= MAX_READ_BYTES  # otherwise the cut may be within a character
    try:
        text = codecs.getincrementaldecoder(codec)().decode(data[len(bom) :], is_whole)
    except UnicodeDecodeError as problem:
        byte = problem.start + len(bom) + 1
        raise ValueError(f"is not text in UTF-8 or UTF-16: see its byte {byte:,}.") from None
    if "\0" in text:
        raise ValueError("is a binary file, not text: look at it with bash, such as xxd.")
    return File(data, text, bom, codec, status)


def encode(text: str, codec: str = "utf-8") -> bytes:
    """Encode `text`. Raises ValueError if it is not a string, or contains NUL or a surrogate."""
    if not isinstance(text, str):
        raise ValueError(f"was not written: content must be a string, not {type(text).__name__}.")
    if "\0" in text:
        raise ValueError("was not written: a NUL makes it a binary file. Use bash, such as printf.")
    try:
        return text.encode(codec)
    except UnicodeEncodeError as problem:
        place = f"character {problem.start + 1:,} of the new text"
        raise ValueError(f"was not written: {place} is half a character (a surrogate).") from None
