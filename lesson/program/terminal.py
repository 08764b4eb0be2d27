"""The line that a learner pastes into a terminal."""

import shlex
import sys

from ..common.file_errors import describe_file_error
from . import file


def terminal(prompt: str, *, model: str = "", check: str = "", after: int | None = None) -> None:
    """Print the command that runs `my_agent.py` with `prompt`, in a terminal in any folder.

    If there is no `my_agent.py` yet, write one, with the package's parts. `model` is a real model's
    name, `check` a command that can say no, and `after` the threshold of the nag, in rounds. The
    line begins with the path of this notebook's Python, which has the packages: in a terminal, the
    word `python` may be another one, because bash's start-up file often puts that of pyenv or conda
    first.
    """
    try:
        file.create_file()
    except OSError as problem:
        print(f"{file.path}: {describe_file_error(problem)}")
        return
    options = ["--model", model] if model else []
    options += ["--check", check] if check else []
    options += ["--after", str(after)] if after else []
    if sys.executable:
        print(shlex.join([sys.executable, str(file.path), *options, prompt]))
    else:  # in a browser, which has no terminal: run it in a cell
        print(f"%run {shlex.join([file.FILE, *options, prompt])}")
