"""Bring a part of `my_agent.py` into a notebook, to go on with it there."""

import re
from pathlib import Path
from typing import Any

from ..exercises.catalogue import PARTS
from ..file_errors import describe_problem
from ..ipython_shell import find_shell
from ..samples import deleting
from .cells import find_cell, list_used
from .ours import OURS, read_ours, restore_call
from .parts import run_part
from .sections import FILE, read_parts


def bring(name: str) -> Any:
    """Define and return the learner's `name`, and put its text into the cell that called this.

    It is a section of `my_agent.py`, or our code if there is none that runs. The parts that it uses
    are brought as well. If a cell of this notebook has defined the name, that stays as it is.
    """
    shell = find_shell()
    if shell is None:
        raise RuntimeError("bring() puts code into a notebook: call it in a cell.")
    if name not in PARTS:
        print(f"{name!r} is no part of {FILE}. Its parts are {', '.join(PARTS)}.")
        return None
    if name in shell.user_ns and is_defined_here(name):
        print(f"{name} is unchanged: this notebook has defined it already.")
        return shell.user_ns[name]
    own, problem = read_own(name, Path(FILE))
    text = own or read_ours(name)
    used = [one for one in PARTS if one in list_used(text)]
    for one in used:
        shell.user_ns[one] = bring(one)
    # As if the cell had this text: an error shows its lines, and the checks read it.
    cell = shell.compile.cache(text, shell.execution_count)
    exec(compile(text, cell, "exec"), shell.user_ns)
    ours = "the package's list" if name == "MyTodo" else "our solution"
    said = (
        f"yours, from {FILE}." if own else f"{ours}, because {problem or f'{FILE} has none yet.'}"
    )
    asked = shell.user_ns["In"][-1].strip()
    # If yours has an error, the cell stays, and brings it when it is corrected.
    if not problem and re.fullmatch(rf"({name} = )?bring\(['\"]{name}['\"]\)", asked):
        head = "" if own else OURS.format(name)
        if used:
            head += "".join(f'{one} = bring("{one}")\n' for one in used) + "\n\n"
        # The payload of %load, which JupyterLab understands. A cell with more stays as it is.
        payload = {"source": "set_next_input", "text": head + text, "replace": True}
        shell.payload_manager.write_payload(payload)
        said += " To change it, edit this cell and run it again."
        if not own:
            said += f" Unchanged, the cell brings yours when {FILE} has it."
    print(f"{name} is {said}")
    return shell.user_ns[name]


def is_defined_here(name: str) -> bool:
    """Return whether a cell of this notebook has defined a name, and has not brought it."""
    try:
        return bool(find_cell(name))
    except ValueError:  # the newest one failed, and an older one has defined it
        return True


def read_own(name: str, file: Path) -> tuple[str, str]:
    """Return the learner's text of a part, "" if there is none, and why it cannot be used."""
    try:
        parts = read_parts(file)
        if name not in parts:
            return "", ""
        with deleting():
            run_part(name, parts)
        return parts[name].text, ""
    except OSError as problem:
        return "", f"{FILE} cannot be read: {describe_problem(problem)}"
    except ValueError as problem:
        return "", str(problem)


def bring_again(lines: list[str]) -> list[str]:
    """Return the lines of a cell, or the call of bring() if it has put our code there, unchanged.

    So a cell that had to take our code brings the learner's as soon as there is one.
    """
    return restore_call("".join(lines)).splitlines(keepends=True)


def watch_cells() -> None:
    """Let IPython call `bring_again` for each cell before it runs."""
    shell = find_shell()
    if shell and bring_again not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(bring_again)


watch_cells()
