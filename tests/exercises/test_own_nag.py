"""A nag from its three facts."""

import pytest
from exercises.cells import all_sources, define, first_miss, run, slip

from lesson.exercises import check_nag_facts
from lesson.exercises.own_nag import RULES

PLAIN = """
class MyNag:
    def __init__(self, after=3):
        self.after = after
        self.rounds = 0

    def __call__(self, calls):
        if any(call.name == "todo" for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        if self.rounds >= self.after:
            return "<reminder>Update your todos.</reminder>"
"""
RIGHT = {
    "plain": PLAIN,
    "counts down": """
class MyNag:
    def __init__(self, after=3):
        self.after = self.left = after

    def __call__(self, calls):
        self.left = self.after if "todo" in {c.name for c in calls} else self.left - 1
        return "<reminder>Your todo list is old: update it.</reminder>" * (self.left <= 0) or None
""",
    "keeps all rounds": """
class MyNag:
    def __init__(self, after=3):
        self.after, self.history = after, []

    def __call__(self, calls):
        self.history.append([call.name for call in calls])
        last = self.history[-self.after:]
        if len(last) == self.after and not any("todo" in names for names in last):
            return "<reminder>Please update your todos now.</reminder>"
""",
}


def nag(source):
    return define(source, "MyNag")


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_a_right_nag_passes(source):
    result = check_nag_facts(nag(source))
    assert result.ok, result


@pytest.mark.parametrize(
    "rule, changes",
    [
        ("counts", [(">=", ">")]),
        ("counts", [("+= 1", "+= len(calls)")]),
        ("counts", [("after=3", "after=4")]),
        ("counts", [('return "', 'print("'), ('</reminder>"', '</reminder>")')]),
        (
            "counts",
            [
                ("        self.rounds = 0\n\n", "\n"),
                ("class MyNag:", "class MyNag:\n    rounds = 0"),
                ("self.rounds += 1", "MyNag.rounds += 1"),
                ("if self.rounds", "if MyNag.rounds"),
            ],
        ),
        (
            "back",
            [("            self.rounds = 0\n            return None", "            return None")],
        ),
        ("back", [("            return None\n", "")]),
        ("back", [('any(call.name == "todo" for call in calls)', "calls[0].name == 'todo'")]),
        ("back", [('any(call.name == "todo" for call in calls)', "calls[-1].name == 'todo'")]),
        ("back", [('== "todo" for', '== "todo" and call.ok for')]),
        ("stays_due", [(">=", "==")]),
        (
            "stays_due",
            [('            return "', '            self.rounds = 0\n            return "')],
        ),
        ("works", [("Update your todos.", "The sky is blue.")]),
        ("works", [("Update your todos.", "")]),
    ],
)
def test_a_mistake_is_caught_by_its_own_rule_first(rule, changes):
    result = check_nag_facts(nag(slip(PLAIN, *changes)))
    assert first_miss(result) == rule, result


def test_nothing_yet_is_fine():
    assert not check_nag_facts().begun
    bare = (
        "class MyNag:\n    def __init__(self, after=3): ...\n    def __call__(self, calls): ...\n"
    )
    assert not check_nag_facts(nag(bare)).begun


def test_what_is_shown_under_tried_runs_where_it_is_pasted():
    for source in all_sources(RULES):
        run(source, MyNag=nag(PLAIN))
