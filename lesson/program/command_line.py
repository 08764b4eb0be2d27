"""The line that a learner copies from a notebook into a terminal."""

import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path


def command_line(prompt: str, file: str = "my_agent.py") -> str:
    """Return the command that runs `file` with `prompt`, in a terminal in the notebook's folder.

    It begins with the path of this notebook's Python, which has the packages. In a terminal, the
    word `python` may be another one: bash's start-up file often puts that of pyenv or conda first.
    If there is no such file, the line says who writes it.
    """
    if not Path(file).exists():
        return f"There is no {file} yet. keep() writes it when your code passes its check."
    python = sys.executable or "python"  # a browser has no path of its Python
    with suppress(ValueError):  # on Windows: it is on another drive
        python = min(os.path.relpath(python), python, key=len)
    return shlex.join([python, file, prompt])
