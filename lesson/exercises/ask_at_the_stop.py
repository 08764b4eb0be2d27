"""The rules of `ask_at_the_stop`: what it does at each stop of a run, and what it asks."""

import json
import subprocess
import textwrap
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any, NoReturn

from lesson.common.learners_code import Raised, show
from lesson.samples.at_the_stop import MAX_QUESTIONS, WHO

from .kit.engine import Differs, EndlessError, Words, rule, same
from .kit.no_effect import NO_F_STRING
from .kit.telling import telling

NOTES, README, TESTS = "notes.txt is not written", "README.md is empty", "the tests fail"
# Braces, backslashes and tags are text like any other. None of them contains another one.
ODD = (
    *("the file {name}.txt", "the path C:\\new\\1", "<b>bold</b> & done", "'quoted' is open"),
    *(
        "100% of it",
        "THE TESTS FAIL",
        "FAILED test_füße\n  File “a.py”, line 2\nAssertionError: 1 != 2",
    ),
)
MANY = [f"the file chapter_{number:02}.md is missing" for number in range(99)]
LONG = "long: " + "and so on " * 60
EARLIER = [
    {"role": "user", "content": "Write the notes."},
    {"role": "assistant", "content": "Hi!"},
    {"role": "user", "content": "Write the README, too."},
]
# A model that has just asked its user something, refuses, or says nothing has also stopped.
REPLIES = ("I am done.", "Which file do you mean?", "", "I cannot help with that.")
MAX_RUNS = 40
SHOWN_EVENTS = 4
SECOND_CALL = (
    "This is not the first call, and your function asks less: count from 0 in each call, and do "
    "not count what is in `messages` from an earlier one."
)
CHECK_FAILS = "the command of the check was not found"

RUN_FIRST = "First call `run()`, which plays the loop, and only then look at the work: `missing()`."
LOOK_AGAIN = (
    "Your code ended after a `run()`, and what is missing may have changed: put `run()` and "
    "`missing()` into one loop, so that each `run()` is followed by a new look."
)
RUN_AGAIN = (
    "`run()` was called again although nobody has looked at the work since the last one: call "
    "`missing()` once after each `run()`."
)
NOT_LOOKED = "Your code asks before it has called `missing`: call it, with its parentheses."
OLD_RESULT = (
    "A question was appended before `missing()` was called at this stop: use the new result, and "
    "not that of an earlier stop."
)
TOO_LATE = (
    "Something is missing, and `run()` was called before the question was appended, so the model "
    "could not read it: append it first."
)
AGAIN_BEFORE_ASKING = (
    "Something is missing, and `missing()` was called again before a question was appended: call "
    "it once, keep its result, `left = missing()`, and append the question in the same loop."
)
EXTENDED = "`extend` and `+=` take the dict apart, and add its keys: `append` adds the dict itself."
CALLED_AGAIN = (
    "Nothing is missing here, and `missing()` was called again: call it once at each stop, keep "
    "its result, `left = missing()`, and return if it is empty."
)
NOTHING_LEFT = (
    "Nothing is missing here, and your code goes on: `missing()` returns an empty list then, which "
    "is false. `if not left: return`, before a question and before the next `run()`."
)
NOT_ASKED = (
    "Something is missing, and no question was appended: append a dict with the role `user` to "
    "`messages`, the list that you were given. `messages = …` and `messages + …` make another list."
)
STOPPED_ASKING = (
    "Your code has stopped asking although something is still missing: ask at each stop, up to "
    f"{MAX_QUESTIONS} times in one call, also if the same is missing as before, and whatever the "
    "model has said."
)
NOT_READ = (
    "The model has not read the last question: call `run()` again after each question, with its "
    "parentheses."
)
ONE_MESSAGE = (
    "There are two questions at one stop: append one message with all the strings. "
    "`'; '.join(left)` makes one string of them."
)
CHANGED = "Messages that were there before are gone or changed: only append to `messages`."
LIMIT = (
    f"Ask at most {MAX_QUESTIONS} times and then return: count the questions, from 0 in each call "
    "of your function, and call `run()` once more after the last one."
)
ENDED_EARLY = (
    f"Your code has asked fewer than {MAX_QUESTIONS} questions, and ends after a `run()` without a "
    f"new look, although something may still be missing: ask again at each stop."
)
RAISED = (
    f"Your code raises an error after {MAX_QUESTIONS} questions. Only return then, also if "
    "something is still missing."
)
CAUGHT = (
    "Your code catches what `run()` or `missing()` raises. Catch no error of theirs: a check that "
    "could not run says nothing about the work, and the user must see its error, not another one."
)
SPOILED = (
    "The list that `missing()` has returned was changed: it belongs to the check. Only read it, "
    "without `append`, `pop` or `sort`."
)
A_MESSAGE = (
    'A question is a dict with a text of its own, `{"role": "user", "content": question}`. '
    "`'; '.join(left)` makes one string of a list of strings."
)
A_ROLE = (
    "The role of the message is `user`: to the model, it is the reply to what it has just said. "
    'Append a dict, `{"role": "user", "content": question}`.'
)
NAME_ALL = (
    "The question does not name exactly what the newest `missing()` has returned: all of it, each "
    "string unchanged, and nothing that was missing at an earlier stop."
)
WHO_ASKS = (
    "The text of the message begins with the given `WHO`, unchanged. Otherwise the model believes "
    "that the user has looked at its work."
)
WHITESPACE = (
    "The text of the message begins with whitespace, such as the line break of a string in three "
    "quotes, and not with who asks: remove it, or write the first word directly after the quotes."
)
CAUSES = (
    (
        "variable '(missing|run)'|'list' object is not callable",
        "`missing = missing()` hides the function: choose another name.",
    ),
    (
        r"can only concatenate str \(not \"list",
        "`missing()` returns a list of strings, and not one string: `'; '.join(left)` makes one.",
    ),
    (
        r"(run|missing)\(\) takes",
        "`run` and `missing` are called without arguments: `run()`, and `left = missing()`.",
    ),
    ("can only join", "`missing` is a function: call it, `left = missing()`."),
)


class Stops:
    """A conversation whose model stops again and again, and what is missing at each stop.

    `missing()` returns the first list at the first stop, the second one at the second, and so on;
    from the last one on, nothing changes. An exception in the place of a list is raised, and
    `run()` raises `error`, if it is given, at the stop after all lists. `messages` are those of an
    earlier call. `story` is what happens, in order, and `raised` is the exception that was raised.
    """

    def __init__(
        self, *lists: Any, messages: list[Any] | None = None, error: BaseException | None = None
    ) -> None:
        self.lists, self.error = lists, error
        self.raised: BaseException | None = None
        # What missing() has returned: the lists that the learner's code has, and copies of them.
        self.given: list[list[str]] = []
        self.returned: list[list[str]] = []
        self.messages: list[Any] = deepcopy(EARLIER) if messages is None else messages
        self.known: list[Any] = deepcopy(self.messages)  # when they were last looked at
        self.story: list[str] = []
        self.questions: list[str] = []

    def run(self) -> None:
        """Play the loop to its end: the model replies, and stops."""
        self.look("run()")
        runs = self.story.count("run()")
        if runs > MAX_RUNS:
            raise EndlessError
        if self.error and runs > len(self.lists):
            self.fail(self.error)
        said = REPLIES[(runs - 1) % len(REPLIES)]
        if said:  # an empty reply is not kept
            self.messages.append({"role": "assistant", "content": f"({runs}) {said}"})
            self.known.append(deepcopy(self.messages[-1]))

    def missing(self) -> list[str]:
        """Return what is missing at this stop."""
        self.look("missing()")
        if self.story.count("missing()") > MAX_RUNS:
            raise EndlessError
        stop = min(max(self.story.count("run()"), 1), len(self.lists))
        if isinstance(self.lists[stop - 1], BaseException):
            self.fail(self.lists[stop - 1])
        self.returned.append([*self.lists[stop - 1]])
        self.given.append([*self.lists[stop - 1]])
        return self.given[-1]

    def fail(self, error: BaseException) -> NoReturn:
        """Raise an error, and keep it: the learner's function must raise this very one."""
        self.raised = error
        raise error

    def look(self, *event: str) -> None:
        """Note in the story what was done to the messages since the last look, and the event."""
        same(self.messages[: len(self.known)], self.known, CHANGED)
        for message in self.messages[len(self.known) :]:
            self.questions.append(read_question(message))
            self.story.append("a question")
        self.known = deepcopy(self.messages)
        self.story += event

    def play(self, ask: Callable[..., Any]) -> "Stops":
        """Call the learner's function with `run`, `messages` and `missing`."""
        try:
            with telling([str(self)]):
                ask(self.run, self.messages, self.missing)
                self.look()
        except EndlessError:
            pass  # the story says what was called too often
        except Exception as problem:
            if self.story.count("a question") >= MAX_QUESTIONS and not isinstance(problem, Differs):
                problem.note = RAISED  # type: ignore[attr-defined]
            raise
        return self

    def __str__(self) -> str:
        """Return what is given, as the learner reads it."""
        lines = ["ask_at_the_stop(run, messages, missing)"]
        for number, one in enumerate(self.lists, 1):
            shown = textwrap.shorten(repr(one), 200, placeholder=" …")
            does = f"raises {shown}" if isinstance(one, BaseException) else f"returns {shown}"
            lines.append(f"At stop {number}, missing() {does}.")
        if self.error:
            lines.append(f"At stop {len(lines)}, run() raises {self.error!r}.")
        elif self.lists[-1]:
            lines[-1] = lines[-1].removesuffix(".") + ", and the same at each later stop."
        return "\n".join(lines)


def hold_talk(ask_at_the_stop: Any, *lists: list[str], upto: int = 0) -> Stops:
    """Play a conversation, and compare what happens with what should. Explain the difference.

    Only the first `upto` events are compared, if it is given.
    """
    return compare(Stops(*lists), ask_at_the_stop, upto)


def compare(talk: Stops, ask_at_the_stop: Any, upto: int = 0, note: str = "") -> Stops:
    """Play a conversation that is given, like `hold_talk`. `note` says why it may ask less."""
    talk.play(ask_at_the_stop)
    lists = talk.lists
    number = next((n for n, names in enumerate(lists) if not names), MAX_QUESTIONS)
    number = min(number, MAX_QUESTIONS)
    expected = [*["run()", "missing()", "a question"] * number, "run()", "missing()"]
    story = talk.story
    if number == MAX_QUESTIONS and story == expected[:-1]:
        return talk  # whether it looks once more after the last question does not matter
    is_over = number == MAX_QUESTIONS and len(story) >= len(expected)
    if is_over and story[len(expected) - 1] != "missing()":
        expected.pop()
    if upto:
        story, expected = story[:upto], expected[:upto]
    if story != expected:
        place = next(n for n in range(len(story) + 1) if story[: n + 1] != expected[: n + 1])
        said = explain_story(story, expected, place)
        if note and (place == len(story) or said in (NOT_ASKED, STOPPED_ASKING)):
            said = note
        with telling([str(talk)]):
            raise Differs(tell(story, place), tell(expected, place), said)
    return talk


def tell(story: list[str], place: int) -> Words:
    """Return the event at this place, and the ones before it."""
    before = story[max(0, place - SHOWN_EVENTS) : place]
    event = story[place] if place < len(story) else "the end"
    start = ["…"] if place > SHOWN_EVENTS else []
    return Words(", ".join([*start, *before, f"and then {event}" if before else event]))


def explain_story(story: list[str], expected: list[str], place: int) -> str:
    """Say why a story differs from the expected one at this place, by the events that are there.

    Each pair of events has the one sentence that is true of it.
    """
    got = story[place] if place < len(story) else "end"
    wanted = expected[place] if place < len(expected) else "end"
    asked = story[:place].count("a question")
    if "missing()" not in story[:place] and (got, wanted) == ("a question", "missing()"):
        return NOT_LOOKED
    if place == 0:
        return RUN_FIRST
    if wanted == "end" and asked == MAX_QUESTIONS:
        return LIMIT
    if (got, wanted) == ("run()", "a question") and story[place + 1 : place + 2] == ["a question"]:
        return TOO_LATE
    return {
        ("run()", "missing()"): RUN_AGAIN,
        ("a question", "missing()"): OLD_RESULT,
        ("end", "missing()"): ENDED_EARLY if asked > 1 else LOOK_AGAIN,
        ("missing()", "a question"): AGAIN_BEFORE_ASKING,
        ("run()", "a question"): NOT_ASKED,
        ("end", "a question"): STOPPED_ASKING if asked else NOT_ASKED,
        ("missing()", "run()"): NOT_READ,
        ("a question", "run()"): ONE_MESSAGE,
        ("end", "run()"): NOT_READ,
        ("missing()", "end"): CALLED_AGAIN,
        ("run()", "end"): NOTHING_LEFT,
        ("a question", "end"): NOTHING_LEFT,
    }[got, wanted]


def read_question(message: Any) -> str:
    """Return the text of a message of the user, or raise Differs if it is none."""
    content = message.get("content") if isinstance(message, dict) else None
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    if isinstance(blocks, list | tuple) and blocks and message.get("role") == "user":
        texts = [one.get("text") if isinstance(one, dict) else None for one in blocks]
        if all(isinstance(text, str) and text.strip() for text in texts):
            return "\n".join(texts)
    if message in ("role", "content"):
        raise Differs(message, Words('{"role": "user", "content": a string}'), EXTENDED)
    has_other_role = isinstance(message, dict) and message.get("role") != "user"
    expected = Words('{"role": "user", "content": a string}')
    raise Differs(message, expected, A_ROLE if has_other_role else A_MESSAGE)


def named(text: str, *names: str) -> list[str]:
    """Return which of these names a text contains, as they are or as Python or JSON writes them."""
    spelled = {one: (one, repr(one)[1:-1], json.dumps(one)[1:-1]) for one in names}
    return [one for one in names if any(form in text for form in spelled[one])]


def check_names(talk: Stops) -> None:
    """Fail if a question does not name exactly what was missing at its stop."""
    known = [*dict.fromkeys(name for one in talk.lists for name in one)]
    for question, given in zip(talk.questions, talk.returned, strict=False):
        got, expected = named(question, *known), [one for one in known if one in given]
        if got != expected:
            note = NAME_ALL if question.strip() else A_MESSAGE
            if not got and "{" in question:
                note = NO_F_STRING
            with telling([str(talk)]):
                raise Differs(Words(f"a question that names {got}"), Words(expected), note)


@rule
def asks_nothing(ask_at_the_stop):
    """It plays the loop once with `run()`, and asks nothing if nothing is missing then.

    When do you call `missing`? What was missing before `run()` may be done after it.

    Call `run()` first, then `left = missing()`. An empty list is false: `if not left: return`."""
    hold_talk(ask_at_the_stop, [])
    for messages in ([], EARLIER[:2], [*EARLIER[:2], *EARLIER[1:2] * 100]):
        compare(Stops([], messages=deepcopy(messages)), ask_at_the_stop)


@rule
def names_it(ask_at_the_stop):
    """If something is missing, it appends one user message that names all of it, and runs again.

    What does `missing` return, and how much of it does your message contain? A count says that
    something is wrong, and only a name says what to do.

    Append a dict with the role `user` and a string, in which `'; '.join(left)` names everything.
    """
    run_again = 4  # events: whether it looks again is a later rule
    check_names(hold_talk(ask_at_the_stop, [NOTES, README, TESTS], [], upto=run_again))
    check_names(hold_talk(ask_at_the_stop, [*ODD], [], upto=run_again))
    check_names(hold_talk(ask_at_the_stop, [LONG], [], upto=run_again))
    check_names(hold_talk(ask_at_the_stop, MANY, [], upto=run_again))


@rule
def says_who_asks(ask_at_the_stop):
    """The message begins with `WHO`, which says who asks.

    The role of the message is `user`, so only its text can say that the user has not written it.

    Put `WHO` at the beginning of the string, before the names."""
    check_beginnings(hold_talk(ask_at_the_stop, [NOTES], [], upto=4))


@rule
def looks_again(ask_at_the_stop):
    """At each further stop it calls `missing` once more, and names what is missing then.

    How often do `run` and `missing` have to happen? Put both into a loop.

    Use what the newest `missing()` has returned, and keep it in a name of its own."""
    check_names(hold_talk(ask_at_the_stop, [NOTES], []))
    compare(Stops([NOTES], [], messages=[*EARLIER, *EARLIER[1:2] * 100]), ask_at_the_stop)
    lists = [README], [README, NOTES], [README, TESTS], [README, TESTS], [TESTS, NOTES], []
    talk = hold_talk(ask_at_the_stop, *lists)
    check_names(talk)
    check_beginnings(talk)
    for got, expected in zip(talk.given, talk.returned, strict=True):
        if got != expected:
            with telling([str(talk)]):
                raise Differs(got, expected, SPOILED)


def check_beginnings(talk: Stops) -> None:
    """Fail if a question does not begin with who asks."""
    for text in talk.questions:
        if not text.startswith(WHO):
            note = WHITESPACE if text.strip().startswith(WHO) else WHO_ASKS
            with telling([str(talk)]):
                raise Differs(text[: len(WHO)], WHO, note)


@rule
def has_a_limit(ask_at_the_stop):
    """It asks at most ten times, and plays the loop once more after the tenth question.

    What ends your loop if something stays missing for ever? A check can be wrong, or the model
    unable to pass it, and then each question only costs.

    Count the questions, beginning with 0 in each call: `for asked in range(10):` is one way."""
    first = hold_talk(ask_at_the_stop, [NOTES])  # it stays missing
    # The same conversation goes on, and the function is called once more.
    compare(Stops([README], messages=first.messages), ask_at_the_stop, note=SECOND_CALL)
    with suppress(Exception):  # whether it is caught is a later rule
        Stops([NOTES], [NOTES], OSError(CHECK_FAILS)).play(ask_at_the_stop)
    compare(Stops([README]), ask_at_the_stop, note=SECOND_CALL)


@rule
def lets_errors_through(ask_at_the_stop):
    """An error of `run` or of `missing` is not caught.

    If the tests cannot be run, are they passed?

    You need no `try`."""
    for error in list_errors():
        for stops in (0, 1, 3, MAX_QUESTIONS):  # before the one at which it is raised
            before = [[NOTES]] * stops
            check_raises(ask_at_the_stop, Stops(*before, error))
            check_raises(ask_at_the_stop, Stops(*before, error=error))


def list_errors() -> list[BaseException]:
    """Return errors of a check, of kinds that a learner may catch, and what ends a run."""
    kinds = (OSError, FileNotFoundError, TimeoutError, ValueError, KeyboardInterrupt, SystemExit)
    return [*(kind(CHECK_FAILS) for kind in kinds), subprocess.TimeoutExpired("the check", 60)]


def check_raises(ask_at_the_stop: Any, talk: Stops) -> None:
    """Fail if the error of a conversation does not end the learner's function."""
    got, problem = "no error", None
    try:
        talk.play(ask_at_the_stop)
    except (Exception, KeyboardInterrupt, SystemExit) as other:
        if talk.raised is None:
            raise
        got, problem = f"another error, {show(Raised(other))}", other
    if talk.raised and talk.raised is not problem:
        expected = show(Raised(talk.raised))
        with telling([str(talk)]):
            raise Differs(Words(got), Words(expected), CAUGHT) from problem


@rule
def all_together(ask_at_the_stop):
    """What is missing shrinks, grows and repeats: it asks at each stop, for what is missing then.

    What happens at the last stop of "What was tried"?

    Only the newest `missing()` and the number of questions decide, and nothing that was before."""
    for lists in make_random():
        talk = hold_talk(ask_at_the_stop, *lists)
        check_names(talk)
        check_beginnings(talk)


def make_random() -> list[list[list[str]]]:
    """Return what is missing at the stops of random conversations, the shortest first.

    They are the same for everybody.
    """
    chance, stories = Random(5), []
    for number in range(60):
        known = [NOTES, README, TESTS, *ODD, *MANY[:4]]
        lists = [chance.sample(known, chance.randrange(1, 7)) for _ in range(number % 12)]
        for place in range(1, len(lists)):
            if chance.random() < 0.4:
                lists[place] = lists[place - 1][: chance.choice([1, 2, 9])]
        stories.append([*lists, []])
    return sorted(stories, key=len)
