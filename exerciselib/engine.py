"""Define the rules of a course, and how a rule reports what it tried and what differs.

`try_it.py` tries them on what a learner wrote, and `why.py` says why the first one fails.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .learners_code import Place
from .show_value import show


class Differs(AssertionError):
    """Raised if the learner's code returned `got`, and not what was `expected`.

    `note` is the likely cause, and what to do. It can be a tuple: then the check shows the first
    note that a learner at the tried level can understand (see `Rule.level_of`). Without a note, the
    check looks for a cause, and shows `otherwise` if it finds none.

    If an exception of the learner's code has led to this error, raise it `from` that exception: the
    check then shows the line that raised, and the cause of that. `find_return` runs the code again,
    and returns the place that returned the value, or None.
    """

    otherwise = ""
    find_return: Callable[[], Place | None] | None = None

    def __init__(self, got: Any, expected: Any, note: str | tuple[str, ...] = "") -> None:
        super().__init__(f"got {show(got)}, expected {show(expected)}")
        self.got, self.expected, self.note = got, expected, note


class EndlessError(BaseException):
    """Code has called ours too often. Not an Exception, which learners and `call_tool` catch."""


@dataclass(frozen=True)
class Rule:
    """One rule of a part: the function that tries it, and the level that it belongs to.

    It raises what the learner then reads about. `causes` are pairs of a pattern, which is looked
    for in "KeyError: 'text'" or "Got: None", and a sentence that says what to do. `methods` are
    those of our solution, whose names a learner may misspell, each with its header; of a function,
    it is that alone. `level_of` has the level of each sentence that belongs to one: a learner at an
    earlier level has not read of it yet.
    """

    name: str
    function: Any  # called with the part; that of a page is a PageRule
    text: str  # the rule as a sentence
    hints: tuple[str, ...] = ()
    level: str = ""
    causes: tuple[tuple[str, str], ...] = ()
    methods: Mapping[str, str] = field(default_factory=dict)
    level_of: Mapping[str, str] = field(default_factory=dict)


class Course(NamedTuple):
    """What the parts of a course have in common.

    `exercises` has the name of each level of the part that is tried, as a learner knows it, and
    `causes` are as those of a rule. `hooks` are the methods of the course's class
    that a class which extends it may override.
    """

    exercises: Mapping[str, str] = {}
    causes: tuple[tuple[str, str], ...] = ()
    hooks: Collection[str] = ()


RULES: dict[str, list[Rule]] = {}  # by the name of the part, in the order of the page


@contextmanager
def trying(lines: Sequence[str]) -> Iterator[None]:
    """Add these lines to an error raised inside, as what was tried, unless it has such lines.

    They are read when the error is raised, so a rule can append to them.
    """
    try:
        yield
    except BaseException as problem:
        problem.tried = getattr(problem, "tried", "") or "\n".join(lines)  # type: ignore[attr-defined]
        raise


def same(got: Any, expected: Any, note: str = "") -> None:
    """Raise Differs if the values are not equal. `note` names the likely cause and what to do."""
    if got != expected:
        raise Differs(got, expected, note)


def list_rules(name: str, level: str | None = None) -> list[Rule]:
    """Return the rules of a part up to this level, by default those of the first one.

    Raise LookupError if no page of this part is registered, or if it has no such level.
    """
    if not __debug__:
        raise RuntimeError(
            "This Python leaves out each `assert`, so a check would pass what is wrong: run it "
            "without -O and PYTHONOPTIMIZE."
        )
    levels = list_levels(name)
    if level is not None and level not in levels:
        named = ", ".join(repr(one) for one in levels)
        raise LookupError(f"{name} has no level {level!r}. It has: {named}.")
    allowed = levels[: levels.index(level or "") + 1]
    return [one for known in allowed for one in RULES[name] if one.level == known]


def list_levels(name: str) -> list[str]:
    """Return the levels of a part, in the order of its rules. The first one is ""."""
    if name not in RULES:
        names = ", ".join(RULES) or "none"
        raise LookupError(f"There are no rules for {name!r:.60}, only for: {names}.")
    return [*dict.fromkeys(rule.level for rule in RULES[name])]
