"""What all widgets share: plain data that the browser draws, and a text that says the same."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ..shown import TURNS

STATIC = Path(__file__).parent / "static"


class View(anywidget.AnyWidget):
    """A widget whose picture follows from `state`, which is plain data, and nothing else.

    A subclass names its script, fills `state`, and says the same in `text()`: that is what a
    front end without widgets shows, what GitHub shows, and what a test compares.
    """

    _css = (STATIC / "widgets.css").read_text(encoding="utf-8")
    state = traitlets.Dict().tag(sync=True)

    @traitlets.validate("state")
    def _drawable(self, proposal: Any) -> dict:
        return drawable(proposal.value)

    def text(self) -> str:
        """What the widget shows, as plain text."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return drawable(self.text())

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        return data | {"text/plain": repr(self)}, metadata


def drawable(thing: Any) -> Any:
    """A copy of plain data in which every text can be sent and shown: half of a surrogate pair, as
    a model may write it, is a "?", and what would turn a line round is shown as its code."""
    if isinstance(thing, str):
        return thing.encode("utf-8", "replace").decode().translate(TURNS)
    if isinstance(thing, Mapping):
        return {drawable(key): drawable(value) for key, value in thing.items()}
    return [drawable(one) for one in thing] if isinstance(thing, list | tuple) else thing


def script(name: str) -> str:
    """The JavaScript of one widget. It is one module, so the shared parts are put before it."""
    files = [STATIC / f"{part}.js" for part in ("dom", "parts", name)]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
