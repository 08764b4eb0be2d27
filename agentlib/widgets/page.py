"""Widgets as a page of its own: one file that opens in any browser, without a kernel or a network.

The page has the widgets' own JavaScript and what it needs of a kernel: a model whose values the
widget reads and sets. What only a kernel can do, such as the next step of a live run, is not there.
"""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from .base import View, drawable, read_static

PAGE = """\
<!doctype html>
<html lang="en">
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
    """Write a page that shows the widgets, one below the other. Returns its path.

    Raises FileExistsError where a file is there already.
    """
    path = Path(path)
    with open(path, "x", encoding="utf-8", errors="replace") as file:
        file.write(page(widgets, title))
    return path


def page(widgets: Sequence[View], title: str) -> str:
    """The text of the page."""
    data = [
        {"script": widget._esm, "style": widget._css, "values": values(widget)}
        for widget in widgets
    ]
    text = json.dumps(drawable(data), ensure_ascii=False)
    places = "\n".join(
        f"<div class='widget'><noscript><pre>{escape(repr(widget))}</pre></noscript></div>"
        for widget in widgets
    )
    return PAGE.format(
        title=escape(drawable(title)),
        style=read_static("page.css"),
        places=places,
        data=text.replace("<", "\\u003c"),  # nothing in a text ends the script that holds it
        script=read_static("page.js"),
    )


def values(widget: View) -> dict[str, Any]:
    """What the page's model starts with: the widget's own traits, without those of every widget."""
    return {
        name: value
        for name, value in widget.get_state().items()
        if not name.startswith("_") and name not in ("layout", "tooltip", "tabbable")
    }
