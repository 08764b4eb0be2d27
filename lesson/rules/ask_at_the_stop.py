"""The rules of `ask_at_the_stop`: what it does at each stop of a run, and what it asks."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from itertools import groupby, pairwise
from random import Random
from typing import Any

from lesson.at_the_stop import MAX_QUESTIONS
from lesson.at_the_stop import ask_at_the_stop as solution
from lesson.time_limit import OutOfTimeError

from .engine import rule, same
from .random_cases import compare

WHO = "The program asks, not the user"

NOTES, README, TESTS = "notes.txt is not written", "README.md is empty", "the tests fail"
EARLIER = [
    {"role": "user", "content": "Hello."},
    {"role": "assistant", "content": "Hi!"},
    {"role": "user", "content": "Write the notes, the README and the tests."},
]
MAX_RUNS = 40
NO_RUN = "The loop was not played: call `run()`. It returns when the model stops."
TOO_EARLY = "`missing()` was called before `run()`: first play the loop, then look at the work."
NOT_CALLED = "`missing()` was not called after `run()`. What it returns says whether to ask."
NOTHING_LEFT = (
    "A message was appended although nothing is missing: `missing()` returns an empty list then, "
    "which is false. `if not left: return`."
)
RUN_AGAIN = (
    "`run()` was called again without a question: nothing is missing, so return. If you loop with "
    "`while`, test what is missing before the next `run()`."
)
NOT_ASKED = (
    "No question was appended: if something is missing, append a dict with the role `user` to "
    "`messages`, the list that you were given. `messages = …` and `messages + …` make another list."
)
NOT_READ = "The model has not read the last question: call `run()` again after each question."
NOT_AGAIN = (
    "`missing()` was not called after the second `run()`: what is missing may have changed. Put "
    "`run` and `missing` into one loop, and use the new result."
)
TWICE = (
    "`missing()` was called twice at one stop. It may run all tests, and it may return something "
    "else the second time: call it once and keep the result, `left = missing()`."
)
ONE_MESSAGE = (
    "There are two questions at one stop: append one message with all the strings. "
    "`'; '.join(left)` makes one string of them."
)
WRONG_ROLE = "Append the question with the role `user`: the model answers a message of the user."
CHANGED = "Messages that were there before are gone or changed: only append to `messages`."
ENDLESS = f"It asks without end: return after {MAX_QUESTIONS} questions."
LIMIT = (
    f"Ask at most {MAX_QUESTIONS} times, at ten stops: count the questions, from 0 in each call of "
    "your function, and call `run()` once more after the last one."
)
NAME_ALL = (
    "The question does not name all that is missing, as `missing()` returns it. `'; '.join(left)` "
    "makes one string of all strings; do not shorten, escape or change them."
)
NAME_NEW = (
    "The question names what was missing at an earlier stop, and is done now: name only what the "
    "newest `missing()` has returned."
)
WHO_ASKS = (
    "The text of the message begins with who asks: `The program asks, not the user: …`. Otherwise "
    "the model believes that the user has looked at its work."
)
A_MESSAGE = 'A message is a dict: `{"role": "user", "content": question}`, with a string.'
A_TEXT = (
    "The content of the message is a string, or a list of text blocks. `', '.join(left)` makes "
    "one string of a list of strings."
)
NOT_EMPTY = "The message is empty: the API rejects a message without text."
A_GENERATOR = "A call of a function with `yield` runs none of its lines: remove `yield`."
A_COROUTINE = "Nothing awaits your function: write `def` instead of `async def`."
AS_GIVEN = (
    "Each question names exactly the strings that `missing()` has returned at this stop, "
    "unchanged, and no call of your function changes what the next one does."
)
PASS_ON = "Do not catch what `run()` raises: whoever has called you must know that the run ended."
LEFT_CHANGED = (
    "Your code changes the list that `missing()` has returned (`pop`, `remove`, `clear`, `sort`?). "
    "It may still be used by whoever made it: only read it."
)
A_PATTERN = (
    "A text of `missing()` was read as a pattern: `format`, `%` and `re.sub` give braces, percent "
    "signs and backslashes a meaning. Use an f-string or `+`, which take a text as it is."
)
CAUSES = (
    (r"run\(\) was called", ENDLESS),
    ("^KeyError: 'name'|format|bad escape|[Rr]eplacement index", A_PATTERN),
    (
        r"ask_at_the_stop\(\) (missing|takes|got)",
        "It is called with three arguments: `ask_at_the_stop(run, messages, missing)`. The client "
        "and the tools are known to `run`.",
    ),
    (r"missing\(\) takes|missing\(\) got", "`missing` takes no arguments: `left = missing()`."),
    (r"run\(\) takes|run\(\) got", "`run` takes no arguments: it knows the loop and `messages`."),
    (r"variable '(missing|run)'", "Your function gives a new value to this name: choose another."),
    (
        "'list' object is not callable",
        "`missing = missing()` hides the function: choose another name.",
    ),
    (
        "function.* is not iterable|only join an iterable|can only join",
        "Call it: `left = missing()`.",
    ),
    (r"'(function|method)' object is not subscriptable|len\(\)", "Call it: `left = missing()`."),
    ("'NoneType' object .*'append'", "`append` returns None: do not assign its result."),
    ("'NoneType' object is not iterable", "`run()` returns nothing. It appends to `messages`."),
    (
        "unsupported operand|interpreted as an integer|iterable, not|'int' object|cannot unpack",
        "A value in this line is of another kind than the line needs: `left` is a list of strings, "
        "the question a string, a counter a number, and `range(10)` gives ten rounds.",
    ),
)


class Stops:
    """A conversation whose model stops again and again, and what is missing at each stop.

    `missing()` returns the first list at the first stop, the second one at the second, and so on;
    from the last one on, nothing changes. `story` is what happens, in order. With `fails_at=2`,
    the second `run()` raises an exception.
    """

    def __init__(self, *lists: list[str], fails_at: int = 0) -> None:
        self.lists, self.fails_at = lists, fails_at
        self.messages: list[Any] = deepcopy(EARLIER)
        self.story: list[str] = []
        self.runs = 0
        self.known: list[Any] = deepcopy(EARLIER)  # the messages when they were last looked at
        self.returned: list[tuple[list[str], list[str]]] = []  # by missing(), with a copy
        self.texts: list[Any] = []  # the messages that were appended by the learner's code

    def run(self) -> None:
        """Play the loop to its end: the model replies, and stops."""
        self.look()
        self.story.append("run")
        self.runs += 1
        if self.runs > MAX_RUNS:
            raise OutOfTimeError(f"run() was called {self.runs} times: this does not stop")
        if self.runs == self.fails_at:
            raise ConnectionError("the connection to the model was lost")
        self.messages.append({"role": "assistant", "content": f"I am done ({self.runs})."})
        self.known.append(deepcopy(self.messages[-1]))

    def missing(self) -> list[str]:
        """Return what is missing at this stop."""
        self.look()
        self.story.append("missing")
        names = list(self.lists[min(max(self.runs, 1), len(self.lists)) - 1])
        self.returned.append((names, list(names)))
        return names

    def look(self) -> None:
        """Note in the story what was done to the messages since the last look."""
        if self.messages[: len(self.known)] != self.known:
            self.story.append("messages changed")
        for message in self.messages[len(self.known) :]:
            is_question = isinstance(message, dict) and message.get("role") == "user"
            self.story.append("question" if is_question else "another message")
            self.texts.append(message)
        self.known = deepcopy(self.messages)

    def play(self, ask: Callable[..., Any]) -> "Stops":
        """Call the learner's function with `run`, `messages` and `missing`."""
        made = ask(self.run, self.messages, self.missing)
        assert not hasattr(made, "__next__"), A_GENERATOR
        if hasattr(made, "send"):
            made.close()
            raise AssertionError(A_COROUTINE)
        self.look()
        return self

    @property
    def questions(self) -> list[str]:
        """Return the text of each message that was appended, or say what is wrong with one."""
        return [read_question(message) for message in self.texts]

    def check(self, *story: str) -> None:
        """Compare what has happened with the expected `story`, and explain the difference."""
        expected = [*story]
        if self.story == [*expected, "missing"] and expected.count("question") == MAX_QUESTIONS:
            return  # whether it looks once more after the last question does not matter
        self.questions  # noqa: B018 - a message that is none says more than the story
        if self.story != expected:
            same(list_stops(self.story), list_stops(expected), explain(self.story, expected))
        for names, before in self.returned:
            same(names, before, LEFT_CHANGED)


def list_stops(story: list[str]) -> list[str]:
    """Return a story with one string for each `run` and what follows it, equal ones in one."""
    stops: list[list[str]] = []
    for event in story:
        if event == "run" or not stops:
            stops.append([])
        stops[-1].append(event)
    found = []
    for stop, equal in groupby(map(", ".join, stops)):
        times = len([*equal])
        found.append(f"{stop} ({times} times)" if times > 1 else stop)
    return found


def explain(story: list[str], expected: list[str]) -> str:
    """Say why the story of a conversation is not the expected one."""
    pairs = [*pairwise(story)]
    if "messages changed" in story:
        return CHANGED
    if "run" not in story:
        return NO_RUN
    if story[0] == "missing":
        return TOO_EARLY
    if ("missing", "missing") in pairs:
        return TWICE
    if ("question", "question") in pairs:
        return ONE_MESSAGE
    if "question" not in expected:
        return explain_silence(story)
    if "missing" not in story:
        return NOT_CALLED
    if story.count("question") > MAX_QUESTIONS:
        return ENDLESS
    if expected.count("question") == MAX_QUESTIONS:
        return LIMIT
    if "question" not in story:
        return NOT_ASKED
    if story[-1] == "question" or ("question", "missing") in pairs:
        return NOT_READ
    return RUN_AGAIN if ("missing", "run") in pairs else NOT_AGAIN


def explain_silence(story: list[str]) -> str:
    """Say what is wrong with the story of a conversation in which nothing is missing."""
    if "question" in story:
        return NOTHING_LEFT
    return RUN_AGAIN if story.count("run") > 1 else NOT_CALLED


def read_question(message: Any) -> str:
    """Return the text of a message of the user, or raise AssertionError if it is none."""
    assert isinstance(message, dict) and {"role", "content"} <= message.keys(), A_MESSAGE
    assert message["role"] == "user", WRONG_ROLE
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    assert isinstance(blocks, list | tuple), A_TEXT
    for block in blocks:
        is_text = isinstance(block, dict) and block.get("type") == "text"
        assert is_text and isinstance(block.get("text"), str), A_TEXT
    text = "\n".join(block["text"] for block in blocks)
    assert text.strip(), NOT_EMPTY
    return text


def named(text: str, names: list[str]) -> list[str]:
    """Return which of these names a text contains, as they are or as Python or JSON writes them."""
    spelled = {one: (one, repr(one)[1:-1], json.dumps(one)[1:-1]) for one in names}
    return [one for one in names if any(form in text for form in spelled[one])]


@rule
def asks_nothing(ask_at_the_stop):
    """It plays the loop once with `run()`, and asks nothing if nothing is missing then.

    When do you call `missing`? What was missing before `run()` may be done after it.

    Call `run()` first, then `left = missing()`. An empty list is false: `if not left: return`."""
    talk = Stops([]).play(ask_at_the_stop)
    talk.check("run", "missing")


@rule
def names_it(ask_at_the_stop):
    """If something is missing, it appends one user message that names all of it, and runs again.

    What does `missing` return, and how much of it does your message contain? A count says that
    something is wrong, and only a name says what to do.

    Append a dict with the role `user` and a string, in which `'; '.join(left)` names everything.
    """
    talk = Stops([NOTES, README, TESTS], []).play(ask_at_the_stop)
    talk.check("run", "missing", "question", "run", "missing")
    same(named(talk.questions[0], [NOTES, README, TESTS]), [NOTES, README, TESTS], NAME_ALL)


@rule
def says_who_asks(ask_at_the_stop):
    """The message begins with who asks: "The program asks, not the user: …".

    The role of the message is `user`, so only its text can say that the user has not written it.

    Write these words at the beginning of the string, before the names."""
    talk = Stops([NOTES], []).play(ask_at_the_stop)
    # A tag may be before the words.
    begin = re.sub(r"^\s*<\w+>\s*", "", talk.questions[0]).strip()[: len(WHO)]
    same(begin.lower(), WHO.lower(), WHO_ASKS)


@rule
def looks_again(ask_at_the_stop):
    """At each further stop it calls `missing` once more, and names what is missing then.

    How often do `run` and `missing` have to happen? Put both into a loop.

    Use what the newest `missing()` has returned, and keep it in a name of its own."""
    talk = Stops([NOTES, README], [README, TESTS], []).play(ask_at_the_stop)
    talk.check("run", "missing", "question", "run", "missing", "question", "run", "missing")
    same(named(talk.questions[0], [NOTES, README, TESTS]), [NOTES, README], NAME_ALL)
    same(named(talk.questions[1], [NOTES, README, TESTS]), [README, TESTS], NAME_NEW)
    talk = Stops([NOTES], [NOTES], []).play(ask_at_the_stop)
    talk.check("run", "missing", "question", "run", "missing", "question", "run", "missing")


@rule
def has_a_limit(ask_at_the_stop):
    """It asks at most ten times, and plays the loop once more after the tenth question.

    What ends your loop if something stays missing for ever? A check can be wrong, or the model
    unable to pass it, and then each question only costs.

    Count the questions, beginning with 0 in each call: `for asked in range(10):` is one way."""
    talk = Stops(*[[NOTES]] * 10, []).play(ask_at_the_stop)
    talk.check(*["run", "missing", "question"] * 10, "run")
    talk = Stops([NOTES]).play(ask_at_the_stop)  # it stays missing
    talk.check(*["run", "missing", "question"] * 10, "run")


@rule
def passes_errors_on(ask_at_the_stop):
    """An exception of `run` ends it, and nothing is taken out of `messages`.

    Does your code catch exceptions, or clean up in `finally`? The question was sent, so it stays.
    """
    talk = Stops([NOTES], fails_at=2)
    raised = None
    try:
        talk.play(ask_at_the_stop)
    except ConnectionError as error:
        raised = error
    talk.look()
    same(repr(raised), "ConnectionError('the connection to the model was lost')", PASS_ON)
    talk.check("run", "missing", "question", "run")


@rule
def as_the_solution(ask_at_the_stop):
    """It asks like the solution in each of 200 random conversations, one after the other.

    Is something left over from an earlier call, or does a text break your message? Braces,
    backslashes and tags are text like any other."""
    compare(ask_at_the_stop, solution, draw, play, AS_GIVEN, tell=tell)


NAMES = (
    *(NOTES, README, TESTS, "the file {name}.txt", "the path C:\\new\\1", "<b>bold</b> & done"),
    *("'quoted' is open", '"quoted" is open', "100% of it", "THE TESTS FAIL", "0 files"),
    "a long one: " + "and so on " * 60,
)


def draw(random: Random, size: int) -> list[list[str]]:
    """Return what is missing at each stop, up to 12 stops, the last of which may stay."""
    stops = random.randint(1, 12 if size > 6 else size)
    lists = [random.sample(NAMES, random.randint(1, min(size, 6))) for _ in range(stops)]
    if size > 4 and random.random() < 0.2:
        lists[0] = [f"step {number:02d}" for number in range(30)]
    return lists if random.random() < 0.2 else [*lists, []]


def tell(lists: list[list[str]]) -> str:
    """Return a case as the learner reads it."""
    lines = [f"At stop {number}, missing() returns {one!r}" for number, one in enumerate(lists, 1)]
    return "\n".join(lines) + ("" if not lists[-1] else ", and the same at each later stop")


def play(ask: Callable[..., Any], lists: list[list[str]]) -> list[Any]:
    """Return what the conversation is: how often `run` was called, and what each question names."""
    talk = Stops(*lists).play(ask)
    known = [*{name: None for one in lists for name in one}]
    return [f"{talk.runs} runs", *(named(text, known) for text in talk.questions)]
