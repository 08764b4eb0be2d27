"""Make the pictures of README: `make pictures`. It needs Chromium, and takes about a minute.

Each is a screenshot of a notebook in JupyterLab, in a light and in a dark theme, in docs/pictures.
No test compares them, because fonts differ: make them again when the look of a picture changes.
"""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, Page, expect, sync_playwright

REPOSITORY = Path(__file__).parents[1]
sys.path.append(str(REPOSITORY / "tests" / "browser"))

from lab import AS_ROOT, QUIET, Lab, find_browser, server, watch  # noqa: E402

from agentlib.defaults import AFTER  # noqa: E402
from lesson.common.solutions import read_solutions  # noqa: E402
from lesson.program.copy_lesson import copy_lesson  # noqa: E402
from lesson.widgets.nag_slider import THRESHOLD_LABEL  # noqa: E402

FOLDER = REPOSITORY / "docs" / "pictures"
WINDOW = {"width": 1120, "height": 680}  # pixels
THRESHOLD = 6  # rounds: one more than the highest that is in time
LATE_NAG = ("self.rounds >= self.after", "self.rounds > self.after")  # a slip in E4
TWO_RUNS = """from lesson import compare, play
in_time = play("ten_steps", after=5)
too_late = play("ten_steps", after=6)"""
COMPARE = """compare({"reminded after 5 rounds": in_time, "reminded after 6 rounds": too_late})"""


@contextmanager
def open_lab() -> Iterator[Lab]:
    """Open the lesson in a new JupyterLab without a list of files, and yield it."""
    with tempfile.TemporaryDirectory() as folder, server(Path(folder)) as (url, root):
        copy_lesson(root / "lesson")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_browser(), args=QUIET, chromium_sandbox=not AS_ROOT
            )
            page = browser.new_page(viewport=WINDOW)
            watch(page, (url, "data:", "blob:", "ws:"))
            yield Lab(page, url, root / "lesson", "lesson")
            browser.close()


def find_cell(lab: Lab, words: str) -> int:
    """Return the place of the first code cell whose text has these words."""
    cells = enumerate(lab.notebook()["cells"])
    return next(at for at, cell in cells if words in "".join(cell["source"]))


def show_slider(lab: Lab) -> Page:
    """Run the first cell of s03b, move its slider to THRESHOLD, and return the whole page."""
    lab.open("s03b_nag_reminder.ipynb")
    lab.script("app.shell.collapseLeft(); app.shell.collapseRight();")
    place = find_cell(lab, "highest = None")
    lab.run_cell(place)
    view = lab.show(place)
    for after in range(AFTER, THRESHOLD):
        view.locator(f"role=slider[name='{THRESHOLD_LABEL}: {after}']").press("ArrowRight")
    expect(view).to_contain_text("3 of 10")
    expect(view.locator(".lp-scale")).not_to_contain_text("…")  # its neighbours are played
    lab.script("panel.content.widgets[argument].node.scrollIntoView();", place)
    lab.page.evaluate("document.activeElement.blur()")
    return lab.page


def show_check(lab: Lab) -> Locator:
    """Write a nag with a slip into its cell, run its check, and return what the check says."""
    wrong = read_solutions()["MyNag"].replace(*LATE_NAG)
    lab.open_new("check", wrong, 'from lesson import check\n\ncheck("MyNag")')
    for place in (0, 1):
        lab.run_cell(place)
    return lab.show(1, ".check-result")


def show_runs(lab: Lab) -> Locator:
    """Return two runs that differ in one round of the threshold, one below the other."""
    lab.open_new("runs", TWO_RUNS, COMPARE)
    for place in (0, 1):
        lab.run_cell(place)
    return lab.show(1)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with open_lab() as lab:
        for name, show in (("slider", show_slider), ("check", show_check), ("runs", show_runs)):
            shown = show(lab)
            for theme in ("dark", "light"):
                lab.theme(theme)
                lab.page.mouse.move(0, 0)
                shown.screenshot(path=FOLDER / f"{name}-{theme}.png", animations="disabled")
        assert lab.problems == [], lab.problems


if __name__ == "__main__":
    main()
