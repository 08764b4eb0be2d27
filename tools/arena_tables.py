"""Write the two tables of docs/practice-model.md: the arena's models, and every harness with each.

    python tools/arena_tables.py

They follow the rows of `lesson.practice.models` and the cells that were played.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from lesson.practice.models import MODELS
from lesson.runs.arena import HARNESSES, SORTED
from lesson.runs.arena_cells import cell

PAGE = Path(__file__).parents[1] / "docs" / "practice-model.md"
TABLE = re.compile(r"(?<=\n\n)\| (model|harness) \|.*?\n(?=\n)", re.DOTALL)


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


def rewrite(page: str) -> str:
    """Return the page with its two tables as they are now."""
    tables = {"model": describe_models, "harness": describe_cells}

    def draw(found: re.Match) -> str:
        head, *rows = (f"| {' | '.join(row)} |\n" for row in tables[found[1]]())
        return head + "|---" * (head.count(" | ") + 1) + "|\n" + "".join(rows)

    return TABLE.sub(draw, page)


if __name__ == "__main__":
    PAGE.write_text(rewrite(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
