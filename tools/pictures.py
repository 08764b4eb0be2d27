"""Take the README's pictures in JupyterLab, in light and dark colours.

    PYTHONPATH=tests/browser python tools/pictures.py

They show real runs, in the widgets of the lesson, and are taken with the browser of the tests.
"""

import io
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from gallery import PYTHON
from lab import AS_ROOT, QUIET, Lab, find_browser, server
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image
from playwright.sync_api import sync_playwright

from lesson.runs.measured import Setting, measured

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
    "remind": "from lesson import RemindIt\n\nit = RemindIt()\nit.playing = False\nit",
    "four": "from lesson import FourRuns\n\nFourRuns()",
}
WINDOW = 12  # messages
ROUND_MS, END_MS = 1000, 3500  # how long a frame of the moving picture is shown
QUALITY = 55  # of 100: above it, the file is much larger and looks the same


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
                        show_at_top(lab, "remind")
                        save_moving(lab, folder / f"remind-{theme}.webp")
                lab.theme("light")


def save_moving(lab: Lab, file: Path) -> None:
    """Write a moving picture: a run that is reminded a round too late, and then one in time."""
    frames, durations = [], []
    for at, tries, duration in list_moments():
        lab.answer(f"it.set_trait('at', {at}), it.set_trait('tries', {tries})")
        lab.page.wait_for_timeout(600)  # the messages move to their places
        shot = lab.page.locator(".al-remind").screenshot()
        frame = Image.open(io.BytesIO(shot)).convert("RGB")
        frames.append(frame.resize((WIDTH_PX, round(frame.height * WIDTH_PX / frame.width))))
        durations.append(duration)
    frames[0].save(
        file, save_all=True, append_images=frames[1:], duration=durations, loop=0,
        quality=QUALITY, method=6, minimize_size=True,
    )  # fmt: skip


def list_moments() -> Iterator[tuple[dict[str, int], dict[str, list[int]], int]]:
    """Yield what RemindIt shows in each frame (its `at` and `tries`), and for how long.

    Not every round has a frame, because each makes the file larger.
    """
    late = WINDOW // 2  # rounds: the first threshold that fails
    for after, before, later in ((late, [2, 4, 6, 7], [8]), (late - 1, [6], [7, 12, 20])):
        last = measured(Setting(after=after, window=WINDOW)).rounds
        tried = [late] if after < late else []
        for number in before:
            yield {"size": WINDOW, "after": 0, "round": number}, {str(WINDOW): tried}, ROUND_MS
        for number in later:
            yield {"size": WINDOW, "after": after, "round": number}, {str(WINDOW): tried}, ROUND_MS
        end = {"size": WINDOW, "after": after, "round": last}
        yield end, {str(WINDOW): [*tried, after]}, END_MS


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
