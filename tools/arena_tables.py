"""Write the tables of the arena: its models and cells in docs/practice-model.md, its parts in s06.

    python tools/arena_tables.py

They follow the rows of `lesson.practice.models` and the cells that were played.
"""

import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from lesson.practice.models import MODELS
from lesson.runs.arena import HARNESSES, SORTED
from lesson.runs.arena_cells import cell

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "practice-model.md"
NOTEBOOK = ROOT / "notebooks" / "s06_your_agent.ipynb"
TABLE = re.compile(r"(?<=\n\n)\| (model(?= \| what it does)|harness|part) \|.*?\n(?=\n)", re.DOTALL)


def describe_models() -> Iterator[list[str]]:
    """Yield the rows of the first table."""
    yield ["model", "what it does", "what ends it", "what it imitates"]
    for model in (MODELS[name] for name in SORTED):
        links = ", ".join(f"[{n}]({link})" for n, link in enumerate(model.reports, 1))
        source = f"{model.imitates} ({links})" if model.imitates else "we made it up"
        if links and not model.imitates:
            source += f"; the nearest report: {links}"
        helps = model.rescued_by.removeprefix("+ ") or "it needs no help"
        yield [model.name, model.does, helps, source]


def describe_cells() -> Iterator[list[str]]:
    """Yield the rows of the second table: the steps that the files show at the end of each run."""
    yield ["harness", *SORTED]
    for row, harness in enumerate(HARNESSES):
        cells = [cell(row, name) for name in SORTED]
        yield [harness.name, *(f"{one.steps_done}{'!' * one.is_stopped}" for one in cells)]


def describe_parts() -> Iterator[list[str]]:
    """Yield the rows of the table in s06: the models that each part rescues."""
    yield ["part", "it rescues"]
    helped = [MODELS[name] for name in SORTED if MODELS[name].rescued_by]
    for part, models in groupby(helped, lambda one: one.rescued_by):
        yield [part.removeprefix("+ "), " and ".join(one.name for one in models)]


def rewrite(page: str) -> str:
    """Return the page with its tables as they are now."""
    tables = {"model": describe_models, "harness": describe_cells, "part": describe_parts}

    def draw(found: re.Match) -> str:
        head, *rows = (f"| {' | '.join(row)} |\n" for row in tables[found[1]]())
        return head + "|---" * (head.count(" | ") + 1) + "|\n" + "".join(rows)

    return TABLE.sub(draw, page)


def rewrite_notebook(text: str) -> str:
    """Return a notebook with the tables in its Markdown cells as they are now."""
    notebook = json.loads(text)
    for part in notebook["cells"]:
        if part["cell_type"] == "markdown":
            part["source"] = rewrite("".join(part["source"])).splitlines(keepends=True)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    for path, change in ((PAGE, rewrite), (NOTEBOOK, rewrite_notebook)):
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
