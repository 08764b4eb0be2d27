"""The recorded sessions on a written page: the slider by keyboard, and the picture it draws."""

from lesson import RealSessions
from lesson.widgets.page import write_page
from lesson.widgets.real_sessions import describe_count, draw_reminders


def test_slider_redraws_reminders_and_counts_without_a_kernel(chromium, tmp_path):
    tab, problems = chromium.new_page(), []
    tab.on("pageerror", lambda problem: problems.append(str(problem)))
    tab.goto(write_page([RealSessions()], tmp_path / "real.html", "Real sessions").as_uri())
    slider = tab.get_by_role("slider", name="Remind after")
    slider.focus()
    for _ in range(7):
        tab.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == describe_count(10)
    assert tab.get_by_role("status").inner_text() == describe_count(10)
    drawn = tab.locator("svg path").last
    assert drawn.get_attribute("d") == draw_reminders(10)
    tab.get_by_role("button", name="learn-claude-code: 3").click()
    assert tab.get_by_role("status").inner_text() == describe_count(3)
    assert drawn.get_attribute("d") == draw_reminders(3)
    assert problems == []
    tab.close()
