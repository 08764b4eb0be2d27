"""Try what a learner wrote, rule by rule, and describe the first rule that fails.

The learner reads the rule, what was tried (`trying`), and the likely cause: the note of a Differs,
or a sentence of a table: that of the exercise's page, of the course, or the general one in
`causes.py`.
"""

import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from .causes import find_hidden, find_missing_body, name_cause, watch_shared
from .feedback import Result
from .learners_code import Raised, Source, attempt
from .no_effect import find_no_effect_of
from .restore import save_state
from .show_value import show, show_both

RULE_SECONDS = 3.0  # of the thread's processor time; right solutions need up to 0.2


class Differs(AssertionError):
    """A value is not what was expected.

    Raised `from` an exception of the learner's code, it has the line of that one, and its cause is
    looked up if there is no note. Of several notes, the first one counts that belongs to the level
    that is tried, or to an earlier one.
    """

    def __init__(self, got: Any, expected: Any, note: str | tuple[str, ...] = "") -> None:
        super().__init__(f"got {show(got)}, expected {show(expected)}")
        self.got, self.expected, self.note = got, expected, note


class EndlessError(BaseException):
    """Code has called ours too often. No Exception: a learner and `call_tool` catch those."""


@dataclass(frozen=True)
class Rule:
    """One rule of a part: the function that tries it, and the level that it belongs to.

    It raises what the learner then reads about. `causes` are pairs of a pattern, which is looked
    for in "KeyError: 'text'" or "Got: None", and a sentence that says what to do. `methods` are
    those of our solution, whose names a learner may misspell. `level_of` has the level of each
    sentence that belongs to one: a learner at an earlier level has not read of it yet.
    """

    name: str
    function: Callable[[Any], None]
    text: str  # the rule as a sentence
    hints: tuple[str, ...] = ()
    level: str = ""
    causes: tuple[tuple[str, str], ...] = ()
    methods: frozenset[str] = frozenset()
    level_of: Mapping[str, str] = field(default_factory=dict)


class Course(NamedTuple):
    """What the parts of a course have in common.

    `words` are those that a learner may misspell in a comparison, `exercises` has the name of each
    level of the part that is tried, as a learner knows it, and `causes` are as those of a rule.
    """

    words: Collection[str] = ()
    exercises: Mapping[str, str] = {}
    causes: tuple[tuple[str, str], ...] = ()


NO_RULES = (
    "There are no rules with this name, only for: {}. Is the name misspelled, or the module of its "
    "page not imported?"
)
RULES: dict[str, list[Rule]] = {}  # by the name of the part, in the order of the page


@contextmanager
def trying(lines: Sequence[str]) -> Iterator[None]:
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
        known = ", ".join(RULES) or "none"
        raise LookupError(f"There are no rules for {name!r:.60}, only for: {known}.")
    return [*dict.fromkeys(rule.level for rule in RULES[name])]


def try_part(
    name: str,
    candidate: Any,
    level: str | None = None,
    others: Iterable[tuple[str, Any]] = (),
    course: Course | None = None,
) -> Result:
    """Try the rules of the part `name` on `candidate`, up to the first rule that fails.

    These are the rules of `level` and of the levels before it; without one, of the first level.
    `others` are pairs of a label and another object, such as the same class on another base: it
    is tried as well, and the feedback has its label. Raises LookupError if there is no such part
    or level. What a trial changes in the learner's classes and functions is restored after it.
    """
    rules, course = list_rules(name, level), course or Course()
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
                got, printed = attempt(partial(one.function, variant), RULE_SECONDS)
                changed = find_changed() if isinstance(got, Raised) else ""
            finally:  # also after Ctrl-C
                restore()
            if isinstance(got, Raised):
                result = replace(result, passed=number, label=label)
                result = describe(result, one, Source(variant), got.problem, printed, course)
                return replace(result, cause=changed) if changed else result
    return replace(result, passed=len(rules))


def check(part: Any, level: str | None = None) -> Result:
    """Return which rules a learner's function or class passes, and why the first one fails.

    As the last value of a notebook's cell, the result is shown as HTML. The module of the part's
    page must be imported before. Raise LookupError if the part has no such level.
    """
    names = [part, getattr(part, "__name__", ""), type(part).__name__]
    name = next((one for one in names if isinstance(one, str) and one in RULES), None)
    if name is None:
        said = NO_RULES.format(", ".join(f"`{one}`" for one in RULES) or "none")
        return Result(getattr(part, "__name__", repr(part)), level or "", 0, 0, cause=said)
    return try_part(name, part, level)


def describe_kind(name: str) -> str:
    """Return what is wrong with an object that cannot be this part at all."""
    written = f"class {name}" if name[0].isupper() else f"def {name}"
    return (
        f"The check needs what you have defined by `{written}`. Pass `{name}` without quotes, and "
        "without parentheses, which call it."
    )


def describe(
    result: Result,
    rule: Rule,
    source: Source,
    problem: BaseException,
    printed: str,
    course: Course,
) -> Result:
    """Return the result with all that the learner reads about the first failure."""
    earlier = "" if rule.level == result.level else course.exercises.get(rule.level, rule.level)
    result = replace(result, rule=rule.name, title=rule.text, exercise=earlier, hints=rule.hints)
    # The exception of the learner's code, which has led to a Differs, or the problem itself.
    origin = problem
    if isinstance(problem, Differs) and problem.__cause__:
        origin = problem.__cause__
    if missing := find_missing_body(source.part, origin):
        return replace(result, cause=missing, is_written=False)
    hides_line = isinstance(origin, Differs) or getattr(origin, "hides_line", False)
    line = "" if hides_line else source.find_line(origin)
    got, expected = show(Raised(problem)), ""
    if isinstance(problem, Differs):
        got, expected = show_both(problem.got, problem.expected)
    elif isinstance(problem, AssertionError) and not line:
        got = ""  # its message is the cause
    place, cause = "", find_hidden(origin)
    if not cause:
        place, cause = find_no_effect_of(source, course.words)
    known = {one.level for one in list_rules(result.name, result.level)}
    if isinstance(notes := getattr(problem, "note", ""), tuple):
        told = (one for one in notes if rule.level_of.get(one, "") in known)
        problem.note = next(told, "")  # type: ignore[attr-defined]
    if not cause:
        causes = [one for one in rule.causes if rule.level_of.get(one[1], "") in known]
        causes += course.causes
        cause = name_cause(problem, origin, source, printed, causes, rule.methods)
    return replace(
        result,
        cause=cause,
        line=place or line,
        got=got,
        expected=expected,
        tried=getattr(problem, "tried", ""),
        printed=textwrap.shorten(printed, 120, placeholder=" …"),
        is_strange=not (place or line) and not isinstance(problem, AssertionError),
    )
