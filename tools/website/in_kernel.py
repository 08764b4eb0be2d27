"""Keep what each widget shows: runs in the kernel of a notebook, before its first cell."""

import json
import os
from pathlib import Path
from typing import Any

from IPython import get_ipython

from lesson.widgets.base import View, make_drawable
from lesson.widgets.without_kernel import initial_values

FILE_VARIABLE = "LESSON_RECORDING"  # environment variable: path of the file for this kernel


def keep_widgets() -> None:
    """Write a line of JSON for each cell that runs: the widgets that it shows first."""
    file, shown, kept = Path(os.environ[FILE_VARIABLE]), {}, set()
    represent = View._repr_mimebundle_

    def note(widget: View, **settings: object) -> object:
        shown[widget.model_id] = widget
        return represent(widget, **settings)

    def keep(_: object) -> None:
        new = [describe(widget) for name, widget in shown.items() if name not in kept]
        kept.update(shown)
        shown.clear()
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(new) + "\n")

    View._repr_mimebundle_ = note
    get_ipython().events.register("post_run_cell", keep)


def describe(widget: View) -> dict[str, Any]:
    # As plain text now, because the widget's own objects go on changing.
    values, text = json.dumps(make_drawable(initial_values(widget))), repr(widget)
    return {"kind": widget.kind, "values": json.loads(values), "text": text}
