"""Every notebook runs in JupyterLab, and s03 shows the lesson's claim and saves the learner's bet.

The solutions run under nbval, and the tests of the site draw their widgets.
"""

import pytest

from lesson.exercises.grading.bets import read_bets
from lesson.exercises.grading.notebooks import read_cells
from notebooks import NOTEBOOKS

NAMES = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb") if path.stem != "s03_todo_write")
SLIDER = "Remind after so many rounds"


def run_all(lab, name):
    lab.open(name)
    lab.run_all()
    assert lab.errors() == []
    assert lab.blank_widgets() == []


@pytest.mark.parametrize("name", NAMES)
def test_run_all_ends_without_an_error(lab, name):
    run_all(lab, name)
    lab.picture(name.removesuffix(".ipynb") + "-light")
    lab.close_notebooks()
    assert lab.problems == []


def test_s03_shows_the_threshold_at_which_runs_fail_and_saves_the_bet(lab, lab_server):
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    run_all(lab, "s03_todo_write.ipynb")
    bet, chart = lab.page.locator(".al-runs-card").first, lab.page.locator(".al-runs-card").last
    chart.scroll_into_view_if_needed()
    slider = chart.get_by_role("slider", name=SLIDER)
    slider.focus()
    lab.press("Home", "PageDown", "ArrowUp")
    chart.get_by_text("nothing is lost").wait_for()
    assert slider.get_attribute("aria-valuetext").startswith("10 of 10 steps done")
    lab.press("ArrowDown")
    chart.get_by_text("1 round too late").wait_for()
    assert slider.get_attribute("aria-valuetext").startswith("3 of 10 steps done")
    assert slider.evaluate("it => it === document.activeElement")
    chart.evaluate("it => it.scrollIntoView({block: 'start'})")
    lab.picture("readme-slider", ".jp-NotebookPanel:visible")

    bet.scroll_into_view_if_needed()
    bet.get_by_role("slider", name=SLIDER).focus()
    lab.press("Home", *["ArrowDown"] * 5, "Enter")
    bet.get_by_text("Your bet was 6").wait_for()
    ids = [cell["id"] for cell in lab.notebook()["cells"]]
    lab.run_cell(ids.index("todo-48"))
    lab.script("await panel.context.save();")
    saved = lab_server[1] / lab.folder / "s03_todo_write.ipynb"
    assert read_bets(read_cells(saved)) == {12: 6}
    assert lab.problems == []
