"""A notebook of widgets in a real JupyterLab, and what tests do with one widget."""

import contextlib
import re
import shutil

import nbformat
from lab import Lab
from nbformat.v4 import new_code_cell, new_notebook

PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}
PACE_MS = 900  # between two rounds of a run that plays (player_keys.js)


class Gallery(Lab):
    """A page with a notebook that has one widget in each cell: opening a notebook is slow."""

    names: tuple[str, ...] = ()  # of the cells

    def show(self, name: str):
        """Run the cell `name` again and return its new widget, with `name` as its id."""
        place = self.names.index(name)
        self.run_cell(place)
        widget = self.page.locator(".jp-Notebook .jp-Cell").nth(place).locator(".agentlib").first
        widget.wait_for()
        widget.scroll_into_view_if_needed()
        widget.evaluate("(it, name) => { it.id = name; }", name)
        return widget

    def answer(self, code: str) -> str:
        """Evaluate `code` in the notebook's kernel and return the `repr` of its value."""
        return self.script(
            """const future = panel.sessionContext.session.kernel.requestExecute(
                   {code: '', user_expressions: {it: argument}});
               const reply = await future.done;
               return reply.content.user_expressions.it.data['text/plain'];""",
            code,
        )

    def run(self, code: str) -> None:
        """Run `code` in the notebook's kernel and wait until it has ended."""
        self.answer(f"exec({code!r}, globals())")

    def start(self, code: str) -> None:
        """Start `code` in the notebook's kernel without waiting for its end."""
        self.script("panel.sessionContext.session.kernel.requestExecute({code: argument});", code)

    def watch_pace(self) -> None:
        """Record from now on which timers of a playing run are pending."""
        self.page.evaluate(
            """pace => {
                if (window.paces) return;
                window.paces = new Set();
                const [start, stop] = [window.setTimeout, window.clearTimeout];
                window.setTimeout = (work, ms, ...more) => {
                    const id = start(() => { window.paces.delete(id); work(); }, ms, ...more);
                    if (ms === pace) window.paces.add(id);
                    return id;
                };
                window.clearTimeout = id => { window.paces.delete(id); stop(id); };
            }""",
            PACE_MS,
        )

    def is_playing(self) -> bool:
        """Return whether a timer for the next round is pending."""
        return self.page.evaluate("window.paces.size > 0")


@contextlib.contextmanager
def open_gallery(lab_server, lab_page, pictures, folder: str, cells: dict[str, str]):
    """Write a notebook of the `cells`, open it in the page and run it."""
    url, root = lab_server
    (root / folder).mkdir()
    notebook = new_notebook(cells=[new_code_cell(source.strip()) for source in cells.values()])
    notebook.metadata["kernelspec"] = PYTHON
    nbformat.write(notebook, root / folder / "widgets.ipynb")
    lab = Gallery(lab_page, url, folder, pictures)
    lab.names = tuple(cells)
    lab.open("widgets.ipynb")
    lab.run_all()
    assert lab.errors() == []
    assert lab.blank_widgets() == []
    yield lab
    lab.close()
    shutil.rmtree(root / folder)


def says(widget, pattern: str) -> str:
    """Wait until the status line matches `pattern`, and return the whole line."""
    status = widget.get_by_role("status")
    status.filter(has_text=re.compile(pattern)).wait_for()
    return status.inner_text()
