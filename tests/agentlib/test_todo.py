"""TodoManager: each rule, each error message, and that a rejected list changes nothing.

The exercises try it as well: it is the solution of E2 and E3. test_list_tool.py tries its edge.
"""

import json
import re

import pytest

from agentlib import TodoManager, Workspace, call_tool, list_tool
from agentlib.defaults import MAX_ITEMS

PLAN = [
    {"id": "1", "text": "Read the code", "status": "completed"},
    {"id": "2", "text": "Add tests", "status": "in_progress", "activeForm": "Adding tests..."},
    {"id": "3", "text": "Write docs", "status": "pending", "activeForm": "Writing docs"},
]
RENDERED = """\
[x] #1: Read the code
[>] #2: Add tests  <- Adding tests…
[ ] #3: Write docs

(1/3 completed)"""


def task(text="Add tests", **fields):
    return {"text": text, **fields}


def test_update_replaces_the_whole_list_and_returns_the_rendered_one():
    todo = TodoManager()
    assert todo.update(PLAN) == RENDERED == todo.render()
    assert todo.items == PLAN
    assert todo.update([]) == "No todos."
    assert todo.items == []


@pytest.mark.parametrize(
    "items, message",
    [
        ([task(f"Step {n}") for n in range(MAX_ITEMS + 1)], "at most 20 items are allowed, and"),
        ([task(), task("More", status="done")], "the status 'done' must be one of pending, in_pro"),
        ([task(text, status="in_progress") for text in "ab"], "only one item can be in_progress"),
        ([task(" ")], "each item must be a dict with a text that is not empty"),
        (["Add tests"], "each item must be a dict with a text that is not empty"),
        ([task("same"), task(" same ")], "no two items may have the same text"),
        # The second é is an e and an accent, which look the same.
        ([task("caf\u00e9"), task("cafe\u0301")], "no two items may have the same text"),
        ("[" * 100_000, "items must be a list"),
        ("1+" * 100_000 + "1", "items must be a list"),
        ("Add tests, then rest", "items must be a list"),
        ("print('hi')", "items must be a list"),
        ({"items": []}, "items must be a list"),
        (None, "items must be a list"),
    ],
    ids=range(13),
)
def test_rejected_list_names_the_rule_and_changes_nothing(items, message):
    todo = TodoManager()
    answer(todo, PLAN)
    assert answer(todo, items).startswith(f"Error: {message}")
    assert todo.items == PLAN


def answer(todo, items):
    """Return what the model reads after this call of the tool."""
    return call_tool({"todo": list_tool(todo)}, "todo", {"items": items}).output


class Longer(TodoManager):
    fields = TodoManager.fields | {"priority": {"enum": ["high", "low"]}}


@pytest.mark.parametrize("kind", [TodoManager, Longer, type("Longest", (Longer,), {})])
def test_list_that_changes_its_fields_changes_those_of_no_other_list(kind):
    before = json.dumps(dict(kind.fields))
    todo = kind()
    todo.fields["priority"] = {"type": "integer"}
    todo.fields["status"]["enum"].append("blocked")
    assert todo.update([task(priority=1, status="blocked")])
    assert json.dumps(dict(kind.fields)) == before == json.dumps(kind().fields)
    with pytest.raises(TypeError):
        TodoManager.fields["priority"] = {}


def test_field_of_a_subclass_is_in_the_tool_definition_and_shown():
    todo = Longer()
    items = todo.tool().input_schema["properties"]["items"]["items"]
    assert items["properties"]["priority"]["enum"] == ["high", "low"]
    shown = answer(todo, [task(priority="HIGH"), task("Write docs")])
    assert shown.splitlines()[:2] == ["[ ] Add tests (priority: high)", "[ ] Write docs"]


def test_subclass_that_stores_odd_items_is_not_disturbed():
    class Odd(TodoManager):
        def update(self, items):
            self.items = list(items)
            return f"{len(items)} stored"

    todo = Odd()
    assert answer(todo, ["a", {"text": "b"}, {}]) == "3 stored"
    assert answer(todo, [5]).startswith("1 stored\n\nCompared with")


def test_schema_has_no_example_that_a_model_could_take_for_a_task():
    assert not re.search(r"'\w+ \w+'|test", json.dumps(TodoManager().tool().spec))


def test_no_schema_has_a_limit_with_which_a_strict_server_rejects_each_request(tmp_path):
    """Azure and OpenCode Go do: https://github.com/maximhq/bifrost/issues/4691."""
    tools = [TodoManager().tool(), *Workspace(tmp_path).tools()]
    schemas = json.dumps([one.input_schema for one in tools])
    assert not re.search(r'"(?:min|max|exclusive|multiple)\w*":', schemas, re.IGNORECASE)
    assert f"at most {MAX_ITEMS} tasks" in tools[0].description
