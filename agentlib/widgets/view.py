"""What all widgets share: plain data that the browser draws, and a text that says the same."""

from pathlib import Path
from typing import Any

import anywidget
import traitlets

STATIC = Path(__file__).parent / "static"


class View(anywidget.AnyWidget):
    """A widget whose picture follows from `state`, which is plain data, and nothing else.

    A subclass names its script, fills `state`, and says the same in `text()`: that is what a
    front end without widgets shows, what GitHub shows, and what a test compares.
    """

    _css = (STATIC / "widgets.css").read_text(encoding="utf-8")
    state = traitlets.Dict().tag(sync=True)

    def text(self) -> str:
        """What the widget shows, as plain text."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | {"text/plain": self.text()}, metadata


def script(name: str) -> str:
    """The JavaScript of one widget. It is one module, so the shared parts are put before it."""
    files = [STATIC / f"{part}.js" for part in ("dom", "parts", name)]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
