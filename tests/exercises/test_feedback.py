"""The feedback: what it says, in which words, and that no solution can get the better of it."""

import ast
import inspect
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from itertools import count
from types import SimpleNamespace

import pytest
from exercises import marks, wrong_timed
from exercises.cells import define
from exercises.right_nag import ByMin
from exercises.right_priority import ByFields
from exercises.right_timed import ByALog
from exercises.wrong_nag import LooksForItsOwnItems, OfAllTasks, Prints, TakesThePriorityOut
from exercises.wrong_priority import LosesTheActiveForm
from exercises.wrong_timed import (
    APauseForgetsTheStart,
    EachUpdateCompletesItAnew,
    ForgetsSuper,
    ReadsWhatWasPassedIn,
    SessionByAnotherClock,
    SessionFromFirstUpdateToLastCompletion,
    SharedByADefault,
    SharedByTheClass,
    SummaryByAnotherClock,
    SummaryIsAProperty,
    SummaryIsPrinted,
    TakenUpAgainItIsStartedAgain,
    TheClockForItsReading,
    TheTimeInsteadOfTheClock,
    Timedeltas,
)
from solutions import learners

from agentlib import Nag, TodoManager
from lesson import exercises
from lesson.exercises import (
    check_nag,
    check_order,
    check_priority,
    check_timed,
    priority,
    priority_nag,
    progress,
    timed,
    ways,
)
from lesson.exercises.checking import check as check_module
from lesson.exercises.checking.check import LAST_RESULTS, list_own_classes
from lesson.exercises.checking.expected import Raised, show
from lesson.exercises.checking.result import prose
from lesson.exercises.checking.state import ClassState
from lesson.exercises.grading.notebooks import read_cells


@pytest.fixture(autouse=True)
def first_try():
    """Each test is a first try."""
    LAST_RESULTS.clear()


def trap(deed):
    """A PriorityTodo whose update does this instead."""

    class PriorityTodo(ByFields):
        def update(self, items):
            return deed()

    return PriorityTodo


# What a miss says


def test_a_miss_says_the_rule_the_reason_the_input_and_what_came():
    class PriorityTodo(TodoManager):
        fields = TodoManager.fields | {"priority": {"type": "string", "enum": ["high", "low"]}}

    assert (
        str(check_priority(PriorityTodo))
        == """\
PriorityTodo: not yet. 5 of 11 rules hold; start with this one.
  [yes] A list without priorities still works, and update returns it rendered
  [yes] TodoManager itself stays as it was
  [yes] Any other priority is refused, with a ValueError that says so
  [yes] A refused update leaves the list as it was
  [yes] Each list has items of its own
  [not yet] An item keeps the priority that the model gave it
      Why it matters: The nag can only name the most important task if the list remembers which \
one it is.
      Tried:
        level = "medium"
        todo = PriorityTodo()
        todo.update([{"text": "Add tests", "status": "pending", "priority": level}])
        todo.items[0]["priority"]
      Expected: 'medium'
      Came: ValueError: Item 1: invalid priority 'medium'
      Hint: Look at `fields` in TodoManager: what is not described there is left out of the items.
      A second hint: Yours belongs in the class body (in `__init__`, it is `self.fields`), with \
the three words in its enum, spelled as here. And an item keeps the word, not a number for it.
  After it: 5 more not yet."""
    )


def test_it_shows_the_learners_own_line_where_it_raised():
    class PriorityTodo(ByFields):
        def check(self, item, position):
            return super().check(item, position) | {"priority": item["priority"]}

    miss = check_priority(PriorityTodo).miss
    assert miss.came == "KeyError: 'priority'"
    assert re.fullmatch(r"line \d+: return super\(\)\.check\(.*item\[.priority.\]\}", miss.line)
    assert "`.get(key)`" in miss.note


def test_what_was_tried_can_be_pasted_into_a_cell():
    """Every trial runs as it is shown, with what the notebook's first cell imports."""
    setup = next(cell for cell in read_cells(learners("exercises")) if "setup" in cell.tags)
    names = {"PriorityTodo": ByFields, "PriorityNag": ByMin, "TimedTodo": ByALog}
    exec(setup.source, names)
    for rule in (*priority.RULES, *priority_nag.RULES, *timed.RULES):
        for case in rule.cases:
            came = run_as_pasted(case.source, dict(names))
            assert case.expected.test(came), case.source


def test_what_came_is_what_comes_where_it_is_pasted():
    """State that an earlier trial left in a class would make another value."""
    setup = next(cell for cell in read_cells(learners("exercises")) if "setup" in cell.tags)
    for _, made, rule in marks.SOLUTIONS:
        if rule is None:
            continue
        state = ClassState(*list_own_classes(made))
        check = getattr(exercises, f"check_{made.__module__.rpartition('_')[2]}")
        miss = check(made).miss
        names = {made.__name__: made}
        exec(setup.source, names)
        if "real one" not in miss.expected and made not in BY_ANOTHER_CLOCK:
            assert show(run_as_pasted(miss.tried, names)) == miss.came, miss.tried
        state.restore()


BY_ANOTHER_CLOCK = (wrong_timed.WallClock, SessionByAnotherClock, SummaryByAnotherClock)


def run_as_pasted(source, names):
    """The value of the last line, or what was raised."""
    *before, last = ast.parse(source).body
    try:
        exec(compile(ast.Module(before, []), "cell", "exec"), names)
        return eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    except Exception as problem:
        return Raised(problem)


def test_it_calls_the_class_by_its_own_name():
    class Weighted(TodoManager):
        fields = TodoManager.fields | {"priority": {"type": "string"}}

    assert "Weighted()" in check_priority(Weighted).miss.tried
    assert "PriorityTodo" not in check_priority(Weighted).miss.tried


def test_html_is_escaped_and_says_what_the_text_says():
    class PriorityTodo(ByFields):
        def update(self, items):
            return "<script>alert(1)</script>"

    result = check_priority(PriorityTodo)
    html = result._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html
    for label, text in result.parts:
        assert f"<strong>{label}:</strong>" in html
        assert prose(text.splitlines()[0]) in html or escape(text.splitlines()[0]) in html
    assert "Not yet: A list without priorities still works" in html


def test_the_same_feedback_comes_each_time():
    class PriorityTodo(ByFields):
        def render(self):
            return object()

    assert str(check_priority(PriorityTodo)) == str(check_priority(PriorityTodo))


def test_a_result_serves_as_an_assertion():
    assert check_priority(ByFields).ok
    assert check_priority(ByFields)
    assert not check_priority(TodoManager)
    with pytest.raises(AssertionError, match="nothing there yet"):
        result = check_priority(TodoManager)
        assert result.ok, result


def test_all_rules_are_tried_so_the_count_is_true():
    class Lifted(ByFields):
        one_in_progress = False
        fields = ByFields.fields | {"priority": {"type": "string"}}

    result = check_priority(Lifted)
    missed = [r.name for r, s in zip(result.rules, result.states, strict=True) if s != "yes"]
    assert missed == ["schema", "left_out", "unknown", "unchanged", "old_rules"]
    assert "6 of 11 rules hold" in result.headline
    assert "After it: 4 more not yet." in str(result)


def test_a_forgotten_return_is_told_how_little_is_missing():
    class PriorityTodo(ByFields):
        def update(self, items):
            super().update(items)

    assert "8 of 11 rules hold" in check_priority(PriorityTodo).headline


def test_it_says_what_has_changed_since_the_last_try():
    assert "last try" not in str(check_priority(LosesTheActiveForm))
    assert "Since your last try, 1 more rule holds." in str(check_priority(ByFields))
    assert "last try" not in str(check_priority(ByFields))
    said = str(check_priority(LosesTheActiveForm))
    assert "No longer, since your last try: The rendered list shows each priority" in said


def test_what_comes_after_passing_is_a_question_and_another_way_folded():
    result = check_nag(ByMin, ByFields)
    assert "Why? Why is `min` enough here" in str(result)
    html = result._repr_html_()
    assert "<summary>Another way, and what it costs: level by level</summary>" in html
    assert "class NagLevelByLevel(Nag):" in html


@pytest.mark.parametrize(
    "check, way",
    [
        (check_priority, ways.PriorityInCheck),
        (check_nag, ways.NagLevelByLevel),
    ],
)
def test_the_other_ways_are_right(check, way):
    made = define(inspect.getsource(way), way.__name__)
    assert check(made).ok, check(made)


def test_progress_shows_all_exercises_at_a_glance():
    names = {"order": "E B G H D A", "PriorityTodo": LosesTheActiveForm, "TimedTodo": TodoManager}
    shown = progress(names)
    assert str(shown).startswith("1 of 11 exercises are done.")
    assert "[x] The lines of a nag" in str(shown)
    assert "10 of 11 rules hold" in str(shown)
    assert "not begun" in str(shown) and "not in this notebook" in str(shown)
    assert "<td>10 of 11 rules hold</td>" in shown._repr_html_()


@pytest.mark.parametrize("has_page", [True, False], ids=["on a page", "without a page"])
def test_a_check_that_takes_long_gives_a_page_a_sign_of_life_and_ends(
    monkeypatch, capsys, has_page
):
    ten_seconds_a_rule = SimpleNamespace(monotonic=count(0, 10).__next__)
    monkeypatch.setattr(check_module, "time", ten_seconds_a_rule)
    monkeypatch.setattr(check_module, "is_watched", lambda: has_page)
    result = check_priority(ByFields, check_seconds=15)
    assert ("PriorityTodo: rule 2 of 11" in capsys.readouterr().out) == has_page
    assert "" in result.states and "not tried, because the check took too long" in str(result)
    assert "not tried" in result._repr_html_() and not result.ok


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
def test_nothing_yet_is_told_apart_from_something_amiss(made):
    result = check_priority(made)
    assert not result.ok and not result.begun
    assert "nothing there yet, and that is fine" in str(result)


def test_the_bare_cell_of_the_stretch_is_nothing_yet():
    class TimedTodo(TodoManager):
        def __init__(self, clock=time.monotonic):
            super().__init__()
            self.clock = clock

    assert not check_timed(TimedTodo).begun
    assert not check_nag(Nag, ByFields).begun
    assert not check_order("").begun


@pytest.mark.parametrize(
    "todo, why",
    [
        ([], "ours. Give it yours: `check_nag(PriorityNag, PriorityTodo)`"),
        ([None], "ours, as your PriorityTodo is not ready"),
        ([TodoManager], "ours, as your PriorityTodo is not ready"),
        ([trap(lambda: "no list")], "ours, as your PriorityTodo is not ready"),
        ([ByFields()], "ours. PriorityTodo: not yet. This check wants the class itself, and got"),
    ],
)
def test_the_nag_stands_alone(todo, why):
    """Without a list of the learner's it is tried with one of ours, and says so, and why."""
    right, wrong = check_nag(ByMin, *todo), check_nag(OfAllTasks, *todo)
    assert right.ok and not wrong.ok
    for result in (right, wrong):
        assert f"It was tried with a list of {why}" in result.headline
    assert "PriorityTodo()" in wrong.miss.tried
    assert "of ours" not in check_nag(ByMin, ByFields).headline


def test_both_at_once_waits_for_the_one_that_is_not_begun():
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
    assert check_timed(ByFields).headline.startswith("TimedTodo: not yet. 0 of 18 rules hold.")
    assert "is it called TimedTodo, and did you run its cell?" in check_timed(Mine).headline


@pytest.mark.parametrize(
    "made, kind",
    [
        (ByFields(), "an object made from ByFields"),
        ("PriorityTodo", "a piece of text"),
        (42, "a number"),
        ({"priority": "high"}, "a dict"),
    ],
)
def test_what_is_no_class_is_told_so(made, kind):
    result = check_priority(made)
    assert result.begun and kind in str(result)
    assert "wants the class itself" in str(result)
    assert "wants the class itself" in str(check_nag(ByMin(ByFields()), ByFields))


# What a tutor would add


class AsAttribute(Nag):
    def reminder(self):
        return max(self.todo.items, key=lambda item: item.priority)  # type: ignore[attr-defined]  # the mistake


class WantsCalls(Nag):
    def reminder(self, calls):
        return ""


class NothingMade(Nag):
    def reminder(self):
        return self.levels  # type: ignore[attr-defined]  # the mistake


class AsksAPerson(Nag):
    def reminder(self):
        return input("What next? ")


@pytest.mark.parametrize(
    "nag, words",
    [
        (AsAttribute, 'write `item["status"]`, not `item.status`'),
        (WantsCalls, "calls `self.reminder()` without arguments"),
        (NothingMade, "is made in `__init__`"),
        (LooksForItsOwnItems, "write `self.todo.items`"),
        (AsksAPerson, "cannot ask a person"),
        (TakesThePriorityOut, "`pop` takes it out of the item"),
        (Prints, "say return, not print"),
    ],
)
def test_an_error_comes_with_a_word_on_what_it_comes_from(nag, words):
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
        (check_priority, WithoutSelf, "Is `self` its first argument"),
        (check_priority, WithoutPosition, "`(self, item, position)`"),
        (check_timed, ForgetsSuper, "call `super().__init__()`?"),
    ],
)
def test_a_slip_in_a_methods_first_line_is_named(check, made, words):
    assert words in check(made).miss.note


def test_what_is_missing_elsewhere_is_not_looked_for_in_self():
    class PriorityNag(Nag):
        def reminder(self):
            return "".uper()  # type: ignore[attr-defined]  # the mistake

    miss = check_nag(PriorityNag, ByFields).miss
    assert miss.came.startswith("AttributeError") and miss.note == ""


@pytest.mark.parametrize("fields", [{"priority": {}}, TodoManager.fields | {"priority": 3}])
def test_an_error_inside_todomanager_is_traced_to_the_fields(fields):
    made = type("PriorityTodo", (TodoManager,), {"fields": fields})
    assert "goes by your `fields`" in check_priority(made).miss.note


def test_a_method_that_is_not_there_is_no_riddle():
    made = type(
        "TimedTodo",
        (TodoManager,),
        {"sumary": len, "__init__": lambda self, clock=0: TodoManager.__init__(self)},
    )
    assert "Is it spelled so?" in check_timed(made).miss.note


class SubtractsClocks(ByALog):
    def summary(self):
        return self.clock - self.clock


class OnlyForAClock(ByALog):
    def update(self, items):
        self.clock.now  # noqa: B018
        return super().update(items)


class WithAnInitOfItsOwn(ByFields):
    def __init__(self):
        super().__init__()


class InTheOtherOrder(WithAnInitOfItsOwn, ByALog):
    pass


@pytest.mark.parametrize(
    "timed, words",
    [
        (OnlyForAClock, "`self.clock()` reads any clock"),
        (InTheOtherOrder, "each passes on what is not its own"),
        (ReadsWhatWasPassedIn, "is in `self.items`, after"),
        (SummaryIsAProperty, "without `@property`"),
        (SummaryIsPrinted, "say return, not print"),
        (TheClockForItsReading, "A clock is a function: `self.clock()`"),
        (SubtractsClocks, "A clock is a function: `self.clock()`"),
        (TheTimeInsteadOfTheClock, "without parentheses: `clock=time.monotonic`"),
        (Timedeltas, "this is a timedelta: `.total_seconds()`"),
    ],
)
def test_a_time_that_is_none_is_recognised(timed, words):
    assert words in check_timed(timed).miss.note


@pytest.mark.parametrize(
    "method, words", [("check", "`check` gave nothing back"), ("line", "`line` gave nothing back")]
)
def test_a_method_without_return_is_named(method, words):
    made = type("PriorityTodo", (ByFields,), {method: lambda *given: None})
    assert words in check_priority(made).miss.note


def test_a_none_that_was_read_from_a_dict_is_no_missing_return():
    class TimedTodo(ByALog):
        def summary(self):
            whole = super().summary()
            for task in whole["tasks"].values():
                task["completed"] = None
            return whole

    result = check_timed(TimedTodo)
    assert result.miss.came == "{'started': 100, 'completed': None, 'seconds': 30}"
    assert result.miss.note == "Look at 'completed'."


@pytest.mark.parametrize(
    "check, made, words",
    [
        (check_timed, EachUpdateCompletesItAnew, "the task was completed before"),
        (check_timed, TakenUpAgainItIsStartedAgain, "set it only while it is None"),
        (check_timed, APauseForgetsTheStart, "set it only while it is None"),
        (check_timed, SharedByADefault, "or as a default"),
        (check_timed, SessionFromFirstUpdateToLastCompletion, "Note the time of the first"),
        (check_timed, SessionByAnotherClock, "subtract it from `self.clock()`"),
        (check_timed, SummaryByAnotherClock, "from the last start to `self.clock()`"),
        (check_priority, LosesTheActiveForm, "If you wrote your own `line`, `render` or `check`"),
        (check_order, "E B A H D G", "which `return` comes then?"),
    ],
)
def test_a_hint_fits_its_mistake(check, made, words):
    assert words in " ".join(text for _, text in check(made).hints)


def test_what_an_earlier_check_left_in_a_class_changes_no_feedback():
    first, second = check_timed(SharedByTheClass), check_timed(SharedByTheClass)
    assert (first.miss.came, first.states) == ("True", second.states)
    assert str(first) == str(second)


def test_the_hints_are_folded_one_after_the_other():
    html = check_nag(AsAttribute, ByFields)._repr_html_()
    assert html.count("<summary>Hint</summary>") == 1
    assert "<summary>A second hint</summary>" in check_priority(WithoutSelf)._repr_html_()


def test_the_rules_that_hold_are_folded_away_above_a_miss():
    html = check_nag(Prints, ByFields)._repr_html_()
    assert "<summary>2 rules hold</summary>" in html
    assert "rules hold</summary>" not in check_nag(ByMin, ByFields)._repr_html_()


# Whatever a solution does, it ends in a sentence


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
    "deed, came",
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
def test_it_ends_in_a_sentence(deed, came):
    result = check_priority(trap(deed))
    assert not result.ok
    assert came in result.miss.came
    assert len(str(result)) < 3_000
    str(result).encode()


def test_a_class_that_refuses_to_be_looked_into_is_tried_all_the_same():
    class Closed(type):
        def __getattribute__(cls, name):
            raise RuntimeError("no")

    class PriorityTodo(ByFields, metaclass=Closed):
        pass

    assert str(check_priority(PriorityTodo))


@pytest.mark.filterwarnings("error")
def test_a_value_that_comes_late_is_told_so():
    class Async(ByFields):
        async def update(self, items):
            return super().update(items)

    class Yields(Nag):
        def reminder(self):
            yield "Update your todos."

    assert "Its `update` is called and must give its value at once" in str(check_priority(Async))
    assert "Its `reminder` is called" in str(check_nag(Yields, ByFields))


@pytest.mark.parametrize("deed", [endless, deadlocked])
def test_what_never_ends_is_stopped(deed):
    result = check_priority(trap(deed), seconds=0.3)
    assert result.miss.came == "nothing within 0.3 seconds"
    assert "loop there never end?" in result.miss.note or "sleeps" in result.miss.note


def test_the_line_that_never_ends_is_shown():
    assert re.search("while True:|pass", check_priority(trap(endless), seconds=0.3).miss.line)


DEAF = """
from agentlib import TodoManager
from lesson.exercises import check_priority

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


def test_what_cannot_be_stopped_is_said_to_run_on():
    """In a process of its own, which takes the thread with it."""
    done = subprocess.run([sys.executable, "-c", DEAF], capture_output=True, text=True, timeout=60)
    assert "restart the kernel before you go on" in done.stdout, done.stderr


def test_a_stop_by_a_person_comes_through(monkeypatch):
    def interrupted(self, timeout=None):
        monkeypatch.undo()
        raise KeyboardInterrupt

    before = set(threading.enumerate())
    monkeypatch.setattr(threading.Thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        check_priority(trap(endless))
    assert set(threading.enumerate()) <= before, "the loop still runs"


def test_printing_instead_of_returning_is_recognised():
    class PriorityTodo(ByFields):
        def update(self, items):
            print(super().update(items))

    remark = check_priority(PriorityTodo).miss.note
    assert "printed '[ ] #1: Add tests" in remark and "say return, not print" in remark


def test_text_for_a_number_is_recognised():
    class TimedTodo(ByALog):
        def summary(self):
            whole = super().summary()
            return whole | {"session": f"{whole['session']} s"}

    miss = check_timed(TimedTodo).miss
    assert (miss.expected, miss.came) == ("a number of seconds", "'0 s'")
    assert miss.note == "That is text. A number has no quotes and no unit."


def test_a_number_with_its_unit_is_recognised():
    class TimedTodo(ByALog):
        def summary(self):
            whole = super().summary()
            for task in whole["tasks"].values():
                task["seconds"] = f"{task['seconds']} s"
            return whole

    assert check_timed(TimedTodo).miss.note == (
        "Look at 'seconds'. That is text. A number has no quotes and no unit."
    )


class KeepsALog(ByFields):
    log = []

    def update(self, items):
        self.log.append(items)
        if len(self.log) > 20:
            raise ValueError("the log is full")
        return super().update(items)


def test_rerunning_a_check_returns_the_same_result():
    log = KeepsALog.log
    assert check_priority(KeepsALog).ok
    assert check_priority(KeepsALog).ok
    assert KeepsALog.log is log and log == []


SENTINEL = object()


@dataclass
class TimedByADataclass(ByALog):
    """Its generated `__init__` compares a default value with a sentinel by identity."""

    clock: Callable[[], float] = time.monotonic
    history: list = field(default_factory=list)
    known: dict = field(default_factory=dict)

    def __post_init__(self):
        super().__init__(self.clock)

    def summary(self, start=SENTINEL):
        assert start is SENTINEL
        return super().summary()


def test_check_keeps_sentinel_defaults_and_default_factories():
    assert check_timed(TimedByADataclass).ok, check_timed(TimedByADataclass)
    assert check_timed(TimedByADataclass).ok
    assert TimedByADataclass().history == []


def test_check_reports_a_rebound_todomanager_attribute(monkeypatch):
    monkeypatch.setattr(TodoManager, "fields", ByFields.fields)
    assert check_priority(ByFields).miss.came == str([*ByFields.fields])


def test_check_restores_class_attributes():
    class PriorityTodo(ByFields):
        limit = None
        rows = {"all": [1]}

        def update(self, items):
            PriorityTodo.limit = PriorityTodo.added = 3
            self.rows["all"].clear()
            return super().update(items)

    assert check_priority(PriorityTodo).ok
    assert (PriorityTodo.limit, PriorityTodo.rows) == (None, {"all": [1]})
    assert not hasattr(PriorityTodo, "added")


# The lines to put in order


@pytest.mark.parametrize(
    "order",
    [
        "E B G H D A",
        "EBGHDA",
        "e, b, g, h, d, a",
        ["E", "B", "G", "H", "D", "A"],
        "H E B G D A",
        "H E B D A",
    ],
)
def test_every_order_that_works_is_right(order):
    assert check_order(order).ok, check_order(order)


@pytest.mark.parametrize(
    "order, word",
    [
        ("D A", "third"),
        ("E B G C D A", "rounds"),
        ("E B G H F A", "third"),
        ("E B H D A", "back"),
        ("H D A", "back"),
        ("E B G D A H", "third"),
        ("H E B F A C", "third"),
        ("H E B F A G C", "third"),
        ("H E B F A C D G", "third"),
        ("H E B F A D G C", "third"),
        ("F G H E B D A", "again"),
    ],
)
def test_an_order_that_does_not_work_meets_its_rule(order, word):
    result = check_order(order)
    states = zip(result.rules, result.states, strict=True)
    assert next(rule.name for rule, state in states if state != "yes") == word, result


@pytest.mark.parametrize(
    "order, words",
    [
        ("A", "cannot come first"),
        ("E H", "must follow"),
        ("E", "None does"),
        ("H A", "is not one"),
        ("X", "no line X"),
        ("E B G G", "there twice"),
        (3, "a text of letters"),
        ("1 2 3", "no letter"),
        (["E", 3], "must follow"),
    ],
)
def test_an_order_that_makes_no_python_is_explained(order, words):
    result = check_order(order)
    assert result.begun and not result.ok
    assert words in str(result)


@pytest.mark.skipif(os.name == "nt", reason="one process name less to think of")
def test_importing_the_checks_brings_in_no_sdk():
    script = (
        "import sys, lesson.exercises; "
        "print([m for m in ('anthropic', 'IPython', 'ipywidgets') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
