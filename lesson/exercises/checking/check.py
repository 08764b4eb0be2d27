"""Tries the rules of an exercise on what a learner made."""

import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from agentlib.client.notebook import is_watched

from .blank import describe_kind, find_late_method, is_blank, is_callable_kind, is_ours
from .result import HOLDS, MISSED, NOT_TRIED, Further, Result
from .rule import Miss, Rule, try_rule
from .state import ClassState
from .timeout import CASE_SECONDS

CHECK_SECONDS = 30.0
QUIET_SECONDS = 2.0  # a check that takes longer says what it is doing

NOTHING_YET = (
    "nothing there yet, and that is fine. What it should do is listed above its cell. Write it "
    "there, run that cell, then the check again. If you have written it: is it called {name}, "
    "and did you run its cell?"
)
NOT_A_CLASS = (
    "not yet. This check wants the {kind} itself, and got {got}. Write `{kind} {name}…:` in its "
    "cell, and give the check the bare name, without quotes and without parentheses."
)
LATE = (
    "not yet. Its `{method}` is called and must give its value at once: write `def` without "
    "`async`, and `return` instead of `yield`."
)

LAST_RESULTS: dict[str, Result] = {}  # by subject


@dataclass(frozen=True)
class Subject:
    """What is checked: the `name` that a learner gives it, its `rules`, and what comes after.

    `after` is said when all rules hold, then come the `further` questions and ways. `given` and
    `core` tell the bare cell from one that was begun; see `blank.is_blank`. `kind` is what the
    learner writes, "class" or "def".
    """

    name: str
    rules: Sequence[Rule]
    after: str = ""
    further: Further | None = None
    given: Callable[..., Any] | None = None
    core: Collection[str] = ()
    kind: str = "class"

    @property
    def identifier(self) -> str:
        """The name as it stands in the learner's code, without what follows a comma."""
        return self.name.partition(",")[0]


def check(subject: Subject, names: Mapping[str, Any], **settings: Any) -> Result:
    """As `examine`; and the Result says what has changed since the last one of this kernel."""
    result = examine(subject, names, **settings)
    result = replace(result, since=compare(LAST_RESULTS.get(subject.name), result))
    LAST_RESULTS[subject.name] = result
    return result


def examine(
    subject: Subject,
    names: Mapping[str, Any],
    *,
    aside: str = "",
    seconds: float = CASE_SECONDS,
    check_seconds: float = CHECK_SECONDS,
) -> Result:
    """Try every rule on what a learner made, which is among `names`, with the others in sight.

    A trial may take this many `seconds`, all of them together `check_seconds`; `aside` is added to
    the result. The learner's classes get their attributes back.
    """
    made = names[subject.identifier]
    early = look(subject, made)
    if early is not None:
        return early
    states, miss = try_rules(subject, names, seconds, check_seconds)
    result = Result(subject.name, subject.rules, states, miss, aside=aside)
    return replace(result, after="" if aside else subject.after, further=subject.further)


def look(subject: Subject, made: Any) -> Result | None:
    """The Result where there is nothing yet, or nothing that can be tried; else None."""
    late = find_late_method(made)
    is_begun, note = True, ""
    if is_blank(made, subject.given, subject.core):
        is_begun, note = False, NOTHING_YET
    elif made is not None and not is_callable_kind(made):
        note = NOT_A_CLASS
    elif late:
        note = LATE
    if not note:
        return None
    kind = subject.kind
    said = note.format(name=subject.identifier, kind=kind, got=describe_kind(made), method=late)
    return Result(subject.name, subject.rules, note=f"{subject.name}: {said}", begun=is_begun)


def try_rules(
    subject: Subject, names: Mapping[str, Any], seconds: float, check_seconds: float
) -> tuple[tuple[str, ...], Miss | None]:
    """Try all rules. Returns the state of each, and the first miss.

    After a trial that runs out of time the others are not tried: they would, too. Where it takes
    long, a page says meanwhile which rule is tried; the next line written replaces that.
    """
    own = {cls for made in names.values() for cls in list_own_classes(made)}
    state = ClassState(*own)
    states, first = [NOT_TRIED] * len(subject.rules), None
    start, passed = time.monotonic(), 0.0
    for number, rule in enumerate(subject.rules):
        if passed > QUIET_SECONDS and is_watched():
            words = f"{subject.name}: rule {number + 1} of {len(subject.rules)}"
            print(f"{words}, {passed:.0f} seconds so far …", end="\r", flush=True)
        missed = try_rule(rule, names, state.restore, seconds)
        states[number] = MISSED if missed else HOLDS
        first = first or missed
        passed = time.monotonic() - start
        if passed > check_seconds or missed and missed.is_out_of_time:
            break
    if passed > QUIET_SECONDS and is_watched():
        print(" " * 60, end="\r", flush=True)
    state.restore()
    return tuple(states), first and rename(first, names)


def list_own_classes(made: Any) -> list[type]:
    """The classes of the learner's that something is made of."""
    with suppress(Exception):  # a class may refuse to be looked into
        return [cls for cls in made.__mro__ if not is_ours(cls) and cls.__module__ != "builtins"]
    return []


def rename(miss: Miss, names: Mapping[str, Any]) -> Miss:
    """The same with the names that the learner's classes really have."""
    tried = miss.tried
    for name, made in names.items():
        with suppress(Exception):
            if made.__name__.isidentifier() and not is_ours(made):
                tried = re.sub(rf"\b{name}\b", made.__name__, tried)
    return replace(miss, tried=tried)


def compare(before: Result | None, now: Result) -> str:
    """What has changed since the last try, as a sentence; "" if nothing has."""
    if before is None or not before.states or not now.states:
        return ""
    pairs = list(zip(now.rules, before.states, now.states, strict=True))
    lost = [rule for rule, old, new in pairs if old == HOLDS != new]
    gained = [rule for rule, old, new in pairs if old != HOLDS == new]
    if lost:
        return f"No longer, since your last try: {lost[0].title}."
    if gained:
        rules = "1 more rule holds" if len(gained) == 1 else f"{len(gained)} more rules hold"
        return f"Since your last try, {rules}."
    return ""
