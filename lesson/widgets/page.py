"""Widgets on a standalone page: one file that opens in any browser, without a kernel or a network.

The page contains the widgets' own JavaScript, and a model whose values they read and set, in place
of the kernel. What only a kernel can do, such as the next step of a live run, is left out.
"""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from agentlib.sandbox.files import write_atomically

from .base import View, make_drawable, read_static, script_of_page, style

PAGE = """\
<!doctype html>
<html lang="en" class="lesson">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}
</style>
<main>
<h1>{title}</h1>
{places}
</main>
<script type="application/json" id="widgets">{data}</script>
<script type="module">
{script}
</script>
"""


def write_page(widgets: Sequence[View], path: str | Path, title: str) -> Path:
    """Write a page that shows the widgets, one below the other. Return its path.

    Raise FileExistsError if the file exists already.
    """
    data = page(widgets, title).encode("utf-8", "replace")
    return write_atomically(Path(path), data, replace=False)


def page(widgets: Sequence[View], title: str) -> str:
    """Return the HTML of the page."""
    kinds = sorted({widget.kind for widget in widgets})
    shown = [{"kind": widget.kind, "values": initial_values(widget)} for widget in widgets]
    places = "\n".join(
        f"<div class='widget'><noscript><pre>{escape(repr(widget))}</pre></noscript></div>"
        for widget in widgets
    )
    return PAGE.format(
        title=escape(make_drawable(title)),
        style=read_static("page.css") + style(*kinds),
        places=places,
        data=encode({"widgets": shown}),
        script=script_of_page(kinds),
    )


def encode(data: Any) -> str:
    """Return plain data as JSON for a script element: no string in it ends the element."""
    text = json.dumps(make_drawable(data), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def initial_values(widget: View) -> dict[str, Any]:
    """Return the initial values of the page's model: the traits that the widget defines."""
    return {
        name: value
        for name, value in widget.get_state().items()
        if not name.startswith("_") and name not in ("layout", "tooltip", "tabbable")
    }
