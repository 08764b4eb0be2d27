"""A list that may not shrink."""

import pytest
from exercises.cells import all_sources, define, first_miss, run, slip

from lesson.exercises import check_kept, compare_curves
from lesson.exercises.kept import RULES

PLAIN = """
class KeptTodo(TodoManager):
    def update(self, items):
        before = self.items
        rendered = super().update(items)
        ids = {item["id"] for item in self.items}
        texts = {item["text"] for item in self.items}
        lost = [
            item["text"]
            for item in before
            if item["status"] != "completed"
            and item["id"] not in ids
            and item["text"] not in texts
        ]
        if lost:
            self.items = before
            raise ValueError(f"not completed, and missing: {', '.join(lost)}")
        return rendered
"""
RIGHT = {
    "plain": PLAIN,
    "with a list to try first": """
class KeptTodo(TodoManager):
    def update(self, items):
        new = TodoManager()
        new.update(items)
        for old in self.items:
            kept = any(old["id"] == i["id"] or old["text"] == i["text"] for i in new.items)
            if old["status"] != "completed" and not kept:
                raise ValueError(f"{old['text']} must stay: it is not completed")
        return super().update(items)
""",
}


def kept(source):
    return define(source, "KeptTodo")


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_a_right_list_passes(source):
    result = check_kept(kept(source))
    assert result.ok, result


@pytest.mark.parametrize(
    "rule, changes",
    [
        ("first", [("return rendered", "pass")]),
        ("first", [('item["status"] != "completed"', "True")]),
        ("first", [("        if lost:", "        if lost or len(items) > 3:")]),
        ("shrunk", [("        if lost:", "        if False:")]),
        ("shrunk", [("', '.join(lost)", "len(lost)")]),
        ("shrunk", [('!= "completed"', '== "pending"')]),
        ("shrunk", [('!= "completed"', '== "in_progress"')]),
        ("shrunk", [("        if lost:", "        if len(self.items) < len(before) and lost:")]),
        ("shrunk", [("        if lost:", "        if lost and items:")]),
        ("shrunk", [("            raise ValueError(", "            return str(")]),
        ("shrunk", [("            raise ValueError(", "            raise KeyError(")]),
        ("same", [('            and item["id"] not in ids\n', "")]),
        ("same", [('            and item["text"] not in texts\n', "")]),
        ("first", [('and item["id"] not in ids\n            and', 'and item["id"] not in ids or')]),
        ("shrunk", [("in self.items}\n        texts", "in items}\n        texts")]),
        ("unchanged", [("            self.items = before\n", "")]),
        ("unchanged", [("            self.items = before\n", "            self.items = []\n")]),
    ],
)
def test_a_mistake_is_caught_by_its_own_rule_first(rule, changes):
    result = check_kept(kept(slip(PLAIN, *changes)))
    assert first_miss(result) == rule, result


def test_nothing_yet_is_fine():
    assert not check_kept().begun
    assert not check_kept(kept('class KeptTodo(TodoManager):\n    """To do."""\n')).begun


def test_what_it_changes_is_measured():
    lines = compare_curves(kept(PLAIN), [5, 6]).splitlines()
    assert len(lines) == 4
    assert "TodoManager" in lines[2] and "3 of 10 steps, and the list says 4 of 4" in lines[2]
    assert "KeptTodo" in lines[3] and "9 of 10 steps" in lines[3]


def test_what_is_shown_under_tried_runs_where_it_is_pasted():
    for source in all_sources(RULES):
        try:
            run(source, KeptTodo=kept(PLAIN))
        except ValueError as refusal:
            assert "missing" in str(refusal) or "invalid status" in str(refusal)
