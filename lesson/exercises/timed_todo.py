"""The rules of TimedTodo: what `summary` returns, with a clock that is set by hand.

A story of the page is `@ 95: [100 Docs i; Test p] 110?`: the list is made at 95 seconds, gets two
tasks at 100, as in `kit/updates.py`, and `summary()` is called at 110.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from numbers import Real
from time import sleep
from typing import Any, NamedTuple

from lesson.common.learners_code import Raised
from lesson.common.show_value import show

from .kit.engine import Differs, Words, same, telling
from .kit.lists import FIX, LISTS, NO_ITEMS, NO_LISTS, copy_items, make_stories, tell
from .kit.page import Page, Step, Trial
from .kit.updates import read_items, same_as

PAGE = Page("TimedTodo", __file__)
SENTENCE = {title: rows[0].sentence for title, rows in PAGE.rows.items() if rows}


class Clock:
    """A clock that is set by hand: `clock.now = 110`. Call it to read it."""

    def __init__(self, now: float = 0) -> None:
        self.now, self.reads = now, 0

    def __call__(self) -> float:
        self.reads += 1
        return self.now


class Seen(NamedTuple):
    """What can be seen beside what a call returns.

    `reads` says whether the clock was read while the list was made, in any update, and in the last
    call. `first` has when each task was first in progress and first completed, by its text.
    """

    call: str
    reads: tuple[bool, bool, bool]
    first: dict[str, dict[str, float]]


def read_stories(title: str) -> list[tuple[float, list[tuple[float, Any]]]]:
    """Return the stories of a rule: when the list is made, and what it then gets at which time."""
    return [
        (float(head), [read_event(word) for word in words]) for head, words in PAGE.stories(title)
    ]


def read_event(word: str) -> tuple[float, Any]:
    """Return a time and the items that are sent then, or None for a summary."""
    if word.endswith("?"):
        return float(word[:-1]), None
    now, _, items = word.strip("[]").partition(" ")
    return float(now), read_items(items)


def play(cls: Any, story: tuple[float, list[tuple[float, Any]]]) -> Iterator[Step]:
    """Make a list with a clock, send what the story has, and yield what each call returns."""
    now, events = story
    clock = Clock(now)
    first: dict[str, dict[str, float]] = {"in_progress": {}, "completed": {}}
    made = updated = False
    for number, (at, sent) in enumerate([(now, ...), *events]):
        clock.now, clock.reads = at, 0
        name = "made" if sent is ... else "summary" if sent is None else "update"
        try:
            if name == "made":
                todo, other = cls(clock=clock), cls(clock=Clock(40))
                other.update([{"text": "Docs", "status": "in_progress"}])  # it shares nothing
                got = getattr(todo, "clock", None)
            else:
                got = todo.summary() if name == "summary" else todo.update(items=copy_items(sent))
        except Exception as problem:
            got = Raised(problem)
        if name == "made":
            made = bool(clock.reads)
        elif name == "update" and not isinstance(got, Raised):
            updated = updated or bool(clock.reads)
            for item in todo.items:
                if item["status"] in first:
                    first[item["status"]].setdefault(item["text"], at)
        if isinstance(got, Mapping):
            got, returned = {**got}, got
            if isinstance(returned, dict):
                returned.clear()  # it is the caller's
        seen = Seen(name, (made, updated, bool(clock.reads)), {n: {**d} for n, d in first.items()})
        yield Step(got, key_of(got), partial(tell_story, now, events[:number]), seen)
        if isinstance(got, Raised) and (
            name != "update" or not isinstance(got.problem, ValueError)
        ):
            return


def tell_story(now: float, events: list[tuple[float, Any]]) -> str:
    """Return a story as a learner reads it."""
    lines = [f"At {now:g} s: todo = TimedTodo(clock=clock)"]
    for at, sent in events:
        lines.append(f"At {at:g} s: {'todo.summary()' if sent is None else tell(sent)}")
    return "\n".join(lines)


def key_of(got: Any) -> Any:
    """Return what a mistake must have in common with what a part has returned."""
    if isinstance(got, dict):
        return {name: round(one, 6) if isinstance(one, Real) else "?" for name, one in got.items()}
    return type(got.problem).__name__ if isinstance(got, Raised) else type(got).__name__


def runs(one: Step, our: Step) -> None:
    """Raise Differs if only one of two lists raises an error."""
    if isinstance(one.got, Raised) != isinstance(our.got, Raised):
        expected = Words("a ValueError" if isinstance(our.got, Raised) else "no error")
        raise Differs(one.got if isinstance(one.got, Raised) else Words("no error"), expected)


def has_shape(one: Step, our: Step) -> None:
    """Raise Differs if a list lacks its clock, or if an update or a summary returns no such thing.

    A summary is a dict with a number for each task and for the session.
    """
    runs(one, our)
    if our.seen.call == "made" and not isinstance(one.got, Clock):
        raise Differs(one.got, Words("the clock that was passed in, as `todo.clock`"))
    if our.seen.call == "update" and not isinstance(one.got, str):
        raise Differs(Words(show(one.got)), Words("the list as text"))
    if our.seen.call == "summary":
        if not isinstance(one.got, dict) or not our.got.keys() <= one.got.keys():
            raise Differs(one.got, Words(f"a dict with the keys {[*our.got]}"))
        if not all(isinstance(one.got[name], Real) for name in our.got):
            raise Differs(one.got, Words("a number for each of them"))


def reads_the_clock(one: Step, our: Step) -> None:
    """Raise Differs if the clock was not read when the list was made, updated or summed up."""
    runs(one, our)
    if our.seen.call == "summary" and not all(one.seen.reads):
        names = ("when the list is made", "in `update`", "in `summary`")
        lost = [name for name, is_read in zip(names, one.seen.reads, strict=True) if not is_read]
        raise Differs(Words("not read " + lost[0]), Words("the clock is read"))


def reads_of(step: Step) -> Any:
    """Return when the clock was read up to a summary, which a mistake must have in common."""
    return step.seen.reads if step.seen.call == "summary" else ""


def has_times(one: Step, our: Step) -> None:
    """Raise Differs at the first task whose time is not that of our solution.

    The text leaves open what a task has that was completed before it was in progress.
    """
    runs(one, our)
    if our.seen.call != "summary":
        return
    begun, done = our.seen.first["in_progress"], our.seen.first["completed"]
    for text, seconds in our.got.items():
        got = one.got.get(text) if isinstance(one.got, dict) else None
        if text == "session" or done.get(text, float("inf")) < begun.get(text, 0):
            continue
        if not isinstance(got, Real) or round(got - seconds, 6):
            first = f"first in progress at {begun[text]:g} s" if text in begun else "never begun"
            last = f"first completed at {done[text]:g} s" if text in done else "not completed"
            raise Differs({text: got}, Words(f"{show({text: seconds})}: {first}, {last}"))


def has_session(one: Step, our: Step) -> None:
    """Raise Differs if the session, or a task, has another time."""
    has_times(one, our)
    if our.seen.call == "summary":
        same({"session": round(one.got["session"], 6)}, {"session": our.got["session"]})


def has_a_running_clock(TimedTodo: Any) -> None:
    """Raise Differs if a list without a clock does not read one that runs."""
    note = SENTENCE["clock"]
    with telling(["todo = TimedTodo()", "todo.summary()", "todo.clock()"]):
        todo = TimedTodo()
        todo.summary()
        assert callable(todo.clock), note
        before = todo.clock()
        sleep(0.03)  # longer than a tick of any clock
        assert todo.clock() > before, note


def keeps_the_parent(TimedTodo: Any) -> None:
    """Raise Differs if a list is not accepted, stored and returned as by the one it extends."""
    parent = PAGE.find_names(TimedTodo)["PriorityTodo"]
    with telling(["TimedTodo(clock=clock).tool()"]), suppress(AttributeError, NotImplementedError):
        note = PAGE.rows["as_in_the_parent"][-1].sentence
        same(TimedTodo(clock=Clock()).tool().spec, parent().tool().spec, note)
    lists = [*LISTS, *NO_LISTS, *([FIX, item] for item in NO_ITEMS)]
    make = partial(TimedTodo, clock=Clock())
    make.__name__ = TimedTodo.__name__  # type: ignore[attr-defined]  # a story names the class
    same_as(parent, make, lists, SENTENCE["as_in_the_parent"])


def make_random() -> list[tuple[float, list[tuple[float, Any]]]]:
    """Return random stories, which are the same for everybody: a summary follows each list."""
    stories = make_stories()
    found = []
    for lists in [*stories, [items for story in stories[:40] for items in story]]:
        events: list[tuple[float, Any]] = []
        for number, items in enumerate(lists, 1):
            now = 100 + 7.25 * number
            events += [(now, items), (now + 0.5, None)]
        found.append((100.0, events))
    return found


RANDOM = make_random()
PAGE.add_rules(
    play,
    {
        "shape": [Trial(read_stories("shape"), has_shape)],
        "clock": [
            has_a_running_clock,
            Trial(read_stories("clock"), reads_the_clock, reads_of),
        ],
        "took": [Trial(read_stories("took"), has_times)],
        "zero": [Trial(read_stories("zero"), has_times)],
        "session": [Trial(read_stories("session"), has_session)],
        "rejected": [Trial(read_stories("rejected"), has_session)],
        "as_in_the_parent": [keeps_the_parent],
        "all_together": [Trial(RANDOM, has_session)],
    },
)
