"""docs/teach.md: each likely mistake is reported under the rule that its row names."""

from importlib import import_module
from pathlib import Path

import pytest
from exercises.attempts import loop
from exercises.cells import define, slip

from lesson.exercises.catalogue import EXERCISES

LOOK = "        left = missing(workspace)\n"
MISSING = "        if missing:"
IN_UPDATE = """
    def update(self, items):
        self.items = [self.check(item, n) for n, item in enumerate(items, 1)]
        self.check_list(self.items)
        return self.render()
"""
# The rows of the table, in order: the exercise, the rule, and the changes of a right solution.
ROWS = [
    ("loop", "arguments", loop.COPIED),
    ("loop", "asks_for_a_tool", ("if not uses", "if reply.content[0].type == 'text'")),
    ("loop", "stops", ("if not uses", "if reply.stop_reason != 'tool_use'")),
    ("loop", "ids", ('"tool_use_id": use.id', '"tool_use_id": use.name')),
    ("loop", "ids", ('"tool_use_id": use.id, ', "")),
    ("tool", "outside", ("workspace.read_file(path)", "(workspace.root / path).read_text()")),
    (
        "rules",
        "unchanged",
        ("seen = [], set()\n", "seen = [], set()\n        self.items = clean\n"),
    ),
    ("facts", "counts", ("+= 1", "+= len(calls)")),
    ("facts", "stays_due", (">=", "==")),
    (
        "facts",
        "stays_due",
        ('            return "', '            self.rounds = 0\n            return "'),
    ),
    (
        "reminder",
        "shows_the_list",
        ("self.todo = todo", "self.todo, self.text = todo, todo.render()"),
        ("{self.todo.render()}", "{self.text}"),
    ),
    ("ask_the_list", "names_them", ("'; '.join(left)", "len(left)")),
    ("ask_the_list", "ten_times", (" or asked == 10", "")),
    ("ask_the_list", "ten_times", ("    while True:\n", "    while True:\n        asked = 0\n")),
    ("ask_the_files", "silent", (LOOK, ""), ("    asked = 0\n", f"    asked = 0\n{LOOK[4:]}")),
    ("kept", "shrunk", (MISSING, f"{MISSING[:-1]} and len(items) < len(self.items):")),
    ("priority", "same_as_todomanager", ("    fields = ", f"{IN_UPDATE}\n    fields = ")),
    (
        "nag",
        "nothing_pending",
        ("        if not pending:\n            return super().reminder()\n", ""),
    ),
    ("timed", "zero", ("self.first is None:", "not self.first:")),
    ("agent", "two_calls", ("for use in uses:", "for use in uses[-1:]:")),
    (
        "agent",
        "shows_the_list",
        ("plan[:] = items\n        return show(plan)", "plan = items\n        return show(plan)"),
    ),
    ("agent", "goes_on", ('if block.type != "text" or block.text', "")),
]
TABLE = (Path(__file__).parents[2] / "docs/teach.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name, rule, changes", [(name, rule, rest) for name, rule, *rest in ROWS])
def test_likely_mistake_is_reported_under_the_rule_of_its_row(name, rule, changes):
    exercise = next(one for one in EXERCISES if one.name == name)
    made, *rest = changes
    source = import_module(f"exercises.attempts.{name}").PLAIN
    source = made if isinstance(made, str) else slip(source, made, *rest)
    assert exercise.check(define(source, exercise.subject)).missed == rule


def test_rows_of_the_table_are_these_rules():
    rules = {(one.name, rule.name): rule.title for one in EXERCISES for rule in one.rules}
    wanted = dict.fromkeys(rules[name, rule] for name, rule, *_ in ROWS)
    table = TABLE.partition("| exercise | rule |")[2].partition("\n\n")[0]
    assert [row.split(" | ")[1] for row in table.splitlines()[2:]] == list(wanted)
