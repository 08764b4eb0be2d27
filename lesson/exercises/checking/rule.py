"""The rules of an exercise, each with trials of the learner's code.

How to write a rule (check_nag.py has short ones). A function is the trial: its parameters are the
learner's classes or functions, by name, and the check compares what it returns. Decorators above it
give the expected result and what the learner reads:

- `@rule("…")` is the title, and `@why("…")` the reason.
- `@hint("…")`: several lead from where to look to what to write. A case may have its own `hint`.
- `@case(expected, level="low")`: `level` is one more parameter. Several cases are tried in order.
- `@case("three strings", is_three)`: a description of the expected result, and a test of it.
- `@left_out.also`, above further cases, adds a trial to the rule whose first trial is `left_out`.

A learner reads the arguments of the case and the function's body, or what the model replies.
"""

import ast
import inspect
import linecache
import re
import textwrap
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from agentlib.tools import Call

from ...samples import deleting
from ...time_limit import OutOfTimeError, Raised, attempt, show
from ..scene import ASK_INSIDE, ApiSaidError, EndlessError, Scene
from .blank import list_functions
from .expected import Expected, equal
from .explain_run import explain_run
from .likely_causes import add_note

CASE_SECONDS = 2.0  # of processor time; right solutions need 0.1
# For a whole job, or a first request, which imports the SDK: right solutions need up to 4.
LONG_CASE_SECONDS = 8.0


@dataclass(frozen=True)
class Case:
    """One trial: a `function` to call with the learner's names and with `given`."""

    function: Callable[..., Any]
    expected: Expected
    given: Mapping[str, Any] = field(default_factory=dict)
    hint: str = ""
    note: str = ""  # if it fails, and nothing was raised
    seconds: float | None = None  # instead of CASE_SECONDS
    place: int = 0  # among the cases of this function, counted from the lowest

    def call(self, names: Mapping[str, Any]) -> Any:
        """Run the trial with the learner's `names` and copies of `given`."""
        wanted = inspect.signature(self.function).parameters
        subjects = {name: names[name] for name in wanted if name in names}
        return self.function(**subjects, **deepcopy(dict(self.given)))

    @property
    def source(self) -> str:
        """Return the trial as the learner reads it: `given`, then the body of the function."""
        whole = textwrap.dedent(inspect.getsource(self.function))
        definition: Any = ast.parse(whole).body[0]
        calls = [one for one in definition.decorator_list if ast.unparse(one).startswith("case(")]
        written = {one.arg: one.value for one in calls[-1 - self.place].keywords}
        values = {name: ast.get_source_segment(whole, written[name]) for name in self.given}
        given = "".join(f"{name} = {value}\n" for name, value in values.items())
        given = given.replace("\n    ", "\n")  # a long value is indented in its @case
        body = "\n".join(whole.splitlines()[definition.body[0].lineno - 1 :])
        before, _, value = textwrap.dedent(body).rpartition("return ")
        shown = given + before + value
        for name in dict.fromkeys(re.findall(r"\b[A-Z_]+\b", shown)):
            items = self.function.__globals__.get(name)
            if isinstance(items, list):  # a learner reads what is in it
                lines = "".join(f"    {one!r},\n" for one in items)
                shown = f"{name} = [\n{lines}]\n{shown}"
        return shown


@dataclass(eq=False)
class Rule:
    """One requirement: its `title`, `why` it matters, `hints`, and the cases that try it."""

    name: str
    cases: list[Case]
    title: str = ""
    why: str = ""
    hints: tuple[str, ...] = ()

    def also(self, other: "Rule") -> "Rule":
        """Decorate a trial, above `case`: add it to this rule."""
        self.cases += other.cases
        return self


def rule(title: str) -> Callable[[Rule], Rule]:
    """Decorate a rule's first trial, above all other decorators."""

    def decorate(rule: Rule) -> Rule:
        rule.title = title
        return rule

    return decorate


def why(words: str) -> Callable[[Rule], Rule]:
    """Decorate a rule, above the hints: say why it matters."""

    def decorate(rule: Rule) -> Rule:
        rule.why = words
        return rule

    return decorate


def hint(words: str) -> Callable[[Rule], Rule]:
    """Decorate a rule, above the cases: add a hint, which the learner opens."""

    def decorate(rule: Rule) -> Rule:
        rule.hints = (words, *rule.hints)
        return rule

    return decorate


def case(
    expected: Any,
    *test: Callable[[Any], Any],
    hint: str = "",
    note: str = "",
    seconds: float | None = None,
    **given: Any,
) -> Callable[..., Rule]:
    """Decorate a trial: calling it must return `expected`, a value or an Expected.

    With a `test`, `expected` is a description of the result. `given` are further arguments of
    the trial; `hint` is for this case alone. `note` says what is wrong if it returns another value.
    `seconds` of processor time are allowed.
    """
    if test:
        expected = Expected(expected, *test)
    wanted = expected if isinstance(expected, Expected) else equal(expected)

    def decorate(below: Callable[..., Any] | Rule) -> Rule:
        rule = below if isinstance(below, Rule) else Rule(below.__name__, [])
        function = rule.cases[0].function if isinstance(below, Rule) else below
        one = Case(function, wanted, given, hint, note, seconds, place=len(rule.cases))
        rule.cases.insert(0, one)
        return rule

    return decorate


@dataclass(frozen=True)
class Miss:
    """The first failure of a rule: what was tried, expected and got, and the learner's line."""

    tried: str
    expected: str
    got: str
    line: str = ""
    note: str = ""
    error: str = ""  # what the code raised, also in a failed Call
    hints: tuple[str, ...] = ()
    is_endless: bool = False


def try_rule(
    rule: Rule, names: Mapping[str, Any], made: Any, prepare: Callable[[], None]
) -> Miss | None:
    """Return the first failure of the learner's `names`, or None. `made` is what the cell defines.

    `prepare` is called before each case.
    """
    for one in rule.cases:
        prepare()
        Scene.played.clear()
        with deleting():
            got, printed = attempt(partial(one.call, names), one.seconds or CASE_SECONDS)
            if not one.expected.accepts(got):
                return describe_miss(rule, one, made, got, printed)
    return None


def describe_miss(rule: Rule, one: Case, made: Any, got: Any, printed: str) -> Miss:
    problem = getattr(got, "problem", None)  # of Raised, or of a scene
    shown = str(problem) if isinstance(problem, OutOfTimeError) else show(got)
    is_endless = isinstance(problem, OutOfTimeError | EndlessError)
    words = one.expected.words
    # The API rejects what another line has appended, and not the line that sends it.
    line = "" if isinstance(problem, ApiSaidError) else find_own_line(problem, made)
    note = "" if problem else one.note
    requests = [len(scene.requests) for scene in Scene.played]
    if isinstance(problem, OutOfTimeError) and requests == [1]:
        note = ASK_INSIDE
    with suppress(Exception):  # the explanation may raise on this value
        note = note or one.expected.explain(got) or explain_run(got)
    places = traceback.extract_tb(problem.__traceback__) if isinstance(problem, LookupError) else []
    if places and places[-1].filename == one.function.__code__.co_filename:
        sought = problem if isinstance(problem, KeyError) else "one more element"
        note = note or f"The test looks for {sought} in what your code has made: it is not there."
    note = note or add_note(got, problem, made, words, printed)
    error = show(Raised(problem)) if problem else ""
    if isinstance(got, Call) and not got.ok:
        error = got.output
    hints = (one.hint,) if one.hint else rule.hints
    tried = "\n".join(scene.script for scene in Scene.played) or one.source
    return Miss(tried, words, shown, line, note, error, hints, is_endless)


def find_own_line(problem: BaseException | None, made: Any) -> str:
    """Return the line of the learner's cell that was running, "line 7: x = {}[item]", or "".

    If a loop does not stop, return the line with its `while`.
    """
    files = {one.__code__.co_filename for one in list_functions(made)}
    for place in reversed(traceback.extract_tb(problem.__traceback__) if problem else []):
        if place.filename in files and place.lineno:
            number = place.lineno
            if isinstance(problem, OutOfTimeError | EndlessError):
                number = find_while(place.filename, number)
            line = linecache.getline(place.filename, number).strip()
            return f"line {number}: {line}" if line else f"line {number}"
    return ""


def find_while(file: str, number: int) -> int:
    """Return the number of the `while` around a line, or the line's own number."""
    lines = linecache.getlines(file)[:number]
    indents = [len(line) - len(line.lstrip()) for line in lines]
    for above in reversed(range(len(lines))):
        if lines[above].lstrip().startswith("while ") and indents[above] <= indents[-1]:
            return above + 1
    return number
