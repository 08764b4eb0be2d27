"""s03 and the exercises in JupyterLab: what only a kernel together with a page can show.

nbval runs every notebook in a kernel, and the tests of the site draw the widgets of each.
"""

from learner import NOT_YET, RIGHT, Notebook

from lesson.exercises.grading.bets import read_bets
from lesson.exercises.grading.notebooks import read_cells

SLIDER = "Reminded after so many rounds"


def run_all(lab):
    lab.run_all()
    assert lab.errors() == []
    assert lab.blank_widgets() == []


def test_exercises_run_and_give_feedback_on_an_empty_a_wrong_and_a_right_solution(lab):
    notebook = Notebook(lab)
    run_all(lab)
    assert "nothing there yet, and that is fine" in notebook.feedback("check", "priority")

    said = notebook.check(NOT_YET, "priority")
    assert "PriorityTodo: not yet. 8 of 9 rules pass." in said
    assert "a priority that is left out is medium" in said
    assert "'medium'" in said and "'low'" in said
    output = f"[data-windowed-list-index='{notebook.index('check', 'priority')}']"
    lab.picture("exercises-not-yet", output)
    assert lab.axe(f"{output} .jp-RenderedHTML") == []

    assert "all 9 rules pass" in notebook.check(RIGHT, "priority")
    lab.picture("exercises-right", output)
    lab.theme("dark")
    lab.picture("exercises-right-dark", output)
    lab.theme("light")
    lab.close_notebooks()
    assert lab.problems == []


def test_s03_shows_the_threshold_at_which_runs_fail_and_saves_the_bet(lab, lab_server):
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open("s03_todo_write.ipynb")
    run_all(lab)
    chart = lab.page.locator(".al-runs-card").first
    chart.scroll_into_view_if_needed()
    slider = chart.get_by_role("slider", name=SLIDER)
    slider.focus()
    lab.press("Home", *["ArrowDown"] * 5, "Enter")
    chart.get_by_text("Your bet was 6").wait_for()
    chart.get_by_text("1 round too late").wait_for()
    assert slider.get_attribute("aria-valuetext").startswith("3 of 10 steps done")
    lab.press("ArrowUp")
    chart.get_by_text("nothing is lost").wait_for()
    assert slider.get_attribute("aria-valuetext").startswith("10 of 10 steps done")
    assert slider.evaluate("it => it === document.activeElement")

    ids = [cell["id"] for cell in lab.notebook()["cells"]]
    lab.run_cell(ids.index("todo-48"))
    lab.script("await panel.context.save();")
    saved = lab_server[1] / lab.folder / "s03_todo_write.ipynb"
    assert read_bets(read_cells(saved)) == {12: 6}
    assert lab.problems == []
