"""The rules of `TimedTodo`: what `summary` returns, with a clock that is set by hand."""

from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from numbers import Real
from time import sleep
from typing import Any

from lesson.common.learners_code import show

from .kit.engine import Differs, Words, rule, same
from .kit.lists import (
    DOCS,
    FIX,
    LISTS,
    NO_ITEMS,
    NO_LIST,
    NO_LISTS,
    OF_A_LIST,
    is_accepted,
    make_stories,
    same_as,
    tell,
)
from .kit.page import parent_of
from .kit.telling import telling

BEGUN, DONE, WAITING = "in_progress", "completed", "pending"
SHAPE = (
    "`summary()` returns one dict of numbers: the time of each task in `self.items`, by its "
    "text, also of one that was never started, and those of the whole session: "
    '`{"Fix the login": 30.0, "session": 75.0}`.'
)
SESSION_ALONE = (
    "Your `summary` has the session alone. In a loop over `self.items`, add the time of each task, "
    'by its text: `times[item["text"]] = …`.'
)
RETURNED = (
    "`update` must return the list as text: as its last step, return what `super().update(items)` "
    "returns."
)
MADE = (
    "It is made with `TimedTodo(clock=clock)` or `TimedTodo()`, and reads the time with "
    "`self.clock()`. Keep the given `__init__`."
)
UP_TO_NOW = (
    "A task that is started and not completed counts up to now: subtract its start "
    "from `self.clock()` in `summary`, and store nothing there."
)
BEGINS = (
    "This task is in progress, and its time is 0. It begins when a list first has it in "
    "progress, also if it was on no list before: read the clock then, in `update`. It counts up to "
    "now: read the clock again, in `summary`."
)
STARTED_FIRST = (
    "The model sends its whole list each time, so a task that is in progress in several lists "
    "keeps its first start, also if it was pending in between: store a time only if there is none "
    "for this text yet, in a dict that `__init__` makes."
)
COMPLETED_FIRST = (
    "A task that is completed stops counting, and it keeps the time at which it was first "
    "completed, whatever lists come after it."
)
EVERY = "Look at every task of each list, to the last one: a `return` inside of the loop ends it."
BY_TEXT = (
    "The key of each time is the exact text of its task: its id, its place in a list, and other "
    "lists do not count."
)
NEVER = "A task that was never in progress has the time 0, also if it is completed."
IS_NONE = "A clock may show 0, and `if started:` is false for 0, as for a task that has no start."
SESSION = (
    "The session begins when the list is made, and counts up to the time at which `summary` is "
    "called, without rounding. No list begins it anew, or ends it."
)
REJECTED = (
    "A list that is rejected raises the ValueError of `super().update(items)`, which you do not "
    "catch, and changes no time. Which of your lines run before it?"
)
AS_SENT = (
    "Models leave out a status, or send ` In_Progress`, and the list mends that: read "
    "`self.items` after `super().update(items)`, and not the argument."
)
READ_THE_CLOCK = (
    "Your `update` did not read the clock that was passed in: write `self.clock()`, and not "
    "`time.monotonic()`, and not below a `return`. A task begins at the time of this `update`."
)
READ_IN_SUMMARY = (
    "Your `summary` did not read the clock that was passed in: write `self.clock()`, and not "
    "`time.monotonic()`. The session and a task in progress count up to the time at which "
    "`summary` is called."
)
DEFAULT = (
    "Without an argument, the clock is the function `time.monotonic` itself: write "
    "`clock=time.monotonic`, without parentheses, which call it once, for all lists."
)
ENDS = (
    "This time is negative: subtract the beginning from the end. A task ends when it is first "
    "`completed`, and in no other status."
)
TWO_LISTS = "Two lists share a time or a clock: keep all of it in `self`, and nothing in the class."
RETURN_IN_THE_LOOP = (
    "Some tasks are missing in the dict, which has one time for each task in `self.items`, 0 for "
    "one that was never started. Does a `return` inside of your loop end it?"
)
NONE = "`summary` returns None: is its `return` missing?"
OTHER_TOOL = "The tool of your list is that of PriorityTodo: leave `tool` and `fields` as they are."
PENDING = "A task that is pending has not begun: store a start only for `in_progress`."
AS_BEFORE = (
    "Only `summary` is new: keep the times in `self`, by text, and not in the items. Give the "
    "items to `super().update(items)` as they are, and return what that returns."
)
CAUSES = (
    (
        "operand.*NoneType",
        "A time is None here: the task has no start or is not completed, or the session has no "
        "beginning. Decide with `is None` before you subtract.",
    ),
    ("^KeyError: '(text|status)'$", AS_SENT),
    ("^KeyError: 'id'$", 'An item may have no id: keep its times by its text, `item["text"]`.'),
    (
        "operand.*'Clock'",
        "A time that you have stored is the clock itself: store `self.clock()`, with parentheses.",
    ),
    ("'(float|int)' object is not callable|missing .*'clock'", DEFAULT),
    (
        "^KeyError",
        "This task has no begin or no end: `.get(text)` returns None if there is none. Is the text "
        "of a task its key, unchanged?",
    ),
    (
        "has no attribute '(items|fields)'",
        "Your `__init__` must call `super().__init__()`, which creates the list.",
    ),
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


class Trial:
    """One list whose clock is set by hand. `lines` are what was done with it, for the learner."""

    def __init__(self, TimedTodo: Any, now: float) -> None:
        self.lines = [f"At {now} s: todo = TimedTodo(clock=clock)"]
        with telling(self.lines):
            self.clock = Clock(now)
            self.todo = TimedTodo(clock=self.clock)
            assert isinstance(getattr(self.todo, "clock", None), Clock), MADE

    @property
    def reads(self) -> int:
        """Return how often the clock was read since it was set."""
        return self.clock.reads

    def set(self, now: float, does: str) -> None:
        """Set the clock, and note what is done then."""
        self.clock.now, self.clock.reads = now, 0
        self.lines.append(f"At {now:g} s: {does}")

    def send(self, now: float, *items: Any, **statuses: str) -> Any:
        """Set the clock, and send these items, and the status of each task by its text."""
        tasks = [{"text": text, "status": status} for text, status in statuses.items()]
        shown = [f"{text} is {status}" for text, status in statuses.items()]
        self.set(now, f"update: {', '.join([*shown, *map(show, items)]) or []}")
        with telling(self.lines):
            return self.todo.update(items=[*tasks, *items])

    def read(self, now: float) -> dict[str, float]:
        """Set the clock, and return the summary of the tasks on the list, and of the session.

        If it has another shape, say what is wrong. A task that has left the list may have an entry.
        """
        self.set(now, "summary()")
        with telling(self.lines):
            summary = self.todo.summary()
            names = [*(item["text"] for item in self.todo.items), "session"]
            if not isinstance(summary, Mapping) or not {*names} <= summary.keys():
                note = SHAPE if summary is not None else NONE
                if isinstance(summary, Mapping) and [*summary] == ["session"]:
                    note = SESSION_ALONE
                elif isinstance(summary, Mapping) and {*names} & summary.keys():
                    note = BY_TEXT if len(summary) >= len(names) else RETURN_IN_THE_LOOP
                raise Differs(summary, Words(f"a dict with the keys {names}"), note)
            found = {name: summary[name] for name in names}
            if not all(isinstance(one, Real) for one in found.values()):
                raise Differs(found, Words("a number for each of them"), SHAPE)
            assert self.reads, READ_IN_SUMMARY
            if isinstance(summary, dict):
                summary.clear()  # it is the caller's
            return {name: round(seconds, 6) for name, seconds in found.items()}

    def expect(self, now: float, note: str, zero: str = "", **seconds: float) -> None:
        """Raise Differs with the first of these tasks that has other seconds at this time.

        `note` says why, or `zero` if the task has none.
        """
        found = self.read(now)
        with telling(self.lines):
            for name, expected in seconds.items():
                said = zero if zero and found[name] == 0 else note
                said = ENDS if found[name] < 0 and name != "session" else said
                same({name: found[name]}, {name: expected}, said)


def send_lists(TimedTodo: Any, *lists: Mapping[str, str], begin: float = 100) -> Trial:
    """Return a list that has got these statuses, the first at `begin`, each 10 seconds later.

    It was made 5 seconds before `begin`, or at 0.
    """
    trial = Trial(TimedTodo, max(0, begin - 5))
    for number, statuses in enumerate(lists):
        trial.send(begin + 10 * number, **statuses)
    return trial


@rule
def shape(TimedTodo):
    """`summary()` returns the time of each task by its text, and that of the "session".

    What does `update` return, and what does `summary` return?

    Return one dict: each text in `self.items` with a number, and "session" with a number."""
    trial = Trial(TimedTodo, 100)
    shown = trial.send(100, Docs="in_progress", Test="pending")
    with telling(trial.lines):
        if not isinstance(shown, str):
            raise Differs(Words(show(shown)), Words("the list as text"), RETURNED)
    trial.read(130)


@rule
def clock(TimedTodo):
    """The clock is passed in, as a function that returns a number. The default is time.monotonic.

    When does your code need to know the time?

    The given `__init__` stores the clock, and `self.clock()` is the time now."""
    with telling(["todo = TimedTodo()", "todo.summary()", "todo.clock()"]):
        todo = TimedTodo()
        same([*todo.summary()], ["session"], SHAPE)
        assert callable(todo.clock), DEFAULT
        before = todo.clock()
        sleep(0.03)  # longer than a tick of any clock
        assert todo.clock() > before, DEFAULT
    trial = Trial(TimedTodo, 100)
    with telling(trial.lines):
        assert trial.reads, f"{SESSION} `time.monotonic()` is another clock."
        reads = 0  # in all kinds of beginnings: which of them count is another rule
        for statuses in ({"Docs": WAITING}, {"Docs": BEGUN}, {"Docs": DONE, "Test": BEGUN}):
            trial.send(100, **statuses)
            reads += trial.reads
        assert reads, READ_THE_CLOCK


@rule
def took(TimedTodo):
    """Rule 1: a task counts from the first in_progress to the first completed, or up to now.

    When does a status change, and what time is it then? Read the clock that you were given.

    After an accepted update, look at each item in `self.items`, and keep its first times."""
    begun, done, waits = ({"Docs": status} for status in (BEGUN, DONE, WAITING))
    trial = send_lists(TimedTodo, begun)
    trial.expect(110, UP_TO_NOW, BEGINS, Docs=10)
    trial.expect(115.125, f"{UP_TO_NOW} Do not round.", Docs=15.125)
    send_lists(TimedTodo, waits, begun).expect(130, PENDING, Docs=20)
    send_lists(TimedTodo, begun, begun).expect(115, STARTED_FIRST, Docs=15)
    send_lists(TimedTodo, begun, waits, begun).expect(130, STARTED_FIRST, Docs=30)
    trial = send_lists(TimedTodo, begun, done)
    trial.expect(120, COMPLETED_FIRST, Docs=10)
    send_lists(TimedTodo, begun, done, done).expect(140, COMPLETED_FIRST, Docs=10)
    send_lists(TimedTodo, begun, done, begun).expect(130, COMPLETED_FIRST, Docs=10)
    send_lists(TimedTodo, begun, done, begun, done).expect(150, COMPLETED_FIRST, Docs=10)
    both = send_lists(TimedTodo, {"Test": WAITING} | begun, {"Test": BEGUN} | done)
    both.expect(130, EVERY, Docs=10, Test=20)
    trial = Trial(TimedTodo, 100)
    trial.send(100, {"text": " Fix ", "status": " In_Progress\n"}, {"text": "Left out"})
    trial.expect(110, AS_SENT, Fix=10)


@rule
def zero(TimedTodo):
    """Rule 2: a task that was never started has 0.

    Which tasks have no start? And what is `if started:` if the clock showed 0 at the start?

    Test `is None`, or whether the text is in the dict of the starts."""
    begun, done, waits = ({"Docs": status} for status in (BEGUN, DONE, WAITING))
    send_lists(TimedTodo, waits).expect(120, NEVER, Docs=0)
    send_lists(TimedTodo, waits, done).expect(130, NEVER, Docs=0)
    send_lists(TimedTodo, done).expect(120, NEVER, Docs=0)
    send_lists(TimedTodo, begun, begin=0).expect(10, IS_NONE, Docs=10)
    send_lists(TimedTodo, begun, begun, begin=0).expect(20, IS_NONE, Docs=20)
    send_lists(TimedTodo, begun, waits, begun, begin=0).expect(30, IS_NONE, Docs=30)
    trial = Trial(TimedTodo, 0)
    trial.send(0, Docs=BEGUN)
    trial.send(0, Docs=DONE)
    trial.expect(10, IS_NONE, Docs=0)


@rule
def session(TimedTodo):
    """Rule 3: the session counts from the moment at which the list is made up to now.

    It includes the time between the tasks. When does it begin?

    Store `self.clock()` in `__init__`; in `summary`, subtract it from `self.clock()`."""
    trial = Trial(TimedTodo, 100)
    trial.expect(115, SESSION, session=15)
    for now, statuses in ((120, {"Docs": BEGUN}), (150, {"Docs": DONE}), (170, {}), (190, {})):
        trial.send(now, **statuses)
        trial.expect(now + 10, SESSION, session=now - 90)
    trial = Trial(TimedTodo, 0)
    trial.send(5, Docs=BEGUN)
    trial.expect(15, IS_NONE, session=15)
    first, second = Trial(TimedTodo, 100), Trial(TimedTodo, 500)
    second.send(510, Docs=BEGUN)
    first.send(120, Docs=BEGUN)
    first.expect(130, TWO_LISTS, session=30, Docs=10)
    second.expect(530, TWO_LISTS, session=30, Docs=20)


@rule
def rejected(TimedTodo):
    """Rule 4: a list that is rejected changes no times.

    Which line stores a time, and can a later line still raise?

    Call `super().update(items)` first: if it raises, the lines after it do not run."""
    trial = send_lists(TimedTodo, {"Docs": BEGUN, "Test": WAITING})
    items = [DOCS | {"status": DONE}, {"text": "Test", "status": BEGUN}, FIX, FIX]
    trial.set(110, f"update, which is rejected: {show(items)}")
    with telling(trial.lines):
        if is_accepted(trial.todo, items):
            raise Differs(Words("no error"), Words("a ValueError"), REJECTED)
    trial.expect(120, REJECTED, Docs=20, Test=0, session=25)


@rule
def as_in_the_parent(TimedTodo):
    """Everything else is as in the list that it extends: the times are not in the items.

    Does your `update` give on what it gets, and return what it gets back?"""
    lists = [*LISTS, *NO_LISTS, *([FIX, item] for item in NO_ITEMS)]
    parent = parent_of(TimedTodo, "update fields", NO_LIST)
    with telling(["TimedTodo(clock=clock).tool()"]), suppress(AttributeError, NotImplementedError):
        same(TimedTodo(clock=Clock()).tool().spec, parent().tool().spec, OTHER_TOOL)
    with telling(["todo = TimedTodo(clock=clock)"]):
        same_as(
            parent,
            partial(TimedTodo, clock=Clock()),
            lists,
            AS_BEFORE,
        )


@rule
def all_together(TimedTodo):
    """Lists of up to seven tasks, one after the other: the times are as the rules say.

    Write down in which list each task is first in progress, and in which it is first completed.

    Each time depends on these two lists alone, and no other list changes it."""
    parent = parent_of(TimedTodo, "update fields", NO_LIST)
    stories = make_stories()
    for story in [*stories, [items for one in stories[:40] for items in one]]:
        trial, model, now = Trial(TimedTodo, 100), parent(), 100.0
        begun, done = dict[str, float](), dict[str, float]()  # by text
        for items in story:
            now += 7.25
            trial.set(now, tell(items))
            with telling(trial.lines):
                is_legal = is_accepted(model, items)
                if is_accepted(trial.todo, items) != is_legal:
                    said = ["a ValueError", "no error"]
                    raise Differs(Words(said[not is_legal]), Words(said[is_legal]), AS_BEFORE)
            for item in model.items if is_legal else []:
                if item["status"] in (BEGUN, DONE):
                    times = begun if item["status"] == BEGUN else done
                    times.setdefault(item["text"], now)
            check_times(trial, now + 0.5, begun, done)


def check_times(
    trial: Trial, now: float, begun: Mapping[str, float], done: Mapping[str, float]
) -> None:
    """Fail if the summary is not that of tasks which were first begun and done at these times."""
    found = trial.read(now)
    for text, seconds in found.items():
        start, end = begun.get(text), done.get(text, now)
        if text == "session":
            start, end = 100.0, now
        if start is not None and end < start:
            continue  # completed before it began: the text leaves open what it has then
        first = f"first in progress at {start} s" if text in begun else "never in progress"
        last = f"first completed at {end} s" if text in done else "not completed"
        note = f"{text!r} was {first}, and {last}. {BY_TEXT}" if text != "session" else SESSION
        with telling(trial.lines):
            same({text: seconds}, {text: 0 if start is None else end - start}, note)
