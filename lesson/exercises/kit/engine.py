"""Try what a learner wrote, rule by rule, and describe the first rule that fails.

The learner reads the rule, what was tried (`telling`), and the likely cause: the note of a Differs,
or a sentence of a table, the one of the exercise's page or the general one in `causes.py`.
"""

import linecache
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from itertools import zip_longest
from os.path import commonprefix
from typing import Any

from lesson.common.learners_code import Raised, attempt, find_last_line
from lesson.common.parts import PARTS, Part
from lesson.common.show_value import show

from .causes import find_missing_body, name_cause
from .feedback import Result
from .no_effect import find_no_effect
from .restore import cells_of, save_state, watch_shared

RULE_SECONDS = 3.0  # of the thread's processor time; right solutions need up to 0.2
WHOLE_CHARACTERS = 100  # two values that are longer are shown from the first place that differs
BEFORE_CHARACTERS = 30  # are shown before a place in a string


class Differs(AssertionError):
    """A value is not what was expected.

    Raised `from` an exception of the learner's code, it has the line of that one, and its cause is
    looked up if there is no note.
    """

    def __init__(self, got: Any, expected: Any, note: str = "") -> None:
        super().__init__(f"got {show(got)}, expected {show(expected)}")
        self.got, self.expected, self.note = got, expected, note


class EndlessError(BaseException):
    """Code has called ours too often. No Exception: a learner and `call_tool` catch those."""


class Words(str):
    """A description of an expected value, which is shown without quotes."""

    __repr__ = str.__str__


@dataclass(frozen=True)
class Rule:
    """One rule of a part: the function that tries it, and the level that it belongs to.

    It raises what the learner then reads about. `causes` are pairs of a pattern, which is looked
    for in "KeyError: 'text'" or "Got: None", and a sentence that says what to do.
    """

    name: str
    function: Callable[[Any], None]
    text: str  # the rule as a sentence
    hints: tuple[str, ...] = ()
    level: str = ""
    causes: tuple[tuple[str, str], ...] = ()
    seconds: float = RULE_SECONDS


RULES: dict[str, list[Rule]] = {}  # by the name of the part, in the order of the page


@contextmanager
def telling(lines: Sequence[str]) -> Iterator[None]:
    """Give an error inside these lines as what was tried, as a learner reads it, if it has none.

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


def find_part(name: str) -> Part:
    """Return the part of this name, or raise LookupError with the names of all parts."""
    if name not in PARTS:
        raise LookupError(f"{name!r} is no part of the program. The parts are: {', '.join(PARTS)}.")
    return PARTS[name]


def name_exercise(name: str, level: str) -> str:
    """Return which exercise a level of a part is, such as "E3"."""
    return next(one.exercise for one in find_part(name).levels if one.name == level)


def name_module(part: str) -> str:
    """Return the name of the module with the rules of a part."""
    return f"lesson.exercises.{re.sub('(?<=[a-z])(?=[A-Z])', '_', part).lower()}"


def list_rules(name: str, level: str | None = None) -> list[Rule]:
    """Return the rules of a part up to this level, by default those of the first one."""
    if not __debug__:
        raise RuntimeError(
            "This Python leaves out each `assert`, so a check would pass what is wrong: run it "
            "without -O and PYTHONOPTIMIZE."
        )
    levels = [one.name for one in find_part(name).levels]
    if level is not None and level not in levels:
        named = ", ".join(repr(one) for one in levels)
        raise LookupError(f"{name} has no level {level!r}. It has: {named}.")
    import_module(name_module(name))
    allowed = levels[: levels.index(level or "") + 1]
    return [one for known in allowed for one in RULES[name] if one.level == known]


def try_part(
    name: str, candidate: Any, level: str | None = None, others: Iterable[tuple[str, Any]] = ()
) -> Result:
    """Try the rules of the part `name` on `candidate`, up to the first rule that fails.

    These are the rules of `level` and of the levels before it; without one, of the first level.
    `others` are pairs of a label and another object, such as the same class on another base: it
    is tried as well, and the feedback has its label. Raises LookupError if there is no such part
    or level. What a trial changes in the learner's classes and functions is restored after it.
    """
    rules = list_rules(name, level)
    titles = tuple(one.text for one in rules)
    result = Result(name, level or "", 0, len(rules), rules=titles)
    if isinstance(candidate, type) != name[0].isupper() or not callable(candidate):
        return replace(result, title=titles[0], cause=describe_kind(name))
    tried = [("", candidate), *others]
    restore = save_state([one for _, one in tried])
    for number, one in enumerate(rules):
        for label, variant in tried:
            find_changed = watch_shared(variant)
            try:
                got, printed = attempt(partial(one.function, variant), one.seconds)
                changed = find_changed() if isinstance(got, Raised) else ""
            finally:  # also after Ctrl-C
                restore()
            if isinstance(got, Raised):
                result = replace(result, passed=number, label=label)
                result = describe(result, one, variant, got.problem, printed)
                return replace(result, cause=changed) if changed else result
    return replace(result, passed=len(rules))


def count_levels(name: str, candidate: Any, others: Iterable[tuple[str, Any]] = ()) -> int:
    """Return how many levels of the part `name` pass, counted from the first."""
    others = tuple(others)
    levels = find_part(name).levels
    for number, level in enumerate(levels):
        if not try_part(name, candidate, level.name, others).ok:
            return number
    return len(levels)


def describe_kind(name: str) -> str:
    """Return what is wrong with an object that cannot be this part at all."""
    written = f"class {name}" if name[0].isupper() else f"def {name}"
    return (
        f"The check needs what you have defined by `{written}`. Pass `{name}` without quotes, and "
        "without parentheses, which call it."
    )


def describe(
    result: Result, rule: Rule, candidate: Any, problem: BaseException, printed: str
) -> Result:
    """Return the result with all that the learner reads about the first failure."""
    earlier = "" if rule.level == result.level else name_exercise(result.name, rule.level)
    result = replace(result, rule=rule.name, title=rule.text, exercise=earlier, hints=rule.hints)
    # The exception of the learner's code, which has led to a Differs, or the problem itself.
    origin = problem
    if isinstance(problem, Differs) and problem.__cause__:
        origin = problem.__cause__
    if missing := find_missing_body(candidate, origin):
        return replace(result, cause=missing, is_written=False)
    hides_line = isinstance(origin, Differs) or getattr(origin, "hides_line", False)
    line = "" if hides_line else find_line(origin, candidate)
    got, expected = show(Raised(problem)), ""
    if isinstance(problem, Differs):
        got, expected = show(problem.got), show(problem.expected)
        if not isinstance(problem.expected, Words):  # which the rule has chosen
            got, expected = show_difference(problem.got, problem.expected)
    elif isinstance(problem, AssertionError) and not line:
        got = ""  # its message is the cause
    number, code, said = find_no_effect_of(candidate)
    if said:
        line = f"line {number}: {code}"
    return replace(
        result,
        cause=said or name_cause(problem, origin, candidate, printed, rule.causes),
        line=line,
        got=got,
        expected=expected,
        tried=getattr(problem, "tried", ""),
        printed=textwrap.shorten(printed, 120, placeholder=" …"),
        is_strange=not line and not isinstance(problem, AssertionError),
    )


def find_no_effect_of(candidate: Any) -> tuple[int, str, str]:
    """Return the first line without effect in a learner's cell: its number, its code, and why."""
    for file in sorted(cells_of(candidate)):
        lines = linecache.getlines(file)
        number, said = find_no_effect("".join(lines))
        if said:
            return number, lines[number - 1].strip(), said
    return 0, "", ""


def show_difference(got: Any, expected: Any) -> tuple[str, str]:
    """Return two values as strings: whole, or if they are long, the first place that differs."""
    places = []
    while is_long(got) or is_long(expected):
        place, *inner = find_first_difference(got, expected)
        if not place:
            break
        places.append(place)
        got, expected = inner
    if isinstance(got, str) and isinstance(expected, str):
        place, got, expected = cut_strings(got, expected)
        places += [place] if place else []
    begin = f"{', '.join(places)}: " if places else ""
    return begin + show(got), begin + show(expected)


def is_long(value: Any) -> bool:
    return len(show(value)) > WHOLE_CHARACTERS


def find_first_difference(got: Any, expected: Any) -> tuple[str, Any, Any]:
    """Return the first place inside of two values that differs, and both values there.

    Without such a place, return "" and the values.
    """
    nothing = Words("nothing")
    places: list[tuple[str, Any, Any]] = []
    if isinstance(got, str) and isinstance(expected, str):
        lines = zip_longest(got.splitlines(), expected.splitlines(), fillvalue="")
        kind = Words if isinstance(expected, Words) else str
        places = [(f"line {n}", kind(a), kind(b)) for n, (a, b) in enumerate(lines, 1)]
        if len(places) == 1:
            return "", got, expected
    elif isinstance(got, dict) and isinstance(expected, dict):
        names = dict.fromkeys([*expected, *got])
        places = [(repr(n), got.get(n, nothing), expected.get(n, nothing)) for n in names]
    elif isinstance(got, list | tuple) and isinstance(expected, list | tuple):
        pairs = zip_longest(got, expected, fillvalue=nothing)
        places = [(f"place {n}", a, b) for n, (a, b) in enumerate(pairs, 1)]
    for place, one, other in places:
        if one != other:
            return place, one, other
    return "", got, expected


def cut_strings(got: str, expected: str) -> tuple[str, str, str]:
    """Return a place and two strings: what is around their first difference, if they are long."""
    if "\n" in got + expected or not (is_long(got) or is_long(expected)):
        return "", got, expected
    start = max(0, len(commonprefix([got, expected])) - BEFORE_CHARACTERS)
    end = start + 3 * BEFORE_CHARACTERS
    kind = Words if isinstance(expected, Words) else str
    shown = []
    for text in (got, expected):
        begin, rest = "…" if start else "", "…" if text[end:] else ""
        shown.append(kind(f"{begin}{text[start:end]}{rest}"))
    return f"after {start} characters" if start else "", shown[0], shown[1]


def find_line(problem: BaseException, candidate: Any) -> str:
    """Return the last line of the learner's cell that was running, "line 7: x = 1", or ""."""
    cells = cells_of(candidate)
    last = find_last_line(problem, lambda file: file in cells)
    return f"line {last.lineno}: {last.line}" if last else ""
