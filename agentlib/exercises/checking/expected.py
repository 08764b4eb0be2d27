"""What must come of a trial: a test of the value, and the words that a learner reads."""

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

    `explain` may add a sentence to a value that fails the test, and returns "" for no sentence.
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


def seconds(value: float) -> Expected:
    """This number, up to rounding."""
    return Expected(f"{value:g}", lambda came: is_close(came, value))


def times(hints: Mapping[str, str] | None = None, **values: float | None) -> Expected:
    """A dict with these `values`, numbers or None; other keys are allowed.

    `hints` has a sentence for a key whose value is wrong, in place of the rule's own hint.
    """

    def is_right(came: Any, name: str) -> bool:
        value = came.get(name, "missing")
        return value is None if values[name] is None else is_close(value, values[name])

    def wrong_names(came: Any) -> list[str]:
        return [name for name in values if not is_right(came, name)]

    def explain(came: Any) -> str:
        if not isinstance(came, Mapping) or not wrong_names(came):
            return ""
        name = wrong_names(came)[0]
        return f"Look at {name!r}. {(hints or {}).get(name, '')}".strip()

    def test(came: Any) -> bool:
        return isinstance(came, Mapping) and not wrong_names(came)

    return Expected(show(values), test, explain)


def saying(pattern: str, note: str = "") -> Expected:
    """What a nag must answer, round by round: "- R" is a silence, then a reminder."""
    marks = pattern.split()
    words = ", ".join("a reminder" if mark == "R" else "None" for mark in marks)

    def mark(answer: Any) -> str:
        if not answer:
            return "-"
        return "R" if isinstance(answer, str) and answer.strip() else "neither"

    def test(came: Any) -> bool:
        return isinstance(came, list) and [mark(answer) for answer in came] == marks

    return Expected(f"[{words}]" + (f": {note}" if note else ""), test)


def refused(*words: str) -> Expected:
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
        if not isinstance(came, str):
            return False
        return all(word in came for word in words) and not any(word in came for word in unwanted)

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
