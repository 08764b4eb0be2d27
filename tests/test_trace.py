"""A run that was kept shows the same as the run itself: live, afterwards, and out of a file."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentlib.loop import rounds
from agentlib.nag import Nag
from agentlib.practice.model import PracticeModel
from agentlib.runs.trace import Trace, listed
from agentlib.runs.trial import Trial, play
from agentlib.todo import TodoManager

TASKS = ("hello", "ten_steps")


def kept(trial):
    """A trial, played to its end and kept on the way."""
    trace = Trace(after=trial.after)
    for _ in trace.follow(trial, trial.messages, trial.todo, trial.nag):
        pass
    return trace


@pytest.mark.parametrize("task", TASKS)
def test_a_run_kept_live_is_the_run_kept_afterwards(task):
    trial = Trial(task)
    live, afterwards = kept(trial), Trace.of(trial.rounds, trial.messages, after=trial.after)
    assert len(live.steps) == len(trial.rounds) + 1
    assert live.steps == afterwards.steps


@pytest.mark.parametrize("task", TASKS)
def test_the_messages_of_all_steps_are_the_conversation(task):
    trial = play(task)
    steps = Trace.of(trial.rounds, trial.messages).steps
    assert [message for step in steps for message in step.messages] == trial.messages


def test_each_step_has_the_list_and_the_count_as_they_were_then():
    trial, seen = Trial("hello"), []
    trace = Trace()
    for _ in trace.follow(trial, trial.messages, trial.todo, trial.nag):
        seen.append((tuple(trial.items), trial.nag.rounds))
    assert [(step.items, step.waited) for step in trace.steps[1:]] == seen


def test_a_second_run_in_one_conversation_starts_with_the_first_as_its_opening():
    client = PracticeModel(lambda request: [{"type": "text", "text": "Yes."}]).client()
    messages = [{"role": "user", "content": "Are you there?"}]
    for question in ("Are you sure?", "Really?"):
        run = list(rounds(client, messages, model="practice", max_tokens=99))
        trace = Trace.of(run, messages)
        assert trace.steps[1].messages == (
            {"role": "assistant", "content": [{"type": "text", "text": "Yes."}]},
        )
        assert len(trace.steps[0].messages) == len(messages) - 1
        messages.append({"role": "user", "content": question})


def test_without_the_messages_they_are_told_from_the_rounds():
    trial = play("hello")
    told = Trace.of(trial.rounds)
    known = Trace.of(trial.rounds, trial.messages)
    for a, b in zip(told.steps[1:], known.steps[1:], strict=True):
        assert [(m["role"], [block["type"] for block in m["content"]]) for m in a.messages] == [
            (m["role"], [block["type"] for block in m["content"]]) for m in b.messages
        ]


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


def test_the_rounds_of_a_loop_that_is_not_ours_are_kept_too():
    call = SimpleNamespace(name="todo", input={"items": [{"text": "Look"}]}, output="[ ] #1: Look")
    mine = [SimpleNamespace(text="I plan.", calls=[call]), SimpleNamespace(text="Done.", calls=[])]
    first, second = Trace.of(mine).steps[1:]
    assert first.items == ({"text": "Look", "id": "1", "status": "pending"},)
    assert (first.round.number, second.round.number) == (1, 2)
    assert second.messages == (
        {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
    )


def by_hand(messages, tool):
    """The loop as one writes it after s02: it yields the replies of the SDK as they come."""

    def mind(request):
        if len(request["messages"]) > 1:
            return [{"type": "text", "text": "Done."}]
        return [
            {"type": "text", "text": "I plan."},
            {"type": "tool_use", "name": "todo", "input": {"items": [{"text": "Look"}]}},
        ]

    client = PracticeModel(mind).client()
    while True:
        reply = client.messages.create(
            messages=messages, model="practice", max_tokens=99, tools=[tool.spec]
        )
        messages.append({"role": "assistant", "content": reply.content})
        uses = [block for block in reply.content if block.type == "tool_use"]
        if uses:
            messages.append(
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": use.id,
                            "content": tool.run(**use.input),
                        }
                        for use in uses
                    ],
                }
            )
        yield reply
        if not uses:
            return


@pytest.mark.parametrize("kind", ["the SDK's objects", "dicts"])
def test_the_replies_of_a_loop_written_by_hand_are_its_rounds(kind):
    messages = [{"role": "user", "content": "Plan."}]
    replies = list(by_hand(messages, TodoManager().tool()))
    if kind == "dicts":
        replies = [reply.to_dict() for reply in replies]
    for trace in (Trace.of(replies, messages), Trace.of(replies)):
        first, second = trace.steps[1:]
        assert (first.round.text, second.round.text) == ("I plan.", "Done.")
        assert [call.name for call in first.round.calls] == ["todo"]
        assert first.items == ({"text": "Look", "id": "1", "status": "pending"},)
        assert vars(first.round.usage)["input_tokens"] > 0
    assert [message["role"] for message in first.messages] == ["assistant"]  # no result made up
    known = Trace.of(replies, messages).steps
    assert [m["role"] for step in known for m in step.messages] == [m["role"] for m in messages]


def test_a_loop_written_by_hand_can_be_kept_live():
    messages, trace = [{"role": "user", "content": "Plan."}], Trace()
    assert len(list(trace.follow(by_hand(messages, TodoManager().tool()), messages))) == 2
    assert [len(step.messages) for step in trace.steps] == [1, 2, 1]


def test_rounds_may_be_dicts_too():
    call = {"name": "bash", "input": {"command": "ls"}, "output": "a.py"}
    (step,) = Trace.of([{"text": "I look.", "calls": [call]}]).steps[1:]
    assert step.round.calls[0].output == "a.py"


@pytest.mark.parametrize(
    "wrong",
    [
        "a text",
        ("a text", []),
        {"role": "user", "content": "Go"},
        {},
        None,
        3,
        {"text": "", "calls": [{"name": "bash"}]},
        {"content": [{}]},
        SimpleNamespace(text="", calls=[SimpleNamespace(name="bash", input={})]),
    ],
    ids=repr,
)
def test_what_is_no_round_is_refused_with_a_sentence(wrong):
    with pytest.raises(TypeError, match="A run is made of Rounds.*This is something else"):
        Trace.of([wrong])


def test_a_refused_list_is_not_the_list():
    call = SimpleNamespace(name="todo", input={"items": [{}]}, output="Error: no text", ok=False)
    assert Trace.of([SimpleNamespace(text="", calls=[call])]).steps[1].items == ()


def test_fields_that_a_subclass_added_are_kept():
    assert listed({"items": [{"text": "Test", "priority": "high"}]})[0]["priority"] == "high"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_whatever_a_model_writes_as_its_list_can_be_kept(written):
    items = listed({"items": written})
    assert all(item["text"] and item["status"] for item in items)


def test_a_counter_that_is_not_known_is_counted_from_the_calls():
    trial = play("ten_steps", after=3)
    guessed = [step.waited for step in Trace.of(trial.rounds, trial.messages).steps[1:]]
    nag, counted = Nag(TodoManager(), after=3), []
    for round in trial.rounds:
        if round.calls:
            nag(round.calls)
        counted.append(nag.rounds)
    assert guessed == counted
