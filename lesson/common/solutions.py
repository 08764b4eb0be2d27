"""Find the notebooks, and read their given cells, and our solutions: most are in agentlib."""

import json
import re
from functools import cache
from pathlib import Path

import agentlib

from .parts import PARTS, read_cell

PACKAGE = Path(__file__).parents[1]
IN_WHEEL, IN_CHECKOUT = PACKAGE / "notebooks", PACKAGE.parent / "notebooks"
# Never those of the current folder, which are a learner's copy and may be changed.
NOTEBOOKS = IN_WHEEL if IN_WHEEL.is_dir() else IN_CHECKOUT
SOLUTIONS = NOTEBOOKS / "solutions"  # the whole program: also what is around the parts
AGENTLIB = Path(agentlib.__file__).parent
# What agentlib calls the parts that are in it.
IN_AGENTLIB = {name: part.start.split()[3] for name, part in PARTS.items() if not part.base}


@cache
def read_solutions() -> dict[str, str]:
    """Return the cell of each part, by the name of the part: as a learner would write it."""
    return {name: read_solution(name) for name in PARTS}


def read_solution(name: str) -> str:
    """Return a part as a cell: without the docstring of its module, and by the learner's name."""
    file = f"{PARTS[name].file}.py"
    if name not in IN_AGENTLIB:
        return read_cell((SOLUTIONS / file).read_text(encoding="utf-8"))
    text = (AGENTLIB / file).read_text(encoding="utf-8")
    text = re.sub(r'\A""".*?"""\n+', "", text, flags=re.DOTALL)
    used = re.findall(r"(?m)^from \.\w+ import (\w+)\n", text)
    text = re.sub(r"(?m)^from \.\w+ import \w+\n", "", text)
    text = f"from agentlib import {', '.join(used)}\n{text}" if used else text
    return read_cell(re.sub(rf"\b{IN_AGENTLIB[name]}\b", name, text))


def read_first_loop() -> str:
    """Return our solution of the loop's first exercise: the finished loop without its reminder."""
    text = read_solutions()["agent_loop"]
    text = re.sub(r"(?m)^# .*\n", "", text)  # which says where the reminder goes
    return re.sub(r"(?s) {8}# Remind:.*?(?= {8}# Answer)", "", text)


def read_first_nag() -> str:
    """Return our solution of the nag's first exercise: its reminder has words, and no list."""
    text = read_solutions()["MyNag"]
    text = re.sub(r"(?m)^ *# The (reminder contains|list is rendered).*\n", "", text)
    return text.replace("\\n{self.todo.render()}", "").replace('f"<rem', '"<rem')


def read_first_list() -> str:
    """Return our solution of the list's first exercise: the finished list without its tool."""
    text = read_solutions()["MyTodo"].partition("\n    def tool")[0].rstrip()
    text = re.sub(r"(?m)^# `tool` makes.*\n", "", text)
    return text.replace("import RenderedList, Tool\n", "import RenderedList\n")


def read_level(name: str, level: str) -> str:
    """Return our solution of one exercise of a part: of an earlier one without the later ones."""
    first = {"agent_loop": read_first_loop, "MyTodo": read_first_list, "MyNag": read_first_nag}
    return first[name]() if name in first and not level else read_solutions()[name]


@cache
def read_given(part: str, level: int = 0) -> str:
    """Return the cell in which a learner begins to write a part, or to go on with a later level."""
    notebook = f"{PARTS[part].levels[level].notebook}.ipynb"
    cells = json.loads((NOTEBOOKS / notebook).read_text(encoding="utf-8"))["cells"]
    tags = ["exercise", part]
    texts = ("".join(cell["source"]) for cell in cells if cell["metadata"].get("tags") == tags)
    return next(texts, "")
