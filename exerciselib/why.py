"""Why a rule fails: the likely cause, and the learner's line.

The learner reads the rule, what was tried, and the likely cause. `docs/design.md` lists where its
sentence can come from, in order.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .causes import find_hidden, find_missing_body, find_taken, name_cause
from .engine import Course, Differs, Rule, list_rules
from .feedback import Verdict
from .learners_code import Cell, Raised
from .mend import find_mend
from .show_value import show, show_both
from .slips import find_alike


def explain(
    verdict: Verdict,
    rules: Sequence[Rule],
    part: Any,
    problem: BaseException,
    changed: str,
    course: Course,
) -> Verdict:
    """Return the verdict with all that the learner reads about the rule that fails.

    `rules` are all that are to be tried, of which the verdict says how many pass. `problem` is what
    the next one has raised, and `changed` a sentence about what the objects or calls of the part
    share, if that has changed.
    """
    rule = rules[verdict.passed]
    cell, printed, level = Cell(part), verdict.printed, rule.level
    earlier = "" if level == verdict.level else course.exercises.get(level, level)
    verdict = replace(verdict, rule=rule.name, title=rule.text, exercise=earlier, hints=rule.hints)
    # The exception of the learner's code, which has led to a Differs, or the problem itself.
    origin = problem
    if isinstance(problem, Differs) and problem.__cause__:
        origin = problem.__cause__
    if missing := find_missing_body(part, origin):
        return replace(verdict, cause=missing, is_written=False, printed="")
    hides_line = isinstance(origin, Differs) or getattr(origin, "hides_line", False)
    line = "" if hides_line else cell.find_line(origin)
    if find_return := getattr(problem, "find_return", None):
        line = line or cell.find_return(find_return())
    got, expected = show(Raised(problem)), ""
    if isinstance(problem, Differs):
        got, expected = show_both(problem.got, problem.expected)
    elif isinstance(problem, AssertionError) and not line:
        got = ""  # its message is the cause
    cause = changed or find_hidden(origin)
    cause = cause or find_mend(cell, rules, verdict.passed) or find_alike(problem)
    cause = cause or find_taken(cell, {*course.hooks, *rule.methods})
    if not cause:
        levels = {one.level for one in list_rules(verdict.name, verdict.level)}
        notes = getattr(problem, "note", "")
        if isinstance(notes, tuple):  # the first one of a level that is known
            told = (one for one in notes if rule.level_of.get(one, "") in levels)
            problem.note = next(told, "")  # type: ignore[attr-defined]
        causes = [one for one in rule.causes if rule.level_of.get(one[1], "") in levels]
        cause = name_cause(problem, origin, cell, printed, [*causes, *course.causes], rule.methods)
    return replace(
        verdict,
        cause=cause,
        line=line,
        got=got,
        expected=expected,
        tried=getattr(problem, "tried", ""),
        printed=textwrap.shorten(printed, 120, placeholder=" …"),
        is_strange=not line and not isinstance(problem, AssertionError),
    )
