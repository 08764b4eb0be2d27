"""A notebook of widgets in a real JupyterLab, and what tests do with one widget."""

import re
from pathlib import Path

import nbformat
from lab import Lab
from nbformat.v4 import new_notebook

PYTHON = {"name": "python3", "display_name": "Python 3", "language": "python"}
SETUP = """
from agentlib import Nag, TodoManager, rounds
from lesson import Board, FourRuns, Player, PracticeModel, Seat, Walk, play, sample
"""


class Gallery(Lab):
    """A page with a notebook that has one widget in each cell.

    To open a notebook and start a kernel is slow: all test files fill the same notebook.
    """

    names: tuple[str, ...] = ()  # of the cells
    height_px = 1200  # of the window

    def fill(self, cells: dict[str, str]) -> None:
        """Open the notebook, replace its cells, and run SETUP in its kernel."""
        self.open("widgets.ipynb")
        self.names = tuple(cells)
        self.script(
            """const model = panel.content.model.sharedModel;
               const cells = argument.map(source => ({cell_type: 'code', source}));
               model.insertCells(0, cells);
               model.deleteCellRange(cells.length, model.cells.length);""",
            [source.strip() for source in cells.values()],
        )
        self.run(SETUP)

    def empty(self) -> None:
        """Delete the cells, also in the file, and close the widgets in the kernel.

        JupyterLab saves the notebook every two minutes, and would draw its outputs when another
        test file opens it, without the models of their widgets.
        """
        self.script(
            """panel.content.model.sharedModel.deleteCellRange(0, argument);
               await panel.context.save();""",
            len(self.names),
        )
        self.run("from ipywidgets import Widget; Widget.close_all()")

    def resize(self, height_px: int) -> None:
        """Set the height of the window."""
        self.page.set_viewport_size({"width": 1366, "height": height_px})

    def restore(self) -> None:
        """Restore the window, the text size and the colours for the next test."""
        self.resize(self.height_px)
        self.text_size(100)
        self.page.emulate_media(forced_colors="none")

    def show(self, name: str):
        """Run the cell `name` again and return its new widget, with `name` as its id."""
        self.run_cell(self.names.index(name))
        widget = self.locate(name)
        widget.wait_for()
        widget.scroll_into_view_if_needed()
        widget.evaluate("(it, name) => { it.id = name; }", name)
        return widget

    def locate(self, name: str):
        """Return the widget of the cell `name`, whether or not the cell has been run."""
        cell = self.page.locator(".jp-Notebook .jp-Cell").nth(self.names.index(name))
        return cell.locator(".agentlib").first

    def run(self, code: str) -> None:
        """Run `code` in the notebook's kernel and wait until it has ended."""
        self.answer(f"exec({code!r}, globals())")

    def start(self, code: str) -> None:
        """Start `code` in the notebook's kernel without waiting for its end."""
        self.script("panel.sessionContext.session.kernel.requestExecute({code: argument});", code)


def write_notebook(folder: Path) -> None:
    """Write the notebook of the gallery, which has no cells yet."""
    folder.mkdir()
    notebook = new_notebook(metadata={"kernelspec": PYTHON})
    nbformat.write(notebook, folder / "widgets.ipynb")


def says(widget, pattern: str) -> str:
    """Wait until a status line matches `pattern`, and return the whole line."""
    status = widget.get_by_role("status").filter(has_text=re.compile(pattern))
    status.wait_for()
    return status.inner_text()
