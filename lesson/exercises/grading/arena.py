"""Tell how the agents of a class did in the arena, from their saved notebooks. Runs nothing."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...practice.models import MODELS
from ...runs.arena import SORTED, STEPS
from ..progress import ARENA_NOTEBOOK, read_results
from .notebooks import read_cells, read_class


def tell_arena(students: Mapping[str, Iterable[Path]]) -> str:
    """Return a table: a row for each student, and for each model how many agents do not finish.

    It has the steps that the last version of the agent got done with each model. Raise ValueError
    if no notebook contains such a result.
    """
    rows = read_class(students, read_arena)
    if not rows:
        raise ValueError(f"no saved {ARENA_NOTEBOOK}.ipynb shows Arena(agent): was it saved?")
    wide = max(map(len, rows))
    lines = [" " * wide + "  " + "  ".join(MODELS)]
    for name, cells in rows.items():
        numbers = "  ".join(f"{cells[model]['shown']:{len(model)}}" for model in MODELS)
        lines.append(f"{name:{wide}}  {numbers}")
    if any("!" in cell["shown"] for cells in rows.values() for cell in cells.values()):
        lines.append(f"! all {len(STEPS)} steps are done, but not finished: the page says why")
    silent = [
        name for name, cells in rows.items() if not any(c["requests"] for c in cells.values())
    ]
    if silent:
        lines += ["", f"No request to a model, so no part would help yet: {', '.join(silent)}"]
    asking = [cells for name, cells in rows.items() if name not in silent]
    lines += ["", f"Agents that do not finish, of {len(asking)}, and the part that would help:"]
    for name in SORTED:
        part = MODELS[name].rescued_by.removeprefix("+ ")
        number = sum(not cells[name]["finished"] for cells in asking)
        if part:
            lines.append(f"  {number:3}  {name}: {part}")
    return "\n".join(lines)


def read_arena(path: Path) -> dict[str, dict[str, Any]]:
    """Return what the last version did with each model. Raise if the notebook does not say.

    `shown` is the number of steps, with "!" if all are done and the model has not finished.
    """
    read_cells(path)  # raises for a link, and for what is no notebook
    last = read_results(path)["arena"]["last"]
    return {model: read_cell(last[model]) for model in MODELS}


def read_cell(saved: Mapping[str, Any]) -> dict[str, Any]:
    """Return one saved cell. Raise for what is no number, because anybody can write a notebook."""
    steps, is_finished = min(len(STEPS), int(saved["steps"])), saved["finished"] is True
    shown = f"{steps}{'!' * (steps == len(STEPS) and not is_finished)}"
    return {"shown": shown, "requests": int(saved["requests"]), "finished": is_finished}
