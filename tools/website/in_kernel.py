"""Keep what each widget shows: runs in the kernel of a notebook, before its first cell.

A live run that has not begun is played to its end here, step by step, so that a page can take the
same steps without a kernel.
"""

import json
import os
from pathlib import Path
from typing import Any

from IPython import get_ipython

from lesson import Player
from lesson.widgets.base import View, make_drawable
from lesson.widgets.page import initial_values

FILE_VARIABLE = "LESSON_RECORDING"  # environment variable: path of the file for this kernel


class Keeper:
    """Adds a line of JSON to `file` for each cell: its source, and the widgets that it shows."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.shown: dict[str, View] = {}  # in the cell that is running, by model id
        self.kept: set[str] = set()

    def note(self, widget: View) -> None:
        """Note that a cell shows `widget`."""
        self.shown[widget.model_id] = widget

    def keep(self, result: Any) -> None:
        """Write down the cell that has run."""
        new = [widget for name, widget in self.shown.items() if name not in self.kept]
        self.kept.update(self.shown)
        self.shown.clear()
        line = {"source": result.info.raw_cell, "widgets": [describe(widget) for widget in new]}
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def describe(widget: View) -> dict[str, Any]:
    """Return what the page needs of a widget."""
    # As plain text now, because the widget's own objects go on changing.
    values, text = json.dumps(make_drawable(initial_values(widget))), repr(widget)
    shown = {"kind": widget.kind, "values": json.loads(values), "text": text}
    if isinstance(widget, Player) and widget.state["live"]:
        while widget.state["live"]:
            widget.next()
        shown["played"] = make_drawable(widget.state)
    return shown


def keep_widgets() -> None:
    """Keep every widget that cells of this kernel show."""
    keeper = Keeper(Path(os.environ[FILE_VARIABLE]))
    represent = View._repr_mimebundle_

    def shown(widget: View, **settings: object) -> object:
        keeper.note(widget)
        return represent(widget, **settings)

    View._repr_mimebundle_ = shown
    get_ipython().events.register("post_run_cell", keeper.keep)
