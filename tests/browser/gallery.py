"""A notebook of widgets in a real JupyterLab, and the few things that a test does with one."""

import contextlib
import re
import shutil

import nbformat
from lab import Lab
from nbformat.v4 import new_code_cell, new_notebook

PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}
PACE_MS = 900  # between two steps of a run that is played (moves.js)


class Gallery(Lab):
    """A page at a notebook with a widget in each cell. A notebook is dear, a widget is not."""

    def show(self, place: int):
        """The widget of the cell at `place`, fresh: the cell has just been run again."""
        self.script(
            """panel.content.activeCellIndex = argument;
               panel.content.deselectAll();
               await app.commands.execute('notebook:run-cell');""",
            place,
        )
        widget = self.page.locator(".jp-Notebook .jp-Cell").nth(place).locator(".agentlib")
        widget.wait_for()
        widget.scroll_into_view_if_needed()
        return widget

    def answer(self, code: str) -> str:
        """What `code` evaluates to in the notebook's kernel, as text."""
        return self.script(
            """const future = panel.sessionContext.session.kernel.requestExecute(
                   {code: '', user_expressions: {it: argument}});
               const reply = await future.done;
               return reply.content.user_expressions.it.data['text/plain'];""",
            code,
        )

    def run(self, code: str) -> None:
        """Run `code` in the notebook's kernel."""
        self.answer(f"exec({code!r}, globals())")

    def watch_pace(self) -> None:
        """From now on know which timers of a played run are still to come."""
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
        """Whether a step of a played run is still to come by itself."""
        return self.page.evaluate("window.paces.size > 0")


@contextlib.contextmanager
def gallery(lab_server, lab_page, pictures, name: str, cells: str, height_px: int = 1200):
    """A Gallery of the `cells`, which are separated by lines of a single #."""
    url, root = lab_server
    sources = [cell.strip() for cell in cells.split("#\n")]
    (root / name).mkdir()
    notebook = new_notebook(cells=[new_code_cell(source) for source in sources])
    notebook.metadata["kernelspec"] = PYTHON
    nbformat.write(notebook, root / name / "widgets.ipynb")
    lab_page.set_viewport_size({"width": 1366, "height": height_px})
    lab = Gallery(lab_page, url, name, pictures)
    lab.open("widgets.ipynb")
    lab.run_all()
    assert lab.errors() == []
    assert lab.blank_widgets() == []
    yield lab
    lab.close()
    shutil.rmtree(root / name)


def says(widget, words: str) -> str:
    """Wait until the status line says `words` (a pattern), and return all of it."""
    status = widget.get_by_role("status")
    status.filter(has_text=re.compile(words)).wait_for()
    return status.inner_text()
