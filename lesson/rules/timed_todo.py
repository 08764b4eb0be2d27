"""The rules of `TimedTodo`: what `summary` returns, with a clock that is set by hand."""

from collections.abc import Mapping
from numbers import Real
from random import Random
from typing import Any

from .engine import Differs, Words, rule, same
from .priority_todo import OF_A_LIST, parent_of
from .random_cases import compare

SHAPE = (
    "`summary()` returns one dict of numbers: the seconds of each task in `self.items`, by its "
    "text, also of one that was never started, and those of the whole session: "
    '`{"Fix the login": 30.0, "session": 75.0}`.'
)
RETURNED = "`update` must return the list as text: return what `super().update(items)` returns."
MADE = (
    "It is made with `TimedTodo(clock=clock)` or `TimedTodo()`, and reads the time with "
    "`self.clock()`. Keep the given `__init__`."
)
UP_TO_NOW = (
    "A task that is started and not completed counts up to now: subtract its start from "
    "`self.clock()` in `summary`, and store nothing there."
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
BY_TEXT = (
    "The times of two tasks are mixed up. Keep them by the text of each task: its place in the "
    "list changes, and several tasks can have a time."
)
ZERO = (
    "A task that was never started, or was completed first, has 0 seconds, and none has less: "
    "`max(0, end - start)`."
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
    "A list that is rejected raises an error and changes no time. Call `super().update(items)` "
    "first, and do not catch its ValueError: if it raises, the lines after it do not run."
)
AS_SENT = (
    "Models leave out a status, which the list fills in: read `self.items` after "
    "`super().update(items)`, and not the argument."
)
RANDOM = (
    "Your code keeps another time than the rules say. The first start and the first completion "
    "count, texts are compared exactly, and neither `summary`, another task nor another list "
    "changes a time. What is in the body of the class belongs to all lists."
)
CAUSES = (
    (
        "operand.*NoneType",
        "A time is None here: the task has no start or is not completed, or the session has no "
        "beginning. Decide with `is None` before you subtract.",
    ),
    ("^KeyError: '(text|status)'$", AS_SENT),
    (
        "^KeyError",
        "This task has no time yet: `.get(text)` returns None if there is none. Is the text of a "
        "task its key, unchanged?",
    ),
    (
        "has no attribute '(items|fields)'",
        "Your `__init__` must call `super().__init__()`, which creates the list.",
    ),
    (r"has no attribute 'clock'|__init__\(\) (takes|missing|got)", MADE),
    ("'TimedTodo' object has no attribute 'summary'", "Write `summary(self)`: it returns a dict."),
    ("^NameError: name 'time'", "Write `import time` at the beginning of the cell."),
    *OF_A_LIST,
)


class Clock:
    """A clock that is set by hand: `clock.now = 110`. Call it to read it."""

    def __init__(self, now: float = 0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def begin(TimedTodo: Any, now: float) -> Any:
    """Return a list whose clock shows `now`."""
    todo = TimedTodo(clock=Clock(now))
    assert isinstance(getattr(todo, "clock", None), Clock), MADE
    return todo


def send(todo: Any, now: float, **statuses: str) -> str:
    """Set the clock, and send the status of each task by its text. An empty one is left out."""
    todo.clock.now = now
    tasks = [{"text": text, "status": status} for text, status in statuses.items()]
    return todo.update(items=[{k: v for k, v in task.items() if v} for task in tasks])


def read(todo: Any, now: float) -> dict[str, float]:
    """Set the clock, and return the summary of the tasks on the list, and of the session.

    If it has another shape, say what is wrong. A task that has left the list may have an entry.
    """
    todo.clock.now = now
    summary = todo.summary()
    names = [*(item["text"] for item in todo.items), "session"]
    if not isinstance(summary, Mapping) or not {*names} <= summary.keys():
        raise Differs(summary, Words(f"a dict with the keys {names}"), SHAPE)
    found = {name: summary[name] for name in names}
    if not all(isinstance(one, Real) for one in found.values()):
        raise Differs(found, Words("a number for each of them"), SHAPE)
    assert min(found.values()) >= 0, ZERO
    return {name: round(seconds, 6) for name, seconds in found.items()}


@rule
def shape(TimedTodo):
    """`summary()` returns the seconds of each task by its text, and those of the "session".

    What does `update` return, and what does `summary` return?

    Return one dict: each text in `self.items` with a number, and "session" with a number."""
    parent_of(TimedTodo)
    todo = begin(TimedTodo, 100)
    shown = send(todo, 100, Docs="in_progress", Test="pending")
    assert isinstance(shown, str) and "Docs" in shown, RETURNED
    same([*read(todo, 130)], ["Docs", "Test", "session"], SHAPE)
    assert TimedTodo().summary().keys() == {"session"}, SHAPE


@rule
def took(TimedTodo):
    """A task counts from the first in_progress to the first completed, or up to now.

    When does a status change, and what time is it then? Read the clock that you were given.

    After an accepted update, look at each item in `self.items`, and keep its first times."""
    todo = begin(TimedTodo, 100)
    send(todo, 100, Docs="in_progress", Test="pending")
    same(read(todo, 110)["Docs"], 10, UP_TO_NOW)
    send(todo, 120, Docs="in_progress", Test="pending")
    same(read(todo, 125)["Docs"], 25, STARTED_FIRST)
    send(todo, 130, Test="in_progress", Docs="completed")
    same(read(todo, 130)["Docs"], 30, BY_TEXT)
    same(read(todo, 140)["Docs"], 30, COMPLETED_FIRST)
    same(read(todo, 140)["Test"], 10, BY_TEXT)
    send(todo, 175, Test="completed", Docs="completed")
    same(read(todo, 200)["Docs"], 30, COMPLETED_FIRST)
    same(read(todo, 200)["Test"], 45, BY_TEXT)


@rule
def zero(TimedTodo):
    """A task that was never started, or was completed first, has 0 seconds.

    And what is `if started:` if a task was started when the clock showed 0?"""
    todo = begin(TimedTodo, 0)
    send(todo, 0, Docs="in_progress", Test="completed", Ship="pending")
    same(read(todo, 10)["Docs"], 10, IS_NONE)
    same(read(todo, 10)["Test"], 0, ZERO)
    send(todo, 20, Docs="completed", Test="in_progress", Ship="completed")
    same(read(todo, 30)["Ship"], 0, ZERO)
    todo = begin(TimedTodo, 0)
    send(todo, 0, Fix="in_progress")
    send(todo, 0, Fix="completed")
    same(read(todo, 10)["Fix"], 0, IS_NONE)


@rule
def session(TimedTodo):
    """The session counts from the moment at which the list is made up to now.

    It includes the time between the tasks. When does it begin?

    Store `self.clock()` in `__init__`; in `summary`, subtract it from `self.clock()`."""
    todo = begin(TimedTodo, 100)
    same(read(todo, 115)["session"], 15, SESSION)
    send(todo, 120, Docs="in_progress")
    send(todo, 150, Docs="completed")
    same(read(todo, 160)["session"], 60, SESSION)


@rule
def rejected(TimedTodo):
    """A list that is rejected changes no time.

    Which line stores a time, and can a later line still raise?

    Call `super().update(items)` first: if it raises, the lines after it do not run."""
    todo = begin(TimedTodo, 100)
    send(todo, 100, Docs="in_progress", Test="pending")
    assert is_rejected(todo, 110, Test="in_progress", Docs="completed", Ship="done"), REJECTED
    same(read(todo, 120), {"Docs": 20, "Test": 0, "session": 20}, REJECTED)


def is_rejected(todo: Any, now: float, **statuses: str) -> bool:
    """Return whether a list is rejected."""
    try:
        send(todo, now, **statuses)
    except ValueError:
        return True
    return False


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
STATUSES = ("", "in_progress", "completed")  # pending is left out
Sent = tuple[float, dict[str, str]]  # the time, and each text with its status; empty: a summary


def draw(random: Random, size: int) -> list[Sent]:
    """Return what happens at up to `size` moments, the last of which is a summary."""
    now: float = random.choice((0, 100))
    texts = random.sample(TEXTS, random.randint(1, min(size, 5)))
    at = dict.fromkeys(texts, 0)  # the status of each task, as a place in STATUSES
    case: list[Sent] = [(now, {})]
    for _ in range(size):
        now += random.choice((0, 0.5, 10, 30))
        for text in at:
            at[text] = max(0, min(2, at[text] + random.choice((0, 0, 1, 1, 2, -1))))
        for text in [text for text in at if at[text] == 1][1:]:  # only one is in progress
            at[text] = random.choice((0, 2))
        sent = {text: STATUSES[at[text]] for text in random.sample(texts, len(texts))}
        sent |= {"Ship it": "done"} if random.random() < 0.15 else {}
        case.append((now, sent if random.random() < 0.8 else {}))
    return [*case, (now + random.choice((0, 5)), {})]


def tell(case: list[Sent]) -> str:
    """Return a case as the learner reads it."""
    lines = [f"todo = TimedTodo(clock)  # at {case[0][0]:g}"]
    for now, sent in case[1:]:
        done = f"update() with {sent!r}" if sent else "summary()"
        lines.append(f"todo.{done}  # at {now:g}")
    return "\n".join(lines)


def play(kind: Any, case: list[Sent]) -> list[Any]:
    """Return each summary of a list, while another one is used as well."""
    todo, other = begin(kind, case[0][0]), begin(kind, case[0][0])
    history: dict[str, list[int]] = {}
    found: list[Any] = []
    for now, sent in case[1:]:
        if sent:
            is_sent = not is_rejected(todo, now, **sent)
            send(other, now, Docs="in_progress")
            for text, status in sent.items() if is_sent else ():
                history.setdefault(text, []).append(STATUSES.index(status))
            continue
        # A task that is taken up again may have any time.
        found.append(read(todo, now))
        for text, places in history.items():
            if places != sorted(places):
                found[-1][text] = 0.0
    return found
