"""The card of the plan is where the request has the plan, and moves only if that has changed."""

import re

import pytest
from support.nags import PlainNag

from agentlib import Nag
from lesson.drawing.picture import LESSON, read_style
from lesson.drawing.plan_card import NAMES, NEWEST, draw_card, find_card
from lesson.runs.run import Run
from lesson.widgets.drawn import SHEETS


@pytest.fixture(scope="module")
def shown():
    return Run(nag=Nag, after=8).play()


def states_of(run):
    cards = (find_card(run, at) for at in range(1, len(run.records) + 1))
    return ["" if card is None else card.state for card in cards]


def test_card_leaves_with_the_message_of_the_plan_and_comes_back_with_the_reminder(shown):
    assert states_of(shown)[:10] == ["", *["sent"] * 6, "gone", "gone", "shown"]
    for at, state in enumerate(states_of(shown)[:10], 1):
        text = str(shown.request(at).sent["messages"])
        sees = "Split the long function in receipt.py" in text
        assert (state in ("sent", "shown")) == sees, at


def test_card_of_a_run_without_a_list_is_its_first_round():
    run = Run(todo=None).play()
    assert states_of(run)[:8] == ["", *["sent"] * 6, "gone"]
    names = [find_card(run, at).name for at in (7, 8)]
    assert names == ["round 1 is still sent", "round 1 is no longer sent"]


def test_card_moves_both_ways_and_only_if_the_plan_is_elsewhere(shown):
    assert "lp-is-gone lp-from-sent" in draw_card(shown, 8, before=7)
    assert "lp-is-sent lp-from-gone" in draw_card(shown, 7, before=8)
    assert "lp-is-shown lp-from-gone" in draw_card(shown, 10, before=9)
    for at, before in ((8, 9), (7, 6), (8, 0), (1, 8)):
        assert "lp-from" not in draw_card(shown, at, before)


def test_style_sheet_has_each_look_and_moves_only_for_who_wants_motion():
    sheet = (LESSON / "drawing/plan_card.css").read_text(encoding="utf-8")
    assert all(f".lp-card.lp-is-{state}" in sheet for state in NAMES)
    moving = re.search(r"@media \(prefers-reduced-motion: no-preference\) \{(.*?)\n\}", sheet, re.S)
    others = read_style(*SHEETS).count("animation: lp-") - moving[1].count("animation: lp-")
    assert others == 1  # "Working …"


def test_card_of_a_list_that_lacks_tasks_of_the_first_is_not_named_the_plan():
    run = Run("package", after=7, nag=PlainNag).play()  # the reminder comes too late
    names = [find_card(run, at).name for at in (7, 8, 10, 11)]
    assert names == [NAMES["sent"], NAMES["gone"], NEWEST, NEWEST]
