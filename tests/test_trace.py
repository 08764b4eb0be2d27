"""A run that was kept shows the same as the run itself: live, afterwards, and out of a file."""

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


def kept(trial):
    """A trial, played to its end and kept on the way."""
    trace = Trace(after=trial.after)
    for _ in trace.follow(trial, trial.messages, trial.todo, trial.nag):
        pass
    return trace


def trace_of(trial):
    """The Trace of a trial that is over."""
    return Trace.from_rounds(trial.rounds, trial.messages[:1], after=trial.after)


@pytest.mark.parametrize("task", TASKS)
def test_a_run_kept_live_is_the_run_kept_afterwards(task):
    trial = Trial(task)
    live, afterwards = kept(trial), trace_of(trial)
    assert len(live.steps) == len(trial.rounds) + 1
    assert live.steps == afterwards.steps


@pytest.mark.parametrize("task", TASKS)
def test_the_messages_of_all_steps_are_the_conversation(task):
    trial = play(task)
    assert trace_of(trial).messages == trial.messages


def test_each_step_has_the_list_and_the_count_as_they_were_then():
    trial, seen = Trial("hello"), []
    trace = Trace()
    for _ in trace.follow(trial, trial.messages, trial.todo, trial.nag):
        seen.append((tuple(trial.items), trial.nag.rounds))
    assert [(step.items, step.waited) for step in trace.steps[1:]] == seen


@pytest.mark.parametrize("task", TASKS)
def test_the_messages_alone_tell_the_same_run(task):
    trial = play(task)
    by_rounds, by_messages = trace_of(trial), Trace.from_messages(trial.messages)
    assert by_messages.messages == by_rounds.messages
    shown = [[(step.items, step.waited) for step in it.steps] for it in (by_messages, by_rounds)]
    assert shown[0] == shown[1]
    for told, known in zip(by_messages.rounds, by_rounds.rounds, strict=True):
        assert (told.number, told.text, told.calls) == (known.number, known.text, known.calls)
        assert (told.reminder, told.is_last) == (known.reminder, known.is_last)


def test_a_second_run_in_one_conversation_starts_with_the_first_as_its_opening():
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


def test_a_run_comes_out_of_a_file_as_it_went_in(tmp_path):
    trace = kept(Trial("hello"))
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
def test_another_file_is_refused_with_a_sentence(tmp_path, text):
    path = tmp_path / "other.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="other.json is not a run saved by this package"):
        Trace.open(path)


def test_a_link_that_was_put_in_the_way_of_a_save_is_not_followed(tmp_path):
    trace, outside = trace_of(play("hello")), tmp_path / "outside"
    outside.write_text("mine")
    for name in ("run.json", "run.json.part", ".run.json.part"):
        (tmp_path / name).symlink_to(outside)
    trace.save(tmp_path / "run.json")
    assert outside.read_text() == "mine"
    assert not (tmp_path / "run.json").is_symlink()
    assert len(os.listdir(tmp_path)) == 4  # and nothing is left beside it


def by_hand(messages, tool):
    """The loop as one writes it after s02: it yields whatever it likes, here the replies."""

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


def test_a_loop_written_by_hand_enters_by_its_messages():
    messages = [{"role": "user", "content": "Plan."}]
    list(by_hand(messages, TodoManager().tool()))
    first, second = Trace.from_messages(messages).steps[1:]
    assert (first.round.text, second.round.text) == ("I plan.", "Done.")
    assert first.round.calls[0].output.startswith("[ ] #1: Look")
    assert first.items == ({"text": "Look", "id": "1", "status": "pending"},)
    assert (first.round.is_last, second.round.is_last) == (False, True)


def test_a_loop_written_by_hand_can_be_kept_live():
    messages, trace = [{"role": "user", "content": "Plan."}], Trace()
    assert len(list(trace.follow(by_hand(messages, TodoManager().tool()), messages))) == 2
    assert [len(step.messages) for step in trace.steps] == [1, 2, 1]
    assert [turn.number for turn in trace.rounds] == [1, 2]


def test_a_live_loop_that_adds_no_turn_is_refused_with_a_sentence():
    with pytest.raises(TypeError, match="each step must add one turn of the model"):
        list(Trace().follow(iter(["something"]), []))


@pytest.mark.parametrize("wrong", ["a text", {}, None, 3, {"text": "", "calls": []}], ids=repr)
def test_what_is_not_a_round_is_refused_with_a_sentence(wrong):
    with pytest.raises(TypeError, match="A run is made of Rounds.*This is something else"):
        Trace.from_rounds([wrong])


@pytest.mark.parametrize("wrong", [3, {"role": 3}, {"role": "user"}, "text", object()], ids=repr)
def test_what_is_not_a_message_is_refused_with_a_sentence(wrong):
    with pytest.raises(TypeError, match="not a message|A message is a dict with a role"):
        Trace.from_messages([wrong])


def test_a_refused_list_is_not_the_list():
    use = {"type": "tool_use", "id": "a", "name": "todo", "input": {"items": [{}]}}
    result = {"type": "tool_result", "tool_use_id": "a", "content": "Error", "is_error": True}
    turns = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    step = Trace.from_messages(turns).steps[1]
    assert step.items == ()
    assert not step.round.calls[0].ok


def test_a_call_whose_result_is_not_there_yet_has_no_output():
    use = {"type": "tool_use", "id": "a", "name": "bash", "input": {}}
    _, (step,) = rounds_of([{"role": "assistant", "content": [use]}])
    assert (step.calls[0].output, step.is_last) == ("", False)


def test_fields_that_a_subclass_added_are_kept():
    assert todo_items({"items": [{"text": "Test", "priority": "high"}]})[0]["priority"] == "high"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_whatever_a_model_writes_as_its_list_can_be_kept(written):
    items = todo_items({"items": written})
    assert all(item["text"] and item["status"] for item in items)


def test_a_counter_that_is_not_known_is_counted_from_the_calls():
    trial = play("ten_steps", after=3)
    guessed = [step.waited for step in trace_of(trial).steps[1:]]
    nag, counted = Nag(TodoManager(), after=3), []
    for turn in trial.rounds:
        if turn.calls:
            nag(turn.calls)
        counted.append(nag.rounds)
    assert guessed == counted
