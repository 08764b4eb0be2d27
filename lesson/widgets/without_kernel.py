"""Widgets on a page without a kernel: the plain data that without_kernel.js draws them from."""

import json
from collections.abc import Mapping
from typing import Any

from .base import View, make_drawable


def encode(data: Any) -> str:
    """Return plain data as JSON for a script element: no string in it ends the element."""
    text = json.dumps(make_drawable(data), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def initial_values(widget: View) -> dict[str, Any]:
    """Return the initial values of the page's model: the traits that the widget defines."""
    return own_traits(widget.get_state())


def own_traits(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return the traits that a widget defines, of its whole state."""
    return {
        name: value
        for name, value in state.items()
        if not name.startswith("_") and name not in ("layout", "tooltip", "tabbable")
    }
