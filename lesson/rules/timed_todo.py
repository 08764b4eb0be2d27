"""The rules of `TimedTodo`: what `summary` returns, with a clock that is set by hand."""

from collections.abc import Mapping
from copy import deepcopy
from numbers import Real
from random import Random
from typing import Any

from .engine import Differs, Words, rule, same
from .priority_todo import BY_TOOL, OF_A_LIST, find_differences, parent_of, send_by_tool
from .random_cases import compare

SHAPE = (
    "`summary()` returns one dict of numbers: the seconds of each task by its text, and those of "
    'the whole session: `{"Fix the login": 30.0, "session": 75.0}`.'
)
EACH_TASK = (
    "A task of the list has no seconds. Each one in `self.items` has an entry by its text, "
    "unchanged, also one that was never started."
)
A_NUMBER = (
    "The seconds of a task are a number, and not a string, a dict or None: the caller calculates "
    "with them."
)
RETURNED = "`update` must return the list as text: return what `super().update(items)` returns."
MADE = (
    "It is made with `TimedTodo(clock=clock)` or `TimedTodo()`, and reads the time with "
    "`self.clock()`. Keep the given `__init__`."
)
STARTED_FIRST = (
    "The model sends its whole list each time, so a task that is in progress in several lists "
    "keeps its first start: `self.started.setdefault(text, self.clock())` stores a time only if "
    "there is none for this text yet."
)
COMPLETED_FIRST = (
    "A task that is completed stops counting, and it keeps the time at which it was first "
    "completed, whatever lists come after it."
)
UP_TO_NOW = (
    "A task that is started and not completed counts up to now: subtract its start from "
    "`self.clock()` in `summary`, and store nothing there."
)
ZERO_IF_NONE = (
    "A task without a start has 0 seconds: one that is pending, and one that was completed without "
    "being in progress before."
)
NEVER_NEGATIVE = (
    "The seconds are negative: the task was completed before it was started. "
    "`max(0, end - start)` is 0 then."
)
BY_TEXT = (
    "The times of two tasks are mixed up. Keep them by the text of each task: its place in the "
    "list changes, and several tasks can have a time."
)
IS_NONE = (
    "A clock may show 0, and `if started:` is false for 0: test `is None`, or whether the text is "
    "in the dict."
)
SESSION = (
    "The session begins when the list is made: store `self.clock()` in `__init__`, and subtract it "
    "from `self.clock()` in `summary`."
)
REJECTED = (
    "A list that was rejected has changed a time. Call `super().update(items)` first: if it "
    "raises, the lines after it do not run."
)
CLEAN = (
    "Models leave out a status, or add whitespace to a text. The list corrects this, so read "
    "`self.items` after `super().update(items)`, and not the argument."
)
AS_BEFORE = (
    "All other rules are those of the parent: let `super().update(items)` check the list, and do "
    "not catch its ValueError."
)
OWN_TIMES = (
    "Two lists share their times. What is in the body of the class, or a default such as "
    "`started={}`, belongs to all: create it in `__init__`."
)
RANDOM = (
    "Your code keeps another time than the rules say. The first start and the first completion "
    "count, texts are compared exactly, and neither `summary` nor another task changes a time."
)
CAUSES = (
    (
        r"operand.*'(Clock|function|builtin_function_or_method|method)'",
        "The clock is a function: call it, `self.clock()`.",
    ),
    (
        "operand.*NoneType",
        "A time is None here: the task has no start or is not completed, or the session has no "
        "beginning. Decide with `is None` before you subtract.",
    ),
    (
        "^KeyError: '(text|status)'$",
        "A model may leave this field out: read `self.items` after `super().update(items)`, which "
        "fills it in.",
    ),
    (
        "^KeyError",
        "This task has no time yet: `.get(text)` returns None if there is none. Is the text of a "
        "task its key, unchanged?",
    ),
    (
        "has no attribute '(items|fields)'",
        "Your `__init__` must call `super().__init__()`, which creates the list.",
    ),
    ("has no attribute 'clock'", MADE),
    ("has no attribute 'summary'", "Write the method `summary(self)`: it returns a dict."),
    (
        "'super' object has no attribute|takes no arguments",
        "Your class extends no todo list: write `class TimedTodo(PriorityTodo):`, and run the cell "
        "of PriorityTodo before.",
    ),
    (r"__init__\(\) (takes|missing|got)", MADE),
    ("^NameError: name 'time'", "Write `import time` at the beginning of the cell."),
    (
        "dictionary changed size",
        "A dict cannot grow while you go through it: go through `self.items`.",
    ),
    (
        "unsupported operand|cannot unpack|not an iterator|^StopIteration|unhashable",
        "A value in this line is of another kind than the line needs: a time is a number, as "
        "`self.clock()` returns it, and the text of a task is its key.",
    ),
    *OF_A_LIST,
)


class Clock:
    """A clock that is set by hand: `clock.now = 110`. Call it to read it."""

    def __init__(self, now: float = 0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def send(todo: Any, clock: Clock, now: float, **statuses: str) -> str:
    """Set the clock, and send the status of each task by its text, in this order."""
    clock.now = now
    items = [{"text": text, "status": status} for text, status in statuses.items()]
    return todo.update(items)


def is_rejected(todo: Any, clock: Clock, now: float, **statuses: str) -> bool:
    """Return whether a list is rejected that breaks a rule of the parent."""
    try:
        send(todo, clock, now, **statuses)
    except ValueError:
        return True
    return False


def read(todo: Any, clock: Clock, now: float) -> dict[str, float]:
    """Set the clock, and return the summary of the tasks on the list, and of the session.

    If it has another shape, say what is wrong. A task that has left the list may have an entry.
    """
    clock.now = now
    summary = todo.summary()
    texts = [item["text"] for item in todo.items]
    if not isinstance(summary, Mapping) or "session" not in summary:
        raise Differs(summary, Words(f"a dict with the keys {[*texts, 'session']}"), SHAPE)
    if not all(text in summary for text in texts):
        raise Differs([*summary], [*texts, "session"], EACH_TASK)
    found = {name: summary[name] for name in (*texts, "session")}
    if not all(is_number(one) for one in found.values()):
        raise Differs(found, Words("a number for each of them"), A_NUMBER)
    assert all(one >= 0 for one in summary.values() if is_number(one)), NEVER_NEGATIVE
    return {name: round(seconds, 6) for name, seconds in found.items()}


def is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


@rule
def shape(TimedTodo):
    """`summary()` returns the seconds of each task by its text, and those of the "session".

    What does `update` return, and what does `summary` return?

    Return one dict: each text in `self.items` with a number, and "session" with a number."""
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    shown = send(todo, clock, 100, Docs="in_progress", Test="pending")
    assert isinstance(shown, str) and "Docs" in shown, RETURNED
    same([*read(todo, clock, 130)], ["Docs", "Test", "session"], SHAPE)
    assert isinstance(TimedTodo().summary(), Mapping), SHAPE


@rule
def took(TimedTodo):
    """A task counts from the first in_progress to the first completed, and has 0 without a start.

    When does a status change, and what time is it then? Read the clock that you were given.

    After an accepted update, look at each item in `self.items`, and keep its first times."""
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    send(todo, clock, 100, Docs="in_progress", Test="pending", Ship="pending")
    same(read(todo, clock, 110)["Docs"], 10, UP_TO_NOW)
    send(todo, clock, 120, Docs="in_progress", Test="pending", Ship="pending")
    same(read(todo, clock, 125)["Docs"], 25, STARTED_FIRST)
    send(todo, clock, 130, Test="in_progress", Docs="completed", Ship="completed")
    docs = read(todo, clock, 140)["Docs"]
    same(docs, 30, COMPLETED_FIRST if docs > 30 else BY_TEXT)
    same(read(todo, clock, 140)["Test"], 10, BY_TEXT)
    send(todo, clock, 175, Test="completed", Docs="completed", Ship="completed")
    same(read(todo, clock, 200)["Docs"], 30, COMPLETED_FIRST)
    same(read(todo, clock, 200)["Test"], 45, BY_TEXT)
    same(read(todo, clock, 200)["Ship"], 0, ZERO_IF_NONE)


@rule
def zero(TimedTodo):
    """0 is a time like any other, and no task has less than 0 seconds.

    What is `if started:` for the time 0? And what was completed before it was started?"""
    clock = Clock(0)
    todo = TimedTodo(clock=clock)
    send(todo, clock, 0, Ship="in_progress", Docs="pending", Test="completed")
    send(todo, clock, 0, Ship="completed", Docs="in_progress", Test="completed")
    same(read(todo, clock, 10)["Docs"], 10, IS_NONE)
    same(read(todo, clock, 10)["Ship"], 0, IS_NONE)
    same(read(todo, clock, 10)["Test"], 0, ZERO_IF_NONE)
    send(todo, clock, 20, Ship="completed", Docs="completed", Test="in_progress")
    same(read(todo, clock, 30)["Docs"], 20, IS_NONE)


@rule
def session(TimedTodo):
    """The session counts from the moment at which the list is made up to now.

    It includes the time between the tasks. When does it begin?

    Store `self.clock()` in `__init__`; in `summary`, subtract it from `self.clock()`."""
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    same(read(todo, clock, 115)["session"], 15, SESSION)
    send(todo, clock, 120, Docs="in_progress")
    send(todo, clock, 150, Docs="completed")
    same(read(todo, clock, 160)["session"], 60, SESSION)
    clock.now = 0
    todo = TimedTodo(clock=clock)
    same(read(todo, clock, 40)["session"], 40, IS_NONE)


@rule
def rejected(TimedTodo):
    """A list that is rejected changes no time.

    Which line stores a time, and can a later line still raise?

    Call `super().update(items)` first: if it raises, the lines after it do not run."""
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    send(todo, clock, 100, Docs="in_progress", Test="pending", Ship="pending")
    assert is_rejected(todo, clock, 110, Docs="completed", Ship="done"), AS_BEFORE
    assert is_rejected(todo, clock, 110, Test="in_progress", Ship="in_progress"), AS_BEFORE
    found = read(todo, clock, 120)
    same(found, {"Docs": 20, "Test": 0, "Ship": 0, "session": 20}, REJECTED)


@rule
def as_in_the_parent(TimedTodo):
    """Everything else is the same as in the list that it extends.

    You add times. The other rules are still needed.

    Let `super().update(items)` check the list, and then read `self.items`."""
    clock = Clock(100)
    todo, other = TimedTodo(clock=clock), TimedTodo(clock=clock)
    todo.update([{"text": " Test ", "status": "in_progress"}, {"text": "Docs"}])
    same(read(todo, clock, 130), {"Test": 30, "Docs": 0, "session": 30}, CLEAN)
    other.update([{"text": "Test", "status": "in_progress"}])
    same(read(other, clock, 140), {"Test": 10, "session": 40}, OWN_TIMES)
    shown = send_by_tool(todo, [{"text": "Docs", "status": "completed"}])
    same(shown, todo.render(), BY_TOOL)
    same(find_differences(TimedTodo, parent_of(TimedTodo)), [], AS_BEFORE)


@rule
def as_the_solution(TimedTodo):
    """It has the same seconds as the solution, in 200 random runs on two lists.

    A task that is taken up again, after it was pending or completed or had left the list, is not
    compared: its seconds are only not negative. Which line of the case is unlike the rules above?
    """
    compare(TimedTodo, extend(parent_of(TimedTodo)), draw, play, RANDOM, tell=tell)


def extend(PriorityTodo: Any) -> Any:
    """Return the solution on this base."""

    class TimedTodo(PriorityTodo):  # type: ignore[misc]
        def __init__(self, clock: Any) -> None:
            super().__init__()
            self.clock, self.made = clock, clock()
            self.times: dict[str, dict[str, float]] = {"in_progress": {}, "completed": {}}

        def update(self, items: Any) -> str:
            shown = super().update(items)
            for item in self.items:
                self.times.get(item["status"], {}).setdefault(item["text"], self.clock())
            return shown

        def summary(self) -> dict[str, float]:
            now, seconds = self.clock(), {}
            for text in [item["text"] for item in self.items]:
                end = self.times["completed"].get(text, now)
                seconds[text] = max(0, end - self.times["in_progress"].get(text, end))
            return seconds | {"session": now - self.made}

    return TimedTodo


TEXTS = ("Docs", "docs", "Fix the {login}", "<b>Test</b> & ship", "C:\\new\\1", "0", "total")
STATUSES = ("pending", "in_progress", "completed")
Sent = tuple[float, list[dict[str, str]] | None]  # the time, and the list, or None for a summary


def draw(random: Random, size: int) -> list[Sent]:
    """Return what happens at up to `size` moments, the last of which is a summary."""
    now: float = random.choice((0, 100))
    texts = random.sample(TEXTS, random.randint(1, min(size, 5)))
    at = dict.fromkeys(texts, 0)  # the status of each task, as a place in STATUSES
    case: list[Sent] = [(now, None)]
    for _ in range(size):
        now += random.choice((0, 0.5, 10, 30))
        case.append((now, draw_list(random, at) if random.random() < 0.8 else None))
    return [*case, (now + random.choice((0, 5)), None)]


def draw_list(random: Random, at: dict[str, int]) -> list[dict[str, str]]:
    """Return a list in which some tasks go on, rarely back. It changes `at`."""
    for text in at:
        at[text] = max(0, min(2, at[text] + random.choice((0, 0, 1, 1, 2, -1))))
    for text in [text for text in at if at[text] == 1][1:]:  # only one is in progress
        at[text] = random.choice((0, 2))
    items = [{"text": text, "status": STATUSES[place]} for text, place in at.items()]
    random.shuffle(items)
    if random.random() < 0.15:
        items.append({"text": "Ship it", "status": "done"})
    return items if random.random() < 0.8 else items[1:]


def tell(case: list[Sent]) -> str:
    """Return a case as the learner reads it."""
    lines = [f"todo = TimedTodo(clock)  # at {case[0][0]:g}"]
    for now, items in case[1:]:
        done = "summary()" if items is None else f"update({items!r})"
        lines.append(f"todo.{done}  # at {now:g}")
    return "\n".join(lines)


def play(kind: Any, case: list[Sent]) -> list[Any]:
    """Return each summary of a list, while another one is used as well."""
    clock = Clock(case[0][0])
    todo, other = kind(clock=clock), kind(clock=clock)
    history: dict[str, list[str]] = {}
    found: list[Any] = []
    for now, items in case[1:]:
        clock.now = now
        if items is None:
            seconds = read(todo, clock, now)
            for text in seconds.keys() & history.keys():
                if not is_told(history[text]):
                    seconds[text] = 0.0  # any number is right
            found.append(seconds)
            continue
        try:
            todo.update(deepcopy(items))
            other.update([{"text": "Docs", "status": "in_progress"}])
        except ValueError:
            found.append("rejected")
            continue
        sent = {item["text"]: item["status"] for item in items}
        for text in {*history, *sent}:
            history.setdefault(text, []).append(sent.get(text, "gone"))
    return found


def is_told(statuses: Any) -> bool:
    """Return whether the rules say how long a task with these statuses has taken."""
    order = [STATUSES.index(one) if one in STATUSES else 3 for one in statuses]
    return order == sorted(order)
