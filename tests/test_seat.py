"""The seat: the request of a real run, recorded replies, and one call of a named model."""

import json
import re

import pytest
from loopback import Server, message, reach
from support.blocks import text

from lesson.practice.policy.window import VisibleHistory, find_calls
from lesson.runs.trial import play
from lesson.widgets.seat import REQUESTS, Seat
from lesson.widgets.seat_replies import PLAN_LOST, replies


def list_rows(seat):
    return [row for group in seat.state["table"]["groups"] for row in group["rows"]]


def test_window_is_what_the_practice_model_sees_in_request_8():
    trial = play(after=6)
    sent = trial.model.requests[7]
    seen = VisibleHistory(sent, window=12)
    request = Seat().request
    assert request["messages"] == [sent["messages"][0], *sent["messages"][-12:]]
    assert find_calls(request["messages"]) == seen.calls and seen.prompt in str(request["messages"])
    assert "Split the long function" not in json.dumps(request)
    for sent, drawn in zip(request["messages"][1:], Seat().state["messages"], strict=True):
        for line in re.sub(r"^[+−] ", "", drawn["full"], flags=re.MULTILINE).splitlines():
            assert json.dumps(line)[1:-1] in json.dumps(sent)
    assert Seat().state["messages"][0]["round"] == 2


def test_threshold_is_not_named_because_the_bet_asks_for_it():
    seat = Seat()
    assert not re.search(r"after 6|remind after|threshold", json.dumps(seat.state) + repr(seat))


def test_counts_are_those_of_the_recorded_replies():
    rows = list_rows(Seat())
    assert {row["number"]: row["found"] for row in rows} == {
        **dict.fromkeys((1, 2, 3, 6, 9, 10), 12 * "x"),
        7: 3 * "x" + 9 * "p",
        4: 2 * "x" + 10 * "p",
        5: 12 * ".",
        8: 4 * "p" + 8 * ".",
    }
    assert len(rows) == 10  # each step is in one group
    assert sum(reply["told"] for reply in replies(PLAN_LOST)) == 8
    untold = [reply["opening"] for reply in replies(PLAN_LOST) if not reply["told"]]
    assert all("I should have listed the" in opening for opening in untold)
    assert all(len(reply["list"]) == 10 for reply in replies(PLAN_LOST))


def test_only_the_seat_with_the_list_shows_what_a_reminder_with_the_list_does():
    first, later = Seat(), Seat("list in reminder")
    assert {row["kept"] for row in list_rows(first)} == {""}
    assert {row["kept"] for row in list_rows(later)} == {"xxxx"}
    assert "reminder" not in json.dumps(first.state["table"])
    scripts = [[row["script"] for row in list_rows(seat)].count("") for seat in (first, later)]
    assert scripts == [7, 0]  # "Finish the rest" is one line for seven steps


@pytest.mark.parametrize("name", REQUESTS)
def test_text_and_picture_have_the_request_and_no_answer(name):
    words = Seat(name).text() + Seat(name).picture()
    assert "What do you write?" in words and "The next message is yours" in words
    for recorded in replies(name):
        assert recorded["opening"] not in words
    assert "Finish the rest" not in words and "The work is complete" not in words


def test_other_requests_show_practice_and_recorded_replies():
    bare, kept = Seat("no list"), Seat("list in reminder")
    shown = json.dumps(bare.state["columns"])
    assert "The work is complete." in shown and "I lost the thread" in shown
    assert "the files show 3 of 10" in shown and bare.state["table"] is None
    assert bare.state["given"] == []  # its window does not show which steps are done
    assert "#10: Bring README.md up to date" in kept.state["messages"][-1]["note"]
    assert "the files show 10 of 10" in json.dumps(kept.state["columns"])
    with pytest.raises(ValueError, match="'plan lost', 'list in reminder', 'no list'"):
        Seat("B")


def test_named_model_gets_one_request_and_its_list_is_shown():
    items = [{"id": "1", "text": "Add a main guard", "status": "pending"}]
    use = {"type": "tool_use", "id": "toolu_1", "name": "todo", "input": {"items": items}}
    with Server(message(text("A new list."), use)) as server:
        model, _ = reach(server, "llama", max_tokens=900)
        seat = Seat().ask(model)
    sent = server.requests
    assert [len(request["messages"]) for request in sent] == [13]
    assert sent[0]["model"] == "llama" and sent[0]["max_tokens"] == 900
    own = seat.state["columns"][-1]
    assert own["name"] == "llama"
    assert own["replies"][0]["list"] == [["Add a main guard", "pending"]]


@pytest.mark.parametrize("name", REQUESTS)
def test_seat_is_drawn_in_under_40_kilobytes(name):
    assert len(json.dumps(Seat(name).state)) < 40_000
