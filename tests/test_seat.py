"""The seat: the request of a real run, recorded replies, and one call of a named model."""

import json
import re

import pytest
from loopback import Server, message, reach
from support.blocks import text

from agentlib.nag import REMINDER
from lesson.practice.policy.history import VisibleHistory, find_calls
from lesson.runs.trial import play
from lesson.widgets.seat import Seat
from lesson.widgets.seat_replies import STILL_SEEN, read_file


@pytest.fixture(scope="module")
def seat():
    return Seat()


def test_window_is_what_the_practice_model_sees_in_request_8(seat):
    sent = play(after=6).model.requests[7]
    seen = VisibleHistory(sent, window=12)
    messages = seat.request["messages"]
    assert messages == [sent["messages"][0], *sent["messages"][-12:]]
    assert find_calls(messages) == seen.calls and seen.prompt in str(messages)
    for sent, drawn in zip(messages[1:], seat.state["messages"], strict=True):
        for line in re.sub(r"^[+−] ", "", drawn["full"], flags=re.MULTILINE).splitlines():
            assert json.dumps(line)[1:-1] in json.dumps(sent)
    assert seat.state["messages"][0]["round"] == 2
    lines = {line["place"]: line["text"] for line in seat.state["lines"]}
    assert all(words in lines[place] for place, words in STILL_SEEN.values())
    # The bet asks for the threshold.
    assert not re.search(r"after 6|remind after|threshold", json.dumps(seat.state) + repr(seat))


def test_script_finishes_if_the_reminder_shows_the_list(seat):
    ends = {one["with_list"]: one["replies"][0].get("end") for one in seat.state["columns"][::2]}
    assert "the files show 10 of 10" in ends[True] and "show 3 of 10" in ends[False]


def test_claudes_replies_answer_the_reminder_that_the_seat_shows():
    assert read_file()["reminder"] == REMINDER, (
        "Claude's replies were recorded with another reminder. Record them again, or let the seat "
        "show the reminder that they answer."
    )


def test_named_model_gets_one_request_and_its_list_is_shown():
    items = [{"id": "1", "text": "Add a main guard", "status": "pending"}]
    use = {"type": "tool_use", "id": "toolu_1", "name": "todo", "input": {"items": items}}
    with Server(message(text("A new list."), use)) as server:
        model, _ = reach(server, "llama", max_tokens=900)
        seat = Seat().ask(model)
    own = seat.state["columns"][-1]
    assert [len(request["messages"]) for request in server.requests] == [13]
    assert server.requests[0]["model"] == own["name"] == "llama"
    assert own["replies"][0]["list"] == [["Add a main guard", "pending"]]
    assert not own["with_list"]
