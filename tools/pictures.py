"""Take the README's pictures: the solved s03 in JupyterLab, in light and dark colours.

    PYTHONPATH=tests/browser python tools/pictures.py

All cells are run first, so the pictures show real runs. They are taken with the browser of the
tests.
"""

import shutil
import tempfile
from pathlib import Path

from lab import AS_ROOT, QUIET, Lab, find_browser, server
from playwright.sync_api import sync_playwright

REPOSITORY = Path(__file__).parents[1]
SOLUTIONS = REPOSITORY / "notebooks" / "solutions"
NOTEBOOK = "s03_todo_write.ipynb"
# A README on GitHub is about this wide, so the words in the pictures keep their size.
WIDTH_PX = 860
PIXELS = 1.5  # for each CSS pixel, so that the words stay sharp
# Of each picture: the cell at its top, and its height.
PICTURES = {"board": ("todo-42", 690), "thresholds": ("todo-46", 592)}
# In the notebook, this cell asks for a bet on a window of 12 messages. A picture must not show the
# result before the question, so it has another window.
CHART = ("todo-46", 'Runs("ten_steps", window=20)')


def take_pictures(folder: Path) -> None:
    """Write each picture into `folder`, for each theme of JupyterLab."""
    with tempfile.TemporaryDirectory() as home, server(Path(home)) as (url, root):
        shutil.copytree(SOLUTIONS, root / "lesson")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(), args=QUIET, chromium_sandbox=not AS_ROOT
            )
            page = browser.new_page(
                viewport={"width": WIDTH_PX, "height": 640}, device_scale_factor=PIXELS
            )
            lab = Lab(page, url, "lesson")
            lab.open(NOTEBOOK)
            replace_source(lab, *CHART)
            lab.run_all()
            lab.script("await app.commands.execute('application:toggle-left-area');")
            for theme in ("light", "dark"):
                lab.theme(theme)
                for name, (cell, height) in PICTURES.items():
                    page.set_viewport_size({"width": WIDTH_PX, "height": height})
                    show_at_top(lab, cell)
                    page.screenshot(path=folder / f"{name}-{theme}.png")


def replace_source(lab: Lab, cell: str, source: str) -> None:
    """Replace the source of the cell with this id."""
    lab.script(
        """const [id, source] = argument;
           const cell = panel.content.widgets.find(one => one.model.id === id);
           cell.model.sharedModel.setSource(source);""",
        [cell, source],
    )


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
