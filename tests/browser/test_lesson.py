"""The lesson's claim, as a learner meets it: one threshold makes the run finish, or drift."""

from lesson.exercises.grading.bets import read_bets
from lesson.exercises.grading.notebooks import read_cells


def test_the_strips_of_s03_show_where_the_run_begins_to_drift(lab):
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open("s03_todo_write.ipynb")
    lab.run_all()
    assert lab.errors() == []
    assert lab.blank_widgets() == []
    widget = lab.page.locator(".al-runs-card").last
    widget.scroll_into_view_if_needed()
    see = widget.get_by_role("button", name="Show what happens")
    if see.count():  # the learner's bet comes first
        see.click()
    slider = widget.get_by_role("slider", name="Remind after so many rounds")
    slider.focus()
    lab.press("Home", "PageDown", "ArrowUp")
    widget.get_by_text("nothing is lost").wait_for()
    assert slider.get_attribute("aria-valuetext").startswith("10 of 10 steps done")
    lab.press("ArrowDown")
    widget.get_by_text("1 round too late").wait_for()
    assert slider.get_attribute("aria-valuetext").startswith("3 of 10 steps done")
    assert slider.evaluate("it => it === document.activeElement")

    widget.evaluate("it => it.scrollIntoView({block: 'start'})")
    lab.picture("readme-slider", ".jp-NotebookPanel")
    assert lab.problems == []


def test_a_bet_in_s03_is_in_the_notebook_that_the_learner_saves(lab, lab_server):
    lab.open("s03_todo_write.ipynb")
    ids = [cell["id"] for cell in lab.notebook()["cells"]]

    def run(cell):
        lab.script(
            """panel.content.activeCellIndex = argument;
               panel.content.deselectAll();
               await app.commands.execute('notebook:run-cell');""",
            ids.index(cell),
        )

    for cell in ("todo-02", "facts-04", "facts-07", "todo-46"):
        run(cell)
    widget = lab.page.locator(".al-runs-card").first
    widget.get_by_role("slider", name="Remind after so many rounds").focus()
    lab.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    widget.get_by_text("Your bet was 6").wait_for()
    run("todo-48")
    lab.script("await panel.context.save();")
    saved = lab_server[1] / lab.folder / "s03_todo_write.ipynb"
    assert read_bets(read_cells(saved)) == {12: 6}
