"""The lesson's claim, as a learner meets it: one slider makes the run finish, or drift."""


def test_the_slider_of_s03_shows_where_the_run_begins_to_drift(lab):
    lab.page.set_viewport_size({"width": 1000, "height": 1280})
    lab.open("s03_todo_write.ipynb")
    lab.script("await app.commands.execute('application:toggle-left-area');")
    lab.run_all()
    slider = lab.page.get_by_role("slider", name="Remind after")
    slider.scroll_into_view_if_needed()
    widget = lab.page.locator(".agentlib", has=slider)
    assert "10 of 10" in widget.inner_text()

    slider.focus()
    lab.press("ArrowRight", "ArrowRight")
    widget.get_by_text("28\nrounds").wait_for()
    assert "10 of 10" in widget.inner_text()

    lab.press("ArrowRight")
    widget.get_by_text("3 of 10").first.wait_for()
    assert "Finish the rest" in widget.inner_text()
    assert lab.focused().startswith("input: Remind after")

    chart = lab.page.locator(".agentlib", has=lab.page.get_by_text("Every threshold, measured"))
    assert "▸ 6" in chart.inner_text()
    chart.scroll_into_view_if_needed()
    lab.page.mouse.move(500, 600)
    lab.page.mouse.wheel(0, chart.bounding_box()["y"] - 200)
    lab.page.wait_for_timeout(300)
    lab.picture("readme-slider", ".jp-NotebookPanel")
    assert lab.problems == []
