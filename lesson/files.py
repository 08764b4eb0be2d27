"""Atomic writes: a file is complete, or it is not there."""

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, data: bytes, *, replace: bool = True) -> Path:
    """Write `data` to a temporary file next to `path`, then rename it. Return `path`.

    An interrupt or a full disk leaves the old file, or none. A symlink at `path` is replaced, not
    followed. If not `replace`, raise FileExistsError when something is at `path`.
    """
    if not replace and os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    beside = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with open(beside, "xb") as file:  # "x" does not follow a symlink that is already there
            file.write(data)
        return beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
