"""The study of a plan on a page without a kernel: guess, look, toss, and read the results."""

import pytest
from playwright.sync_api import expect

from lesson import PlanStudy
from lesson.runs.planning_study import compare_series

PLAN = compare_series("devstral", "no_plan", "plan")
SCREEN, PHONE = {"width": 844, "height": 600}, {"width": 390, "height": 844}


@pytest.fixture
def study(open_page, offline_tab):
    offline_tab.set_viewport_size(SCREEN)
    return open_page(PlanStudy(), title="500 tasks").locator(".agentlib")


def press(study, name):
    study.get_by_role("button", name=name).press("Enter")


def test_reader_guesses_and_tosses_by_keyboard_and_what_is_asked_stays_in_view(study):
    page = study.page
    bar = study.get_by_role("slider", name="Your guess")
    assert bar.get_attribute("aria-valuetext") == "no guess yet"
    bar.press("PageUp")
    press(study, "Show the tasks")
    expect(study.get_by_role("status")).to_contain_text(
        "have another result: 34 gained, 35 lost. You said 5."
    )
    press(study, "Now the five lines")
    press(study, "Show the tasks")  # without a guess, nothing is said of one
    said = study.get_by_role("status")
    expect(said).to_have_text(
        f"{PLAN.after} of {PLAN.tasks}: {PLAN.gained} gained, {PLAN.lost} lost."
    )
    squares = study.locator(".al-study-squares > *")
    assert squares.count() == 500
    assert study.locator(".al-study-squares > .al-study-gained").count() == PLAN.gained
    press(study, "Toss 83 coins")
    expect(said.last).to_contain_text("(exactly: p = 0.0009). Luck alone is a poor explanation.")
    assert study.bounding_box()["height"] <= SCREEN["height"]
    press(study, "And the other models?")
    assert study.get_by_role("row").filter(has_text="34 gained : 35 lost").count() == 1
    page.keyboard.press("Tab")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
