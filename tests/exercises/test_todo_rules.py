"""The eight rules of a todo list, one at a time."""

import pytest
from exercises.cells import all_sources, define, first_miss, run, slip

from lesson.exercises import check_rules
from lesson.exercises.todo_rules import RULES

PLAIN = """
MARKS = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}

class MyTodo:
    def __init__(self):
        self.items = []

    def update(self, items):
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        if len(items) > 20:
            raise ValueError("at most 20 items")
        clean, seen = [], set()
        for item in items:
            text = str(item.get("text") or "").strip()
            if not text:
                raise ValueError("an item needs a text")
            status = item.get("status", "pending")
            if status not in MARKS:
                raise ValueError(f"unknown status {status!r}")
            for key in ({("id", item["id"])} if "id" in item else set()) | {("text", text)}:
                if key in seen:
                    raise ValueError(f"two items have the same {key[0]}")
                seen.add(key)
            clean.append({**item, "text": text, "status": status})
        if sum(item["status"] == "in_progress" for item in clean) > 1:
            raise ValueError("only one task can be in_progress at a time")
        self.items = clean
        return self.render()

    def render(self):
        return "\\n".join(f"{MARKS[item['status']]} {item['text']}" for item in self.items)
"""
GROWN = """
class MyTodo:
    def __init__(self):
        self.items = []

    def update(self, items):
        self.items = items
        return "\\n".join(f"{item.get('status')} {item['text']}" for item in items)

class MyTodo(MyTodo):
    def update(self, items):
        if not isinstance(items, list):
            raise ValueError("items must be a list")
        return super().update(items)
"""
RIGHT = {
    "in one method": PLAIN,
    "TodoManager by another name": "class MyTodo(TodoManager):\n    def render(self):\n"
    "        return super().render()\n",
    "an empty status is pending": slip(
        PLAIN, ('item.get("status", "pending")', 'item.get("status") or "pending"')
    ),
    "twins by another word": slip(PLAIN, ('f"two items have the same {key[0]}"', '"duplicates"')),
    "marks in words": slip(PLAIN, ("{MARKS[item['status']]}", "({item['status']})")),
    "numbered": slip(PLAIN, ('f"{MARKS', 'f"#{self.items.index(item) + 1} {MARKS')),
    "no id kept": slip(PLAIN, ("{**item, ", "{")),
}


def todo(source):
    return define(source, "MyTodo")


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_a_right_list_passes(source):
    result = check_rules(todo(source))
    assert result.ok, result


@pytest.mark.parametrize(
    "rule, changes",
    [
        ("rendered", [("return self.render()", "self.render()")]),
        ("rendered", [("return self.render()", "return self.items")]),
        ("rendered", [("self.items = clean", "self.items += clean")]),
        ("rendered", [("{MARKS[item['status']]} ", "")]),
        ("rendered", [("        return self.render()", "        return 'ok'")]),
        ("rendered", [('"\\n".join', '", ".join')]),
        (
            "rendered",
            [
                ("def __init__(self):\n        self.items = []", "items = []"),
                ("self.items = clean", "self.items[:] = clean"),
            ],
        ),
        ("a_list", [("        if not isinstance(items, list):\n", "        if items is None:\n")]),
        ("a_list", [('ValueError("items must be a list")', 'TypeError("items must be a list")')]),
        ("a_list", [("items must be a list", "wrong")]),
        ("a_text", [(' or "").strip()', ' or "")')]),
        ("a_text", [('item.get("text") or ""', 'item["text"]')]),
        ("a_text", [('"text": text,', "")]),
        ("a_status", [('item.get("status", "pending")', 'item["status"]')]),
        ("a_status", [("if status not in MARKS:", 'if status == "done":')]),
        ("a_status", [('raise ValueError(f"unknown status {status!r}")', 'status = "pending"')]),
        (
            "a_list",
            [("if not isinstance(items, list):", "if not items or not isinstance(items, list):")],
        ),
        ("one_at_a_time", [("> 1:", "> 2:")]),
        ("rendered", [("> 1:", "!= 1:")]),
        ("rendered", [("> 1:", ">= 1:")]),
        ("at_most_twenty", [("> 20:", "> 21:")]),
        ("at_most_twenty", [("> 20:", ">= 20:")]),
        ("at_most_twenty", [("at most 20 items", "too many items")]),
        (
            "unchanged",
            [("clean, seen = [], set()", "clean, seen = [], set()\n        self.items = clean")],
        ),
        (
            "unchanged",
            [
                ("        self.items = clean\n", ""),
                ("        if sum(", "        self.items = clean\n        if sum("),
            ],
        ),
        (
            "unchanged",
            [("            if not text:", "            self.items = []\n            if not text:")],
        ),
        ("no_twins", [('| {("text", text)}', "")]),
        ("no_twins", [('({("id", item["id"])} if "id" in item else set()) | ', "")]),
        ("no_twins", [('("text", text)', '("text", item["text"])')]),
        (
            "rendered",
            [('{("id", item["id"])} if "id" in item else set()', '{("id", item.get("id"))}')],
        ),
        (
            "no_twins",
            [
                ("clean, seen = [], set()", "clean, seen = [], self.seen"),
                ("self.items = []", "self.items, self.seen = [], set()"),
            ],
        ),
    ],
)
def test_a_mistake_is_caught_by_its_own_rule_first(rule, changes):
    result = check_rules(todo(slip(PLAIN, *changes)))
    assert first_miss(result) == rule, result


@pytest.mark.parametrize("upto", range(1, 9))
def test_only_the_first_rules_are_tried(upto):
    result = check_rules(todo(PLAIN), upto)
    assert result.ok and len(result.states) == upto


def test_a_list_that_grows_is_as_far_as_it_is():
    made = todo(GROWN)
    assert check_rules(made, 1).ok and check_rules(made, 2).ok
    assert first_miss(check_rules(made, 3)) == "a_text"
    assert check_rules(made).held < 8


def test_nothing_yet_is_fine():
    assert not check_rules().begun
    assert not check_rules(todo("class MyTodo:\n    def update(self, items): ...\n"), 1).begun


def test_the_class_is_called_by_its_own_name():
    assert "is it called MyTodo, and" in str(check_rules(None, 1))
    assert "Write `class MyTodo…:`" in str(check_rules(todo(PLAIN)(), 3))


def test_what_is_shown_under_tried_runs_where_it_is_pasted():
    for source in all_sources(RULES):
        try:
            run(source, MyTodo=todo(PLAIN))
        except ValueError as refusal:
            assert str(refusal)
