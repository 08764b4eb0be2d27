"""The seat: what the model sees in round 8, and then where each step of its plan can be seen."""

import json
import re

import pytest

from lesson import Seat
from lesson.practice.policy.history import VisibleHistory, find_calls
from lesson.runs.run import Run
from lesson.widgets.seat import JOB, LOST, PROMPT, RECORD, STILL_SEEN, TICK, UNKNOWN, WRITE_FIRST
from notebooks import record_seat


@pytest.fixture
def seat():
    return Seat()


def compare(seat, answer="write tests"):
    """Write an answer, and return the boxes that the button brings."""
    seat.answer.value = answer
    seat.compare.click()
    return seat.boxes.children


def test_recorded_run_is_what_the_practice_model_plays_today():
    assert RECORD.read_text(encoding="utf-8") == record_seat()  # `make notebooks` writes it


def test_tools_and_system_prompt_are_those_of_a_run(seat):
    run = Run(JOB)
    assert len([*zip(range(2), run.play_rounds(), strict=False)]) == 2
    assert all(seat.request.sent[key] == run.request(1).sent[key] for key in ("system", "tools"))


def test_messages_are_those_that_the_practice_model_sees_in_round_8(seat):
    sent = seat.request.sent["messages"]
    seen = VisibleHistory({"messages": sent})
    assert find_calls(sent[-12:]) == seen.calls and len(seen.calls) == 6
    calls = [part.text.split()[0] for part in seat.request.parts if part.kind == "call"]
    assert calls == [call.name for call in seen.calls]
    assert "2 messages of round 1, with its plan: not sent" in str(seat.request)


def test_words_that_show_a_step_are_where_the_seat_says(seat):
    texts = {PROMPT: str(seat.request.sent["messages"][0])}
    for part in seat.request.parts:
        number = part.label.rpartition(" ")[2]
        place = f"the result of round {number}" if part.kind == "result" else f"round {number}"
        texts[place] = texts.get(place, "") + part.text
    assert all(words in texts[place] for place, words in STILL_SEEN.values())
    visible = json.dumps(seat.request.sent["messages"][-12:])
    for number, step in enumerate(seat.step_texts, 1):
        assert (step in visible) == (number <= 3)  # the others are only in other words


def test_plan_is_shown_only_after_the_click(seat):
    shown = [seat, *seat.children, *seat.children[-1].children]
    assert seat.boxes in shown and seat.boxes.children == ()
    assert "main guard" not in f"{seat.text()} {[widget.get_state() for widget in shown]}"
    # The next notebook asks for the threshold.
    assert not re.search(r"after 6|remind after|threshold", seat.text())
    names = [box.description for box in compare(seat)]
    # Two elements, which the style sheet puts beside each other where there is room.
    columns = [re.fullmatch("<span>(.*):</span> <span>(.*)</span>", name) for name in names]
    assert [column[1] for column in columns] == seat.step_texts[3:]
    assert columns[3][2] == "visible in the prompt: “documented”"
    seat.compare.click()
    assert "main guard" not in seat.text() and "lp-compared" not in seat._dom_classes
    seat.compare.click()
    assert [box.description for box in seat.boxes.children] == names


def test_three_of_the_seven_steps_are_lost_and_that_is_said_before_anything_is_ticked(seat):
    boxes = compare(seat, "unused function\nreceipts must look same like before")
    lost = [box for box in boxes if LOST in box.description]
    assert (len(boxes), len(lost)) == (7, 3)
    assert [box for box in boxes if "lp-lost" in box._dom_classes] == lost
    for sentence in (UNKNOWN, TICK):
        assert sentence in seat._top.value + seat._said.value and sentence in seat.text()
    assert "named 0" not in seat.text()


def test_reader_ticks_what_the_list_names_and_only_that_is_counted(seat):
    boxes = compare(seat, "clean up\nuse logging instead of print")
    boxes[2].value = boxes[5].value = True
    assert seat._said.value == "<p>Of the 4 that can still be seen, you named 2.</p>"
    assert TICK not in seat.text()
    boxes[1].value, boxes[2].value = True, False
    sentence = "Of the 4 that can still be seen, you named 1. Guessed, because nothing says so: 1."
    assert sentence in seat._said.value and sentence in seat.text()
    ticked = re.findall(r"^\[x\] (.*?): (.*)$", seat.text(), re.MULTILINE)
    assert ticked == [
        (seat.step_texts[4], LOST),
        (seat.step_texts[8], "visible in the prompt: “tested”"),
    ]
    assert seat.text().count("\n[ ] ") == 5 and seat.text().endswith("use logging instead of print")
    seat.compare.click()
    assert seat._said.value == ""
    seat.compare.click()  # what was ticked stays
    assert sentence in seat._said.value


@pytest.mark.parametrize("answer", ["", " \n"])
def test_who_wrote_nothing_is_asked_to_write_first(seat, answer):
    assert compare(seat, answer) == () and WRITE_FIRST in seat._said.value
    assert len(compare(seat, "I do not know")) == 7 and WRITE_FIRST not in seat._said.value
