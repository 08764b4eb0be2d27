"""The line that a learner copies from a notebook into a terminal."""

import os
import shlex
import shutil
import sys
from pathlib import Path


def command_line(prompt: str, file: str = "my_agent.py") -> str:
    """Return the command that runs `file` with `prompt`, in a terminal in the notebook's folder.

    It begins with `python` if that is the Python of this notebook, which has the packages. If
    another one is on the PATH, or none, it begins with the path of this one.
    """
    found = shutil.which("python")
    # Compare the folders: the Pythons of two virtual environments are links to the same file.
    is_ours = found and os.path.samefile(Path(found).parent, Path(sys.executable).parent)
    return shlex.join(["python" if is_ours else sys.executable, file, prompt])
