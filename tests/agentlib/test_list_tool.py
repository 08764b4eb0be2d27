"""The tool of any list, also of a learner's: what a model sends is read kindly."""

import json

import pytest

from agentlib import RenderedList, TodoManager, call_tool, list_tool

PLAN = [
    {"id": "1", "text": "Add tests", "status": "completed"},
    {"id": "2", "text": "Fix the bug", "status": "in_progress"},
    {"id": "3", "text": "Write docs", "status": "pending"},
]
RENDERED = "[x] #1: Add tests\n[>] #2: Fix the bug\n[ ] #3: Write docs\n\n(1/3 completed)"


class Takes(RenderedList):
    """A list that checks nothing, and has no tool."""

    fields = dict(TodoManager.fields)

    def update(self, todos):
        self.items = [*todos]
        return self.render()


class Refuses(Takes):
    """A list with a rule of its own."""

    def update(self, todos):
        if any("!" in item["text"] for item in todos):
            raise ValueError("my own rule: no ! in a text")
        return super().update(todos)


LISTS = pytest.mark.parametrize("kind", [TodoManager, Takes])


def answer(todo, items):
    """Return what the model reads after this call of the tool."""
    return call_tool({"todo": list_tool(todo)}, "todo", {"items": items}).output


@LISTS
@pytest.mark.parametrize("sent", [PLAN, json.dumps(PLAN), str(PLAN)], ids=["list", "JSON", "text"])
def test_any_list_gets_a_list_however_a_model_sends_it(kind, sent):
    todo = kind()
    assert answer(todo, sent) == RENDERED == todo.render()
    assert todo.items == PLAN
    assert answer(kind(), []) == "No todos."


@LISTS
@pytest.mark.parametrize(
    "field, sent, stored",
    [
        ("status", " In_Progress ", "in_progress"),
        ("text", " Add \ud83d\n", "Add ?"),
        ("text", "cafe\u0301", "caf\u00e9"),
        ("id", 7, "7"),
    ],
    ids=["status", "text", "accent", "id"],
)
def test_any_list_gets_a_field_as_it_is_meant(kind, field, sent, stored):
    todo = kind()
    answer(todo, [{"text": "a", field: sent}])
    assert todo.items[0][field] == stored


@pytest.mark.parametrize("sent", ["Add tests, then rest", {"items": []}, None, '"3"'], ids=repr)
def test_what_is_no_list_reaches_the_learners_list_as_it_was_sent(sent):
    class Own(Takes):
        def update(self, todos):
            raise ValueError(f"got {todos!r}")

    assert answer(Own(), sent) == f"Error: got {sent!r}"


@pytest.mark.parametrize("sent", [{"status": "done"}, {"status": ""}, {"priority": None}], ids=str)
def test_the_edge_corrects_nothing_that_a_learners_rule_may_refuse(sent):
    class Own(Takes):
        fields = Takes.fields | {"priority": {"enum": ["high", "low"], "default": "low"}}

    todo = Own()
    answer(todo, [{"text": "a", **sent}])
    assert todo.items == [{"text": "a", **sent}]


REFUSED = [
    ({"text": "a", "done": True}, "item 2 has the unknown field 'done', only id, text, status"),
    ({"text": "a", "status": "completed", "children": [{}]}, "the unknown field 'children', only"),
    ({"text": "x" * 1001}, "item 2: text has 1001 characters, max 1000"),
]


@pytest.mark.parametrize("item, says", REFUSED, ids=["tick", "list", "long"])
def test_what_a_list_would_lose_is_refused_after_its_own_rule_and_changes_nothing(item, says):
    for todo in Takes(), Refuses():
        answer(todo, PLAN)
        output = answer(todo, [{"text": "b", "status": "completed"}, item])
        assert output.startswith("Error: agentlib refuses this list: ") and says in output
        assert todo.items == PLAN
    own = answer(todo, [{"text": "b!"}, item])
    assert own == "Error: my own rule: no ! in a text" and todo.items == PLAN


def test_a_list_that_cannot_be_copied_is_not_changed_by_what_is_refused():
    todo = Takes()
    todo.file = open(__file__, encoding="utf-8")  # noqa: SIM115
    with todo.file:
        assert "agentlib refuses this list" in answer(todo, [REFUSED[0][0]])
    assert todo.items == []


@LISTS
def test_a_field_that_says_little_more_is_taken(kind):
    todo = kind()
    assert "(1/1 completed)" in answer(
        todo, [{"text": "a", "status": "completed", "note": "soon", "tags": []}]
    )


@LISTS
def test_a_new_list_that_lacks_tasks_is_taken_and_the_model_reads_which(kind):
    todo = kind()
    assert answer(todo, PLAN) == RENDERED
    output = answer(todo, [PLAN[0]])
    assert output == (
        "[x] #1: Add tests\n\n(1/1 completed)\n\nCompared with the last list, unfinished tasks "
        f'that are missing: 2 ("{PLAN[1]["text"]}", "{PLAN[2]["text"]}"). If this was not meant, '
        "send the whole list again."
    )
    answer(todo, PLAN)
    assert "Compared" not in answer(todo, PLAN[1:])  # a completed task may be left out
    answer(todo, PLAN)
    again = [{**item, "status": "pending"} for item in PLAN]
    names = f'no longer completed: 1 ("{PLAN[0]["text"]}"). If'
    assert f"Compared with the last list, {names}" in answer(todo, again)


REWORDED = {
    "case, blanks and end signs": ([("1", "fix  IT"), ("2", "ship it.")], ""),
    "no ids, case": ([(None, "FIX it"), (None, "Ship it!")], ""),
    "another wording": ([("1", "Repair it"), ("2", "Ship it")], ""),
    "another order and wording": ([("2", "Ship it"), ("1", "Fix it now")], ""),
    "one is left out": ([("2", "Ship it")], '1 ("Fix it")'),
    "one is left out, and its id is another's": ([("1", "Ship it"), ("2", "Tell")], '1 ("Fix it")'),
    "one is replaced, without ids": ([(None, "Tell"), (None, "Ship it")], '1 ("Fix it")'),
}


@LISTS
@pytest.mark.parametrize("sent, missing", REWORDED.values(), ids=REWORDED)
def test_task_that_is_only_written_in_another_way_is_not_missing(kind, sent, missing):
    todo = kind()
    ids = [None, None] if sent[0][0] is None else ["1", "2"]
    answer(todo, make_items(zip(ids, ("Fix it", "Ship it"), strict=True)))
    output = answer(todo, make_items(sent))
    assert (f"that are missing: {missing}. If" if missing else "completed)") in output
    assert bool(missing) is ("Compared with" in output)


def make_items(pairs):
    return [{"text": text} | ({"id": number} if number else {}) for number, text in pairs]
