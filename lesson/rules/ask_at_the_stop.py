"""The rules of `ask_at_the_stop`: what it does at each stop of a run, and what it asks."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from lesson.at_the_stop import MAX_QUESTIONS
from lesson.at_the_stop import ask_at_the_stop as solution
from lesson.time_limit import OutOfTimeError

from .engine import rule, same
from .random_cases import compare

WHO = "the program asks, not the user"
NOTES, README, TESTS = "notes.txt is not written", "README.md is empty", "the tests fail"
EARLIER = [
    {"role": "user", "content": "Write the notes."},
    {"role": "assistant", "content": "Hi!"},
    {"role": "user", "content": "Write the README, too."},
]
MAX_RUNS = 40
RUN_FIRST = "First call `run()`, which plays the loop, and only then look at the work: `missing()`."
LOOK_AGAIN = (
    "`missing()` was not called after the last `run()`: what is missing may have changed. Put both "
    "into one loop, and use the new result."
)
TWICE = (
    "`missing()` was called twice at one stop, where it may run all tests again: call it once and "
    "keep the result, `left = missing()`."
)
NOTHING_LEFT = (
    "Nothing is missing here, and your code goes on: `missing()` returns an empty list then, which "
    "is false. `if not left: return`, before a question and before the next `run()`."
)
NOT_ASKED = (
    "No question was appended: append a dict with the role `user` to `messages`, the list that you "
    "were given. `messages = …` and `messages + …` make another list."
)
NOT_READ = "The model has not read the last question: call `run()` again after each question."
ONE_MESSAGE = (
    "There are two questions at one stop: append one message with all the strings. "
    "`'; '.join(left)` makes one string of them."
)
CHANGED = "Messages that were there before are gone or changed: only append to `messages`."
LIMIT = (
    f"Ask at most {MAX_QUESTIONS} times and then return: count the questions, from 0 in each call "
    "of your function, and call `run()` once more after the last one."
)
A_MESSAGE = (
    'A question is a dict with a text of its own, `{"role": "user", "content": question}`. '
    "`'; '.join(left)` makes one string of a list of strings."
)
NAME_ALL = (
    "The question does not name exactly what the newest `missing()` has returned: all of it, and "
    "nothing that was missing at an earlier stop. `'; '.join(left)` makes one string of all."
)
WHO_ASKS = (
    "The text of the message begins with who asks: `The program asks, not the user: …`. Otherwise "
    "the model believes that the user has looked at its work."
)
NO_LINES = (
    "A call of your function runs none of its lines: write `def` instead of `async def`, and no "
    "`yield`."
)
AS_GIVEN = (
    "Each question names the strings that `missing()` has returned at this stop, unchanged. No "
    "call changes what the next one does, or the list that was returned."
)
CAUSES = (
    (r"run\(\) was called", LIMIT),
    (
        "^KeyError|^ValueError|bad escape|[Rr]eplacement index",
        "A text of `missing()` was read as a pattern: `format`, `%` and `re.sub` give braces, "
        "percent signs and backslashes a meaning. Use an f-string or `+`.",
    ),
    (
        r"ask_at_the_stop\(\) (missing|takes|got)",
        "It is called with three arguments: `ask_at_the_stop(run, messages, missing)`. The client "
        "and the tools are known to `run`.",
    ),
    (r"(missing|run)\(\) (takes|got)", "`run()` and `missing()` are called without arguments."),
    (
        "variable '(missing|run)'|'list' object is not callable",
        "`missing = missing()` hides the function: choose another name.",
    ),
    ("can only join", "`missing` is a function: call it, `left = missing()`."),
)


class Stops:
    """A conversation whose model stops again and again, and what is missing at each stop.

    `missing()` returns the first list at the first stop, the second one at the second, and so on;
    from the last one on, nothing changes. `story` is what happens, in order.
    """

    def __init__(self, *lists: list[str]) -> None:
        self.lists = lists
        self.given: list[list[str]] = []  # by missing()
        self.messages: list[Any] = deepcopy(EARLIER)
        self.known: list[Any] = deepcopy(EARLIER)  # the messages when they were last looked at
        self.story: list[str] = []
        self.questions: list[str] = []

    def run(self) -> None:
        """Play the loop to its end: the model replies, and stops."""
        self.look("run")
        runs = self.story.count("run")
        if runs > MAX_RUNS:
            raise OutOfTimeError(f"run() was called {runs} times: this does not stop")
        self.messages.append({"role": "assistant", "content": f"I am done ({runs})."})
        self.known.append(deepcopy(self.messages[-1]))

    def missing(self) -> list[str]:
        """Return what is missing at this stop."""
        self.look("missing")
        stop = min(max(self.story.count("run"), 1), len(self.lists))
        self.given.append([*self.lists[stop - 1]])
        return self.given[-1]

    def look(self, *event: str) -> None:
        """Note in the story what was done to the messages since the last look, and the event."""
        assert self.messages[: len(self.known)] == self.known, CHANGED
        for message in self.messages[len(self.known) :]:
            self.questions.append(read_question(message))
            self.story.append("question")
        self.known = deepcopy(self.messages)
        self.story += event

    def play(self, ask: Callable[..., Any]) -> "Stops":
        """Call the learner's function with `run`, `messages` and `missing`."""
        made = ask(self.run, self.messages, self.missing)
        if hasattr(made, "send"):  # a generator or a coroutine
            made.close()
            raise AssertionError(NO_LINES)
        self.look()
        return self


def play(ask_at_the_stop: Any, *lists: list[str]) -> Stops:
    """Play a conversation, and compare what happens with what should. Explain the difference."""
    talk = Stops(*lists).play(ask_at_the_stop)
    number = next((n for n, names in enumerate(lists) if not names), MAX_QUESTIONS)
    expected = [*["run", "missing", "question"] * number, "run", "missing"]
    if number == MAX_QUESTIONS and talk.story == expected[:-1]:
        return talk  # whether it looks once more after the last question does not matter
    same(" ".join(talk.story), " ".join(expected), explain(talk.story, number))
    return talk


def explain(story: list[str], questions: int) -> str:
    """Say why the story of a conversation is not that with this number of questions."""
    told = " ".join(story)
    if not told.startswith("run"):
        return RUN_FIRST
    for pair, said in (
        ("missing missing", TWICE),
        ("question question", ONE_MESSAGE),
        ("question missing", NOT_READ),
        ("question run question", LOOK_AGAIN),
    ):
        if pair in told:
            return said
    if "missing" not in story:
        return LOOK_AGAIN
    if questions == MAX_QUESTIONS or 0 < story.count("question") < questions:
        return NOT_READ if story.count("question") == 1 and story[-1] == "question" else LIMIT
    if questions == 0 or story.count("question") > questions:
        return NOTHING_LEFT
    return NOT_READ if story[-1] == "question" else NOT_ASKED


def read_question(message: Any) -> str:
    """Return the text of a message of the user, or raise AssertionError if it is none."""
    assert isinstance(message, dict) and message.get("role") == "user", A_MESSAGE
    content = message.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    assert isinstance(blocks, list | tuple) and blocks, A_MESSAGE
    for block in blocks:
        assert isinstance(block, dict) and block.get("type") == "text", A_MESSAGE
        assert isinstance(block.get("text"), str) and block["text"].strip(), A_MESSAGE
    return "\n".join(block["text"] for block in blocks)


def named(text: str, *names: str) -> list[str]:
    """Return which of these names a text contains, as they are or as Python or JSON writes them."""
    spelled = {one: (one, repr(one)[1:-1], json.dumps(one)[1:-1]) for one in names}
    return [one for one in names if any(form in text for form in spelled[one])]


@rule
def asks_nothing(ask_at_the_stop):
    """It plays the loop once with `run()`, and asks nothing if nothing is missing then.

    When do you call `missing`? What was missing before `run()` may be done after it.

    Call `run()` first, then `left = missing()`. An empty list is false: `if not left: return`."""
    play(ask_at_the_stop, [])


@rule
def names_it(ask_at_the_stop):
    """If something is missing, it appends one user message that names all of it, and runs again.

    What does `missing` return, and how much of it does your message contain? A count says that
    something is wrong, and only a name says what to do.

    Append a dict with the role `user` and a string, in which `'; '.join(left)` names everything.
    """
    talk = play(ask_at_the_stop, [NOTES, README, TESTS], [])
    same(named(talk.questions[0], NOTES, README, TESTS), [NOTES, README, TESTS], NAME_ALL)


@rule
def says_who_asks(ask_at_the_stop):
    """The message begins with who asks: "The program asks, not the user: …".

    The role of the message is `user`, so only its text can say that the user has not written it.

    Write these words at the beginning of the string, before the names."""
    talk = play(ask_at_the_stop, [NOTES], [])
    # A tag may be before the words.
    begin = re.sub(r"^\s*<\w+>\s*", "", talk.questions[0]).strip()
    same(begin[: len(WHO)].lower(), WHO, WHO_ASKS)


@rule
def looks_again(ask_at_the_stop):
    """At each further stop it calls `missing` once more, and names what is missing then.

    How often do `run` and `missing` have to happen? Put both into a loop.

    Use what the newest `missing()` has returned, and keep it in a name of its own."""
    talk = play(ask_at_the_stop, [NOTES, README], [README, TESTS], [README, TESTS], [])
    same(named(talk.questions[0], NOTES, README, TESTS), [NOTES, README], NAME_ALL)
    same(named(talk.questions[1], NOTES, README, TESTS), [README, TESTS], NAME_ALL)


@rule
def has_a_limit(ask_at_the_stop):
    """It asks at most ten times, and plays the loop once more after the tenth question.

    What ends your loop if something stays missing for ever? A check can be wrong, or the model
    unable to pass it, and then each question only costs.

    Count the questions, beginning with 0 in each call: `for asked in range(10):` is one way."""
    play(ask_at_the_stop, [NOTES])  # it stays missing
    play(ask_at_the_stop, [NOTES])


@rule
def as_the_solution(ask_at_the_stop):
    """It asks like the solution in each of 200 random conversations, one after the other.

    Is something left over from an earlier call, or does a text break your message? Braces,
    backslashes and tags are text like any other."""
    compare(ask_at_the_stop, solution, draw, converse, AS_GIVEN, tell=tell)


NAMES = (
    *(NOTES, README, TESTS, "the file {name}.txt", "the path C:\\new\\1", "<b>bold</b> & done"),
    *("'quoted' is open", "100% of it", "THE TESTS FAIL", "0 files", "long: " + "and so on " * 60),
)


def draw(random: Random, size: int) -> list[list[str]]:
    """Return what is missing at up to 12 stops, the last of which may stay."""
    stops = random.randint(1, 12 if size > 6 else size)
    lists = [random.sample(NAMES, random.randint(1, size)) for _ in range(stops)]
    return lists if random.random() < 0.2 else [*lists, []]


def tell(lists: list[list[str]]) -> str:
    """Return a case as the learner reads it."""
    lines = [f"At stop {number}, missing() returns {one!r}" for number, one in enumerate(lists, 1)]
    return "\n".join(lines) + ", and the same at each later stop" * bool(lists[-1])


def converse(ask: Any, lists: list[list[str]]) -> list[Any]:
    """Return how often `run` was called, what each question names, and which lists have changed."""
    talk = Stops(*lists).play(ask)
    known = [*{name: None for one in lists for name in one}]
    changed = [f"{one} has changed" for one in talk.given if one not in lists]
    return [
        f"{talk.story.count('run')} runs",
        *(named(q, *known) for q in talk.questions),
        *changed,
    ]
