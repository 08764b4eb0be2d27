"""Take the README's pictures: the solved s03b and s03c in JupyterLab, in light and dark colours.

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
# A README on GitHub is about this wide, so the words in the pictures keep their size.
WIDTH_PX = 860
PIXELS = 1.5  # for each CSS pixel, so that the words stay sharp
# Of each picture: its notebook, the cell at its top, and its height.
PICTURES = {
    "board": ("s03b_nag_reminder.ipynb", "todo-42", 690),
    "thresholds": ("s03c_how_soon.ipynb", "todo-46", 592),
}
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
            for name, (notebook, cell, height) in PICTURES.items():
                lab.open(notebook)
                if cell == CHART[0]:
                    replace_source(lab, *CHART)
                lab.run_all()
                lab.script("app.shell.collapseLeft();")
                page.set_viewport_size({"width": WIDTH_PX, "height": height})
                for theme in ("light", "dark"):
                    lab.theme(theme)
                    show_at_top(lab, cell)
                    page.screenshot(path=folder / f"{name}-{theme}.png")
                lab.theme("light")


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
