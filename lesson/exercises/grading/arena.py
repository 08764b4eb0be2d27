"""Tell how the agents of a class did in the arena, from their saved notebooks. Runs nothing."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from ...practice.models import MODELS
from ...runs.arena import SORTED, STEPS
from ..catalogue import ARENA_NOTEBOOK, read_results
from .notebooks import read_cells


def tell_arena(students: Mapping[str, Iterable[Path]]) -> str:
    """Return a table: a row for each student, and for each model how many agents do not finish.

    It has the steps that the last version of the agent got done with each model. Raise ValueError
    if no notebook contains such a result.
    """
    found = {name: read_steps(paths) for name, paths in students.items()}
    rows = {name: steps for name, steps in found.items() if steps}
    if not rows:
        raise ValueError(f"no saved {ARENA_NOTEBOOK}.ipynb shows Arena(agent): was it saved?")
    wide = max(map(len, rows))
    lines = [" " * wide + "  " + "  ".join(MODELS)]
    for name, steps in rows.items():
        numbers = "  ".join(f"{steps[model]:{len(model)}}" for model in MODELS)
        lines.append(f"{name:{wide}}  {numbers}")
    lines += ["", f"Agents that do not finish, of {len(rows)}, and the part that would help:"]
    for name in SORTED:
        part = MODELS[name].rescued_by.removeprefix("+ ")
        number = sum(steps[name] < len(STEPS) for steps in rows.values())
        if part:
            lines.append(f"  {number:3}  {name}: {part}")
    return "\n".join(lines)


def read_steps(paths: Iterable[Path]) -> dict[str, int]:
    """Return the steps done with each model, or an empty dict."""
    for path in paths:
        with suppress(Exception):
            read_cells(path)  # raises for a link, and for what is no notebook
            last = read_results(path)["arena"]["last"]
            return {model: min(len(STEPS), int(last[model])) for model in MODELS}
    return {}
