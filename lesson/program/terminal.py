"""The line that a learner pastes into a terminal."""

import shlex
import shutil
import sys
from pathlib import Path

from ..common.file_errors import describe_file_error
from . import folder


def terminal(prompt: str, *, model: str = "", check: str = "") -> None:
    """Print the command that runs the program `my_agent` with `prompt`, in a terminal.

    If there is no such folder yet, write one, with the package's parts. Without a `model`, the
    practice model answers, and the program works on a copy of the files that the prompt is about.
    With the name of a real one, the command is for the folder of a project. `check` is a command
    that can say no.

    It is `planning-agent practice my_agent …` if this name leads to this notebook's Python, and the
    folder is the current one. Otherwise it begins with the path of this Python, which has the
    packages: in a terminal, the word `python` may be another one, because bash's start-up file
    often puts that of pyenv or conda first.
    """
    try:
        folder.create_folder()
    except OSError as problem:
        print(f"{folder.path}: {describe_file_error(problem)}")
        return
    options = ["--check", check] if check else []
    if not sys.executable:  # in a browser, which has no terminal: run it in a cell
        print(f"%run {shlex.join([f'{folder.FOLDER}/__main__.py', prompt])}")
    elif model:
        print("In the folder of a project, where ANTHROPIC_API_KEY is set:\n")
        own = [str(folder.path), "--model", model, *options, prompt]
        print(shlex.join([sys.executable, *own]))
    else:
        rest = ["--", *options] if options else []
        words = [sys.executable, "-m", "lesson", "practice", str(folder.path), prompt, *rest]
        short = Path(shutil.which("planning-agent") or "").parent
        if short == Path(sys.executable).parent and folder.path.parent == Path.cwd():
            words = ["planning-agent", "practice", folder.FOLDER, prompt, *rest]
        print(shlex.join(words))
