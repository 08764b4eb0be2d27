"""Runs in a notebook's kernel, unseen: keeps what each widget showed when its cell had run.

A live run that has not begun is played to its end here, step by step, so that a page can take the
same steps without a kernel.
"""

import atexit
import json
from pathlib import Path

from IPython import get_ipython

from lesson import Player
from lesson.widgets.base import View, make_drawable
from lesson.widgets.page import initial_values


class Keeper:
    """Keeps the widgets that cells show, by their model ids, and writes them to `file`."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.kept: dict[str, dict] = {}
        self.shown: list[View] = []  # by the cell that is running

    def note(self, widget: View) -> None:
        """Called when a cell shows `widget`."""
        self.shown.append(widget)

    def keep(self, *_: object) -> None:
        """Called when a cell has run."""
        for widget in self.shown:
            if widget.model_id not in self.kept:
                self.kept[widget.model_id] = self.describe(widget)
        self.shown.clear()

    def describe(self, widget: View) -> dict:
        """What the page needs of a widget."""
        # As plain text now, because the widget's own objects go on changing.
        values = json.dumps(make_drawable(initial_values(widget)))
        shown = {"kind": widget.kind, "values": json.loads(values)}
        if isinstance(widget, Player) and widget.state["live"]:
            while widget.state["live"]:
                widget.next()
            shown["played"] = make_drawable(widget.state)
        return shown

    def write(self) -> None:
        """Called when the kernel ends."""
        self.file.write_text(json.dumps(self.kept), encoding="utf-8")


def keep_widgets(file: str) -> None:
    """Keep every widget that cells of this kernel show, and write them to `file` at its end."""
    keeper = Keeper(Path(file))
    describe = View._repr_mimebundle_

    def shown(widget: View, **settings: object) -> object:
        keeper.note(widget)
        return describe(widget, **settings)

    View._repr_mimebundle_ = shown
    get_ipython().events.register("post_run_cell", keeper.keep)
    atexit.register(keeper.write)
