"""The base of all widgets: plain data that the browser draws, and the same content as text."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import anywidget
import traitlets

from agentlib import escape

from ..ipython_shell import find_request_metadata
from .bundle import pack


class View(anywidget.AnyWidget):
    """A widget whose picture depends only on `state`, which is plain data.

    A subclass names its `kind`, fills `state`, and says the same in `text()`, which is shown on
    GitHub and in any front end without widgets, and which tests compare.
    """

    kind = ""  # its script and its style sheet in static/
    state = traitlets.Dict().tag(sync=True)

    def __init_subclass__(cls, **settings: Any) -> None:
        if "kind" in cls.__dict__:
            cls._esm = pack(cls.kind)
        super().__init_subclass__(**settings)

    @traitlets.validate("state")
    def _drawable(self, proposal: Any) -> dict:
        return make_drawable(proposal.value)

    def text(self) -> str:
        """Return the widget's content as plain text."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return make_drawable(self.text())

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        # Outside a notebook there may be no widget; the text is always there.
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return data | {"text/plain": repr(self)}, metadata


def is_watched() -> bool:
    """Return whether a page runs the current cell: only a page names the cell in its request.

    Without a page (nbclient, nbval, a console, a script), output cannot be updated later.
    """
    return "cellId" in find_request_metadata()


def make_drawable(thing: Any) -> Any:
    """Return a copy of plain data in which every string is safe to send, to show and to save.

    A lone surrogate, which a model may write, becomes "?". Control characters, and those that would
    reverse the direction of a line, are escaped.
    """
    # The same words are often in one picture, so each is changed once.
    return map_texts(thing, cache(escape.for_screen))


def map_texts(thing: Any, change: Callable[[str], str]) -> Any:
    """Return a copy of plain data with `change` applied to every string in it."""
    if isinstance(thing, str):
        return change(thing)
    if isinstance(thing, list | tuple):
        return [map_texts(one, change) for one in thing]
    if isinstance(thing, Mapping):
        return {map_texts(key, change): map_texts(one, change) for key, one in thing.items()}
    return thing
