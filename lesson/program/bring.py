"""Bring a part of `my_agent.py` into a notebook, to go on with it there."""

import re
from pathlib import Path
from typing import Any

from ..ipython_shell import find_shell
from ..statements import find_needed, read_statements
from .cells import join_sources
from .save import FILE, read_ours, read_parts
from .write_main import GIVEN


def bring(name: str, folder: str | Path = ".") -> Any:
    """Define and return the learner's `name`, and put its source into the cell that called this.

    It is the part of `my_agent.py` with what it uses, or our solution if there is none. If a cell
    of this notebook has defined the name already, that stays as it is.
    """
    shell = find_shell()
    if shell is None:
        raise RuntimeError("bring() puts code into a notebook: call it in a cell.")
    if name in shell.user_ns:
        print(f"{name} is unchanged: this notebook has defined it already.")
        return shell.user_ns[name]
    file = Path(folder, FILE)
    parts = read_parts(file.read_text(encoding="utf-8", errors="replace")) if file.exists() else {}
    if name in parts:
        statements = [
            one for part, text in parts.items() for one in read_statements(f"{FILE}, {part}", text)
        ]
        source = join_sources(find_needed([name], statements, {*GIVEN}))
        whose = f"yours, from {FILE}"
    else:
        source, whose = read_ours(name)
        whose += f", because {FILE} has none yet"
    # As if the cell had this source: `keep` will find it, and an error will show its lines.
    cell = shell.compile.cache(source, shell.execution_count)
    exec(compile(source, cell, "exec"), shell.user_ns)
    asked = shell.user_ns["In"][-1].strip()
    if re.fullmatch(r"(\w+ = )?bring\(['\"]\w+['\"]\)", asked):
        # The payload of %load, which JupyterLab understands. A cell with more stays as it is.
        text = {"source": "set_next_input", "text": source, "replace": True}
        shell.payload_manager.write_payload(text)
    print(f"{name} is {whose}. To change it, edit this cell and run it again.")
    return shell.user_ns[name]
