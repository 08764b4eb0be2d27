"""Take the README's pictures in JupyterLab, in light and dark colours.

    PYTHONPATH=tests/browser python tools/pictures.py

They show real runs, in the widgets of the lesson, and are taken with the browser of the tests.
"""

import shutil
import tempfile
from pathlib import Path

import nbformat
from gallery import PYTHON
from lab import AS_ROOT, QUIET, Lab, find_browser, server
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import sync_playwright

REPOSITORY = Path(__file__).parents[1]
SOLUTIONS = REPOSITORY / "notebooks" / "solutions"
# A README on GitHub is about this wide, so the words in the pictures keep their size.
WIDTH_PX = 860
FOUR_WIDTH_PX = 1180  # room for what the four runs do not show, beside them
HEIGHT_PX = 1000  # all of a widget is in view
PIXELS = 1.5  # for each CSS pixel, so that the words stay sharp
# A board on which the model sees none of its list: the cell with it, and the picture's height.
BOARD = ("s03a_todo_write.ipynb", "todo-22", 740)
WIDGETS = "pictures.ipynb"  # is written here, and has these cells
CELLS = {
    "four": "from lesson import four_rows\n\nfour_rows()",
}


def take_pictures(folder: Path) -> None:
    """Write each picture into `folder`, for each theme of JupyterLab."""
    with tempfile.TemporaryDirectory() as home, server(Path(home)) as (url, root):
        shutil.copytree(SOLUTIONS, root / "lesson")
        cells = [new_code_cell(source, id=name) for name, source in CELLS.items()]
        written = new_notebook(cells=cells, metadata={"kernelspec": PYTHON})
        nbformat.write(written, root / "lesson" / WIDGETS)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(), args=QUIET, chromium_sandbox=not AS_ROOT
            )
            page = browser.new_page(
                viewport={"width": WIDTH_PX, "height": HEIGHT_PX}, device_scale_factor=PIXELS
            )
            lab = Lab(page, url, "lesson")
            notebook, cell, height = BOARD
            # The widgets first: they show the package's parts, and the notebook writes my_agent.py.
            for name in (WIDGETS, notebook):
                lab.open(name)
                lab.run_all()
                lab.script("app.shell.collapseLeft();")
                for theme in ("light", "dark"):
                    lab.theme(theme)
                    if name == notebook:
                        page.set_viewport_size({"width": WIDTH_PX, "height": height})
                        show_at_top(lab, cell)
                        page.screenshot(path=folder / f"board-{theme}.png")
                        page.set_viewport_size({"width": WIDTH_PX, "height": HEIGHT_PX})
                    else:
                        page.set_viewport_size({"width": FOUR_WIDTH_PX, "height": HEIGHT_PX})
                        show_at_top(lab, "four")
                        four = page.locator(".al-four")
                        four.screenshot(path=folder / f"four-runs-{theme}.png")
                        page.set_viewport_size({"width": WIDTH_PX, "height": HEIGHT_PX})
                lab.theme("light")


def show_at_top(lab: Lab, cell: str) -> None:
    """Scroll the notebook until the cell with this id is at its top, and stays there.

    JupyterLab draws cells that come into view, and what it draws may move the others.
    """
    lab.script(
        """const cells = panel.content.widgets;
           const place = cells.findIndex(one => one.model.id === argument);
           const top = () => Math.round(cells[place].node.getBoundingClientRect().top);
           for (let before = null; before !== top();) {
               before = top();
               await panel.content.scrollToItem(place, 'start');
               cells[place].node.scrollIntoView({block: 'start'});
               await new Promise(done => setTimeout(done, 1000));
           }""",
        cell,
    )


if __name__ == "__main__":
    take_pictures(REPOSITORY / "docs")
