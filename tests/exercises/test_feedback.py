"""The feedback: text, saved data, and any result or exception of a learner's code."""

import re
import sys
from html import escape
from types import SimpleNamespace

import pytest
from exercises.attempts import (
    loop,
    priority,
    priority_nag,
    remind,
    reminder,
    rules,
)
from exercises.cells import define, run, slip

from agentlib import TodoManager
from lesson import (
    check_loop,
    check_nag,
    check_priority,
    check_priority_nag,
    check_remind,
    check_reminder,
    check_rules,
)
from lesson.exercises.checking import check, rule
from lesson.exercises.checking.result import prose

UNSOLVED = "class PriorityTodo(TodoManager):\n    pass"
ByFields = define(priority.PLAIN, "PriorityTodo")
ByMin = define(priority_nag.PLAIN, "PriorityNag")


def trap(action):
    """Return a PriorityTodo whose update() calls `action`."""

    class PriorityTodo(ByFields):
        def update(self, items):
            return action()

    return PriorityTodo


# A failure


def test_failure_names_rule_reason_test_expected_and_got():
    class PriorityTodo(TodoManager):
        fields = TodoManager.fields | {"priority": {"type": "string", "enum": ["high", "low"]}}

    result = check_priority(PriorityTodo)
    assert result.missed == "kept" and result.passed == result.states.count("yes") < result.total
    assert [label for label, _ in result.parts] == ["Why it matters", "Test", "Expected", "Got"]
    assert "todo = PriorityTodo()\n" in result.miss.tried
    assert "'A medium one': 'medium'" in result.miss.expected
    assert result.miss.got.startswith("ValueError: Item 2: invalid priority 'medium'")
    assert f"PriorityTodo: not yet. {result.passed} of {result.total} rules pass." in str(result)
    assert "Hints: 3" in str(result) and result.hints[1] not in str(result)
    assert result.html.count("<summary>Hint ") == 3


def test_result_is_saved_as_data_with_the_output():
    data, metadata = check_priority(ByFields)._repr_mimebundle_()
    assert set(data) == {"text/html", "text/plain"}
    assert metadata["lesson"]["exercise"] == "priority" and metadata["lesson"]["ok"]


def test_check_shows_or_raises_its_feedback_while_nbgrader_runs_the_notebook(monkeypatch, capsys):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert check_priority(ByFields) is None
    assert "all 9 rules pass" in capsys.readouterr().out
    with pytest.raises(AssertionError, match="nothing there yet, and that is fine"):
        check_priority(define(UNSOLVED, "PriorityTodo"))


def test_failure_is_raised_as_text_and_another_check_that_is_called_raises_nothing(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "validate")
    with pytest.raises(AssertionError, match="4 of 9 rules pass[^$]*Why it matters: "):
        check_priority(define(slip(priority.PLAIN, ('"medium"', '"low"')), "PriorityTodo"))
    # Our list is used for this check, because the learner's fails.
    assert check_priority_nag(ByMin, define(UNSOLVED, "PriorityTodo")) is None
    assert not check_priority.exercise.check(define(UNSOLVED, "PriorityTodo")).ok


def test_nbgrader_counts_all_rules_whatever_upto_is(monkeypatch):
    begun = define(
        slip(rules.PLAIN, ("for item in clean) > 1", "for item in clean) > 20")), "MyTodo"
    )
    assert check_rules(begun, upto=1).ok
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(AssertionError, match="7 of 8 rules pass"):
        check_rules(begun, 1)


def test_html_is_escaped_and_matches_the_text():
    result = check_priority(trap(lambda: "<script>alert(1)</script>"))
    html = result.html
    assert "<script>" not in html and "&lt;script&gt;" in html
    for label, text in result.parts:
        assert f"<strong>{label}:</strong>" in html
        assert prose(text.splitlines()[0]) in html or escape(text.splitlines()[0]) in html
    assert "✗ Not yet: A list without priorities still works" in html


@pytest.mark.parametrize("upto, passing", [(1, "its rule passes"), (7, "all 7 rules pass")])
def test_check_of_the_first_rules_says_what_to_do_next(upto, passing):
    headline = check_rules(define(rules.PLAIN, "MyTodo"), upto).headline
    assert headline.endswith(f": {passing}. Now set `upto={upto + 1}`.")


@pytest.mark.parametrize("change", [(">=", ">"), ("self.rounds += 1", "")])
def test_mistake_in_mynag_is_not_blamed_on_myreminder(change, monkeypatch):
    MyReminder = define(slip(reminder.PLAIN, change), "MyReminder")
    result = check_reminder(MyReminder)
    said = "MyNag, which does not pass its own check"
    assert said in str(result) and not result.states and not result.ok
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(AssertionError, match=said):
        check_reminder(MyReminder)


# Nothing there yet


def test_unchanged_cell_is_not_begun():
    class PriorityTodo(TodoManager):
        def __init__(self, clock=None):
            super().__init__()
            self.clock = clock

        def update(self, items): ...

        def line(self, item):
            """To do."""
            raise NotImplementedError

    for made in (PriorityTodo, ...):
        result = check_priority(made)
        assert not result and not result.ok and not result.begun
        assert "nothing there yet, and that is fine" in str(result)


@pytest.mark.parametrize("todo", [None, trap(lambda: "no list")], ids=str)
def test_nag_is_checked_without_a_list(todo):
    of_all_tasks = define(
        slip(priority_nag.PLAIN, ('if item["status"] == "pending"', "")), "PriorityNag"
    )
    right, wrong = check_priority_nag(ByMin, todo), check_priority_nag(of_all_tasks, todo)
    assert right.ok and not wrong.ok
    for result in (right, wrong):
        assert "It was tried with our list, because your PriorityTodo" in result.headline
    assert "our list" not in check_priority_nag(ByMin, ByFields).headline


def closure(after=3):
    return lambda calls: None


@pytest.mark.parametrize(
    "check_it, made, said",
    [
        (check_priority, ByFields(), "a class, .* type PriorityTodo. Pass .* without parentheses"),
        (check_priority, "PriorityTodo", "a class, .* type str. Pass .* without quotes"),
        (check_nag, closure, "a class, .* type function. Write MyNag"),
    ],
)
def test_object_of_another_type_is_explained_by_what_it_is(check_it, made, said):
    result = check_it(made)
    assert result.begun and not result.ok
    assert re.search(f"The check needs {said}", str(result))
    assert ("without" in str(result)) == ("without" in said)


@pytest.mark.parametrize("upto", ["8", 2.5, None, [1]])
def test_upto_of_another_type_is_explained(upto):
    said = "`upto` must be a number from 1 to {}, and it is {!r}."
    assert said.format(8, upto) in str(check_rules(define(rules.PLAIN, "MyTodo"), upto))


@pytest.mark.parametrize("upto", [-1, 0])
def test_at_least_one_rule_is_tried(upto):
    assert check_rules(define(rules.PLAIN, "MyTodo"), upto).total == 1


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


def test_line_that_sends_what_the_api_rejects_is_not_shown():
    wrong = slip(remind.PLAIN, ("if text:", "if remind:"))
    result = check_remind(define(wrong, "agent_loop"))
    assert "ApiSaidError: 400" in result.miss.got
    assert "Your code" not in str(result)


def test_missing_priority_is_shown_as_none_and_leads_to_the_hint():
    wrong = slip(priority.PLAIN, ('            "default": "medium",\n', ""))
    result = check_priority(define(wrong, "PriorityTodo"))
    assert result.miss.got == "{'Task 0': 'high', 'Task 1': None}"
    assert not result.miss.note and result.hints[0].startswith("`status` has a default")


@pytest.mark.parametrize(
    "source, is_stale", [("class PriorityTodo(", True), ("PriorityTodo().update(5)", False)]
)
def test_check_after_a_cell_that_raised_says_so(monkeypatch, source, is_stale):
    last = SimpleNamespace(success=False, info=SimpleNamespace(raw_cell=source))
    shell = SimpleNamespace(last_execution_result=last)
    monkeypatch.setattr(sys.modules[check.__module__], "find_shell", lambda: shell)
    for made in (ByFields, TodoManager, "no class", trap(dict)):
        shown = str(check_priority(made))
        assert ("this is still the version before" in shown) == is_stale, shown


# Errors, timeouts and interrupts


def endless():
    kept = []
    while True:
        try:
            pass
        except BaseException as error:
            kept.append(error)


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
        (lambda: "\ud800", "ud800"),
    ],
)
def test_any_exception_or_value_is_reported(action, got):
    result = check_priority(trap(action))
    assert not result.ok
    assert got in result.miss.got
    assert len(str(result)) < 3_000
    str(result).encode()


def test_timeout_stops_the_trial_and_the_rest_is_not_tried(monkeypatch):
    monkeypatch.setattr(sys.modules[rule.__module__], "CASE_SECONDS", 0.3)
    result = check_priority(trap(endless))
    assert result.miss.got.startswith("nothing within ")  # of work, or by the clock if it is busy
    assert re.search("while True:|pass|kept", result.miss.line)
    assert "The rules after this one were not tried" in str(result)
    assert result.states[1:] == ("",) * 8


def test_loop_that_asks_once_stops_after_200_tool_runs_at_its_while():
    result = check_loop(define(loop.ASKED_ONCE, "agent_loop"))
    assert [label for label, _ in result.parts][:3] == ["Your code", "Try", "Why it matters"]
    miss = result.miss
    assert "The tools got ['one', 'one', 'one', 'one'] and 196 more. Requests: 1." in miss.got
    assert miss.got.endswith("EndlessError: the tool has run 200 times: this loop does not stop")
    assert miss.line.endswith(": while True:")


def test_keyboard_interrupt_stops_the_check():
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_priority(trap(interrupt))
