"""Widgets on a page of their own, as the site draws them: no kernel, no server."""

from html import escape

from lesson.widgets.bundle import script_of_page, style
from lesson.widgets.without_kernel import encode, initial_values

PAGE = """\
<!doctype html>
<html lang="en" class="lesson">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}
body {{ margin: 1rem; background: var(--paper); color: var(--ink); font: 15px/1.5 sans-serif }}
</style>
<main>
<h1>{title}</h1>
{places}
</main>
<script type="application/json">{data}</script>
<script type="module">
{script}
</script>
"""


def write_page(widgets, path, title):
    """Write a page that shows the widgets, one below the other. Return its path."""
    kinds = sorted({widget.kind for widget in widgets})
    shown = [{"kind": widget.kind, "values": initial_values(widget)} for widget in widgets]
    page = PAGE.format(
        title=escape(title),
        style=style(),
        places="<div class='widget'></div>\n" * len(widgets),
        data=encode({"widgets": shown}),
        script=script_of_page(kinds),
    )
    path.write_text(page, "utf-8", "replace")
    return path
