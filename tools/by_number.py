"""Play the experiment of s06's section "By number", and print its table: two minutes.

    python tools/by_number.py

One script ticks each step when it is done, with each window. It gets the whole list, or tasks by
number, or these and the nag of the notebook, which counts looks. Each cell has the steps done of
ten, the reminders, and the tokens sent and written.
"""

import json
import re
from typing import Any

from agentlib import Tasks
from lesson.common.solutions import NOTEBOOKS
from lesson.runs.run import Run

NOTEBOOK = NOTEBOOKS / "s06_what_took_its_place.ipynb"
FORMS = ("the list", "by number", "by number, a nag that counts looks")
WINDOWS = (4, 6, 8, 12, 16, 20, 30, 40, "all")


def read_cells() -> dict[str, str]:
    """Return the sources of the notebook's cells by their ids."""
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells}


def load_nags() -> tuple[Any, Any]:
    """Return the nag of the notebook, which counts uses, and that of its answer: looks."""
    cells, nags = read_cells(), []
    [line] = re.findall(r"```python\n(.*\n)```", cells["number-05"])
    class_text = cells["number-04"].partition("numbered =")[0]
    for text in (class_text, re.sub(r" +if any.*\n", line, class_text)):
        names: dict[str, Any] = {}
        exec(text, names)
        nags.append(names["ByNumber"])
    return nags[0], nags[1]


def play(form: str, window: int | str) -> Run:
    """Play one cell of the table. The threshold is half of the window, less one."""
    settings: dict[str, Any] = {} if form == "the list" else {"todo": Tasks}
    nag = load_nags()[1] if "looks" in form else None
    after = window // 2 - 1 if isinstance(window, int) else 5
    return Run(model="diligent", window=window, nag=nag, after=after, **settings).play()


if __name__ == "__main__":
    print("| window |", " | ".join(FORMS), "|\n" + "|---" * (len(FORMS) + 1) + "|")
    for window in WINDOWS:
        runs = [play(form, window) for form in FORMS]
        cells = []
        for run in runs:
            reminders = sum(bool(round_.reminder) for round_ in run.rounds)
            cells.append(f"{run.steps_done}, {reminders}, {run.tokens:,}")
        print(f"| {window} |", " | ".join(cells), "|", flush=True)
