"""The rules of the practice model, in the order of `PracticePolicy`, and its robustness."""

import contextlib
import copy
import json

import anthropic
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agentlib import Nag, TodoManager, Tool, run
from lesson import PracticeModel, sample
from lesson.practice.policy.practice_policy import PracticePolicy
from lesson.practice.policy.tasks import load, names
from lesson.runs.trial import THRESHOLDS, Trial, play

TEN = "ten_steps"
STEPS = len(load(TEN).steps)
SETTINGS = {"model": "practice", "max_tokens": 8000}


def prompt(name):
    """Return the message with the prompt of a task."""
    return {"role": "user", "content": load(name).prompt}


def answer(messages, tools=()):
    """Return the practice model's reply to these messages."""
    client = PracticeModel().client()
    return client.messages.create(messages=messages, tools=[t.spec for t in tools], **SETTINGS)


def answer_text(words):
    """Return the text of the reply to a prompt without tools."""
    return answer([{"role": "user", "content": words}]).content[0].text


def work(messages, tools, **options):
    """Return the rounds of the agent loop with the practice model."""
    return run(PracticeModel().client(), messages, tools, **options, **SETTINGS)


def play_until(trial, number):
    """Play a trial up to this round."""
    for step in trial:
        if step.number == number:
            break
    return trial


# Rule 1: the jobs

OTHER_JOBS = [
    "Write me a poem",
    "Add tests to hello.py please",
    "What is 2+2? And can you add tests to hello.py?",
    "Explain hello.py",
    "Do not refactor hello.py",
    "Refactor hello.py and write a poem about it",
    "Refactor hello.py and add tests",
    "Rename the auth module, add tests, update the docs.",
    "Go on.",
]


@pytest.mark.parametrize("words", OTHER_JOBS)
def test_other_prompts_are_answered_with_a_list_of_all_jobs(words):
    text = answer_text(words)
    assert "I am a practice model" in text
    assert all(load(name).prompt.strip() in text for name in names())


KNOWN_JOBS = {
    "Please refactor hello.py.": "hello",
    "Refactor hello.py, but don't change what it prints. Run it in the end.": "hello",
    "refactor auth, add tests, update docs": "auth",
    "Analyze the structure of this project with a todo list": "structure",
    "Refactor the shop in ten steps and make it easy to read": TEN,
} | {f"Hello! Please do this for me:\n{load(name).prompt}\nThank you.": name for name in names()}


@pytest.mark.parametrize("words", KNOWN_JOBS)
def test_job_is_recognised_in_other_words_and_without_tools_its_steps_are_listed(words):
    text = answer_text(words)
    assert text.startswith("I have no tools here")
    assert f"1. {load(KNOWN_JOBS[words]).steps[0].text}" in text


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("after", [1, 3])
def test_every_task_is_done_on_real_files(name, after):
    trial = play(name, after=after)
    assert all(trial.done)
    assert trial.rounds[-1].text == load(name).closing
    assert all(item["status"] == "completed" for item in trial.items)
    assert [item["text"] for item in trial.items] == [step.text for step in load(name).steps]


# Rule 2: the window, and no state


@pytest.mark.parametrize("window", [3, 0, -1, 2.5, "12", None])
def test_window_of_less_than_two_rounds_is_rejected(window):
    with pytest.raises(ValueError, match="window must be 4 messages or more"):
        PracticePolicy(window)


def test_same_request_always_gets_the_same_reply():
    first, second = play(TEN), play(TEN)
    assert first.messages == second.messages
    assert first.model.requests == second.model.requests


def test_interrupted_conversation_can_be_resumed_after_any_round():
    whole = play("hello")
    for number in range(1, len(whole.rounds)):
        cut = play_until(Trial("hello"), number)
        cut.messages[:] = json.loads(json.dumps(cut.messages))
        cut.model = PracticeModel(PracticePolicy())
        assert list(cut)[-1].text == whole.rounds[-1].text
        assert cut.messages == whole.messages


LAST_THRESHOLD = {4: 1, 8: 3, 16: 7, 24: 11}


@pytest.mark.parametrize("window", LAST_THRESHOLD)
def test_highest_threshold_that_finishes_is_less_than_half_the_window(window):
    last = LAST_THRESHOLD[window]
    assert play(TEN, after=last, window=window).steps_done == STEPS
    assert play(TEN, after=last + 1, window=window).steps_done < STEPS


# Rule 3: the plan


@pytest.mark.parametrize(
    "items",
    [
        [{"text": load("hello").steps[2].text, "status": "in_progress"}, {"text": "Buy milk"}],
        [{"text": "Buy milk", "status": " PENDING "}],
    ],
)
def test_plan_in_the_window_is_followed_even_if_it_was_changed(items):
    trial = Trial("hello")
    next(iter(trial))
    trial.messages[1]["content"][-1]["input"] = {"items": items}
    assert "Buy milk" in list(trial)[-1].text
    done = [s.text for s, is_done in zip(load("hello").steps, trial.done, strict=True) if is_done]
    assert done == [item["text"] for item in items if item["text"] != "Buy milk"]


def test_todo_tool_is_recognised_by_its_schema():
    tool = TodoManager().tool()
    renamed = Tool("TodoWrite", tool.description, tool.input_schema, tool.run)
    *_, call = answer([prompt("hello")], [*sample("hello").tools(), renamed]).content
    assert call.name == "TodoWrite"
    assert len(call.input["items"]) == len(load("hello").steps)


FIELDS = {
    "priority": ({"type": "string", "enum": ["high", "medium", "low"]}, "high"),
    "boolean": ({"type": "boolean"}, False),
    "array": ({"type": "array"}, []),
    "integer": ({"type": "integer"}, 0),
    "string": ({"type": "string"}, "Add type hints"),
}


@pytest.mark.parametrize("name", FIELDS)
def test_required_fields_of_the_todo_schema_are_filled(name):
    field, value = FIELDS[name]

    class More(TodoManager):
        fields = TodoManager.fields | {name: field}
        required = (*TodoManager.required, name)

    trial = play("hello", todo=More())
    assert all(trial.done)
    assert trial.items[0][name] == value
    assert all(item["activeForm"] for item in trial.items)


def test_fields_that_are_not_in_the_todo_schema_are_not_sent():
    class Plain(TodoManager):
        fields = {k: v for k, v in TodoManager.fields.items() if k != "activeForm"}

    assert all("activeForm" not in item for item in play("hello", todo=Plain()).items)


def test_eager_policy_finishes_steps_only_if_one_may_be_in_progress():
    class Free(TodoManager):
        one_in_progress = False

    def count_done(todo):
        return play_until(Trial(TEN, eager=True, todo=todo), 16).steps_done

    assert count_done(TodoManager()) >= 4
    assert count_done(Free()) == 0


# Rule 4: drift


@pytest.fixture(scope="module")
def measured():
    """Return a run for each threshold, with the default window."""
    return [play(TEN, after=after) for after in THRESHOLDS]


def test_rounds_by_threshold_are_those_in_the_lesson(measured):
    finished = [trial for trial in measured if trial.steps_done == STEPS]
    assert {trial.after: len(trial.rounds) for trial in finished} == {
        1: 44,
        2: 34,
        3: 30,
        4: 29,
        5: 28,
    }
    tokens = [trial.tokens for trial in finished]
    assert tokens == sorted(tokens, reverse=True)


def test_thresholds_above_five_drift_after_three_steps(measured):
    drifted = [trial for trial in measured if trial.steps_done < STEPS]
    assert [trial.after for trial in drifted] == list(range(6, 16))
    assert all(trial.done == (True,) * 3 + (False,) * 7 for trial in drifted)
    assert all(len(trial.rounds) < len(measured[0].rounds) for trial in drifted)


@pytest.mark.parametrize("without", [{"plan": False}, {"after": None}])
def test_run_without_a_list_or_without_a_reminder_drifts_and_reports_completion(without):
    trial = play(TEN, **without)
    assert trial.done == (True,) * 3 + (False,) * 7
    assert trial.rounds[-1].text == "This looks good to me. The work is complete."
    assert "Receipt for Ada" in trial.workspace.bash("python shop.py")


STEPS_WITHOUT_LIST = {8: 2, 12: 3, 20: 6, 30: 9, 34: 10, 48: 10}


@pytest.mark.parametrize("window", STEPS_WITHOUT_LIST)
def test_larger_window_does_more_steps_without_a_list(window):
    assert play(TEN, plan=False, window=window).steps_done == STEPS_WITHOUT_LIST[window]


# Rule 5: reminders. More in test_reminders.py


def test_reminder_that_comes_too_late_makes_the_list_shorter():
    trial = play(TEN, after=6)
    assert [item["status"] for item in trial.items] == ["completed"] * 4
    assert trial.items[-1]["text"] == "Finish the rest"


@pytest.mark.parametrize(
    "place", ["in the result's text", "in the last result", "after the results", "system turn"]
)
def test_reminder_is_read_wherever_the_api_accepts_it(place):
    trial = play_until(Trial("hello", after=None), 2)
    messages = copy.deepcopy(trial.messages)
    result, words = messages[-1]["content"][-1], "Please look at your list."
    if place == "in the result's text":
        result["content"] += f"\n<reminder>{words}</reminder>"
    elif place == "in the last result":
        result["content"] = [{"type": "text", "text": t} for t in (result["content"], words)]
    elif place == "after the results":
        messages[-1]["content"].append({"type": "text", "text": words})
    else:
        messages.append({"role": "system", "content": words})
    tools = [*trial.workspace.tools(), trial.todo.tool()]
    model = "claude-opus-4-8" if place == "system turn" else "practice"
    reply = trial.model.client().messages.create(
        model=model, max_tokens=8000, messages=messages, tools=[tool.spec for tool in tools]
    )
    assert reply.content[-1].name == "todo"


def test_reminder_in_every_round_does_not_stop_the_work():
    todo, workspace = TodoManager(), sample("hello")

    class Pest(Nag):
        def __call__(self, calls):
            return self.reminder()

    rounds = work([prompt("hello")], [*workspace.tools(), todo.tool()], remind=Pest(todo))
    assert all(step.is_done(workspace.root) for step in load("hello").steps)
    assert len(rounds) < 30


# Rule 6: files, rejected lists, and limits


@pytest.mark.parametrize("window", [4, 8, 12, 20, 34])
@pytest.mark.parametrize("more", [{"plan": False}, {"after": None}, {"after": 8}])
def test_no_file_is_edited_whose_content_is_not_in_the_window(window, more):
    trial = play(TEN, window=window, **more)
    assert all(call.ok for step in trial.rounds for call in step.calls)


@pytest.mark.parametrize(
    "offered",
    [
        ["bash"],
        ["bash", "read_file", "write_file"],
        ["read_file", "write_file", "bash", "edit_file"],
    ],
)
def test_job_is_done_with_the_available_tools(offered):
    workspace = sample("hello")
    before = workspace.bash("python hello.py")
    work([prompt("hello")], [tool for tool in workspace.tools() if tool.name in offered])
    assert all(step.is_done(workspace.root) for step in load("hello").steps)
    assert workspace.bash("python hello.py") == before


@pytest.mark.parametrize(
    "offered", [["read_file"], ["write_file"], ["edit_file"], [], ["read_file", "edit_file"]]
)
def test_job_that_the_tools_cannot_do_is_reported(offered):
    workspace, todo = sample("hello"), TodoManager()
    tools = [tool for tool in workspace.tools() if tool.name in offered] + [todo.tool()]
    rounds = work([prompt("hello")], tools, remind=Nag(todo))
    assert len(rounds) < 20
    assert "I could not do this" in rounds[-1].text
    called = {call.name for step in rounds for call in step.calls}
    assert called <= {*offered, "todo"}
    assert "edit_file" not in called or "read_file" in called


class Strict(TodoManager):
    """Reject a list with the error message that `rule` returns for it, if any."""

    def __init__(self, rule):
        super().__init__()
        self.rule = rule

    def update(self, items):
        problem = self.rule(items)
        if problem:
            raise ValueError(problem)
        return super().update(items)


@pytest.mark.parametrize(
    "rule, eager",
    [
        (lambda items: "", True),
        (lambda items: "Max 2 todos allowed" if len(items) > 2 else "", False),
        (
            lambda items: "Item 1: invalid activeForm 'x'" if items[0].get("activeForm") else "",
            False,
        ),
        (lambda items: "No reason given" if "activeForm" in items[0] else "", False),
    ],
    ids=["several in progress", "too many", "a field", "no reason"],
)
def test_rejected_list_is_corrected_and_sent_again(rule, eager):
    trial = Trial("hello", todo=Strict(rule), eager=eager)
    rejected = [call.name for step in trial for call in step.calls if not call.ok]
    assert rejected and set(rejected) == {"todo"}
    assert trial.items
    assert trial.rounds[-1].stop_reason == "end_turn"


def test_todo_tool_that_rejects_every_list_does_not_stop_the_work():
    trial = play("hello", todo=Strict(lambda items: "Not today"), window=20)
    assert all(trial.done)


def test_todo_tool_with_other_statuses_is_rejected():
    class Other(TodoManager):
        done = {"type": "string", "enum": ["pending", "in_progress", "done"]}
        fields = TodoManager.fields | {"status": done}

    final = play("hello", todo=Other()).rounds[-1].text
    assert "I know the statuses pending, in_progress, completed" in final


def test_failed_edit_is_reported_and_its_item_stays_open():
    trial = Trial("hello")
    trial.workspace.write_file("hello.py", 'print("short")\n')
    final = list(trial)[-1].text
    assert "I could not do this" in final
    assert "Add type hints" in final
    assert trial.items[0]["status"] != "completed"


@pytest.mark.parametrize("name", ["package", "style", TEN])
def test_job_in_the_project_of_another_job_is_stopped(name):
    trial = Trial(name)
    trial.workspace = sample("hello")
    final = list(trial)[-1].text
    assert "Two calls in a row have failed" in final or "I could not do this" in final
    assert len(trial.rounds) < 20


@pytest.mark.parametrize("name", ["hello", "auth", TEN])
@pytest.mark.parametrize("plan", [True, False])
def test_job_that_is_already_done_is_recognised(name, plan):
    first = play(name)
    again = Trial(name, plan=plan, window=12 if plan else 60)
    again.workspace = first.workspace
    assert list(again)[-1].text == load(name).closing
    assert all(again.done)


def test_message_limit_counts_from_the_newest_prompt():
    messages = []
    for name in names():
        workspace, todo = sample(name), TodoManager()
        messages.append(prompt(name))
        rounds = work(messages, [*workspace.tools(), todo.tool()], remind=Nag(todo, 1))
        assert rounds[-1].text == load(name).closing
    assert len(messages) > 200


@settings(max_examples=50)
@given(st.integers(1, 40), st.integers(4, 60))
def test_run_with_any_threshold_and_window_ends(after, window):
    trial = play("hello", after=after, window=window)
    assert trial.rounds[-1].stop_reason == "end_turn"
    assert len(trial.rounds) < 101


# Any request gets a reply


def schemas(part):
    """Return schemas of a list's items with a status, and with `part` in any place of a schema."""
    keywords = dict.fromkeys(("type", "enum", "default", "items", "properties"), part)
    status = st.fixed_dictionaries({}, optional=keywords)
    fields = st.fixed_dictionaries({"status": status | part}, optional={"text": status | part})
    return st.fixed_dictionaries({"properties": fields | part}, optional={"required": part})


odd = st.none() | st.booleans() | st.integers() | st.sampled_from(["status", "text", "array"])
odd = st.recursive(odd, lambda part: st.lists(part, max_size=3) | schemas(part), max_leaves=6)


@given(schemas(odd) | odd, st.booleans())
def test_any_schema_of_a_todo_tool_gets_a_reply_or_a_400(items, rejects):
    schema = {"type": "object", "properties": {"items": {"type": "array", "items": items}}}

    def update(**input):
        if rejects:
            raise ValueError("Item 1: invalid status 'pending'")
        return "ok"

    with contextlib.suppress(anthropic.BadRequestError):
        work([prompt("hello")], [Tool("todo", "The plan.", schema, update)])


values = odd | st.sampled_from(["", "ls", "cat hello.py", "pending", "Add type hints"])
lists = st.lists(st.dictionaries(st.sampled_from(["text", "status"]), values) | odd, max_size=3)
inputs = st.fixed_dictionaries(
    {},
    optional={
        "path": st.sampled_from(["", "hello.py", "shop.py"]) | odd,
        "items": lists,
        **dict.fromkeys(("command", "content", "old_text", "new_text"), values),
    },
)
called = st.tuples(
    st.sampled_from(["bash", "read_file", "write_file", "edit_file", "todo", "another"]),
    inputs,
    st.sampled_from(["done", "max 0", "in_progress", "invalid status"]),
    st.booleans(),
)


@given(st.sampled_from(names()), st.lists(st.lists(called, min_size=1, max_size=2), max_size=5))
@example("package", [[("write_file", {"path": "", "content": ""}, "done", True)]])
@example("hello", [[("write_file", {"path": "hello.py", "content": 7}, "done", True)]])
def test_any_history_of_calls_gets_a_reply(name, history):
    messages = [prompt(name)]
    for n, calls in enumerate(history):
        ids = [f"toolu_{n}_{m}" for m in range(len(calls))]
        uses = [
            {"type": "tool_use", "id": id, "name": tool, "input": input}
            for id, (tool, input, _, _) in zip(ids, calls, strict=True)
        ]
        results = [
            {"type": "tool_result", "tool_use_id": id, "content": output, "is_error": not ok}
            for id, (_, _, output, ok) in zip(ids, calls, strict=True)
        ]
        messages += [{"role": "assistant", "content": uses}, {"role": "user", "content": results}]
    assert answer(messages, [*sample(name).tools(), TodoManager().tool()]).content


ODD_BLOCKS = [
    {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}, "text": 7},
    {"type": "text", "text": "Update your todos."},
    {"type": "tool_reference", "tool_name": "todo"},
]


@pytest.mark.parametrize("blocks", [ODD_BLOCKS, ODD_BLOCKS[::-1], []])
def test_results_with_any_kind_of_block_are_read(blocks):
    trial = play_until(Trial("hello", after=None), 3)
    trial.messages[-1]["content"][-1]["content"] = blocks
    assert list(trial)[-1].stop_reason == "end_turn"


# Trial


def test_trial_continues_after_an_interrupted_iteration_and_then_ends():
    trial = play_until(Trial("hello"), 3)
    assert [step.number for step in trial] == list(range(4, 11))
    messages = list(trial.messages)
    assert list(trial) == [] and trial.messages == messages


def test_trial_rejects_a_threshold_of_zero():
    with pytest.raises(ValueError, match="1 or more, not 0"):
        Trial("hello", after=0)
