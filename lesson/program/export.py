"""Export a learner's agent: one file that needs only the package `anthropic`."""

import ast
import re
import sys
from pathlib import Path
from typing import Any

from agentlib.safety.files import write_atomically

from ..file_errors import describe_problem
from ..samples import deleting
from .cells import BUILTINS, find_clash, list_used
from .parts import find_fault, run_part
from .save import read_cell
from .sections import Section, back_up

TEMPLATE = Path(__file__).with_name("template.py")
AGENT = re.compile(r"(?s)(?<=# --- the agent ---\n).*?(?=\n\n\n# ---)")


def export(agent: Any, file: str | Path = "exported_agent.py") -> None:
    """Write the learner's `agent`, with four plain tools and a main, into one `file`.

    It must pass its check. A file that differs is copied first. Print what was done.
    """
    file = Path(file)
    try:
        cell = read_cell("agent", agent)
        text = fill_template(cell, file.name).encode()
        with deleting():
            made = run_part("agent", {"agent": Section(cell)})
            if fault := find_fault("agent", made):
                raise ValueError(f"agent does not pass its check yet: {fault}.")
        is_new = not file.exists() or file.read_bytes() == text
        copied = "" if is_new else f" {back_up(file)}"
        write_atomically(file, text)
    except (OSError, ValueError) as problem:
        print(f"{file} was not written: {describe_problem(problem)}")
        return
    mine, all_lines = len(cell.splitlines()), text.count(b"\n")
    print(
        f"{file} has your agent, in {mine} of its {all_lines} lines. The others are its tools, the "
        f"question before each change, and the connection. It needs only anthropic.{copied}"
    )


def fill_template(text: str, name: str) -> str:
    """Return the template with the text of the agent's cell in it, for a file with this name.

    Raise ValueError if the cell needs another package or cell, or makes a name of the template.
    """
    template = TEMPLATE.read_text(encoding="utf-8").replace("FILE", name, 1)
    for node in ast.walk(ast.parse(text)):
        modules = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            modules = [node.module or "."]
        for package in (one.partition(".")[0] for one in modules):
            if package not in {*sys.stdlib_module_names, "anthropic"}:
                raise ValueError(f"agent uses {package}, and the file may need only anthropic.")
    if missing := list_used(text) - BUILTINS:
        raise ValueError(f"agent uses {min(missing)}: write it into the cell of agent as well.")
    if clash := find_clash(text, AGENT.sub("", template)):
        raise ValueError(f"the file has its own {clash}: give yours another name.")
    return AGENT.sub(lambda _: text, template)
