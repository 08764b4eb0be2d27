"""The feedback: text, saved data, and robustness against any solution."""

import ast
import os
import re
import subprocess
import sys
import threading
import time
from html import escape
from itertools import count
from types import SimpleNamespace

import pytest
from exercises import wrong_timed
from exercises.right_brief import InCheck
from exercises.right_nag import ByMin
from exercises.right_priority import ByFields
from exercises.right_timed import ByALog
from exercises.wrong_nag import LooksForItsOwnItems, OfAllTasks, Prints, TakesThePriorityOut
from exercises.wrong_priority import LosesTheActiveForm
from exercises.wrong_timed import (
    ForgetsSuper,
    ReadsWhatWasPassedIn,
    SharedByTheClass,
    SummaryIsAProperty,
    TheClockForItsReading,
    TheTimeInsteadOfTheClock,
    Timedeltas,
)
from solutions import learners

import lesson
from agentlib import Nag, TodoManager
from lesson import check_nag, check_priority, check_timed, progress
from lesson.exercises import priority, priority_nag, timed, ways
from lesson.exercises.checking import check as check_module
from lesson.exercises.checking.check import LAST_RESULTS
from lesson.exercises.checking.expected import Raised, show
from lesson.exercises.checking.result import prose
from lesson.exercises.grading.notebooks import read_cells


@pytest.fixture(autouse=True)
def first_try():
    """Forget the results of earlier checks."""
    LAST_RESULTS.clear()


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
    assert (result.passed, result.total, result.missed) == (4, 10, "kept")
    assert [label for label, _ in result.parts] == ["Why it matters", "Test", "Expected", "Got"]
    assert 'level = "medium"\ntodo = PriorityTodo()\n' in result.miss.tried
    assert result.miss.expected == "'medium'"
    assert result.miss.got == "ValueError: Item 1: invalid priority 'medium'"
    assert "PriorityTodo: not yet. 4 of 10 rules pass." in str(result)
    assert "5 more rules fail, perhaps for the same reason." in str(result)


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


def test_trial_runs_when_pasted_into_a_cell():
    setup = next(cell for cell in read_cells(learners("exercises")) if "setup" in cell.tags)
    names = {"PriorityTodo": ByFields, "PriorityNag": ByMin, "TimedTodo": ByALog}
    exec(setup.source, names)
    for rule in (*priority.RULES, *priority_nag.RULES, *timed.RULES, *timed.PAUSES):
        for case in rule.cases:
            got = run_as_pasted(case.source, dict(names))
            assert case.expected.test(got), case.source


def test_got_is_what_the_pasted_test_returns():
    setup = next(cell for cell in read_cells(learners("exercises")) if "setup" in cell.tags)
    for made in (wrong_timed.SharedByTheClass, OfAllTasks, TakesThePriorityOut):
        check = getattr(lesson, f"check_{made.__module__.rpartition('_')[2]}")
        miss = check(made).miss
        names = {made.__name__: made}
        exec(setup.source, names)
        assert show(run_as_pasted(miss.tried, names)) == miss.got, miss.tried


def run_as_pasted(source, names):
    """Return the value of the last line, or the exception as Raised."""
    *before, last = ast.parse(source).body
    try:
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    except Exception as problem:
        return Raised(problem)


def test_trial_uses_the_learners_class_name():
    class Weighted(TodoManager):
        fields = TodoManager.fields | {"priority": {"type": "string"}}

    assert "Weighted()" in check_priority(Weighted).miss.tried
    assert "PriorityTodo" not in check_priority(Weighted).miss.tried


def test_html_is_escaped_and_matches_the_text():
    class PriorityTodo(ByFields):
        def update(self, items):
            return "<script>alert(1)</script>"

    result = check_priority(PriorityTodo)
    html = result.html
    assert "<script>" not in html and "&lt;script&gt;" in html
    for label, text in result.parts:
        assert f"<strong>{label}:</strong>" in html
        assert prose(text.splitlines()[0]) in html or escape(text.splitlines()[0]) in html
    assert "Not yet: A list without priorities still works" in html


def test_result_works_in_an_assert():
    assert check_priority(ByFields).ok
    assert check_priority(ByFields)
    assert not check_priority(TodoManager)
    with pytest.raises(AssertionError, match="nothing there yet"):
        result = check_priority(TodoManager)
        assert result.ok, result


def test_result_reports_changes_since_the_last_check():
    assert "before" not in str(check_priority(LosesTheActiveForm))
    assert "2 more rules pass than before." in str(check_priority(ByFields))
    assert "before" not in str(check_priority(ByFields))
    said = str(check_priority(LosesTheActiveForm))
    assert "This rule passed before: Each line of the rendered list shows" in said


def test_passing_shows_a_question_and_another_solution_folded():
    result = check_nag(ByMin, ByFields)
    assert "Why? Why is `min` enough here" in str(result)
    html = result.html
    assert "<summary>Another way: level by level</summary>" in html
    assert "class NagLevelByLevel(Nag):" in html


@pytest.mark.parametrize(
    "check, way",
    [
        (check_priority, ways.PriorityInCheck),
        (check_nag, ways.NagLevelByLevel),
    ],
)
def test_other_solutions_pass(check, way, monkeypatch):
    monkeypatch.setattr(way, "__module__", "a cell")
    assert check(way).ok, check(way)


def test_progress_lists_all_exercises():
    names = {"BriefTodo": InCheck, "PriorityTodo": LosesTheActiveForm, "TimedTodo": TodoManager}
    shown = progress(names)
    assert str(shown).startswith("1 of 10 exercises are done.")
    assert "[x] Brief tasks" in str(shown)
    assert "8 of 10 rules pass" in str(shown)
    assert "not begun" in str(shown) and "not checked yet" in str(shown)
    assert "<td>8 of 10 rules pass</td>" in shown._repr_html_()


@pytest.mark.parametrize("has_page", [True, False], ids=["on a page", "without a page"])
def test_slow_check_prints_progress_and_times_out(monkeypatch, capsys, has_page):
    ten_seconds_a_rule = SimpleNamespace(monotonic=count(0, 10).__next__)
    monkeypatch.setattr(check_module, "time", ten_seconds_a_rule)
    monkeypatch.setattr(check_module, "is_watched", lambda: has_page)
    result = check_priority(ByFields, check_seconds=15)
    assert ("PriorityTodo: rule 2 of 10" in capsys.readouterr().out) == has_page
    assert "" in result.states and "not tried, because the check took too long" in str(result)
    assert "not tried" in result.html and not result.ok


# Nothing there yet


def bare():
    class PriorityTodo(TodoManager):
        """A todo list whose items have a priority."""

    class Stubs(TodoManager):
        def update(self, items): ...

        def line(self, item):
            """To do."""
            raise NotImplementedError

    def function(todo, after=3):
        pass

    return [None, ..., TodoManager, PriorityTodo, Stubs, function]


@pytest.mark.parametrize("made", bare(), ids=str)
def test_unchanged_cell_is_not_begun(made):
    result = check_priority(made)
    assert not result.ok and not result.begun
    assert "nothing there yet, and that is fine" in str(result)


def test_given_init_is_not_begun():
    class TimedTodo(TodoManager):
        def __init__(self, clock=time.monotonic):
            super().__init__()
            self.clock = clock

    assert not check_timed(TimedTodo).begun
    assert not check_nag(Nag, ByFields).begun


@pytest.mark.parametrize(
    "todo, why",
    [
        ([], "our list. To use yours: `check_nag(PriorityNag, PriorityTodo)`"),
        ([None], "our list, because your PriorityTodo is not ready"),
        ([TodoManager], "our list, because your PriorityTodo is not ready"),
        ([trap(lambda: "no list")], "our list, because your PriorityTodo is not ready"),
        (
            [ByFields()],
            "our list. PriorityTodo: not yet. The check needs the class itself, and got",
        ),
    ],
)
def test_nag_is_checked_without_a_list(todo, why):
    """Check that the headline says which list was used, and why."""
    right, wrong = check_nag(ByMin, *todo), check_nag(OfAllTasks, *todo)
    assert right.ok and not wrong.ok
    for result in (right, wrong):
        assert f"It was tried with {why}" in result.headline
    assert "PriorityTodo()" in wrong.miss.tried
    assert "our list" not in check_nag(ByMin, ByFields).headline


def test_combined_class_is_not_begun_until_both_are():
    class TimedTodo(TodoManager):
        def __init__(self, clock=time.monotonic):
            super().__init__()
            self.clock = clock

    class Mine(TimedTodo, ByFields):
        pass

    class Timed(ByALog, ByFields):
        pass

    assert not check_timed(Mine).begun and check_priority(Mine).ok
    assert check_timed(Timed).ok and check_priority(Timed).ok
    assert check_timed(ByFields).headline.startswith("TimedTodo: not yet. 0 of 15 rules pass.")
    assert "is it called TimedTodo, and did you run its cell?" in check_timed(Mine).headline


@pytest.mark.parametrize(
    "made, kind",
    [
        (ByFields(), "an object of class ByFields"),
        ("PriorityTodo", "a string"),
        (42, "a number"),
        ({"priority": "high"}, "a dict"),
    ],
)
def test_value_that_is_no_class_is_explained(made, kind):
    result = check_priority(made)
    assert result.begun and kind in str(result)
    assert "needs the class itself" in str(result)
    assert "needs the class itself" in str(check_nag(ByMin(ByFields()), ByFields))


# Notes about causes


class AsAttribute(Nag):
    def reminder(self):
        return max(self.todo.items, key=lambda item: item.priority)  # type: ignore[attr-defined]  # the mistake


class WantsCalls(Nag):
    def reminder(self, calls):
        return ""


class NothingMade(Nag):
    def reminder(self):
        return self.levels  # type: ignore[attr-defined]  # the mistake


@pytest.mark.parametrize(
    "nag, words",
    [
        (AsAttribute, 'write `item["status"]`, not `item.status`'),
        (WantsCalls, "calls `self.reminder()` without arguments"),
        (NothingMade, "are created in `__init__`"),
        (LooksForItsOwnItems, "write `self.todo.items`"),
        (TakesThePriorityOut, "`pop` removes it from the item"),
        (Prints, "use return, not print"),
    ],
)
def test_error_has_a_note_about_its_cause(nag, words):
    assert words in check_nag(nag, ByFields).miss.note


class WithoutSelf(TodoManager):
    fields = ByFields.fields

    def line(item):
        return ""


class WithoutPosition(TodoManager):
    fields = ByFields.fields

    def check(self, item):
        return item


@pytest.mark.parametrize(
    "check, made, words",
    [
        (check_priority, WithoutSelf, "Is `self` the first parameter?"),
        (check_priority, WithoutPosition, "`(self, item, position)`"),
        (check_timed, ForgetsSuper, "call `super().__init__()`?"),
    ],
)
def test_wrong_parameters_are_explained(check, made, words):
    assert words in check(made).miss.note


@pytest.mark.parametrize("fields", [{"priority": {}}, TodoManager.fields | {"priority": 3}])
def test_error_in_todomanager_is_traced_to_fields(fields):
    made = type("PriorityTodo", (TodoManager,), {"fields": fields})
    assert "while it used your `fields`" in check_priority(made).miss.note


def test_missing_method_is_explained():
    made = type(
        "TimedTodo",
        (TodoManager,),
        {"sumary": len, "__init__": lambda self, clock=0: TodoManager.__init__(self)},
    )
    assert "Check the spelling." in check_timed(made).miss.note


class SubtractsClocks(ByALog):
    def summary(self):
        return self.clock - self.clock


class OnlyForAClock(ByALog):
    def update(self, items):
        self.clock.now  # noqa: B018
        return super().update(items)


class WithInit(ByFields):
    def __init__(self):
        super().__init__()


class InTheOtherOrder(WithInit, ByALog):
    pass


@pytest.mark.parametrize(
    "timed, words",
    [
        (OnlyForAClock, "`self.clock()` reads any clock"),
        (InTheOtherOrder, "each passes on the arguments"),
        (ReadsWhatWasPassedIn, "`self.items` has it"),
        (SummaryIsAProperty, "without `@property`"),
        (TheClockForItsReading, "A clock is a function: call it"),
        (SubtractsClocks, "A clock is a function: call it"),
        (TheTimeInsteadOfTheClock, "`clock=time.monotonic`, without"),
        (Timedeltas, "`.total_seconds()` converts it"),
    ],
)
def test_wrong_time_is_explained(timed, words):
    assert words in check_timed(timed).miss.note


@pytest.mark.parametrize(
    "method, words", [("check", "`check` returned nothing"), ("line", "`line` returned nothing")]
)
def test_method_without_return_is_explained(method, words):
    made = type("PriorityTodo", (ByFields,), {method: lambda *given: None})
    assert words in check_priority(made).miss.note


def test_second_check_gives_the_same_result():
    first, second = check_timed(SharedByTheClass), check_timed(SharedByTheClass)
    assert (first.miss.got, first.states) == ("True", second.states)
    assert str(first) == str(second)


def test_passing_rules_are_folded_above_a_failure():
    html = check_nag(Prints, ByFields).html
    assert "<summary>2 rules pass</summary>" in html
    assert "rules pass</summary>" not in check_nag(ByMin, ByFields).html


# Errors, timeouts and interrupts


def endless():
    while True:
        pass


def recursive():
    return recursive()


def deadlocked():
    time.sleep(600)


class Hostile:
    def __repr__(self):
        raise RuntimeError("no")

    def __eq__(self, other):
        raise RuntimeError("no")


class Speechless(Exception):
    def __str__(self):
        raise RuntimeError("no")

    @classmethod
    def throw(cls):
        raise cls


@pytest.mark.parametrize(
    "action, got",
    [
        (sys.exit, "SystemExit"),
        (recursive, "RecursionError"),
        (lambda: Hostile(), "a Hostile that cannot be shown"),
        (lambda: print("x" * 10_000_000), "None"),
        (lambda: "x" * 10_000_000, "xxxx"),
        (lambda: [object()], "[<object object>]"),
        (lambda: 3 / 0, "ZeroDivisionError"),
        (lambda: exec("raise KeyboardInterrupt"), "KeyboardInterrupt"),
        (lambda: exec("raise BaseException"), "BaseException"),
        (Speechless.throw, "Speechless"),
        (lambda: "\ud800", "ud800"),
    ],
)
def test_any_exception_or_value_is_reported(action, got):
    result = check_priority(trap(action))
    assert not result.ok
    assert got in result.miss.got
    assert len(str(result)) < 3_000
    str(result).encode()


def test_metaclass_that_raises_is_still_checked():
    class Closed(type):
        def __getattribute__(cls, name):
            raise RuntimeError("no")

    class PriorityTodo(ByFields, metaclass=Closed):
        pass

    assert str(check_priority(PriorityTodo))


@pytest.mark.filterwarnings("error")
def test_async_method_and_generator_are_explained():
    class Async(ByFields):
        async def update(self, items):
            return super().update(items)

    class Yields(Nag):
        def reminder(self):
            yield "Update your todos."

    assert "`update` must return its value directly" in str(check_priority(Async))
    assert "`reminder` must return" in str(check_nag(Yields, ByFields))


@pytest.mark.parametrize("action", [endless, deadlocked])
def test_timeout_stops_an_endless_loop(action):
    result = check_priority(trap(action), seconds=0.3)
    assert result.miss.got == "nothing within 0.3 seconds"
    assert "loop that never ends?" in result.miss.note or "sleeps" in result.miss.note


def test_timeout_shows_the_running_line():
    assert re.search("while True:|pass", check_priority(trap(endless), seconds=0.3).miss.line)


DEAF = """
from agentlib import TodoManager
from lesson import check_priority

class PriorityTodo(TodoManager):
    def update(self, items):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

print(check_priority(PriorityTodo, seconds=0.3))
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


def test_print_instead_of_return_is_explained():
    class PriorityTodo(ByFields):
        def update(self, items):
            print(super().update(items))

    remark = check_priority(PriorityTodo).miss.note
    assert "printed '[ ] #1: Add tests" in remark and "use return, not print" in remark


def test_string_instead_of_number_is_explained():
    class TimedTodo(ByALog):
        def summary(self):
            whole = super().summary()
            return whole | {"session": f"{whole['session']} s"}

    miss = check_timed(TimedTodo).miss
    assert (miss.expected, miss.got) == ("a number of seconds", "'0 s'")
    assert "Return a number, without quotes" in miss.note


@pytest.mark.skipif(os.name == "nt", reason="slow on Windows")
def test_import_of_the_checks_loads_no_sdk():
    script = (
        "import sys, lesson.exercises.catalogue; "
        "print([m for m in ('anthropic', 'IPython', 'ipywidgets') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
