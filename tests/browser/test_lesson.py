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


def test_s03_shows_the_threshold_at_which_runs_fail(lab):
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    run_all(lab, "s03_todo_write.ipynb")
    widget = lab.page.locator(".al-runs-card").last
    widget.scroll_into_view_if_needed()
    show = widget.get_by_role("button", name="Show what happens")
    if show.count():  # the learner bets first
        show.click()
    slider = widget.get_by_role("slider", name=SLIDER)
    slider.focus()
    lab.press("Home", "PageDown", "ArrowUp")
    widget.get_by_text("nothing is lost").wait_for()
    assert slider.get_attribute("aria-valuetext").startswith("10 of 10 steps done")
    lab.press("ArrowDown")
    widget.get_by_text("1 round too late").wait_for()
    assert slider.get_attribute("aria-valuetext").startswith("3 of 10 steps done")
    assert slider.evaluate("it => it === document.activeElement")
    widget.evaluate("it => it.scrollIntoView({block: 'start'})")
    lab.picture("readme-slider", ".jp-NotebookPanel:visible")
    assert lab.problems == []


def test_bet_in_s03_is_saved_in_the_notebook(lab, lab_server):
    lab.open("s03_todo_write.ipynb")
    ids = [cell["id"] for cell in lab.notebook()["cells"]]
    for cell in ("todo-02", "facts-04", "facts-07", "todo-46"):
        lab.run_cell(ids.index(cell))
    # Another notebook with a chart may be open in a tab behind this one.
    widget = lab.page.locator(".al-runs-card:visible").first
    widget.get_by_role("slider", name=SLIDER).focus()
    lab.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    widget.get_by_text("Your bet was 6").wait_for()
    lab.run_cell(ids.index("todo-48"))
    lab.script("await panel.context.save();")
    saved = lab_server[1] / lab.folder / "s03_todo_write.ipynb"
    assert read_bets(read_cells(saved)) == {12: 6}
