"""The rules of `TimedTodo`: what `summary` returns, with a clock that is set by hand."""

from collections.abc import Mapping
from functools import partial
from numbers import Real
from time import sleep
from typing import Any

from lesson.time_limit import show

from .engine import Differs, Words, rule, same
from .my_todo import BIG, DOCS, FIX, LISTS, MISTAKES, NO_ITEMS, NO_LISTS, is_accepted
from .priority_todo import OF_A_LIST, parent_of, same_as

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
    "Models leave out a status, or send ` In_Progress`, and the list mends that: read "
    "`self.items` after `super().update(items)`, and not the argument."
)
READ_THE_CLOCK = (
    "Your code did not read the clock that was passed in: write `self.clock()`, and not "
    "`time.monotonic()`. A task and the session begin at the time at which it is called."
)
AGAIN = (
    "The first start and the first completion count. A task that is pending or in progress again, "
    "or is not in one of the lists, keeps them."
)
TWO_LISTS = "What is in the body of the class belongs to all lists: create it in `__init__`."
DEFAULT = (
    "Without an argument, the clock is the function `time.monotonic` itself: write "
    "`clock=time.monotonic`, without parentheses, which call it once, for all lists."
)
PENDING = "A task that is pending has not begun: store a time only for `in_progress`."
AS_BEFORE = (
    "Only `summary` is new: give the items to `super().update(items)` as they are, return what "
    "that returns, and keep the times in `self`, by text, and not in the items."
)
CAUSES = (
    (
        "operand.*NoneType",
        "A time is None here: the task has no start or is not completed, or the session has no "
        "beginning. Decide with `is None` before you subtract.",
    ),
    ("^KeyError: '(text|status)'$", AS_SENT),
    ("'(float|int)' object is not callable", DEFAULT),
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
    ("^ValueError", AS_BEFORE),
    *OF_A_LIST,
)


class Clock:
    """A clock that is set by hand: `clock.now = 110`. Call it to read it."""

    def __init__(self, now: float = 0) -> None:
        self.now = now
        self.reads = 0

    def __call__(self) -> float:
        self.reads += 1
        return self.now


def begin(TimedTodo: Any, now: float) -> Any:
    """Return a list whose clock shows `now`."""
    todo = TimedTodo(clock=Clock(now))
    assert isinstance(getattr(todo, "clock", None), Clock), MADE
    return todo


def send(todo: Any, now: float, *items: Any, **statuses: str) -> Any:
    """Set the clock, and send these items, and the status of each task by its text."""
    todo.clock.now, todo.clock.reads = now, 0
    tasks = [{"text": text, "status": status} for text, status in statuses.items()]
    return todo.update(items=[*tasks, *items])


def read(todo: Any, now: float) -> dict[str, float]:
    """Set the clock, and return the summary of the tasks on the list, and of the session.

    If it has another shape, say what is wrong. A task that has left the list may have an entry.
    """
    todo.clock.now, todo.clock.reads = now, 0
    summary = todo.summary()
    names = [*(item["text"] for item in todo.items), "session"]
    if not isinstance(summary, Mapping) or not {*names} <= summary.keys():
        raise Differs(summary, Words(f"a dict with the keys {names}"), SHAPE)
    found = {name: summary[name] for name in names}
    if not all(isinstance(one, Real) for one in found.values()):
        raise Differs(found, Words("a number for each of them"), SHAPE)
    assert todo.clock.reads, READ_THE_CLOCK
    if isinstance(summary, dict):
        summary.clear()  # it is the caller's
    return {name: round(seconds, 6) for name, seconds in found.items()}


def expect(todo: Any, now: float, note: str, **seconds: float) -> None:
    """Set the clock, and raise Differs with the first of these tasks that has other seconds."""
    found = read(todo, now)
    for name, expected in seconds.items():
        same({name: found[name]}, {name: expected}, note)


@rule
def shape(TimedTodo):
    """`summary()` returns the seconds of each task by its text, and those of the "session".

    What does `update` return, and what does `summary` return?

    Return one dict: each text in `self.items` with a number, and "session" with a number."""
    todo = begin(TimedTodo, 100)
    shown = send(todo, 100, Docs="in_progress", Test="pending")
    if not isinstance(shown, str):
        raise Differs(Words(show(shown)), Words("the list as text"), RETURNED)
    same([*read(todo, 130)], ["Docs", "Test", "session"], SHAPE)


@rule
def clock(TimedTodo):
    """The clock is passed in, as a function that returns seconds. The default is time.monotonic.

    When does your code need to know the time?

    The given `__init__` stores the clock, and `self.clock()` is the time now."""
    todo = TimedTodo()
    same([*todo.summary()], ["session"], SHAPE)
    assert callable(todo.clock), DEFAULT
    before = todo.clock()
    sleep(0.03)  # longer than a tick of any clock
    assert todo.clock() > before, DEFAULT
    todo = begin(TimedTodo, 100)
    assert todo.clock.reads, f"{SESSION} `time.monotonic()` is another clock."
    send(todo, 100, Docs="in_progress")
    assert todo.clock.reads, READ_THE_CLOCK


@rule
def took(TimedTodo):
    """A task counts from the first in_progress to the first completed, or up to now.

    When does a status change, and what time is it then? Read the clock that you were given.

    After an accepted update, look at each item in `self.items`, and keep its first times."""
    todo, other = begin(TimedTodo, 100), begin(TimedTodo, 50)
    send(todo, 100, Docs="in_progress", Test="pending")
    send(other, 60, Docs="in_progress")
    expect(todo, 110, UP_TO_NOW, Docs=10)
    expect(todo, 115.5, f"{UP_TO_NOW} Do not round.", Docs=15.5)
    send(todo, 120, Docs="in_progress", Test="pending")
    expect(todo, 125, STARTED_FIRST, Docs=25)
    send(todo, 130, Test="in_progress", Docs="completed")
    expect(todo, 130, BY_TEXT, Docs=30)
    expect(todo, 140, COMPLETED_FIRST, Docs=30)
    expect(todo, 140, PENDING if read(todo, 140)["Test"] > 10 else BY_TEXT, Test=10)
    send(todo, 150, Docs="in_progress", Test="pending")
    expect(todo, 160, AGAIN, Docs=30, Test=30)
    send(todo, 165, Docs="completed")
    send(todo, 175, Test="completed", Docs="completed")
    expect(todo, 200, AGAIN, Docs=30, Test=45)
    expect(other, 70, TWO_LISTS, Docs=10)
    send(todo, 210, Ship="pending")
    send(todo, 220, Docs="completed", Test="in_progress")
    expect(todo, 230, AGAIN, Docs=30, Test=45)
    expect(other, 70, TWO_LISTS, Docs=10)
    send(todo, 300, {"text": " Fix ", "status": " In_Progress\n"}, {"text": "Left out"})
    expect(todo, 310, AS_SENT, Fix=10)
    send(todo, 320, Ship="in_progress")
    send(todo, 330, Fix="in_progress")
    expect(todo, 340, AGAIN, Fix=40)
    todo, texts = begin(TimedTodo, 100), [item["text"].strip() for item in BIG]
    for turn, text in enumerate(texts):
        later, done = dict.fromkeys(texts, "pending"), dict.fromkeys(texts[:turn], "completed")
        statuses = later | done | {text: "in_progress"}
        order = sorted(statuses, key=lambda one: (len(one) * turn) % 7)
        send(todo, 100 + 10 * turn, **{one: statuses[one] for one in order})
    expected = dict.fromkeys(texts, 10) | {texts[-1]: 25}
    expect(todo, 315, BY_TEXT, **expected)


@rule
def zero(TimedTodo):
    """A task that was never started, or was completed first, has 0 seconds.

    And what is `if started:` if a task was started when the clock showed 0?

    `max(0, end - start)` is never less than 0, also if a task is started after it was completed."""
    todo = begin(TimedTodo, 0)
    send(todo, 0, Docs="in_progress", Test="completed", Ship="pending")
    expect(todo, 10, IS_NONE, Docs=10)
    expect(todo, 10, ZERO, Test=0, Ship=0)
    send(todo, 20, Docs="completed", Test="in_progress", Ship="completed")
    expect(todo, 30, f"{ZERO} {IS_NONE}", Test=0, Ship=0)
    send(todo, 40, Docs="completed", Test="pending", Ship="in_progress")
    expect(todo, 50, ZERO, Test=0, Ship=0)
    todo = begin(TimedTodo, 0)
    send(todo, 0, Fix="in_progress")
    send(todo, 0, Fix="completed")
    expect(todo, 10, IS_NONE, Fix=0)


@rule
def session(TimedTodo):
    """The session counts from the moment at which the list is made up to now.

    It includes the time between the tasks. When does it begin?

    Store `self.clock()` in `__init__`; in `summary`, subtract it from `self.clock()`."""
    todo = begin(TimedTodo, 100)
    expect(todo, 115, SESSION, session=15)
    send(todo, 120, Docs="in_progress")
    send(todo, 150, Docs="completed")
    expect(todo, 160, SESSION, session=60)


@rule
def rejected(TimedTodo):
    """A list that is rejected changes no times.

    Which line stores a time, and can a later line still raise?

    Call `super().update(items)` first: if it raises, the lines after it do not run."""
    urgent = [{"text": "Fix", "priority": "urgent"}]
    for mistake in [urgent, *MISTAKES]:
        todo = begin(TimedTodo, 100)
        send(todo, 100, Docs="in_progress", Test="pending")
        todo.clock.now = 110
        done, started = DOCS | {"status": "completed"}, {"text": "Test", "status": "in_progress"}
        items = [done, started, *mistake]
        # A list without priorities accepts "urgent".
        if not is_accepted(parent_of(TimedTodo)(), items):
            if is_accepted(todo, items):
                raise Differs(Words("no error"), Words("a ValueError"), REJECTED)
            expect(todo, 120, REJECTED, Docs=20, Test=0, session=20)


@rule
def as_in_the_parent(TimedTodo):
    """Everything else is as in the list that it extends: the times are not in the items.

    Does your `update` give on what it gets, and return what it gets back?"""
    lists = [*LISTS, *NO_LISTS, *([FIX, item] for item in NO_ITEMS)]
    same_as(parent_of(TimedTodo), partial(TimedTodo, clock=Clock()), lists, AS_BEFORE)
