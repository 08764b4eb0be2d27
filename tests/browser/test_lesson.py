"""The lesson's claim, as a learner meets it: one threshold makes the run finish, or drift."""


def test_the_strips_of_s03_show_where_the_run_begins_to_drift(lab):
    lab.page.set_viewport_size({"width": 1366, "height": 768})
    lab.open("s03_todo_write.ipynb")
    lab.run_all()
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
