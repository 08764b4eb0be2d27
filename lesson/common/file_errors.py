"""Explain the system's errors about files, and what to do."""

import errno
import os
import re
import shutil

ADVICE = {
    errno.EACCES: "You may not write or read there: look at the permissions.",
    errno.EPERM: "You may not write or read there: look at the permissions.",
    errno.EROFS: "Copy your notebooks to a folder in which you may write.",
    errno.EISDIR: "A folder has this name: rename it.",
    errno.ENODEV: "A pipe or a device has this name: rename it.",
    errno.ENOTDIR: "A file has the name of this folder: rename it.",
    errno.EEXIST: "Something has this name already: rename it.",
    errno.ENOENT: "Is its folder still there?",
    errno.ENOSPC: "The disk is full: delete something, and try again. No file has changed.",
}


def describe_file_error(problem: OSError | ValueError) -> str:
    """Return what went wrong and what to do, without the name of a temporary file."""
    if isinstance(problem, shutil.Error):  # its text is a list of tuples, one for each file
        match = re.search(r"\[Errno (\d+)\]", str(problem))
        number = int(match[1]) if match else errno.EIO
        problem = OSError(number, os.strerror(number))
    if not isinstance(problem, OSError) or not problem.strerror:
        return str(problem)
    return f"{problem.strerror}. {ADVICE.get(problem.errno or 0, '')}".rstrip()
