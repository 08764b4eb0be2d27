"""Say how far a learner is with each exercise: `progress()`."""

import json
import sys
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from ..exercises.catalogue import EXERCISES, PARTS
from ..exercises.checking.exercise import Exercise
from ..exercises.checking.result import METADATA
from .parts import load_parts
from .sections import FILE
from .write_main import takes_remind


@dataclass(frozen=True)
class Row:
    """How far one exercise is. `total` is 0 if no result of its check is known."""

    name: str
    title: str
    notebook: str
    passed: int = 0
    total: int = 0
    ok: bool = False
    begun: bool = False
    kept: bool = False  # in my_agent.py

    @property
    def words(self) -> str:
        if self.kept:
            return f"kept in {FILE}"
        if not self.begun:
            return "not begun" if self.total else f"not checked yet, in {self.notebook}"
        return f"{self.passed} of {self.total} rules pass"


class Progress:
    """How far each exercise is, one line each: print it, or let a notebook show it.

    As data: `rows`, and `progress()["loop"].ok` for one exercise by its name.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows

    def __getitem__(self, name: str) -> Row:
        return next(row for row in self.rows if row.name == name)

    @property
    def headline(self) -> str:
        return f"{sum(row.ok for row in self.rows)} of {len(self.rows)} exercises are done."

    @property
    def next(self) -> Row | None:
        """Return the first exercise that is not done, or None."""
        return next((row for row in self.rows if not row.ok), None)

    def __str__(self) -> str:
        width = max(len(row.title) for row in self.rows)
        lines = [
            f"  [{'x' if row.ok else '>' if row is self.next else ' '}] {row.title:{width}}  "
            f"{row.words}"
            for row in self.rows
        ]
        return "\n".join([self.headline, *lines])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Return the exercises of each notebook in a line, and a link to the next one."""
        after = self.next
        todo = f" Next: {escape(after.title)}, in {draw_link(after.notebook)}." if after else ""
        lines = [f"<p><strong>{self.headline}</strong>{todo}</p>"]
        for notebook, rows in groupby(self.rows, lambda row: row.notebook):
            shown = " ".join(draw_exercise(row, row is after) for row in rows)
            name = f'<span style="display: inline-block; width: 13em">{draw_link(notebook)}</span>'
            lines.append(f'<div style="margin: 0.3em 0">{name} {shown}</div>')
        return "\n".join(lines)


def draw_link(notebook: str) -> str:
    return f'<a href="{notebook}.ipynb">{notebook}</a>'


def draw_exercise(row: Row, is_next: bool) -> str:
    """Return an exercise in a box: dashed if it is not done, with a thick frame if it is next."""
    frame = "2px solid" if is_next else "1px solid" if row.ok else "1px dashed"
    style = f"border: {frame}; border-radius: 4px; padding: 0 0.4em; white-space: nowrap"
    words = escape(f"{'✓' if row.ok else '▸' if is_next else '○'} {row.title}")
    if is_next:
        words = f"<strong>{words}</strong>"
    if is_next or (row.begun and not row.ok):
        words += f": {escape(row.words)}"
    return f'<span style="display: inline-block; {style}">{words}</span>'


def progress(names: Mapping[str, Any] | None = None) -> Progress:
    """Return how far every exercise is.

    What this notebook defines is checked. For the exercises of other notebooks, the last result is
    read from the saved notebook, and what `my_agent.py` contains has passed its check.
    `names` replace this notebook's names.
    """
    known = vars(sys.modules["__main__"]) if names is None else names
    saved = {one.notebook: read_results(Path(f"{one.notebook}.ipynb")) for one in EXERCISES}
    kept = find_kept()
    return Progress([describe(one, known, saved[one.notebook], kept) for one in EXERCISES])


def describe(
    exercise: Exercise, names: Mapping[str, Any], saved: Mapping[str, Any], kept: Set[str]
) -> Row:
    """Return the progress of an exercise: checked now if it is among `names`, or as `saved`.

    An exercise whose name is in `kept` is done, whatever an older result says.
    """
    data = saved.get(exercise.name, {})
    if exercise.subject in names:
        data = exercise.check(*(names.get(name) for name in exercise.subjects)).data
    elif not data.get("ok") and exercise.name in kept:
        data = {"ok": True, "kept": True}
    known = {
        name: data[name] for name in ("passed", "total", "ok", "begun", "kept") if name in data
    }
    return Row(exercise.name, exercise.title, exercise.notebook, **known)


def find_kept() -> set[str]:
    """Return the names of the exercises whose code is in `my_agent.py`.

    `keep()` writes a part only after its check has passed, so a part is checked again only if it
    was changed by hand. A loop is of two exercises, and if it takes `remind`, it has passed both.
    """
    kept = set()
    for part, made in load_parts().items():
        loop, *with_remind = PARTS[part]
        kept |= {loop.name, *(one.name for one in with_remind if takes_remind(made))}
    return kept


def read_results(path: Path) -> dict[str, dict[str, Any]]:
    """Return the results that a saved notebook contains, by the exercise's name."""
    found = {}
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", ()):
                data = output.get("metadata", {}).get(METADATA, {})
                if "exercise" in data:
                    found[data["exercise"]] = data
    return found
