"""A Trace is the same when it is recorded live, made afterwards, read from messages, or opened."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentlib.loop import rounds
from agentlib.nag import Nag
from agentlib.todo import TodoManager
from agentlib.tools import call_tool
from lesson.practice.model import PracticeModel
from lesson.runs import Trace, Trial, play
from lesson.runs.messages import rounds_of, todo_items

TASKS = ("hello", "ten_steps")


def recorded(trial):
    """Play a trial to its end, and return the Trace recorded on the way."""
    trace = Trace(after=trial.after)
    for _ in trace.follow(trial, trial.messages, trial.todo, trial.nag):
        pass
    return trace


def trace_of(trial):
    """Return the Trace of a trial that has ended."""
    return Trace.from_rounds(trial.rounds, trial.messages[:1], after=trial.after)


@pytest.mark.parametrize("task", TASKS)
def test_trace_recorded_live_equals_trace_of_the_rounds(task):
    trial = Trial(task)
    live, afterwards = recorded(trial), trace_of(trial)
    assert len(live.steps) == len(trial.rounds) + 1
    assert live.steps == afterwards.steps


@pytest.mark.parametrize("task", TASKS)
def test_messages_of_all_steps_are_the_history(task):
    trial = play(task)
    assert trace_of(trial).messages == trial.messages


def test_step_has_the_todo_list_and_the_counter_of_its_round():
    trial, seen = Trial("hello"), []
    trace = Trace()
    for _ in trace.follow(trial, trial.messages, trial.todo, trial.nag):
        seen.append((tuple(trial.items), trial.nag.rounds))
    assert [(step.items, step.waited) for step in trace.steps[1:]] == seen


@pytest.mark.parametrize("task", TASKS)
def test_trace_from_messages_equals_trace_from_rounds(task):
    trial = play(task)
    by_rounds, by_messages = trace_of(trial), Trace.from_messages(trial.messages)
    assert by_messages.messages == by_rounds.messages
    shown = [[(step.items, step.waited) for step in it.steps] for it in (by_messages, by_rounds)]
    assert shown[0] == shown[1]
    for told, known in zip(by_messages.rounds, by_rounds.rounds, strict=True):
        assert (told.number, told.text, told.calls) == (known.number, known.text, known.calls)
        assert (told.reminder, told.is_last) == (known.reminder, known.is_last)


def test_opening_of_a_second_run_is_the_first_run():
    client = PracticeModel(lambda request: [{"type": "text", "text": "Yes."}]).client()
    messages = [{"role": "user", "content": "Are you there?"}]
    for question in ("Are you sure?", "Really?"):
        before = list(messages)
        run = list(rounds(client, messages, model="practice", max_tokens=99))
        trace = Trace.from_rounds(run, before)
        assert trace.steps[1].messages == (
            {"role": "assistant", "content": [{"type": "text", "text": "Yes."}]},
        )
        assert trace.messages == messages
        messages.append({"role": "user", "content": question})


def test_saved_run_opens_unchanged(tmp_path):
    trace = recorded(Trial("hello"))
    trace.title = "Été ☀"
    again = Trace.open(trace.save(tmp_path / "run.json"))
    assert (again.title, again.after, again.steps) == ("Été ☀", 3, trace.steps)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "no JSON",
        '{"format": "other 7"}',
        '{"format": "agentlib trace 1", "title": "x"}',
        '{"format": "agentlib trace 1", "title": "x", "after": 3, "steps": []}',
        '{"format": "agentlib trace 1", "title": "x", "after": 3, '
        '"steps": [{"round": null, "messages": [], "items": [{}], '
        '"waited": 0}]}',
    ],
)
def test_other_json_file_is_rejected(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="other.json is not a run saved by this package"):
        Trace.open(path)


def test_save_does_not_follow_a_symlink(tmp_path):
    trace, outside = trace_of(play("hello")), tmp_path / "outside"
    outside.write_text("mine")
    for name in ("run.json", "run.json.part", ".run.json.part"):
        (tmp_path / name).symlink_to(outside)
    trace.save(tmp_path / "run.json")
    assert outside.read_text() == "mine"
    assert not (tmp_path / "run.json").is_symlink()
    assert len(os.listdir(tmp_path)) == 4  # and nothing is left beside it


def by_hand(messages, tool):
    """A loop as in s02, which yields the replies of the API."""

    def policy(request):
        if len(request["messages"]) > 1:
            return [{"type": "text", "text": "Done."}]
        return [
            {"type": "text", "text": "I plan."},
            {"type": "tool_use", "name": "todo", "input": {"items": [{"text": "Look"}]}},
        ]

    client = PracticeModel(policy).client()
    while True:
        reply = client.messages.create(
            messages=messages, model="practice", max_tokens=99, tools=[tool.spec]
        )
        messages.append({"role": "assistant", "content": reply.content})
        uses = [block for block in reply.content if block.type == "tool_use"]
        if uses:
            calls = [call_tool({"todo": tool}, use.name, use.input) for use in uses]
            content = [
                {"type": "tool_result", "tool_use_id": use.id, "content": call.output}
                for use, call in zip(uses, calls, strict=True)
            ]
            messages.append({"role": "user", "content": content})
        yield reply
        if not uses:
            return


def test_own_loop_is_read_from_its_messages():
    messages = [{"role": "user", "content": "Plan."}]
    list(by_hand(messages, TodoManager().tool()))
    first, second = Trace.from_messages(messages).steps[1:]
    assert (first.round.text, second.round.text) == ("I plan.", "Done.")
    assert first.round.calls[0].output.startswith("[ ] #1: Look")
    assert first.items == ({"text": "Look", "id": "1", "status": "pending"},)
    assert (first.round.is_last, second.round.is_last) == (False, True)


def test_own_loop_is_recorded_live():
    messages, trace = [{"role": "user", "content": "Plan."}], Trace()
    assert len(list(trace.follow(by_hand(messages, TodoManager().tool()), messages))) == 2
    assert [len(step.messages) for step in trace.steps] == [1, 2, 1]
    assert [turn.number for turn in trace.rounds] == [1, 2]


def test_own_loop_that_adds_no_turn_is_rejected():
    with pytest.raises(TypeError, match="each step must add one turn of the model"):
        list(Trace().follow(iter(["something"]), []))


@pytest.mark.parametrize("wrong", ["a text", {}, None, 3, {"text": "", "calls": []}], ids=repr)
def test_other_object_than_a_round_is_rejected(wrong):
    with pytest.raises(TypeError, match="A run is made of Rounds.*This is something else"):
        Trace.from_rounds([wrong])


@pytest.mark.parametrize("wrong", [3, {"role": 3}, {"role": "user"}, "text", object()], ids=repr)
def test_other_object_than_a_message_is_rejected(wrong):
    with pytest.raises(TypeError, match="not a message|A message is a dict with a role"):
        Trace.from_messages([wrong])


def test_rejected_todo_call_does_not_change_the_list():
    use = {"type": "tool_use", "id": "a", "name": "todo", "input": {"items": [{}]}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "Error", "is_error": True}
    turns = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    step = Trace.from_messages(turns).steps[1]
    assert step.items == ()
    assert not step.round.calls[0].ok


def test_call_without_a_result_has_no_output():
    use = {"type": "tool_use", "id": "a", "name": "bash", "input": {}}
    _, (step,) = rounds_of([{"role": "assistant", "content": [use]}])
    assert (step.calls[0].output, step.is_last) == ("", False)


def test_output_that_contains_the_reminders_tag_is_not_a_reminder(tmp_path):
    use = {"type": "tool_use", "id": "a", "name": "read_file", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "x = '<reminder>'"}
    turns = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    assert Trace.from_messages(turns).rounds[0].calls[0].output == "x = '<reminder>'"


def test_extra_fields_of_todo_items_are_kept():
    assert todo_items({"items": [{"text": "Test", "priority": "high"}]})[0]["priority"] == "high"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_input_of_a_todo_call_is_read(written):
    items = todo_items({"items": written})
    assert all(item["text"] and item["status"] for item in items)


def test_unknown_counter_is_derived_from_the_calls():
    trial = play("ten_steps", after=3)
    guessed = [step.waited for step in trace_of(trial).steps[1:]]
    nag, counted = Nag(TodoManager(), after=3), []
    for turn in trial.rounds:
        if turn.calls:
            nag(turn.calls)
        counted.append(nag.rounds)
    assert guessed == counted
