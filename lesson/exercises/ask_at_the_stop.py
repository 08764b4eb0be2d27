"""The rules of `ask_at_the_stop`: what it does at each stop of a run, and what it asks."""

import json
import subprocess
import textwrap
from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from random import Random
from typing import Any, NamedTuple, NoReturn

from agentlib.defaults import MAX_QUESTIONS
from agentlib.stop import WHO
from exerciselib.engine import Differs, EndlessError
from exerciselib.learners_code import Raised, refuse_unrun
from exerciselib.page import Observation, Page, Trial
from exerciselib.show_value import Words, show
from lesson.common.solutions import read_solutions

NOTES, README, TESTS = "notes.txt is not written", "README.md is empty", "the tests fail"
# Braces, backslashes and tags are text like any other. None of them contains another one.
ODD = (
    *("the file {name}.txt", "the path C:\\new\\1", "<b>bold</b> & done", "'quoted' is open"),
    *("100% of it", "THE TESTS FAIL", "FAILED test_füße\n  File “a.py”, line 2\nError: 1 != 2"),
)
MANY = [f"the file chapter_{number:02}.md is missing" for number in range(99)]
LONG = "long: " + "and so on " * 60
LETTERS = {"n": NOTES, "r": README, "t": TESTS}
EARLIER = [
    {"role": "user", "content": "Write the notes."},
    {"role": "assistant", "content": "Hi!"},
    {"role": "user", "content": "Write the README, too."},
]
OLDER = {"new": [], "long": [*EARLIER[:2], *EARLIER[1:2] * 100]}
# A model that has just asked its user something, refuses, or says nothing has also stopped.
REPLIES = ("I am done.", "Which file do you mean?", "", "I cannot help with that.")
MAX_EVENTS = 120
SHOWN_EVENTS = 4
RIGHT = ("run()", "missing()", "a question")
CHECK_FAILS = "the command of the check was not found"
KINDS = (OSError, FileNotFoundError, TimeoutError, ValueError, KeyboardInterrupt, SystemExit)
PAGE = Page("ask_at_the_stop", __file__, read_solutions())


class Talk(NamedTuple):
    """What is missing at the stops of a run, and what was before it.

    If there is an exception in the place of a list, `missing()` raises it. `run()` raises `error`
    at the stop after all lists. Only the first `upto` events are compared, or all. The talk `first`
    is played before, with the same function and messages.
    """

    lists: tuple[Any, ...]
    messages: tuple[Any, ...] = tuple(EARLIER)
    error: BaseException | None = None
    upto: int | None = None
    first: Any = None


class Stops:
    """A conversation whose model stops again and again. `events` is what happens, in order."""

    def __init__(self, talk: Talk, messages: list[Any]) -> None:
        self.talk, self.messages = talk, messages
        self.known = deepcopy(messages)  # when they were last looked at
        self.events: list[str] = []
        self.raised: BaseException | None = None
        # What missing() has returned: the lists that the learner's code has, and copies of them.
        self.given: list[tuple[list[str], list[str]]] = []
        self.questions: list[tuple[str, list[str]]] = []  # each with what was missing then

    def run(self) -> None:
        """Play the loop to its end: the model replies, and stops."""
        self.note("run()")
        runs = self.events.count("run()")
        if self.talk.error and runs > len(self.talk.lists):
            self.fail(self.talk.error)
        if text := REPLIES[(runs - 1) % len(REPLIES)]:  # an empty reply is not kept
            self.messages.append({"role": "assistant", "content": f"({runs}) {text}"})
            self.known.append(deepcopy(self.messages[-1]))

    def missing(self) -> list[str]:
        """Return what is missing at this stop."""
        self.note("missing()")
        stop = min(max(self.events.count("run()"), 1), len(self.talk.lists))
        outcome = self.talk.lists[stop - 1]
        if isinstance(outcome, BaseException):
            self.fail(outcome)
        self.given.append(([*outcome], [*outcome]))
        return self.given[-1][0]

    def fail(self, error: BaseException) -> NoReturn:
        """Raise a copy of an error, and keep it: the learner's function must raise this very one.

        A talk is played again and again, and its error would keep the frames of each time.
        """
        self.raised = copy(error)
        raise self.raised

    def note(self, *event: str) -> None:
        """Note what was done to the messages since the last event, and this one."""
        if self.messages[: len(self.known)] != self.known:
            self.events.append("other messages")
        new = self.messages[len(self.known) :]
        self.events += map(self.read, new)
        self.known += deepcopy(new)
        self.events += event
        if {*self.events} - {*RIGHT} or len(self.events) > MAX_EVENTS:
            raise EndlessError

    def read(self, message: Any) -> str:
        """Return "a question" for a text of the user, or what else a message is."""
        if message in ("role", "content"):
            return f"the key: {message!r}"
        if isinstance(message, dict) and message.get("role") != "user":
            return f"another role: {show(message)}"
        content = message.get("content") if isinstance(message, dict) else None
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if isinstance(blocks, list | tuple) and blocks:
            texts = [one.get("text") if isinstance(one, dict) else None for one in blocks]
            if all(isinstance(text, str) and text.strip() for text in texts):
                left = self.given[-1][1] if self.given else []
                self.questions.append(("\n".join(texts), left))
                return "a question"
        return f"no text: {show(message)}"

    def call(self, ask: Callable[..., Any]) -> "Stops":
        """Call the learner's function, and note how it has ended."""
        problem: BaseException | None = None
        try:
            refuse_unrun(ask)
            ask(self.run, self.messages, self.missing)
            self.note()
        except EndlessError:
            pass  # the events say what was called too often
        except (Exception, KeyboardInterrupt, SystemExit) as error:
            problem = error
        events = self.events
        # Whether it looks once more after the last question does not matter.
        if events.count("a question") == MAX_QUESTIONS and events[-2:] == ["run()", "missing()"]:
            events.pop()
        self.end: Any = Words("the end")
        if problem:
            # In a generator, a StopIteration becomes another error.
            is_own = problem is not self.raised and not isinstance(self.raised, StopIteration)
            self.end = Raised(problem) if is_own and not self.raised else Words("the error")
            self.end = Words("another error") if is_own and self.raised else self.end
        return self


class Event(NamedTuple):
    """What a check compares of an event, beside its name."""

    before: list[str]
    after: str  # the next event
    is_again: bool
    question: str  # or "" for another event
    left: list[str]  # what was missing at the question
    known: list[str]  # all that is missing at any stop
    given: list[tuple[list[str], list[str]]]


def observe(ask: Callable[..., Any], talk: Talk) -> Iterator[Observation]:
    """Play a run with a function, and yield what has happened, event by event."""
    messages = deepcopy([*talk.messages])
    if talk.first:
        Stops(talk.first, messages).call(ask)
    stops = Stops(talk, messages).call(ask)
    lists = [outcome for outcome in talk.lists if isinstance(outcome, list)]
    names = [*dict.fromkeys(name for missing in lists for name in missing)]
    events, questions = [*map(Words, stops.events), stops.end], iter(stops.questions)
    for place, event in enumerate(events[: talk.upto]):
        question, left = next(questions) if event == "a question" else ("", [])
        after = [*stops.events, "the end", "nothing"][place + 1]
        before, is_again = stops.events[:place], bool(talk.first)
        seen = Event(before, after, is_again, question, left, names, stops.given)
        yield Observation(event, str(event), lambda: describe_talk(talk), seen)


def describe_talk(talk: Talk) -> str:
    """Return the results of `missing` and `run`, as the learner reads them."""
    lines = ["ask_at_the_stop(run, messages, missing)"]
    for number, outcome in enumerate(talk.lists, 1):
        shown = textwrap.shorten(repr(outcome), 200, placeholder=" …")
        does = f"raises {shown}" if isinstance(outcome, BaseException) else f"returns {shown}"
        lines.append(f"At stop {number}, missing() {does}.")
    if talk.error:
        lines.append(f"At stop {len(lines)}, run() raises {talk.error!r}.")
    elif talk.lists[-1]:
        lines[-1] = lines[-1].removesuffix(".") + ", and the same at each later stop."
    return "\n".join([*lines, "# It was called before." if talk.first else ""]).strip()


def happens(step: Observation, our: Observation) -> None:
    """Raise Differs if another event happens."""
    if str(step.got) != str(our.got):
        raise Differs(*map(show_event, (step, our)))


def show_event(step: Observation) -> Any:
    """Return an event, and the ones before it."""
    before = step.seen.before
    last = [*(["…"] if len(before) > SHOWN_EVENTS else []), *before[-SHOWN_EVENTS:]]
    return Words(", ".join([*last, f"and then {show(step.got)}"])) if before else step.got


def describe_event(step: Observation, our: Observation) -> str:
    """Return what has happened, and what should, as the patterns of the page read it."""
    asked, event = step.seen.before.count("a question"), step.got
    if isinstance(event, Raised):
        if asked < MAX_QUESTIONS:
            return ""
        event = "an error"
    place = "later" if step.seen.before else "first"
    again = "again, " if step.seen.is_again else ""
    wanted = "an error" if our.got == "the error" else our.got
    return f"{again}{asked} asked, {place}: {event} for {wanted}, then {step.seen.after}"


def named(text: str, names: list[str]) -> list[str]:
    """Return which of these names a text contains, as they are or as Python or JSON writes them."""
    spelled = {
        name: (name, repr(name)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1]) for name in names
    }
    return [name for name in names if any(form in text for form in spelled[name])]


def names_all(step: Observation, our: Observation) -> None:
    """Raise Differs if a question does not name exactly what is missing at its stop."""
    if question := step.seen.question:
        got = named(question, step.seen.known)
        expected = [name for name in step.seen.known if name in our.seen.left]
        if got != expected:
            note = "The question must name all"
            raise Differs(Words(f"a question that names {got}"), Words(expected), note)


def begins_with_who(step: Observation, our: Observation) -> None:
    """Raise Differs if a question does not begin with who asks."""
    if (question := step.seen.question) and not question.startswith(WHO):
        raise Differs(question[: len(WHO)], WHO, "The message must begin")


def only_reads(step: Observation, our: Observation) -> None:
    """Raise Differs if a list of the check was changed."""
    for got, kept in step.seen.given:
        if got != kept:
            raise Differs(got, kept, "The list that `missing()` has returned was changed")


def read_talks(title: str, upto: int | None = None) -> list[Talk]:
    """Return the talks of a rule: `@ long nr n -` has a long history, and three stops."""
    talks = []
    for words in PAGE.stories(title):
        messages = OLDER[words.pop(0)] if words[0] in OLDER else EARLIER
        lists = [[LETTERS[letter] for letter in word.strip("-")] for word in words]
        talks.append(Talk((*lists,), (*messages,), upto=upto))
    return talks


def list_errors() -> Iterator[Talk]:
    """Yield talks with errors of kinds that a learner may catch, or that end a run."""
    errors = [*(kind(CHECK_FAILS) for kind in KINDS), subprocess.TimeoutExpired("the check", 60)]
    for error in errors:
        for stops in (0, 1, 3, MAX_QUESTIONS):  # before the one at which it is raised
            before = [[NOTES]] * stops
            # Whether it looks after the last question does not matter.
            yield Talk((*before[: MAX_QUESTIONS - 1], error))
            yield Talk((*before,), error=error)
    # Not of missing(), because a StopIteration ends `iter(missing, [])`, which is right.
    yield Talk(([NOTES],), error=StopIteration(CHECK_FAILS))


def make_random() -> list[Talk]:
    """Return random talks, which are the same for everybody, the shortest first."""
    chance, talks = Random(5), []
    for number in range(60):
        names = [NOTES, README, TESTS, *ODD, *MANY[:4]]
        lists = [chance.sample(names, chance.randrange(1, 7)) for _ in range(number % 12)]
        for place in range(1, len(lists)):
            if chance.random() < 0.4:
                lists[place] = lists[place - 1][: chance.choice([1, 2, 9])]
        talks.append(Talk((*lists, [])))
    return sorted(talks, key=lambda talk: len(talk.lists))


def try_all(talks: list[Talk], *checks: Callable[[Observation, Observation], None]) -> list[Trial]:
    """Return the trials of these talks: first for the events, then for the other rules."""
    return [Trial(talks, one, text=describe_event) for one in (happens, *checks)]


AFTER_ERROR = Talk(([README],), first=Talk(([NOTES], [NOTES], OSError(CHECK_FAILS))))
NAMED = [Talk((names, []), upto=4) for names in ([*ODD], [LONG], MANY)]  # whether it looks again

PAGE.add_rules(
    observe,
    {
        "asks_nothing": try_all(read_talks("asks_nothing")),
        "names_it": try_all([*read_talks("names_it", 4), *NAMED], names_all),
        "says_who_asks": try_all(read_talks("says_who_asks", 4), begins_with_who),
        "looks_again": try_all(read_talks("looks_again"), names_all, begins_with_who, only_reads),
        "has_a_limit": try_all([*read_talks("has_a_limit"), AFTER_ERROR]),
        "lets_errors_through": try_all([*list_errors()]),
        "all_together": try_all(make_random(), names_all, begins_with_who, only_reads),
    },
)
