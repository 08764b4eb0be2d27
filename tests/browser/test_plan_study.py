"""The study of a plan on a page without a kernel: guess, look, and toss."""

import pytest
from playwright.sync_api import expect

from lesson import PlanStudy
from lesson.runs.planning_study import compare_series

PLAN = compare_series("devstral", "no_plan", "plan")
SCREEN, PHONE = {"width": 844, "height": 600}, {"width": 390, "height": 844}


@pytest.fixture
def studies(open_page, offline_tab):
    offline_tab.set_viewport_size(SCREEN)
    page = open_page(PlanStudy("control"), PlanStudy(), title="500 tasks")
    return page.locator(".agentlib").all()


def press(study, name):
    study.get_by_role("button", name=name).press("Enter")


def test_reader_guesses_and_tosses_by_keyboard_and_what_is_asked_stays_in_view(studies):
    control, study = studies
    control.get_by_role("slider", name="Your guess: … of 442").press("ArrowRight")
    press(control, "Show the tasks")
    expect(control.get_by_role("status")).to_contain_text(
        "have another result: 34 gained, 35 lost. You said 1."
    )
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
    study.page.set_viewport_size(PHONE)
    assert study.evaluate("it => it.scrollWidth <= it.clientWidth")
