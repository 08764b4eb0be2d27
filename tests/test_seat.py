"""The seat: what the model sees in round 8, and then where each step of its plan can be seen."""

import json
import re

import pytest

from lesson import Seat
from lesson.message_blocks import blocks_of
from lesson.practice.policy.history import VisibleHistory, find_calls
from lesson.runs.run import Run
from lesson.widgets.seat import PROMPT, STILL_SEEN


@pytest.fixture
def seat():
    return Seat()


def test_messages_are_what_the_practice_model_sees_in_round_8(seat):
    messages = Run(after=6).play().messages[:15]
    assert without_ids(seat.sent) == without_ids(messages)
    seen = VisibleHistory({"messages": messages}, window=12)
    assert find_calls(seat.sent[-12:]) == find_calls(messages[-12:]) and len(seen.calls) == 6
    assert [turn.number for turn in seat.seen] == [2, 3, 4, 5, 6, 7]
    drawn = seat._left.value
    assert drawn.count("<li>") == 1 + 12 and "2 messages have left the window" in drawn


def without_ids(messages):
    return re.sub(r"toolu_\w+", "id", str([blocks_of(message) for message in messages]))


def test_words_that_show_a_step_are_where_the_seat_says(seat):
    texts = {f"round {turn.number}": turn.text for turn in seat.seen}
    texts |= {f"the result of round {turn.number}": turn.calls[0].output for turn in seat.seen}
    texts[PROMPT] = str(seat.sent[0])
    assert all(words in texts[place] for place, words in STILL_SEEN.values())
    visible = json.dumps(seat.sent[-12:], default=str)
    for number, step in enumerate(seat.step_texts, 1):
        assert (step in visible) == (number <= 3)  # the others are only in other words


def test_plan_is_shown_only_after_the_click(seat):
    assert "main guard" not in seat.text() and "lp-gone" not in str(seat.get_state())
    # The next notebook asks for the threshold.
    assert not re.search(r"after 6|remind after|threshold", seat.text())
    seat.answer.value = "Add tests"
    seat.compare.click()
    assert seat._left.value.count("lp-gone") == 3
    assert seat._left.value.count("<em>still visible in") == 7
    assert "7 of 10" in seat._top.value
    for words in ("You wrote:\nAdd tests", "7 of 10", "Add a main guard to shop.py  (was only in"):
        assert words in repr(seat), words
    seat.compare.click()
    assert "main guard" not in seat._left.value and "lp-compared" not in seat._dom_classes


def test_what_the_reader_writes_is_state_and_text_is_the_output(seat):
    seat.answer.value = "<b>Add tests</b>"
    assert seat.answer.get_state()["value"] == "<b>Add tests</b>"
    data = seat._repr_mimebundle_()["text/plain"]
    assert data.endswith(seat.text()) and "Refactor this bookshop" in data
