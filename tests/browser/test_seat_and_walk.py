"""The seat and the walk in JupyterLab: drawn, moved by keys, named, and there on another day."""

from lab import SHOWN
from playwright.sync_api import expect
from test_widgets import check_accessible, check_is_kept, states

SEAT = "from lesson import Seat\nSeat()"
WALK = "from lesson import Walk\nWalk()"
SMALL = {"width": 844, "height": 600}


def show_small(lab):
    """Run the first cell in the smallest window, and return its widget and the lowest point."""
    lab.page.set_viewport_size(SMALL)
    lab.script("app.shell.collapseLeft();")
    lab.run_cell(0)
    panel = lab.page.locator(f"{SHOWN} .jp-WindowedPanel-outer").bounding_box()
    return lab.show(0), panel["y"] + panel["height"]


def bottom_of(element):
    box = element.bounding_box()
    return box["y"] + box["height"]


def test_seat(notebook):
    lab = notebook(SEAT)
    seat, lowest = show_small(lab)
    field = seat.get_by_role("textbox", name="Your other steps")
    button = seat.get_by_role("button", name="Compare with the plan")
    assert bottom_of(field) < bottom_of(button) <= lowest, "the field and the button are in view"
    expect(seat.get_by_text("▼ Update your todos.").last).to_be_in_viewport()  # the newest message
    field.press_sequentially("Add tests")
    field.press("Tab")
    expect(button).to_be_focused()
    check_accessible(lab)
    button.press("Enter")
    expect(seat.locator(".lp-gone")).to_have_count(3)
    expect(seat).to_contain_text("7 of 10")
    check_accessible(lab)
    lab.save()
    for _ in range(2):
        lab.reopen()
        assert lab.blank_widgets() == []
        expect(lab.show(0).locator(".lp-gone")).to_have_count(3)
        expect(lab.show(0).get_by_role("textbox")).to_have_value("Add tests")
        lab.save()
        assert states(lab)
    check_is_kept(lab)


def test_walk(notebook):
    lab = notebook(WALK)
    walk, lowest = show_small(lab)
    line = walk.get_by_role("slider")
    expect(walk.locator("svg g:not(.lp-later)")).to_have_count(1)
    for number in range(1, 16):
        walk.get_by_role("slider", name=f"line {number} of").press("ArrowRight")
    expect(walk.locator("svg g:not(.lp-later)")).to_have_count(16)
    expect(walk.locator(".lp-code .lp-error")).to_contain_text("Only one task can be in_progress")
    assert bottom_of(line) < bottom_of(walk.locator(".lp-now")) <= lowest
    expect(walk.get_by_role("button", name="play or pause")).to_be_visible()
    check_accessible(lab)
    check_is_kept(lab)
