"""What a trial must return: a test of the value, and the words that a learner reads."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
SHOWN_CHARACTERS = 400
MESSAGE_LETTERS = 4
# Words that say nothing about a mistake: a message of these alone does not help a model.
GENERIC = frozenset(
    "a an an bad data error illegal input invalid item items not the value valueerror wrong".split()
)


@dataclass(frozen=True)
class Raised:
    """The result of a trial that raised."""

    problem: BaseException


@dataclass(frozen=True)
class Expected:
    """The result that a trial must have: in `words`, and as a `test` of the value or Raised.

    A test that raises has failed. `explain` may add a sentence about a value that fails.
    """

    words: str
    test: Callable[[Any], Any]
    explain: Callable[[Any], str] = lambda got: ""

    def accepts(self, got: Any) -> bool:
        """Return whether this is the expected result."""
        with suppress(Exception):
            return bool(self.test(got))
        return False


def equal(value: Any) -> Expected:
    """Expect exactly this value."""
    return Expected(show(value), lambda got: got == value)


def is_number(got: Any) -> bool:
    """Return whether this is a number of any kind, except True and False."""
    return isinstance(got, Real) and not isinstance(got, bool)


def is_close(got: Any, value: float | None) -> bool:
    """Return whether this is the number `value`, up to rounding, or None as well."""
    return got is None if value is None else is_number(got) and abs(float(got) - value) < 1e-6


def explain_number(got: Any) -> str:
    """Say what is wrong with a value that should be a number of seconds."""
    if hasattr(got, "total_seconds"):
        return "This is a timedelta. `.total_seconds()` converts it to a number."
    if isinstance(got, str):
        return "This is a string. Return a number, without quotes and without a unit."
    return "A clock is a function: call it with `self.clock()`." if callable(got) else ""


def seconds(value: float) -> Expected:
    """Expect this number, up to rounding."""
    return Expected(f"{value:g}", lambda got: is_close(got, value), explain_number)


def times(**values: float | None) -> Expected:
    """Expect a dict with these `values`, numbers or None; other keys are allowed."""

    def list_wrong(got: Any) -> list[str]:
        return [name for name in values if not is_close(got.get(name, "missing"), values[name])]

    def explain(got: Any) -> str:
        if not isinstance(got, Mapping):
            return ""
        name = list_wrong(got)[0]
        return f"Look at {name!r}. {explain_number(got.get(name))}".strip()

    return Expected(show(values), lambda got: not list_wrong(got), explain)


def saying(pattern: str) -> Expected:
    """Expect a nag's results, round by round: in "- R", "-" is None and "R" is a reminder."""
    marks = pattern.split()

    def mark(result: Any) -> str:
        if result is None:
            return "-"
        return "R" if isinstance(result, str) and result.strip() else "neither"

    def explain(got: Any) -> str:
        wrong = [one for one in got if mark(one) == "neither"]
        return f"A reminder is a string. This is not one: {show(wrong[0])}" if wrong else ""

    words = ", ".join("a reminder" if mark == "R" else "None" for mark in marks)
    return Expected(f"[{words}]", lambda got: [mark(result) for result in got] == marks, explain)


def is_message(text: str, generic: Collection[str] = GENERIC) -> bool:
    """Return whether a string says something: four letters or more besides `generic` words.

    Letters are counted, not words, because not every script separates words by spaces.
    """
    words = re.findall(r"[^\W\d_]+", text.lower())
    return len("".join(word for word in words if word not in generic)) >= MESSAGE_LETTERS


def refusal(*words: str, about: str = "") -> Expected:
    """Expect a ValueError whose message contains one of these `words`, in any case.

    With `about`, any message passes that says something, in any language.
    """
    contains = " or ".join(words)

    def test(got: Any) -> bool:
        said = str(got.problem).lower()
        has_word = any(word.lower() in said for word in (*words, about) if word)
        return isinstance(got.problem, ValueError) and (
            has_word or bool(about) and is_message(said)
        )

    def explain(got: Any) -> str:
        if not isinstance(got, Raised) or not isinstance(got.problem, ValueError):
            return ""
        if not about:
            return f"The ValueError is right. Its message must contain {contains}."
        return "The ValueError is right. Its message should tell the model what to correct."

    if about:
        return Expected(f"a ValueError that says what is wrong: {about}", test, explain)
    return Expected(f"a ValueError whose message contains {contains}", test, explain)


def says(*words: str, never: Iterable[str] = (), what: str = "") -> Expected:
    """Expect a string that contains each of these `words`, and none of those in `never`."""
    unwanted = tuple(never)

    def test(got: Any) -> bool:
        has_all = isinstance(got, str) and all(word in got for word in words)
        return has_all and not any(word in got for word in unwanted)

    return Expected(what or "a string with " + " and ".join(map(repr, words)), test)


def show(value: Any) -> str:
    """Return any value as a short string that is the same on every machine."""
    try:
        if isinstance(value, Raised):
            text = f"{type(value.problem).__name__}: {value.problem}".removesuffix(": ")
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
