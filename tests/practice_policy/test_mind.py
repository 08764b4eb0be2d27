"""The practice model's mind: its plan, its attention, and what it makes of tools and errors."""

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
from lesson.runs.trial import Trial, measure, play

TEN = "ten_steps"
STEPS = len(load(TEN).steps)


@pytest.fixture(scope="module")
def measured():
    """A run for each threshold, with the attention that it has by itself."""
    return list(measure(TEN))


def works(trial):
    """Whether the shop in a trial's workspace still prints its receipts."""
    return "Receipt for Ada" in trial.workspace.bash("python shop.py")


def test_at_a_threshold_of_one_the_run_finishes_and_costs_the_most_rounds(measured):
    first, *others = measured
    assert first.steps_done == STEPS
    assert len(first.rounds) > max(len(trial.rounds) for trial in others)


def test_past_the_attention_it_drifts_after_the_first_steps_and_stops_early(measured):
    drifted = [trial for trial in measured if trial.steps_done < STEPS]
    assert [trial.after for trial in drifted] == list(range(6, 16))
    assert {trial.steps_done for trial in drifted} == {3}
    assert all(trial.done[:3] == (True, True, True) for trial in drifted)


def test_between_the_two_it_finishes_at_the_lowest_cost(measured):
    finished = [trial for trial in measured if trial.steps_done == STEPS]
    cheapest = min(finished, key=lambda trial: trial.tokens)
    assert 1 < cheapest.after < 15
    assert [trial.tokens for trial in finished] == sorted(
        (trial.tokens for trial in finished), reverse=True
    )


@pytest.mark.parametrize("window", [4, 8, 16, 24])
def test_a_longer_attention_bears_a_higher_threshold(window):
    last = max(
        after for after in range(1, 16) if play(TEN, after=after, window=window).steps_done == STEPS
    )
    assert last == window // 2 - 1


def test_without_a_plan_it_drifts_and_does_not_know_it():
    trial = play(TEN, plan=False)
    assert trial.done == (True, True, True) + (False,) * 7
    assert trial.rounds[-1].text == "This looks good to me. The work is complete."
    assert works(trial)


def test_a_plan_without_a_reminder_fades():
    assert play(TEN, after=None).steps_done == 3


def test_a_plan_that_faded_is_written_down_shorter_than_it_was():
    trial = play(TEN, after=6)
    assert trial.steps_done == 3
    assert [item["status"] for item in trial.items] == ["completed"] * 4
    assert trial.items[-1]["text"] == "Finish the rest"


@settings(max_examples=50)
@given(st.integers(1, 40), st.integers(4, 60))
def test_no_threshold_and_no_attention_loops_for_ever(after, window):
    trial = play("hello", after=after, window=window)
    assert trial.rounds[-1].stop_reason == "end_turn"
    assert len(trial.rounds) < 101


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("after", [1, 3])
def test_every_task_is_carried_out_for_real(name, after):
    trial = play(name, after=after)
    assert all(trial.done)
    assert trial.rounds[-1].text == load(name).closing
    assert all(item["status"] == "completed" for item in trial.items)
    assert [item["text"] for item in trial.items] == [step.text for step in load(name).steps]


def test_the_same_request_always_gets_the_same_reply():
    first, second = play(TEN), play(TEN)
    assert first.messages == second.messages
    assert first.model.requests == second.model.requests


def test_a_conversation_can_be_cut_and_resumed_anywhere():
    whole = play("hello")
    for rounds in range(1, len(whole.rounds)):
        cut = Trial("hello")
        for step in cut:
            if step.number == rounds:
                break
        cut.messages[:], cut.model = (
            json.loads(json.dumps(cut.messages)),
            PracticeModel(PracticePolicy()),
        )
        assert list(cut)[-1].text == whole.rounds[-1].text
        assert cut.messages == whole.messages


def answer(messages, tools=(), **options):
    """The practice model's reply to these messages."""
    return (
        PracticeModel(PracticePolicy(**options))
        .client()
        .messages.create(
            model="practice", max_tokens=8000, messages=messages, tools=[t.spec for t in tools]
        )
    )


def asked(reply, name):
    """The input of the reply's call of the tool `name`."""
    return next(
        block.input for block in reply.content if block.type == "tool_use" and block.name == name
    )


def test_a_trial_goes_on_where_it_was_left_and_then_is_over():
    trial = Trial("hello")
    for step in trial:
        if step.number == 3:
            break
    assert [step.number for step in trial] == list(range(4, 11))
    messages = list(trial.messages)
    assert list(trial) == [] and trial.messages == messages


def test_a_threshold_of_zero_is_refused():
    with pytest.raises(ValueError, match="1 or more, not 0"):
        Trial("hello", after=0)


def test_a_prompt_that_it_cannot_do_gets_a_kind_answer():
    reply = answer([{"role": "user", "content": "Write me a poem"}])
    assert "practice model" in reply.content[0].text
    assert all(load(name).prompt.strip() in reply.content[0].text for name in names())


def test_without_tools_it_can_only_talk():
    reply = answer([{"role": "user", "content": load("hello").prompt}])
    assert "I have no tools here" in reply.content[0].text
    assert reply.stop_reason == "end_turn"


@pytest.mark.parametrize(
    "offered",
    [
        ["bash"],
        ["bash", "read_file", "write_file"],
        ["read_file", "write_file", "bash", "edit_file"],
    ],
)
def test_it_works_with_the_tools_that_it_is_given(offered):
    workspace = sample("hello")
    before = workspace.bash("python hello.py")
    tools = [tool for tool in workspace.tools() if tool.name in offered]
    run(
        PracticeModel().client(),
        [{"role": "user", "content": load("hello").prompt}],
        tools,
        model="practice",
        max_tokens=8000,
    )
    assert all(step.is_done(workspace.root) for step in load("hello").steps)
    assert workspace.bash("python hello.py") == before


def todo_with(**fields):
    """A TodoManager class with more fields in its schema."""
    return type("More", (TodoManager,), {"fields": TodoManager.fields | fields})()


def test_it_fills_in_the_fields_that_the_todo_schema_has():
    todo = todo_with(priority={"type": "string", "enum": ["high", "medium", "low"]})
    trial = play("hello", todo=todo)
    assert {item["priority"] for item in trial.items} <= {"high", "medium", "low"}
    assert all(item["activeForm"] for item in trial.items)
    assert all("activeForm" not in item for item in play("hello", todo=plain()).items)


def plain():
    """A TodoManager class with the three fields that it must have."""
    return type(
        "Plain",
        (TodoManager,),
        {"fields": {k: v for k, v in TodoManager.fields.items() if k != "activeForm"}},
    )()


def test_it_knows_the_list_by_its_schema_whatever_the_tool_is_called():
    todo = TodoManager()
    tool = todo.tool()
    renamed = Tool("TodoWrite", tool.description, tool.input_schema, tool.run)
    reply = answer(
        [{"role": "user", "content": load("hello").prompt}],
        [*sample("hello").tools(), renamed],
    )
    assert len(asked(reply, "TodoWrite")["items"]) == len(load("hello").steps)


def schemas(part):
    """Schemas of a list's items, with a status, and with `part` where a schema has other parts."""
    keywords = dict.fromkeys(("type", "enum", "default", "items", "properties"), part)
    status = st.fixed_dictionaries({}, optional=keywords)
    fields = st.fixed_dictionaries({"status": status | part}, optional={"text": status | part})
    return st.fixed_dictionaries({"properties": fields | part}, optional={"required": part})


odd = st.none() | st.booleans() | st.integers() | st.sampled_from(["status", "text", "array"])
odd = st.recursive(odd, lambda part: st.lists(part, max_size=3) | schemas(part), max_leaves=6)


@given(schemas(odd) | odd, st.booleans())
def test_any_schema_of_a_todo_tool_is_answered_or_refused(items, refused):
    """It is a 400 where JSON Schema does not allow it, and never the practice model's failure."""
    schema = {"type": "object", "properties": {"items": {"type": "array", "items": items}}}
    messages = [{"role": "user", "content": load("hello").prompt}]

    def update(**input):
        if refused:
            raise ValueError("Item 1: invalid status 'pending'")
        return "ok"

    todo = Tool("todo", "The plan.", schema, update)
    with contextlib.suppress(anthropic.BadRequestError):
        run(PracticeModel().client(), messages, [todo], model="practice", max_tokens=100)


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
def test_any_calls_in_the_history_are_answered(name, history):
    messages = [{"role": "user", "content": load(name).prompt}]
    for n, calls in enumerate(history):
        ids = [f"toolu_{n}_{m}" for m in range(len(calls))]
        said = [
            {"type": "tool_use", "id": id, "name": tool, "input": input}
            for id, (tool, input, _, _) in zip(ids, calls, strict=True)
        ]
        heard = [
            {"type": "tool_result", "tool_use_id": id, "content": output, "is_error": not ok}
            for id, (_, _, output, ok) in zip(ids, calls, strict=True)
        ]
        messages += [{"role": "assistant", "content": said}, {"role": "user", "content": heard}]
    assert answer(messages, [*sample(name).tools(), TodoManager().tool()]).content


class Strict(TodoManager):
    """Refuses what `rule` says, once the message says so."""

    def __init__(self, rule):
        super().__init__()
        self.rule, self.refused = rule, 0

    def update(self, items):
        problem = self.rule(items)
        if problem:
            self.refused += 1
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
def test_a_refused_list_is_corrected_and_sent_again(rule, eager):
    trial = Trial("hello", todo=Strict(rule), eager=eager)
    refusals = [call for step in trial for call in step.calls if not call.ok]
    assert refusals
    assert trial.items
    assert {call.name for call in refusals} == {"todo"}
    assert trial.rounds[-1].stop_reason == "end_turn"


def test_a_todo_tool_that_refuses_everything_does_not_stop_the_work():
    trial = play("hello", todo=Strict(lambda items: "Not today"), window=20)
    assert all(trial.done)


def test_it_follows_a_list_that_somebody_else_wrote():
    """The model does what its list in view says: here the teacher has put it back to two steps."""
    trial, steps = Trial("hello"), load("hello").steps
    next(iter(trial))
    items = [
        {"id": "1", "text": steps[2].text, "status": "in_progress"},
        {"id": "2", "text": "Buy milk", "status": "pending"},
    ]
    trial.messages[1]["content"][-1]["input"] = {"items": items}
    final = list(trial)[-1].text
    assert [done for done, step in zip(trial.done, steps, strict=True) if step is steps[2]] == [
        True
    ]
    assert trial.done[0] is False
    assert "Buy milk" in final


def test_a_failed_edit_is_looked_into_and_what_cannot_be_done_is_said():
    trial = Trial("hello")
    trial.workspace.write_file("hello.py", 'print("short")\n')
    final = list(trial)[-1].text
    assert "I could not do this" in final
    assert "Add type hints" in final
    assert all(item["status"] != "completed" for item in trial.items[:1])


@pytest.mark.parametrize("place", ["in the last result", "after the results", "system turn"])
def test_it_reads_a_reminder_wherever_the_api_takes_one(place):
    trial = Trial("hello", after=None)
    played = iter(trial)
    next(played), next(played)
    messages = copy.deepcopy(trial.messages)
    result, words = messages[-1]["content"][-1], "Please look at your list."
    if place == "in the last result":
        result["content"] = [{"type": "text", "text": t} for t in (result["content"], words)]
    elif place == "after the results":
        messages[-1]["content"].append({"type": "text", "text": words})
    else:
        messages.append({"role": "system", "content": words})
    model = "claude-opus-4-8" if place == "system turn" else "practice"
    tools = [*trial.workspace.tools(), trial.todo.tool()]
    reply = trial.model.client().messages.create(
        model=model, max_tokens=8000, messages=messages, tools=[t.spec for t in tools]
    )
    assert asked(reply, "todo")


def test_an_eager_mind_starts_everything_and_the_rule_holds_it_to_one():
    class Free(TodoManager):
        one_in_progress = False

    def finished(todo, budget=16):
        trial = Trial(TEN, eager=True, todo=todo)
        for step in trial:
            if step.number == budget:
                break
        return trial.steps_done

    assert finished(TodoManager()) >= 4
    assert finished(Free()) == 0


def test_a_nag_that_never_stops_does_not_keep_it_from_working():
    todo, workspace = TodoManager(), sample("hello")

    class Pest(Nag):
        def __call__(self, calls):
            return self.reminder()

    played = run(
        PracticeModel().client(),
        [{"role": "user", "content": load("hello").prompt}],
        [*workspace.tools(), todo.tool()],
        remind=Pest(todo),
        model="practice",
        max_tokens=8000,
    )
    assert all(step.is_done(workspace.root) for step in load("hello").steps)
    assert len(played) < 30


@pytest.mark.parametrize("window", [3, 0, -1, 2.5, "12", None])
def test_an_attention_that_is_too_short_to_see_anything_is_refused(window):
    with pytest.raises(ValueError, match="window must be 4 messages or more"):
        PracticePolicy(window)


@pytest.mark.parametrize(
    "offered", [["read_file"], ["write_file"], ["edit_file"], [], ["read_file", "edit_file"]]
)
def test_with_tools_that_will_not_do_it_says_what_is_left(offered):
    workspace, todo = sample("hello"), TodoManager()
    tools = [tool for tool in workspace.tools() if tool.name in offered] + [todo.tool()]
    played = run(
        PracticeModel().client(),
        [{"role": "user", "content": load("hello").prompt}],
        tools,
        remind=Nag(todo),
        model="practice",
        max_tokens=8000,
    )
    assert len(played) < 20
    assert "I could not do this" in played[-1].text
    called = {call.name for step in played for call in step.calls}
    assert called <= {*offered, "todo"}


@pytest.mark.parametrize("name", ["hello", "auth", "ten_steps"])
@pytest.mark.parametrize("plan", [True, False])
def test_a_job_that_is_done_already_is_seen_to_be_done(name, plan):
    first = play(name)
    again = Trial(name, plan=plan, window=12 if plan else 60)
    again.workspace = first.workspace
    assert list(again)[-1].text == load(name).closing
    assert all(again.done)


@pytest.mark.parametrize("name", ["package", "style", "ten_steps"])
def test_in_the_project_of_another_job_it_stops_and_says_so(name):
    trial = Trial(name)
    trial.workspace = sample("hello")
    final = list(trial)[-1].text
    assert "Two calls in a row have failed" in final or "I could not do this" in final
    assert len(trial.rounds) < 20


@pytest.mark.parametrize("more", [{}, {"status": " PENDING "}])
def test_it_reads_any_list_that_the_manager_accepts(more):
    trial = Trial("hello")
    next(iter(trial))
    trial.messages[1]["content"][-1]["input"] = {"items": [{"text": "Buy milk"} | more]}
    assert "Buy milk" in list(trial)[-1].text


def test_a_reminder_that_was_put_into_the_results_own_text_is_read():
    trial = Trial(TEN, after=None)
    for step in trial:
        results = trial.messages[-1]["content"]
        if step.number % 3 == 0 and step.calls:
            results[-1]["content"] += "\n<reminder>Update your todos.</reminder>"
    assert all(trial.done)


def test_a_list_with_statuses_of_its_own_is_declined_in_words():
    todo = todo_with(status={"type": "string", "enum": ["pending", "in_progress", "done"]})
    final = play("hello", todo=todo).rounds[-1].text
    assert "I know the statuses pending, in_progress, completed" in final


@pytest.mark.parametrize(
    "type, given", [("boolean", False), ("array", []), ("integer", 0), ("string", "Add type hints")]
)
def test_a_required_field_that_it_does_not_know_is_filled_with_something_valid(type, given):
    class Odd(TodoManager):
        fields = TodoManager.fields | {"odd": {"type": type}}
        required = (*TodoManager.required, "odd")

    trial = play("hello", todo=Odd())
    assert all(trial.done)
    assert trial.items[0]["odd"] == given


def test_its_limit_of_messages_is_for_one_job_not_for_a_conversation():
    messages = []
    for name in names():
        workspace, todo = sample(name), TodoManager()
        messages.append({"role": "user", "content": load(name).prompt})
        played = run(
            PracticeModel().client(),
            messages,
            [*workspace.tools(), todo.tool()],
            remind=Nag(todo, 1),
            model="practice",
            max_tokens=8000,
        )
        assert played[-1].text == load(name).closing
    assert len(messages) > 200


@pytest.mark.parametrize(
    "prompt",
    [
        "Add tests to hello.py please",
        "What is 2+2? And can you add tests to hello.py?",
        "Explain hello.py",
        "Do not refactor hello.py",
        "Refactor hello.py and write a poem about it",
        "Refactor hello.py and add tests",
        "Rename the auth module, add tests, update the docs.",
        "Go on.",
    ],
)
def test_another_job_is_not_taken_for_one_that_it_knows(prompt):
    assert "This is what I can do" in answer([{"role": "user", "content": prompt}]).content[0].text


@pytest.mark.parametrize("name", names())
def test_a_job_is_known_in_a_few_more_words_too(name):
    prompt = f"Hello! Please do this for me:\n{load(name).prompt.strip()}\nThank you."
    assert "I have no tools here" in answer([{"role": "user", "content": prompt}]).content[0].text


SHORT = {
    "Please refactor hello.py.": "1. Add type hints",
    "Refactor hello.py, but don't change what it prints. Run it in the end.": "1. Add type hints",
    "refactor auth, add tests, update docs": "auth",
    "Analyze the structure of this project with a todo list": "1.",
    "Refactor the shop in ten steps and make it easy to read": "Rename the cryptic names",
}


@pytest.mark.parametrize("prompt", SHORT)
def test_a_job_may_be_named_in_other_words(prompt):
    reply = answer([{"role": "user", "content": prompt}]).content[0].text
    assert "I have no tools here" in reply and SHORT[prompt] in reply


@pytest.mark.parametrize("window", [4, 8, 12, 20, 34])
@pytest.mark.parametrize("more", [{"plan": False}, {"after": None}, {"after": 8}])
def test_it_never_edits_a_text_that_it_cannot_have_seen(window, more):
    trial = play(TEN, window=window, **more)
    assert all(call.ok for step in trial.rounds for call in step.calls)


def test_without_a_way_to_read_a_file_it_edits_none():
    workspace = sample("hello")
    tools = [tool for tool in workspace.tools() if tool.name == "edit_file"]
    prompt = {"role": "user", "content": load("hello").prompt}
    played = run(PracticeModel().client(), [prompt], tools, model="practice", max_tokens=8000)
    assert [call for step in played for call in step.calls] == []


FINISHED = {1: 44, 2: 34, 3: 30, 4: 29, 5: 28}


def test_the_curve_of_the_plain_reminder_is_as_the_lesson_tells_it(measured):
    finished = [trial for trial in measured if trial.steps_done == STEPS]
    assert {trial.after: len(trial.rounds) for trial in finished} == FINISHED


CROSSOVER = {8: 2, 12: 3, 20: 6, 30: 9, 34: 10, 48: 10}


@pytest.mark.parametrize("window", CROSSOVER)
def test_without_a_list_a_longer_attention_does_more_until_it_needs_none(window):
    assert play(TEN, plan=False, window=window).steps_done == CROSSOVER[window]


ODD_BLOCKS = [
    {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}, "text": 7},
    {"type": "text", "text": "Update your todos."},
    {"type": "tool_reference", "tool_name": "todo"},
]


@pytest.mark.parametrize("blocks", [ODD_BLOCKS, ODD_BLOCKS[::-1], []])
def test_results_of_any_kind_are_read(blocks):
    trial = Trial("hello", after=None)
    for step in trial:
        if step.number == 3:
            break
    trial.messages[-1]["content"][-1]["content"] = blocks
    assert list(trial)[-1].stop_reason == "end_turn"


def test_tools_that_the_api_runs_itself_are_passed_over():
    request = {
        "model": "practice",
        "max_tokens": 8000,
        "messages": [{"role": "user", "content": "Search the web with my tool"}],
        "tools": [{"type": "web_search_20250305", "name": "web_search"}],
    }
    reply = PracticeModel().client().messages.create(**request)
    assert "I see no tool of yours" in reply.content[0].text
