"""The rules of TimedTodo: what `summary` returns, with a clock that is set by hand.

A story of the page is `@ 95 [100 Docs i; Test p] 110?`: the list is made at 95 seconds, gets two
tasks at 100, as in `kit/updates.py`, and `summary()` is called at 110. In Python, a story would be
six times as long, because each time is a line.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import product
from numbers import Real
from typing import Any, NamedTuple

from exerciselib.engine import Differs, same, trying
from exerciselib.learners_code import Raised
from exerciselib.page import Observation, Page, Story, Trial
from exerciselib.show_value import Words, show
from lesson.common.solutions import read_solutions

from .kit.lists import FIX, LISTS, NO_ITEMS, NO_LISTS, STATUSES, copy_items, make_random, show_call
from .kit.updates import CHANGED, read_update, same_as

PAGE = Page("TimedTodo", __file__, read_solutions())
MONOTONIC = time.monotonic
REPLACED = "A cell has replaced `time.monotonic`, which all code reads: restart the kernel."
OTHER = 40  # when another list is made and begins a task
SCALES = (1000, 60, 1 / 60, 1 / 1000)  # milliseconds and minutes
READS = ("when the list is made", "in `update`", "in `summary`")


class Clock:
    """A clock that is set by hand: `clock.now = 110`. Call it to read it."""

    def __init__(self, now: float = 0) -> None:
        self.now, self.reads = now, 0

    def __call__(self) -> float:
        self.reads += 1
        return self.now


class Seen(NamedTuple):
    """What a check compares beside what a call returns.

    `reads` says whether the clock was read while the list was made, in any update, and in the last
    call. `is_shared` says whether the list has read the clock of another one. `log` has what has
    happened to each task, by its text, and to the list, by "", and when.
    """

    call: str
    reads: tuple[bool, bool, bool]
    is_shared: bool
    log: list[tuple[str, str, float]]
    sent: list[Any]
    is_changed: bool  # what was sent


def read_event(word: str) -> tuple[float, Any]:
    """Return a time and the items sent then, None for a summary, or ... for a new list."""
    if not word.endswith("]"):
        return float(word.strip("?")), None if word.endswith("?") else ...
    now, _, items = word.strip("[]").partition(" ")
    return float(now), read_update(items)


def observe(cls: Any, story: Story) -> Iterator[Observation]:
    """Make a list with a clock, send what the story has, and yield what each call returns."""
    now, _ = story[0]
    clock, other_clock, sent_last = Clock(now), Clock(OTHER), list[Any]()
    log = [("", "other", OTHER), ("", "made", now)]
    made = updated = False
    for number, (at, sent) in enumerate(story, 1):
        clock.now, clock.reads = at, 0
        items = copy_items(sent) if isinstance(sent, list) else sent
        name = "made" if sent is ... else "summary" if sent is None else "update"
        try:
            if name == "made":
                todo, other = cls(clock=clock), cls(clock=other_clock)
                other.update([{"text": "Docs", "status": "in_progress"}])  # must share nothing
                other_clock.reads = 0
                got = getattr(todo, "clock", None)
            else:
                got = todo.summary() if name == "summary" else todo.update(items=items)
        except Exception as problem:
            got = Raised(problem)
        if name == "made":
            made = bool(clock.reads)
        elif name == "update" and not isinstance(got, Raised):
            updated = updated or bool(clock.reads)
            sent_last = sent
            for item in todo.items:
                text, status = item["text"], item["status"]
                again = " again" if any(one[:2] == (text, status) for one in log) else ""
                log.append((text, f"{status}{again}", at))
        if isinstance(got, Mapping):
            got, returned = {**got}, got
            if isinstance(returned, dict):
                returned.clear()  # the caller may change what it has got
        reads = made, updated, bool(clock.reads)
        is_shared = other_clock.reads > 0
        seen = Seen(name, reads, is_shared, [*log, ("", "now", at)], sent_last, items != sent)
        log += [("", "summary", at)] if name == "summary" else []
        yield Observation(got, key_of(got), partial(describe_story, story[:number]), seen)
        if isinstance(got, Raised) and (
            name != "update" or not isinstance(got.problem, ValueError)
        ):
            return


def describe_story(story: Story) -> str:
    """Return a story as a learner reads it."""
    calls = {...: "todo = TimedTodo(clock=clock)", None: "todo.summary()"}
    tried = ((at, show_call(sent) if isinstance(sent, list) else calls[sent]) for at, sent in story)
    return "\n".join(f"At {at:g} s: {call}" for at, call in tried)


def key_of(got: Any) -> Any:
    """Return what a mistake must have in common with what a part has returned."""
    if isinstance(got, dict):
        return {name: round(one, 6) if isinstance(one, Real) else "?" for name, one in got.items()}
    return type(got.problem).__name__ if isinstance(got, Raised) else type(got).__name__


def runs(step: Observation, our: Observation) -> None:
    """Raise Differs if only one of two lists raises an error."""
    if isinstance(step.got, Raised) != isinstance(our.got, Raised):
        expected = Words("a ValueError" if isinstance(our.got, Raised) else "no error")
        raise Differs(step.got if isinstance(step.got, Raised) else Words("no error"), expected)


def has_shape(step: Observation, our: Observation) -> None:
    """Raise Differs if a list lacks its clock, or if a call returns a value of another kind.

    A summary is a dict with a number for each task and for the session.
    """
    runs(step, our)
    if our.seen.call == "made" and not isinstance(step.got, Clock):
        raise Differs(step.got, Words("the clock that was passed in, as `todo.clock`"))
    if our.seen.call == "update" and not isinstance(step.got, str):
        raise Differs(Words(show(step.got)), Words("the list as text"))
    if our.seen.call == "summary":
        if not isinstance(step.got, dict) or not our.got.keys() <= step.got.keys():
            raise Differs(step.got, Words(f"a dict with the keys {[*our.got]}"))
        if not all(isinstance(step.got[name], Real) for name in our.got):
            raise Differs(step.got, Words("a number for each of them"))


def reads_the_clock(step: Observation, our: Observation) -> None:
    """Raise Differs if the clock was not read when the list was made, updated or summed up."""
    runs(step, our)
    if our.seen.call == "summary" and not all(step.seen.reads):
        lost = [name for name, is_read in zip(READS, step.seen.reads, strict=True) if not is_read]
        raise Differs(Words("not read " + lost[0]), Words("the clock is read"))


def reads_of(step: Observation) -> Any:
    """Return which clock was read up to a summary, and when: a mistake must do the same."""
    return (step.seen.reads, step.seen.is_shared) if step.seen.call == "summary" else ""


def find_wrong(step: Observation, our: Observation, omitted: str) -> tuple[str, Any, float] | None:
    """Return the first text with a wrong time, this time and the right one, or None."""
    if our.seen.call == "summary":
        for text, seconds in our.got.items():
            got = step.got.get(text) if isinstance(step.got, dict) else None
            is_right = isinstance(got, Real) and not round(got - seconds, 6)
            if text != omitted and not is_right:
                return text, got, seconds
    return None


def has_times(step: Observation, our: Observation, omitted: str = "") -> None:
    """Raise Differs at the first time that is not our solution's, of the session or of a task."""
    runs(step, our)
    if wrong := find_wrong(step, our, omitted):
        text, got, seconds = wrong
        moments = {name: at for whose, name, at in reversed(our.seen.log) if whose == text}
        begun, done = (moments.get(name) for name in ("in_progress", "completed"))
        times = "never begun" if begun is None else f"first in progress at {begun:g} s"
        times += ", not completed" if done is None else f", first completed at {done:g} s"
        right = show({text: seconds})
        raise Differs({text: got}, Words(right if text == "session" else f"{right}: {times}"))


def changes_nothing_else(step: Observation, our: Observation) -> None:
    """Raise Differs at the first wrong time, or if an update has changed what was sent."""
    has_times(step, our)
    if step.seen.is_changed:
        raise Differs(Words("other items"), Words("the same items"), CHANGED["items"])


def text_of_time(step: Observation, our: Observation, omitted: str = "") -> str:
    """Return the words about a wrong time that the patterns of the page look for.

    They are the state of the task, and the pairs of moments that are as far apart as this time.
    """
    wrong = find_wrong(step, our, omitted)
    if isinstance(step.got, Raised) or not wrong or not isinstance(wrong[1], Real):
        return step.text
    text, got, right = wrong
    own = [(name, at) for whose, name, at in our.seen.log if whose == text]
    moments = [*((name, at) for whose, name, at in our.seen.log if not whose), *own]
    names = [name for name, _ in moments]
    state = "completed" if "completed" in names else "running"
    words = ["session" if text == "session" else state if "in_progress" in names else "never"]
    words += [f"last {names[-1].removesuffix(' again')}"]
    words += [] if got else ["0"]
    words += ["scaled"] if any(not round(got - right * n, 6) for n in SCALES if right) else []
    words += ["a moment"] if got in [at for _, at in own] else []
    words += ["rounded"] if got in (int(right), *(round(right, n) for n in range(4))) else []
    words += ["untidy"] if any(item.get("status") not in STATUSES for item in our.seen.sent) else []
    words += ["of several"] if len(our.seen.sent) > 1 else []
    words += ["at 0"] if ("made", 0) in moments else []
    words += ["after a summary"] if "summary" in names else []
    words += [
        f"{name} to {other}"
        for (name, begin), (other, end) in product(moments, repeat=2)
        if got and not round(end - begin - got, 6)
    ]
    return ", ".join(words)


def text_of_call(step: Observation, our: Observation) -> str:
    """Return what was called and what it has returned."""
    return f"{our.seen.call}: {step.got}" if step.text else ""


def text_of_reads(step: Observation, our: Observation) -> str:
    """Return when the clock was not read."""
    pairs = zip(READS, step.seen.reads, strict=True)
    return " ".join(["not", *(name for name, is_read in pairs if not is_read)])


def has_a_running_clock(TimedTodo: Any) -> None:
    """Raise Differs if a list without a clock does not read one that runs."""
    assert time.monotonic is MONOTONIC, REPLACED
    note = PAGE.find_sentence("Without an argument")
    with trying(["todo = TimedTodo()", "todo.summary()", "todo.clock()"]):
        todo = TimedTodo()
        todo.summary()
        assert callable(todo.clock), note
        before = todo.clock()
        time.sleep(0.03)  # longer than a tick of any clock
        assert todo.clock() > before, note


def keeps_the_parent(TimedTodo: Any) -> None:
    """Raise Differs if a list is not accepted, stored and returned as by the one it extends."""
    parent, note = PAGE.find_names(TimedTodo)["PriorityTodo"], "Only `summary` may be new"
    with trying(["TimedTodo(clock=clock).tool()"]), suppress(AttributeError, NotImplementedError):
        same(TimedTodo(clock=Clock()).tool().spec, parent().tool().spec, note)
    lists = [*LISTS, *NO_LISTS, *([FIX, item] for item in NO_ITEMS)]
    make = partial(TimedTodo, clock=Clock())
    make.__name__ = TimedTodo.__name__  # type: ignore[attr-defined]  # a story names the class
    same_as(parent, make, lists, note)


def add_times(stories: list[Story]) -> list[Story]:
    """Return stories of lists with a time for each, and with a summary after it."""
    timed = []
    for lists in [*stories, [items for story in stories[:40] for items in story]]:
        events: Story = [(100.0, ...)]
        for number, items in enumerate(lists, 1):
            now = 100 + 7.25 * number
            events += [(now, items), (now + 0.5, None)]
        timed.append(events)
    return timed


def no_session(step: Observation) -> Any:
    """Return the key without the session, which is another rule's."""
    key = step.key
    return {n: v for n, v in key.items() if n != "session"} if isinstance(key, dict) else key


def of_tasks(title: str, *more: Story) -> Trial:
    """Return the trial of a rule about the times of tasks."""
    compare, text = (partial(one, omitted="session") for one in (has_times, text_of_time))
    return Trial([*PAGE.stories(title, read_event), *more], compare, no_session, text=text)


def of_all(stories: Any, compare: Any = has_times) -> Trial:
    return Trial(stories, compare, text=text_of_time)


DOCS = {"text": "Docs", "status": "in_progress", "id": "1"}
OTHER_IDS = [(93, ...), (100, [DOCS]), (110, [{**DOCS, "id": "2", "status": "completed"}])]
OTHER_IDS += [(130, None)]
PAGE.add_rules(
    observe,
    {
        "shape": [Trial(PAGE.stories("shape", read_event), has_shape, text=text_of_call)],
        "clock": [
            has_a_running_clock,
            Trial(PAGE.stories("clock", read_event), reads_the_clock, reads_of, text=text_of_reads),
        ],
        "took": [of_tasks("took", OTHER_IDS)],
        "zero": [of_tasks("zero")],
        "session": [of_all(PAGE.stories("session", read_event))],
        "rejected": [of_all(PAGE.stories("rejected", read_event))],
        "as_in_the_parent": [keeps_the_parent],
        "all_together": [of_all(add_times(make_random()), changes_nothing_else)],
    },
)
