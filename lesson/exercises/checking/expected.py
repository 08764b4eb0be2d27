"""What must come of a trial: a test of the value, and the words that a learner reads."""

import datetime
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
SHOWN_CHARACTERS = 400


@dataclass(frozen=True)
class Raised:
    """What a trial gave, where it raised."""

    problem: BaseException


@dataclass(frozen=True)
class Expected:
    """What must come: in `words`, and as a `test` of what came, which may be a Raised.

    A test that raises is not passed. For a value that does not pass, `explain` may have a
    sentence that says what is wrong with it.
    """

    words: str
    test: Callable[[Any], Any]
    explain: Callable[[Any], str] = lambda came: ""


def equal(value: Any) -> Expected:
    """Exactly this value."""
    return Expected(show(value), lambda came: came == value)


def is_number(came: Any) -> bool:
    """Whether this is a number of any kind, except True and False."""
    return isinstance(came, (Real, Decimal)) and not isinstance(came, bool)


def is_close(came: Any, value: float) -> bool:
    """Whether this is the number `value`, up to rounding."""
    return is_number(came) and abs(float(came) - value) < 1e-6


def explain_number(came: Any) -> str:
    """What to say of a value that should be a number of seconds."""
    if isinstance(came, (datetime.timedelta, datetime.datetime)):
        method = "total_seconds" if isinstance(came, datetime.timedelta) else "timestamp"
        kind = type(came).__name__
        return f"A number is wanted; this is a {kind}: `.{method}()` makes a number of it."
    if isinstance(came, str):
        return "That is text. A number has no quotes and no unit."
    return "A clock is a function: `self.clock()` reads it." if callable(came) else ""


def seconds(value: float) -> Expected:
    """This number, up to rounding."""
    return Expected(f"{value:g}", lambda came: is_close(came, value), explain_number)


def times(**values: float | None) -> Expected:
    """A dict with these `values`, numbers or None; other keys are allowed."""

    def is_right(came: Any, name: str) -> bool:
        value, wanted = came.get(name, "missing"), values[name]
        return value is None if wanted is None else is_close(value, wanted)

    def explain(came: Any) -> str:
        if not isinstance(came, Mapping):
            return ""
        name = next(name for name in values if not is_right(came, name))
        return f"Look at {name!r}. {explain_number(came.get(name))}".strip()

    return Expected(show(values), lambda came: all(is_right(came, n) for n in values), explain)


def saying(pattern: str) -> Expected:
    """What a nag must answer, round by round: "- R" is a silence, then a reminder."""
    marks = pattern.split()

    def mark(answer: Any) -> str:
        if not answer:
            return "-"
        return "R" if isinstance(answer, str) and answer.strip() else "neither"

    words = ", ".join("a reminder" if mark == "R" else "None" for mark in marks)
    return Expected(f"[{words}]", lambda came: [mark(answer) for answer in came] == marks)


def refusal(*words: str) -> Expected:
    """A ValueError with one of these `words` in its message; without any, whatever is raised."""

    def test(came: Any) -> bool:
        if not isinstance(came, Raised) or not words:
            return isinstance(came, Raised)
        said = message(came.problem).lower()
        return isinstance(came.problem, ValueError) and any(word in said for word in words)

    def explain(came: Any) -> str:
        if isinstance(came, Raised) and isinstance(came.problem, ValueError):
            return f"It is refused, but the message does not say why: name {words[0]} in it."
        return ""

    named = f" whose message contains {' or '.join(words)}" if words else ""
    return Expected(f"a ValueError{named}", test, explain)


def says(*words: str, never: Iterable[str] = (), what: str = "") -> Expected:
    """A text that has each of these `words`, and none of those in `never`."""
    unwanted = tuple(never)

    def test(came: Any) -> bool:
        has_all = isinstance(came, str) and all(word in came for word in words)
        return has_all and not any(word in came for word in unwanted)

    return Expected(what or "a text with " + " and ".join(map(repr, words)), test)


def message(problem: BaseException | None) -> str:
    """What the exception says; "" where even that raises."""
    try:
        return str(problem)
    except Exception:  # a learner's __str__ may raise anything
        return ""


def show(value: Any) -> str:
    """Any value in a few words, the same on every machine."""
    try:
        if isinstance(value, Raised):
            words = message(value.problem).strip()
            text = type(value.problem).__name__ + (f": {words}" if words else "")
        elif isinstance(value, str) and "\n" in value.strip():
            text = value
        else:
            text = repr(value)
    except Exception:  # a learner's __repr__ may raise anything
        text = f"a {type(value).__name__} that cannot be shown"
    text = ADDRESS.sub("", text.encode("utf-8", "replace").decode())
    if len(text) > SHOWN_CHARACTERS:
        text = text[:SHOWN_CHARACTERS] + " … (and more)"
    return text
