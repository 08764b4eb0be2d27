"""The line that a learner copies from a notebook into a terminal."""

import shlex
import sys
from pathlib import Path

from ..file_errors import describe_problem


def command_line(prompt: str, *, model: str = "") -> str:
    """Return the command that runs `my_agent.py` with `prompt`, in a terminal in any folder.

    `model` is a real model's name. The line begins with the path of this notebook's Python, which
    has the packages: in a terminal, the word `python` may be another one, because bash's start-up
    file often puts that of pyenv or conda first. If there is no such file, the line says who writes
    it.
    """
    try:
        file = Path("my_agent.py").resolve()
        is_there = file.exists()
    except OSError as problem:
        return f"The folder of this notebook cannot be read: {describe_problem(problem)}"
    if not is_there:
        return f"There is no {file.name} yet. keep() writes it when your code passes its check."
    if not sys.executable:  # in a browser, which has no terminal
        return f"%run {shlex.join([file.name, prompt])}"
    line = shlex.join([sys.executable, str(file), prompt])
    return f"MODEL_ID={model} {line}" if model else line
