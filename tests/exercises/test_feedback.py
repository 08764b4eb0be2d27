"""The feedback: text, saved data, and any result or exception of a learner's code."""

import re
import subprocess
import sys
import threading
import time
from dataclasses import replace
from html import escape

import pytest
from exercises.attempts import brief, facts, nag, priority, rules, timed
from exercises.cells import define, run, slip

from agentlib import TodoManager
from lesson import (
    check_brief,
    check_nag,
    check_nag_facts,
    check_priority,
    check_rules,
    check_timed,
    progress,
)
from lesson.exercises.catalogue import EXERCISES
from lesson.exercises.check_nag import NagLevelByLevel
from lesson.exercises.check_priority import EXERCISE, PriorityInCheck
from lesson.exercises.check_rules import RULES
from lesson.exercises.checking.check import check
from lesson.exercises.checking.result import prose

ByFields = define(priority.PLAIN, "PriorityTodo")
ByMin = define(nag.PLAIN, "PriorityNag")
LosesTheActiveForm = define(
    priority.PLAIN + "\n    def check(self, item, position):\n"
    "        clean = super().check(item, position)\n"
    "        return {name: clean[name] for name in ('id', 'text', 'status', 'priority')}\n",
    "PriorityTodo",
)


def trap(action):
    """Return a PriorityTodo whose update() calls `action`."""

    class PriorityTodo(ByFields):
        def update(self, items):
            return action()

    return PriorityTodo


def check_within(made, seconds):
    return check(replace(EXERCISE, seconds=seconds), {"PriorityTodo": made})


# A failure


def test_failure_names_rule_reason_test_expected_and_got():
    class PriorityTodo(TodoManager):
        fields = TodoManager.fields | {"priority": {"type": "string", "enum": ["high", "low"]}}

    result = check_priority(PriorityTodo)
    assert result.missed == "kept" and result.passed == result.states.count("yes") < result.total
    assert [label for label, _ in result.parts] == ["Why it matters", "Test", "Expected", "Got"]
    assert 'level = "medium"\ntodo = PriorityTodo()\n' in result.miss.tried
    assert result.miss.expected == "'medium'"
    assert result.miss.got == "ValueError: Item 1: invalid priority 'medium'"
    assert f"PriorityTodo: not yet. {result.passed} of 10 rules pass." in str(result)
    assert "more rules fail, perhaps for the same reason." in str(result)


def test_text_and_page_fold_the_hints():
    result = check_priority(type("PriorityTodo", (TodoManager,), {"fields": {}}))
    assert len(result.hints) == 2
    assert "Hints: 2" in str(result) and result.hints[1] not in str(result)
    assert result.html.count("<summary>Hint ") == 2


def test_result_is_saved_as_data_with_the_output():
    data, metadata = check_priority(ByFields)._repr_mimebundle_()
    assert set(data) == {"text/html", "text/plain"}
    assert metadata["lesson"] == {
        "exercise": "priority",
        "ok": True,
        "begun": True,
        "passed": 10,
        "total": 10,
        "missed": "",
    }


def test_error_shows_the_learners_line():
    class PriorityTodo(ByFields):
        def check(self, item, position):
            return super().check(item, position) | {"priority": item["priority"]}

    miss = check_priority(PriorityTodo).miss
    assert miss.got == "KeyError: 'priority'"
    assert re.fullmatch(r"line \d+: return super\(\)\.check\(.*item\[.priority.\]\}", miss.line)
    assert miss.note == ""


def test_html_is_escaped_and_matches_the_text():
    result = check_priority(trap(lambda: "<script>alert(1)</script>"))
    html = result.html
    assert "<script>" not in html and "&lt;script&gt;" in html
    for label, text in result.parts:
        assert f"<strong>{label}:</strong>" in html
        assert prose(text.splitlines()[0]) in html or escape(text.splitlines()[0]) in html
    assert "Not yet: A list without priorities still works" in html


def test_result_works_in_an_assert():
    assert check_priority(ByFields) and check_priority(ByFields).ok
    with pytest.raises(AssertionError, match="nothing there yet"):
        result = check_priority(None)
        assert result.ok, result


def test_passing_shows_a_question_and_another_solution_folded():
    result = check_nag(ByMin, ByFields)
    assert "Why? Why is `min` enough here" in str(result)
    html = result.html
    assert "<summary>Another way: level by level</summary>" in html
    assert "class NagLevelByLevel(Nag):" in html
    assert "rules pass</summary>" not in html, "the rules are only folded above a failure"


def test_other_solutions_pass():
    assert check_priority(PriorityInCheck).ok and check_nag(NagLevelByLevel).ok


def test_progress_lists_all_exercises():
    names = {"BriefTodo": define(brief.PLAIN, "BriefTodo"), "TimedTodo": None}
    shown = progress(names | {"PriorityTodo": LosesTheActiveForm})
    passed = shown["priority"].passed
    assert str(shown).startswith(f"1 of {len(EXERCISES)} exercises are done.")
    assert "[x] Brief tasks" in str(shown)
    assert 0 < passed < 10 and f"{passed} of 10 rules pass" in str(shown)
    assert "not begun" in str(shown) and "not checked yet" in str(shown)
    assert f"<td>{passed} of 10 rules pass</td>" in shown._repr_html_()


# What the feedback claims


def list_sentences():
    for exercise in EXERCISES:
        yield from (exercise.after, exercise.further.question, exercise.further.answer)
        for rule in exercise.rules:
            yield from (rule.title, rule.why, *rule.hints)


REMOVED = {
    "soon ignored": "after=1 finishes the job",
    "second todo list": "s03 recommends a reminder that shows the list",
    "not advice to look": "the exercise asks for such advice",
    "a model splits it": "it can",
    "a model looks for": "it can",
    "soon forgotten": "it can be forgotten",
    "Most of the rest": "some of it",
    "connect().guard": "connect() returns the practice model",
}


@pytest.mark.parametrize("words", REMOVED)
def test_feedback_makes_no_unproven_claim(words):
    assert not [sentence for sentence in list_sentences() if words in sentence], REMOVED[words]


def test_rules_of_the_nag_do_not_answer_the_bet():
    [nag] = [one for one in EXERCISES if one.name == "facts"]
    shown = "".join(rule.title + rule.cases[0].expected.words for rule in nag.rules)
    assert "ten steps" not in shown and "10" not in shown
    assert "fact" not in f"{nag.title} {shown}".lower(), "the notebook calls them rules"


def test_reason_counts_the_characters_of_the_tried_string():
    [rule] = [one for one in RULES if one.name == "a_list"]
    assert f"would have {len(rule.cases[0].given['items'])} steps" in rule.why


# Nothing there yet


def bare():
    class PriorityTodo(TodoManager):
        """A todo list whose items have a priority."""

    class Stubs(TodoManager):
        def __init__(self, clock=time.monotonic):
            super().__init__()
            self.clock = clock

        def update(self, items): ...

        def line(self, item):
            """To do."""
            raise NotImplementedError

    def function(todo, after=3):
        pass

    return [None, ..., PriorityTodo, Stubs, function]


@pytest.mark.parametrize("made", bare(), ids=str)
def test_unchanged_cell_is_not_begun(made):
    result = check_priority(made)
    assert not result.ok and not result.begun
    assert "nothing there yet, and that is fine" in str(result)


@pytest.mark.parametrize("todo", [None, TodoManager, ByFields(), trap(lambda: "no list")], ids=str)
def test_nag_is_checked_without_a_list(todo):
    right, wrong = check_nag(ByMin, todo), check_nag(trap_nag("OfAllTasks"), todo)
    assert right.ok and not wrong.ok
    for result in (right, wrong):
        assert "It was tried with our list, because your PriorityTodo" in result.headline
    assert "PriorityInCheck as PriorityTodo" in wrong.miss.tried
    assert "our list" not in check_nag(ByMin, ByFields).headline


def trap_nag(name):
    source = slip(nag.PLAIN, ('if item["status"] == "pending"', "")).replace("PriorityNag", name)
    return define(source, name)


@pytest.mark.parametrize(
    "made, kind",
    [
        (ByFields(), "an object of type PriorityTodo"),
        ("PriorityTodo", "an object of type str"),
    ],
)
def test_value_that_is_no_class_is_explained(made, kind):
    result = check_priority(made)
    assert result.begun and kind in str(result)
    assert "needs the class itself" in str(result)
    assert "needs the class itself" in str(check_nag(ByMin(ByFields()), ByFields))


# Notes about causes

NOTES = [
    (check_nag, nag.PLAIN, ('item["status"]', "item.status"), 'write `item["status"]`'),
    (check_nag, nag.PLAIN, ("reminder(self)", "reminder(self, calls)"), "Compare the parameters"),
    (check_nag, nag.PLAIN, ("in self.todo.items", "in self.levels"), "are created in `__init__`"),
    (check_nag, nag.PLAIN, ("in self.todo.items", "in self.items"), "write `self.todo.items`"),
    (
        check_nag,
        nag.PLAIN,
        ("def reminder", "def reminder(self):\n        print(self.say())\n\n    def say"),
        "use return, not print",
    ),
    (
        check_brief,
        brief.PLAIN,
        ("check(self, item, position):", "check(item):"),
        "Are they those of the parent's method?",
    ),
    (check_timed, timed.PLAIN, ("        super().__init__()\n", ""), "call `super().__init__()`?"),
    (
        check_timed,
        timed.PLAIN,
        ("for item in self.items}\n        if", "for item in items}\n        if"),
        "read `self.items`",
    ),
    (
        check_timed,
        timed.PLAIN,
        ("now = self.clock()", "now = self.clock"),
        "A clock is a function: call it",
    ),
    (
        check_timed,
        timed.PLAIN,
        ("time.monotonic", "time.monotonic()"),
        "`clock=time.monotonic`, without",
    ),
]


WITHOUT_PARENT = [
    (check_rules, rules.PLAIN, ('item.get("status", "pending")', 'item["status"]')),
    (check_rules, rules.PLAIN, ("update(self, items):", "update(items):")),
    (check_nag_facts, facts.PLAIN, ("        self.rounds = 0\n\n", "\n")),
    (check_nag_facts, facts.PLAIN, ("after=3):", "after):")),
]


@pytest.mark.parametrize("check, source, change", WITHOUT_PARENT)
def test_note_names_no_parent_that_does_not_exist(check, source, change):
    name = re.search(r"class (\w+)", source)[1]
    note = check(define(slip(source, change), name)).miss.note
    assert note and "super()" not in note and "parent" not in note


def test_fields_without_those_of_the_parent_are_explained():
    source = slip(priority.PLAIN, ("TodoManager.fields | ", ""))
    miss = check_priority(define(source, "PriorityTodo")).miss
    assert miss.got == "KeyError: 'id'"
    assert "`fields` lacks the parent's entries" in miss.note


def test_line_is_in_the_learners_class_and_not_in_a_given_one():
    given = slip(rules.PLAIN, ("class MyTodo", "class Shown"))
    source = """class MyTodo(Shown):
    def update(self, items):
        self.items = items
        return self.render()
"""
    miss = check_rules(run(source, Shown=define(given, "Shown"))["MyTodo"]).miss
    assert "TypeError" in miss.got, "raised in Shown.render"
    assert miss.line == "line 4: return self.render()"


@pytest.mark.parametrize("check, source, change, words", NOTES)
def test_error_has_a_note_about_its_cause(check, source, change, words):
    name = re.search(r"class (\w+)", source)[1]
    assert words in check(define(slip(source, change), name)).miss.note


def test_string_instead_of_number_is_explained():
    source = slip(timed.PLAIN, ("else now - self.first", "else f'{now - self.first} s'"))
    miss = check_timed(define(source, "TimedTodo")).miss
    assert (miss.expected, miss.got) == ("60", "'60 s'")
    assert "Return a number, without quotes" in miss.note


# Verdicts do not change


@pytest.mark.parametrize(
    "before, seen",
    [
        ("", "self.SEEN"),
        ("SEEN = []", "SEEN"),
        ("def seen(found=[]):\n    return found", "seen()"),
        ("class Log:\n    pass\n\nlog = Log()\nlog.seen = []", "log.seen"),
    ],
    ids=["class body", "global variable", "default argument", "object"],
)
def test_second_check_gives_the_same_result(before, seen):
    source = f"""{before}

class BriefTodo(TodoManager):
    SEEN = []

    def update(self, items):
        {seen}.append(items)
        return super().update(items) if len({seen}) < 3 else ""
"""
    made = define(source, "BriefTodo")
    first, second = check_brief(made), check_brief(made)
    assert str(first) == str(second)


# Errors, timeouts and interrupts


def endless():
    while True:
        pass


def recursive():
    return recursive()


class Hostile:
    def __repr__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "action, got",
    [
        (sys.exit, "SystemExit"),
        (recursive, "RecursionError"),
        (lambda: Hostile(), "a Hostile that cannot be shown"),
        (lambda: print("x" * 10_000_000), "None"),
        (lambda: [object(), "x" * 10_000_000], "[<object object>"),
        (lambda: "\ud800", "ud800"),
    ],
)
def test_any_exception_or_value_is_reported(action, got):
    result = check_priority(trap(action))
    assert not result.ok
    assert got in result.miss.got
    assert len(str(result)) < 3_000
    str(result).encode()


@pytest.mark.filterwarnings("error")
def test_async_method_is_explained():
    class Async(ByFields):
        async def update(self, items):
            return super().update(items)

    assert "`update` must return its value directly" in str(check_priority(Async))


@pytest.mark.parametrize("action", [endless, lambda: time.sleep(600)], ids=["loop", "sleep"])
def test_timeout_stops_the_trial_and_the_rest_is_not_tried(action):
    result = check_within(trap(action), seconds=0.3)
    assert result.miss.got == "nothing within 0.3 seconds"
    assert "loop that never ends, or a sleep?" in result.miss.note
    assert re.search("while True:|pass|sleep", result.miss.line)
    assert "9 not tried, because a test ran out of time" in str(result)


DEAF = """
from dataclasses import replace
from agentlib import TodoManager
from lesson.exercises.check_priority import EXERCISE
from lesson.exercises.checking.check import check

class PriorityTodo(TodoManager):
    def update(self, items):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

print(check(replace(EXERCISE, seconds=0.3), {"PriorityTodo": PriorityTodo}))
"""


def test_timeout_reports_code_that_cannot_be_stopped():
    """Runs in a subprocess, which ends with its threads."""
    done = subprocess.run([sys.executable, "-c", DEAF], capture_output=True, text=True, timeout=60)
    assert "still running: restart the kernel" in done.stdout, done.stderr


def test_keyboard_interrupt_stops_the_check(monkeypatch):
    def interrupted(self, timeout=None):
        monkeypatch.undo()
        raise KeyboardInterrupt

    before = set(threading.enumerate())
    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        check_priority(trap(endless))
    assert set(threading.enumerate()) <= before, "the loop still runs"


def test_import_of_the_checks_loads_no_sdk():
    script = (
        "import sys, lesson.exercises.catalogue; "
        "print([m for m in ('anthropic', 'IPython', 'ipywidgets') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
