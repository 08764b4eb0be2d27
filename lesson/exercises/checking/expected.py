"""What a trial must return: a test of the value, and the words that a learner reads."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import Any

from ...time_limit import show

MESSAGE_LETTERS = 3
# Words that say nothing about a mistake: a message of these alone does not help a model.
GENERIC = frozenset(
    "an bad data error illegal input invalid item items none not the value valueerror wrong".split()
)
NOT_REPEATED = (
    "The reminder is not repeated. Is the count compared with `==`, or set back by a reminder?"
)
TOO_SHORT = "The message does not say what is wrong: the model must know it to correct its list."


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
        if getattr(got, "must_end", False):  # a Scene
            # The practice API accepts an empty message next to another one of the same role.
            if got.problem is not None or got.has_empty_message:
                return False
        with suppress(Exception):
            return bool(self.test(got))
        return False


def equal(value: Any) -> Expected:
    """Expect exactly this value."""
    return Expected(show(value), lambda got: got == value)


def is_close(got: Any, value: float | None) -> bool:
    """Return whether this is the number `value`, up to rounding, or None as well."""
    return (
        got is None if value is None else isinstance(got, Real) and abs(float(got) - value) < 1e-6
    )


def times(**values: float | None) -> Expected:
    """Expect a dict with these `values`, numbers or None; other keys are allowed."""

    def test(got: Any) -> bool:
        return all(is_close(got.get(name, "missing"), values[name]) for name in values)

    return Expected(show(values), test)


def saying(pattern: str, diagnose: Callable[[Sequence[str]], str] = lambda marks: "") -> Expected:
    """Expect a nag's results, round by round: in "- R ?", None, a reminder, and then any.

    `diagnose` takes the marks of other results, and may return a sentence about their cause.
    """
    marks = pattern.split()

    def mark(result: Any) -> str:
        is_reminder = isinstance(result, str) and result.strip()
        return "R" if is_reminder else "-" if result is None else "neither"

    def test(got: Any) -> bool:
        return all(one in (mark(result), "?") for one, result in zip(marks, got, strict=True))

    def explain(got: Any) -> str:
        if "" in got:
            return "An empty string is no None: `return None` if no reminder is due."
        found = list(map(mark, got))
        return diagnose(found) or explain_delay(found, marks)

    words = ", ".join({"R": "a reminder", "-": "None", "?": "…"}[mark] for mark in marks)
    return Expected(f"[{words}]", test, explain)


def explain_delay(marks: Sequence[str], wanted: Sequence[str]) -> str:
    """Say that reminders are late, or not repeated, from the marks of rounds: R is a reminder.

    A reminder that is too early has too many possible causes.
    """
    if "R" not in marks or "R" not in wanted:
        return ""
    late = marks.index("R") - wanted.index("R")
    if late == 1:
        return "The first reminder is one round late: add 1 first, then compare with `>=`."
    if late > 1:
        return f"The first reminder is {late} rounds late: compare with `after`, not with a number."
    if late == 0 and any(mark == "-" != one for mark, one in zip(marks, wanted, strict=False)):
        return NOT_REPEATED
    return ""


def is_message(text: str, generic: Collection[str] = GENERIC) -> bool:
    """Return whether a string says something: three letters or more besides `generic` words.

    Letters are counted, not words, because not every script separates words by spaces.
    """
    words = re.findall(r"[^\W\d_]+", text.lower())
    return len("".join(word for word in words if word not in generic)) >= MESSAGE_LETTERS


def refusal(*words: str) -> Expected:
    """Expect a ValueError whose message contains one of these `words`, in any case."""

    def test(got: Any) -> bool:
        said = str(got.problem).lower()
        return isinstance(got.problem, ValueError) and any(word.lower() in said for word in words)

    return Expected(f"a ValueError whose message contains {' or '.join(words)}", test)


def explained(about: str) -> Expected:
    """Expect a ValueError with any message that says something, in any language."""
    return Expected(
        f"a ValueError that says what is wrong: {about}",
        lambda got: isinstance(got.problem, ValueError) and is_message(str(got.problem)),
        lambda got: TOO_SHORT if isinstance(got.problem, ValueError) else "",
    )


def says(*words: str, never: Iterable[str] = (), what: str = "") -> Expected:
    """Expect a string that contains each of these `words`, and none of those in `never`."""
    unwanted = tuple(never)

    def test(got: Any) -> bool:
        has_all = isinstance(got, str) and all(word in got for word in words)
        return has_all and not any(word in got for word in unwanted)

    return Expected(what or "a string with " + " and ".join(map(repr, words)), test)
