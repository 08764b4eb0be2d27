"""A Trace of a run's messages is the same as that of its rounds, and odd messages are rejected."""

import json
from dataclasses import replace

import pytest
from support.blocks import result, text, use
from support.loop import SETTINGS, scripted

from agentlib.loop import rounds
from agentlib.replies import Usage
from lesson.runs import Trace, Trial
from lesson.runs.from_messages import todo_items


def step_of(call, *results):
    """Return the frame of a history with this call and its result."""
    turns = [{"role": "assistant", "content": [call]}, {"role": "user", "content": list(results)}]
    return Trace.from_messages(turns if results else turns[:1]).frames[1]


def test_call_is_read_with_its_result():
    failed = step_of(use("todo", "a", items=[{}]), result("a", "Error", is_error=True))
    assert failed.items == () and not failed.round.calls[0].ok
    alone = step_of(use("bash", "a")).round
    assert (alone.calls[0].output, alone.is_last) == ("", False)


NAG = "<reminder>Update your todos.</reminder>"


@pytest.mark.parametrize(
    "content, beside, reminder",
    [
        ([text("x = 1"), text(NAG)], [], NAG),
        ("x = 1", [text(NAG)], NAG),
        (f"x = 1\n{NAG}", [], NAG),
        (f"{NAG}\nx = 1", [], None),  # a file that contains a reminder
        ([text(f"{NAG}\nx = 1")], [], None),
    ],
)
def test_reminder_is_at_the_end_of_the_last_result_or_next_to_it(content, beside, reminder):
    read = step_of(use("read_file", "a"), result("a", content), *beside).round
    assert read.reminder == reminder
    assert read.calls[0].output.strip() in ("x = 1", f"x = 1\n{NAG}", f"{NAG}\nx = 1")


def test_trace_of_rounds_or_messages_has_the_list_and_the_counter_of_each_round():
    trial = Trial()
    live = [([*map(dict, trial.todo.items)], trial.nag.rounds) for _ in trial]
    for trace in (Trace(trial.rounds, trial.messages[:1]), Trace.from_messages(trial.messages)):
        assert [([*frame.items], frame.waited) for frame in trace.frames[1:]] == live
        assert trace.messages == trial.messages
        known = [replace(turn, usage=Usage()) for turn in trial.rounds]
        assert [replace(turn, usage=Usage()) for turn in trace.rounds] == known


def test_opening_of_a_second_run_is_the_first_run():
    client = scripted([text("Yes.")], [text("Yes.")]).client()
    messages = [{"role": "user", "content": "Are you there?"}]
    for question in ("Are you sure?", "Really?"):
        before = list(messages)
        run = list(rounds(client, messages, **SETTINGS))
        trace = Trace(run, before)
        assert trace.frames[1].messages == ({"role": "assistant", "content": [text("Yes.")]},)
        assert trace.messages == messages
        messages.append({"role": "user", "content": question})


ODD_MESSAGES = {
    "set": {3},
    "number": 3,
    "string": "text",
    "no role": {"role": 3},
    "no content": {"role": "user"},
    "no block": {"role": "user", "content": [3]},
    "odd type": {"role": "user", "content": [{"type": []}]},
    "NaN": {"role": "user", "content": "x", "cost": float("nan")},
    "too deep": json.loads('{"role": "user", "content": ' + "[" * 900 + "]" * 900 + "}"),
}


@pytest.mark.parametrize("wrong", ODD_MESSAGES.values(), ids=ODD_MESSAGES)
def test_other_object_than_a_message_is_rejected(wrong):
    said = "This is not a message|A message is a dict with a role|These messages cannot be written"
    with pytest.raises(TypeError, match=said):
        Trace.from_messages([wrong])


def test_todo_items_keep_extra_fields_and_get_the_defaults_of_missing_ones():
    (item,) = todo_items({"items": [{"text": "Test", "priority": "high"}]})
    assert item == {"text": "Test", "priority": "high", "id": "1", "status": "pending"}
