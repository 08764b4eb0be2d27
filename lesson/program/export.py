"""Export a learner's agent: one file that needs only the package `anthropic`."""

import re
import sys
from pathlib import Path
from typing import Any

from agentlib.safety.files import write_atomically

from ..statements import Statement, read_statements
from .cells import IMPORTS, collect, join_sources
from .save import PARTS, back_up

TEMPLATE = Path(__file__).with_name("template.py")
AGENT = re.compile(r"(?s)# --- agent ---\n.*# --- main ---\n")


def export(agent: Any, file: str | Path = "exported_agent.py") -> None:
    """Write the learner's `agent`, with four plain tools and a main, into one `file`.

    If it does not pass its check, our solution is exported. A file that differs is copied first.
    Print what was done.
    """
    file = Path(file)
    [exercise] = PARTS["agent"]
    passes = exercise.check(agent).ok
    try:
        source = collect("agent", agent) if passes else exercise.read_solution()
        text = fill_template(source, file.name)
        is_new = not file.exists() or file.read_bytes() == text.encode()
        copied = "" if is_new else back_up(file)
        write_atomically(file, text.encode())
    except (OSError, ValueError) as problem:
        print(f"{file} was not written: {problem}")
        return
    whose = "your agent" if passes else "our agent, because yours does not pass its check yet"
    print(f"{file} has {whose}, in {text.count(chr(10))} lines, and needs only anthropic.{copied}")


def fill_template(source: str, name: str) -> str:
    """Return the template with the agent's `source` in it, for a file with this name.

    Raise ValueError if the agent needs another package, or makes a name of the template again.
    """
    template = TEMPLATE.read_text(encoding="utf-8").replace("FILE", name, 1)
    own = list(read_statements("", source))
    imports = [one.source for one in own if one.source.startswith(IMPORTS)]
    for line in imports:
        package = re.split(r"[ .]", line)[1]
        if package not in {*sys.stdlib_module_names, "anthropic"}:
            raise ValueError(f"your agent uses {package}, and the file may need only anthropic.")
    if twice := find_made_twice(own, list(read_statements("", template))):
        raise ValueError(f"the file has its own {', '.join(twice)}: give yours another name.")
    agent = join_sources(one.source for one in own if one.source not in imports)
    text = AGENT.sub(lambda _: f"{agent}\n\n\n", template)
    return text.replace("\ntry:\n", "\n".join(["", *imports, "", "try:\n"]), 1)


def find_made_twice(own: list[Statement], template: list[Statement]) -> list[str]:
    """Return the names that the agent makes and the template needs, such as `input`."""
    needed: set[str] = set()
    for one in template:
        needed |= one.makes | one.uses
    needed.discard("agent")
    same = {one.source for one in template}  # both may import the same
    made: set[str] = set()
    for one in own:
        if one.source.partition(".")[0] not in same:  # `import os.path` is like `import os`
            made |= one.makes
    return sorted(needed & made)
