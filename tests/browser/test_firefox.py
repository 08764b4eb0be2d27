"""A learner's first evening in Firefox: each picture is drawn, used with keys and reopened."""

import re

import pytest
from lab import TIMEOUT_MS, Lab, check_has_no_kernel, watch
from playwright.sync_api import expect

from lesson.program.copy_lesson import copy_lesson
from lesson.widgets.nag_slider import THRESHOLD_LABEL

pytestmark = pytest.mark.release
CELLS = (
    "from lesson import Seat\nSeat()",
    "from lesson import play\nplay('hello', after=2)",
    "from lesson import check\ndef agent_loop(*_, **more):\n    yield 1\ncheck('agent_loop')",
    "from lesson import NagSlider\nNagSlider(after=5)",
)


def test_learner_uses_each_picture_in_firefox_and_finds_it_again(firefox, lab_server):
    url, root = lab_server
    copy_lesson(root / "firefox")
    page = firefox.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(TIMEOUT_MS)
    watch(page, (url, "data:", "blob:", "ws:"))
    lab = Lab(page, url, root / "firefox", "firefox")
    lab.open_new("evening", *CELLS)
    for place in range(len(CELLS)):
        lab.run_cell(place)
    seat = lab.show(0)
    seat.get_by_role("textbox").press_sequentially("add tests\ndelete b")
    seat.get_by_role("button", name="Compare").press("Enter")
    seat.get_by_role("checkbox", name="Write tests").press("Space")
    expect(seat.get_by_role("status")).to_contain_text("you named 1.")
    expect(lab.show(2, ".jp-OutputArea")).to_contain_text("do not all pass yet")
    expect(lab.show(1)).to_contain_text("says 3 of 3")
    run = lab.show(1)
    expect(run).not_to_have_class(re.compile("lp-moving"))
    run.get_by_role("slider").press("Home")
    expect(run.get_by_role("slider", name="round 1", exact=True)).to_be_visible()
    lab.show(3).get_by_role("slider", name=f"{THRESHOLD_LABEL}: 5").press("ArrowRight")
    expect(lab.show(3)).to_contain_text("the files show 3 of 10")
    lab.save()
    lab.reopen()
    expect(lab.show(0).get_by_role("textbox")).to_have_value(re.compile("delete b"))
    for place, words in ((0, "you named 1."), (1, "round 1"), (3, "3 of 10")):
        expect(lab.show(place)).to_contain_text(words)
        check_has_no_kernel(lab.show(place))
    assert (lab.blank_widgets(), lab.problems) == ([], [])
    lab.close_notebooks()
    page.close()
