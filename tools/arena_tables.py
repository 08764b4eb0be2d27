"""Write the tables of the arena: its models in docs/practice-model.md, its parts in s06.

    python tools/arena_tables.py

They follow the rows of `lesson.practice.models`.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import nbformat
from solutions import learners

from lesson.practice.models import MODELS
from lesson.runs.harnesses import SORTED

PAGE = Path(__file__).parents[1] / "docs" / "practice-model.md"
NOTEBOOK = learners("s06_your_agent")


def describe_models() -> Iterator[list[str]]:
    """Yield the rows of the first table."""
    yield ["a model of the arena", "what ends it", "what it imitates"]
    for model in (MODELS[name] for name in SORTED):
        links = ", ".join(f"[{n}]({link})" for n, link in enumerate(model.reports, 1))
        source = f"{model.imitates} ({links})" if model.imitates else "we made it up"
        if links and not model.imitates:
            source += f"; the nearest report: {links}"
        helps = model.rescued_by.removeprefix("+ ") or "it needs no help"
        yield [model.name, helps, source]


def describe_parts() -> Iterator[list[str]]:
    """Yield the rows of the table in s06: the models that each part rescues."""
    yield ["part", "it rescues"]
    helped = [MODELS[name] for name in SORTED if MODELS[name].rescued_by]
    for part, models in groupby(helped, lambda one: one.rescued_by):
        yield [part.removeprefix("+ "), " and ".join(one.name for one in models)]


def rewrite(page: str) -> str:
    """Return the page, or the text of a cell, with its tables as they are now."""
    for head, *rows in (describe_models(), describe_parts()):
        table = rf"(?<=\n\n)\| {head[0]} \|.*?\n(?=\n)"
        lines = [f"| {' | '.join(row)} |\n" for row in (head, *rows)]
        drawn = "".join([lines[0], "|---" * len(head), "|\n", *lines[1:]])
        page = re.sub(table, drawn.replace("\\", r"\\"), page, flags=re.DOTALL)
    return page


def rewrite_notebook(text: str) -> str:
    """Return a notebook with its tables as they are now."""
    notebook = nbformat.reads(text, as_version=4)
    for part in notebook.cells:
        part.source = rewrite(part.source)
    return nbformat.writes(notebook) + "\n"


if __name__ == "__main__":
    for path, change in ((PAGE, rewrite), (NOTEBOOK, rewrite_notebook)):
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
