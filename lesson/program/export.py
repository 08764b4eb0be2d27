"""Export a learner's agent: one file that needs only the package `anthropic`."""

import re
import sys
from pathlib import Path
from typing import Any

from agentlib.safety.files import write_atomically

from ..statements import read_statements
from .cells import IMPORTS, collect, join_sources
from .save import PARTS, back_up

TEMPLATE = Path(__file__).with_name("template.py")
AGENT = re.compile(r"(?s)# --- agent ---\n.*# --- main ---\n")


def export(agent: Any, file: str | Path = "exported_agent.py") -> None:
    """Write the learner's `agent`, with four plain tools and a main, into one `file`.

    If it does not pass its check, our solution is exported. A file that differs is copied first.
    Print what was done.
    """
    [exercise] = PARTS["agent"]
    passes = exercise.check(agent).ok
    template = TEMPLATE.read_text(encoding="utf-8").replace("FILE", Path(file).name, 1)
    try:
        source = collect("agent", agent) if passes else exercise.read_solution()
        own, ours = ([*read_statements("", text)] for text in (source, template))
        imports = [one.source for one in own if one.source.startswith(IMPORTS)]
        known = {*sys.stdlib_module_names, "anthropic"}
        for one in imports:
            if (name := re.split(r"[ .]", one)[1]) not in known:
                raise ValueError(f"your agent uses {name}, and the file may need only anthropic.")
        # The template needs what it makes and imports, and functions of Python, such as `input`.
        needed = set[str]().union(*(one.makes | one.uses for one in ours)) - {"agent"}
        same = {one.source for one in ours}
        made = (one.makes for one in own if one.source.partition(".")[0] not in same)
        if twice := needed & set[str]().union(*made):
            names = ", ".join(sorted(twice))
            raise ValueError(f"the file has its own {names}: give yours another name.")
        source = join_sources(one.source for one in own if one.source not in imports)
        text = AGENT.sub(lambda _: f"{source}\n\n\n", template)
        text = text.replace("\ntry:\n", "\n".join(["", *imports, "", "try:\n"]), 1)
        is_new = not Path(file).exists() or Path(file).read_bytes() == text.encode()
        copied = "" if is_new else back_up(Path(file))
        write_atomically(Path(file), text.encode())
    except (OSError, ValueError) as problem:
        print(f"{file} was not written: {problem}")
        return
    whose = "your agent" if passes else "our agent, because yours does not pass its check yet"
    print(f"{file} has {whose}, in {text.count(chr(10))} lines, and needs only anthropic.{copied}")
