"""TodoManager: every rule, each error message, and that a rejected update changes nothing."""

import json
import re
from copy import deepcopy

import pytest
from support.blocks import use
from support.loop import PROMPT, SETTINGS, scripted
from support.play_loop import run

from agentlib import TodoManager, Workspace, call_tool, list_tool

PLAN = [
    {"id": "1", "text": "Read the code", "status": "completed"},
    {"id": "2", "text": "Add tests", "status": "in_progress", "activeForm": "Adding tests..."},
    {"id": "3", "text": "Write docs", "status": "pending", "activeForm": "Writing docs"},
]
STATUS = "{}: invalid status '{}': must be one of ['pending', 'in_progress', 'completed']"
RENDERED = """\
[x] #1: Read the code
[>] #2: Add tests  <- Adding tests…
[ ] #3: Write docs

(1/3 completed)"""


def task(text="Add tests", **fields):
    return {"text": text, **fields}


@pytest.mark.parametrize(
    "sent", [PLAN, json.dumps(PLAN), str(PLAN)], ids=["list", "JSON", "literal"]
)
def test_update_replaces_the_whole_list_and_returns_the_rendered_one(sent):
    todo = TodoManager()
    assert todo.update(sent) == RENDERED == todo.render()
    assert todo.items == PLAN
    assert todo.update([]) == "No todos."
    assert todo.items == []


@pytest.mark.parametrize(
    "field, sent, stored",
    [
        ("status", " In_Progress ", "in_progress"),
        ("status", None, "pending"),
        ("text", " Add \ud83d\n", "Add ?"),
        ("id", 7, "7"),
        ("id", None, "1"),
    ],
)
def test_field_is_normalized(field, sent, stored):
    todo = TodoManager()
    todo.update([task() | {field: sent}])
    assert todo.items[0][field] == stored


def test_missing_id_is_the_position_which_must_be_free():
    todo = TodoManager()
    todo.update([task("a"), task("b", id=7), task("c")])
    assert [item["id"] for item in todo.items] == ["1", "7", "3"]
    with pytest.raises(ValueError, match="Item 2: another item has the same id"):
        todo.update([task("a", id=2), task("b")])


@pytest.mark.parametrize(
    "items, message",
    [
        ([task(f"Step {n}") for n in range(21)], "Max 20 todos allowed"),
        ([task(), task("More", status="done")], STATUS.format("Item 2", "done")),
        (
            [task("a", status="in_progress"), task("b", status="in_progress")],
            "Only one task can be in_progress at a time",
        ),
        ([task(" ")], "Item 1: text required"),
        ([{"id": "1", "status": "done"}], "Item 1: text required"),
        ([task(["a"])], "Item 1: invalid text '['a']': must be string"),
        ([task("a", id="1"), task("b", id=1)], "Item 1: another item has the same id"),
        ([task("same"), task(" same ")], "Item 2: another item has the same text"),
        # The second é is an e and an accent, which look the same.
        ([task("caf\u00e9"), task("cafe\u0301")], "Item 2: another item has the same text"),
        ([task("x" * 10**7)], "Item 1: text has 10000000 characters, max 1000: shorten it"),
        (["Add tests"], "Item 1: must be an object with text and status"),
        ("[" * 100_000, f"items must be a list, not str: '{'[' * 59}"),
        ("1+" * 100_000 + "1", f"items must be a list, not str: '{'1+' * 29}1"),
        ("Add tests, then rest", "items must be a list, not str: 'Add tests, then rest'"),
        ("print('hi')", "items must be a list, not str: \"print('hi')\""),
        ('"3"', "items must be a list, not str: '\"3\"'"),
        ({"items": []}, "items must be a list, not dict: {'items': []}"),
        (None, "items must be a list, not NoneType: None"),
    ],
)
def test_rejected_update_names_the_rule_and_changes_nothing(items, message):
    todo = TodoManager()
    todo.update(PLAN)
    with pytest.raises(ValueError) as error:
        todo.update(items)
    assert str(error.value) == message
    assert todo.items == PLAN


def test_line_breaks_and_control_characters_cannot_fake_an_item():
    rendered = TodoManager().update([task("One\n[x] #2: \x1b[2JTwo")])
    assert rendered == "[ ] #1: One [x] #2: \ufffd[2JTwo\n\n(0/1 completed)"


class Estimated(TodoManager):
    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": ["high", "medium", "low"], "default": "medium"},
        "hours": {"type": "number"},
    }


def test_field_of_a_subclass_is_in_the_tool_definition_checked_and_shown():
    todo = Estimated()
    items = todo.tool().input_schema["properties"]["items"]["items"]
    assert items["properties"]["priority"]["enum"] == ["high", "medium", "low"]

    rendered = todo.update([task(priority="HIGH", hours=2), task("Write docs")])
    assert rendered.splitlines()[:2] == [
        "[ ] #1: Add tests (priority: high, hours: 2)",
        "[ ] #2: Write docs (priority: medium)",
    ]
    for wrong, message in [
        ({"priority": "urgent"}, "Item 1: invalid priority 'urgent': must be one of .*'medium'"),
        ({"hours": "x" * 99}, f"Item 1: invalid hours '{'x' * 60}': must be number"),
    ]:
        with pytest.raises(ValueError, match=message):
            todo.update([task(**wrong)])


class Longer(TodoManager):
    fields = TodoManager.fields | {"priority": {"enum": ["high", "low"]}}


@pytest.mark.parametrize("kind", [TodoManager, Longer, type("Longest", (Longer,), {})])
def test_list_that_changes_its_fields_changes_those_of_no_other_list(kind):
    before = deepcopy(dict(kind.fields))
    todo = kind()
    todo.fields["priority"] = {"type": "integer"}
    todo.fields["status"]["enum"].append("blocked")
    assert todo.update([task(priority=1, status="blocked")])
    assert dict(kind.fields) == before == kind().fields
    assert json.loads(json.dumps(kind().tool().input_schema))
    with pytest.raises(TypeError):
        TodoManager.fields["priority"] = {}


@pytest.mark.parametrize(
    "schema, good, bad, rule",
    [
        ({"type": "string"}, ["a"], [["a"], {}, True], "must be string"),
        ({"type": "integer"}, [1, 2.0], [1.5, True, "1"], "must be integer"),
        ({"type": "number"}, [1, 1.5], [True, "1"], "must be number"),
        ({"type": "boolean"}, [True], [1, "true"], "must be boolean"),
        ({"type": "array"}, [[1]], ["1", {"a": 1}], "must be array"),
        ({"type": "object"}, [{"a": 1}], [[1]], "must be object"),
        ({"type": ["string", "integer"]}, [1, "a"], [1.5, [1]], "must be string or integer"),
        ({"enum": [1, 2]}, [1, "2"], [3], "must be one of [1, 2]"),
        ({}, [1, "a", [1]], [], ""),
        ({"type": "text", "maximum": 1}, [5], [], ""),  # only the API reads `maximum`
    ],
)
def test_type_and_enum_of_a_field_are_checked(schema, good, bad, rule):
    todo = type("Own", (TodoManager,), {"fields": TodoManager.fields | {"extra": schema}})()
    for value in good:
        todo.update([task(extra=value)])
    for value in bad:
        with pytest.raises(ValueError, match=re.escape(f"invalid extra '{value}': {rule}")):
            todo.update([task(extra=value)])


@pytest.mark.parametrize("problem", [KeyError, SystemExit, KeyboardInterrupt])
def test_whatever_ends_the_rendering_changes_nothing(problem):
    class Fails(TodoManager):
        fails = False

        def render(self):
            if self.fails:
                raise problem
            return super().render()

    todo = Fails()
    todo.update(PLAN)
    todo.fails = True
    with pytest.raises(problem):
        todo.update([task("Write docs")])
    todo.fails = False
    assert todo.items == PLAN and todo.render() == RENDERED


def answer(todo, items):
    """Return what the model reads after this call of the tool."""
    return call_tool({"todo": list_tool(todo)}, "todo", {"items": items}).output


def test_tool_says_how_many_unfinished_tasks_are_gone_and_update_does_not():
    todo = TodoManager()
    assert answer(todo, PLAN) == RENDERED
    output = answer(todo, [task("Add tests", status="completed")])
    assert output == (
        "[x] #1: Add tests\n\n(1/1 completed)\n\nCompared with the last list, unfinished tasks "
        "that are missing: 1. If this was not meant, send the whole list again."
    )
    assert output.startswith(todo.render()) and "unfinished" not in todo.render()
    # A completed task may be left out, and a rejected list is not compared with.
    todo.update(PLAN)
    assert "Error: " in answer(todo, [task(status="done")])
    assert "unfinished" not in answer(todo, PLAN[1:])
    assert answer(todo, []).endswith(
        "are missing: 2. If this was not meant, send the whole list again."
    )
    assert todo.update(PLAN) == RENDERED


def test_tool_says_how_many_tasks_are_no_longer_completed():
    """Each of three calls in one reply ticks another task, and the last call wins."""
    todo, names = TodoManager(), ["Read", "Fix", "Test"]
    answer(todo, [task(name) for name in names])
    for ticked in names:
        output = answer(
            todo, [task(n, status="completed" if n == ticked else "pending") for n in names]
        )
    assert "(1/3 completed)\n\nCompared with the last list, no longer completed: 1. If" in output


@pytest.mark.parametrize("field", [{"done": True}, {"state": "completed", "tags": []}])
@pytest.mark.parametrize("more", [{}, {"status": "completed", "children": [{"text": "b"}]}])
def test_a_tick_or_a_list_under_another_name_is_rejected_with_the_fields(field, more):
    todo = TodoManager()
    names = ", ".join(f"'{name}'" for name in field | more if name != "status")
    with pytest.raises(ValueError, match=f"^Item 1: unknown field {names}, only id, text, status"):
        todo.update([{"text": "a"} | field | more])
    output = answer(todo, [{"text": "a", "status": "completed"} | field])  # so no task is missing
    assert todo.items[0]["status"] == "completed" and output.endswith("(1/1 completed)")


def test_second_list_in_one_reply_says_what_of_the_first_is_gone():
    todo, messages = TodoManager(), [PROMPT]
    lists = [use("todo", items=PLAN), use("todo", items=[task("Write docs")])]
    played = run(scripted(lists).client(), messages, [list_tool(todo)], **SETTINGS)
    first, second = played[0].calls
    assert first.output == RENDERED
    assert "that are missing: 1." in second.output and second.ok


def test_subclass_that_stores_odd_items_is_not_disturbed():
    class Odd(TodoManager):
        def update(self, items):
            self.items = list(items)
            return f"{len(items)} stored"

    todo = Odd()
    assert answer(todo, ["a", {"text": "b"}, {}]) == "3 stored"
    assert answer(todo, [5]).startswith("1 stored\n\nCompared with")


def test_helpers_of_a_subclass_may_have_any_name_that_is_no_extension_point():
    names = [name for name in vars(TodoManager) if not name.startswith("_")]
    assert names == [
        *("name", "fields", "one_in_progress", "update", "check_list", "render", "line", "tool")
    ]

    class Helped(TodoManager):
        fields = TodoManager.fields | {"priority": {"type": "string", "default": "medium"}}

        def update(self, items):
            self.check(items)
            return super().update(items) + self.answer(self.required())

        def check(self, items):
            assert items

        def required(self):
            return ["text"]

        def answer(self, words):
            return f" {words}"

    assert answer(Helped(), [task()]).endswith("(0/1 completed) ['text']")


def test_default_of_a_field_is_not_shared_by_two_items():
    class Tagged(TodoManager):
        fields = TodoManager.fields | {"tags": {"type": "array", "default": []}}

    todo = Tagged()
    todo.update([task("a"), task("b")])
    todo.items[0]["tags"].append("new")
    assert todo.items[1]["tags"] == [] == Tagged.fields["tags"]["default"]


def test_list_without_a_field_that_each_item_needs_says_so():
    class Content(TodoManager):
        fields = {"id": {"type": "string"}, "content": {"type": "string"}, "status": {}}

    class Own(TodoManager):
        fields = TodoManager.fields | {"status": {"type": "string", "enum": ["todo", "done"]}}

    assert "content" in str(Content().tool().input_schema)
    with pytest.raises(ValueError, match="Item 1: text required"):
        Content().update([{"content": "Add tests", "status": "pending"}])
    with pytest.raises(ValueError, match="Item a: status required"):
        Own().update([task(id="a")])


def test_schema_has_no_example_that_a_model_could_take_for_a_task():
    assert not re.search(r"'\w+ \w+'|test", json.dumps(TodoManager().tool().spec))


def test_no_schema_has_a_limit_with_which_a_strict_server_rejects_each_request(tmp_path):
    """Azure and OpenCode Go do: https://github.com/maximhq/bifrost/issues/4691."""
    tools = [TodoManager().tool(), *Workspace(tmp_path).tools()]
    schemas = json.dumps([one.input_schema for one in tools])
    assert not re.search(r'"(?:min|max|exclusive|multiple)\w*":', schemas, re.IGNORECASE)
    assert "at most 20 tasks" in tools[0].description
