"""What a check consists of: rules, each with trials of what a learner made.

How to write a rule. A function is the trial: its parameters are what the learner made, by name,
and what it returns is looked at. Above it stand what must come, and what a learner reads:

    RULES = Rules()

    @RULES.add("A priority that is left out is medium")
    @why("Models leave out what goes without saying, and every task should have its place.")
    @hint("`status` has a default: where is that written down?")
    @case("medium")
    def left_out(PriorityTodo):
        todo = PriorityTodo()
        todo.update([{"text": "Add tests"}])
        return todo.items[0]["priority"]

- `@case(expected, level="low")`: `level` is one more parameter. Several cases are tried in order.
- `@case("three texts", is_three_texts)`: what must come in words, and a test of what came.
- `@left_out.also` above further cases adds a trial to the same rule.
- Several hints go from where to look to what to write: each is folded away. A case may have a
  hint of its own, where a miss has a cause of its own: `@case("medium", hint="…")`.
- A learner reads the function's body, and can paste it: above it stand the imports of what it uses.
"""

import ast
import inspect
import sys
import sysconfig
import textwrap
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import agentlib

from .expected import Expected, Raised, equal, show
from .hints import add_note
from .timeout import Outcome, OutOfTimeError, attempt

LESSON = Path(__file__).parents[2]
PACKAGES = (str(LESSON), str(Path(agentlib.__file__).parent))
LIBRARY = tuple({sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib")})
PUBLIC = ("agentlib", "lesson", "lesson.exercises")  # where a name is imported from, if it is there


@dataclass(frozen=True)
class Case:
    """One trial: a `function` to call, with `given` in addition to what the learner made."""

    function: Callable[..., Any]
    expected: Expected
    given: Mapping[str, Any] = field(default_factory=dict)
    hints: tuple[str, ...] = ()
    place: int = 0  # among the cases of this function, from the lowest upwards

    def call(self, names: Mapping[str, Any]) -> Any:
        """Run the trial with the learner's `names`, and copies of what is given."""
        known = {**names, **deepcopy(dict(self.given))}
        wanted = inspect.signature(self.function).parameters
        return self.function(**{name: known[name] for name in wanted})

    @property
    def source(self) -> str:
        """The trial as a learner can paste it: imports, what is given, then the body."""
        whole = textwrap.dedent(inspect.getsource(self.function))
        definition: Any = ast.parse(whole).body[0]
        calls = [one for one in definition.decorator_list if ast.unparse(one).startswith("case(")]
        written = {one.arg: one.value for one in calls[-1 - self.place].keywords}
        values = {name: ast.get_source_segment(whole, written[name]) for name in self.given}
        given = "".join(f"{name} = {value}\n" for name, value in values.items())
        given = given.replace("\n    ", "\n")  # a long value stands indented in its @case
        lines = whole.splitlines()
        last = definition.body[-1].lineno - 1
        lines[last] = lines[last].replace("return ", "", 1)
        body = textwrap.dedent("\n".join(lines[definition.body[0].lineno - 1 :]))
        return write_imports(given + body, self.function) + given + body


def write_imports(trial: str, function: Callable[..., Any]) -> str:
    """The lines that import what a trial uses of the globals of its function."""
    names = [node for node in ast.walk(ast.parse(trial)) if isinstance(node, ast.Name)]
    made = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    given = inspect.signature(function).parameters.keys()
    used = {node.id for node in names} - made - given
    by_home: dict[str, list[str]] = {}
    for name in sorted(used & function.__globals__.keys()):
        by_home.setdefault(find_home(name, function), []).append(name)
    return "".join(f"{home}import {', '.join(by_home[home])}\n" for home in sorted(by_home))


def find_home(name: str, function: Callable[..., Any]) -> str:
    """Where a global name of a function is imported from: "from agentlib ", or "" for a module."""
    value = function.__globals__[name]
    if isinstance(value, ModuleType):
        return ""
    modules = [sys.modules[home] for home in PUBLIC if name in sys.modules[home].__all__]
    homes = [module.__name__ for module in modules if getattr(module, name) is value]
    homes.append(getattr(value, "__module__", function.__module__))
    return f"from {homes[0]} "


@dataclass
class Rule:
    """One thing that a solution must do, `why` it matters, and what tries it: whole sentences."""

    name: str
    cases: list[Case]
    title: str = ""
    why: str = ""
    hints: tuple[str, ...] = ()

    def also(self, other: "Rule") -> "Rule":
        """A decorator, above `case`: the function below is one more trial of this rule."""
        self.cases += other.cases
        return self


class Rules(list[Rule]):
    """The rules of one exercise, in the order in which they are written down."""

    def add(self, title: str) -> Callable[[Rule], Rule]:
        """A decorator, above all others: the function below is a rule's first trial."""

        def decorate(rule: Rule) -> Rule:
            rule.title = title
            self.append(rule)
            return rule

        return decorate


def why(words: str) -> Callable[[Rule], Rule]:
    """A decorator, above the hints: why the rule matters."""

    def decorate(rule: Rule) -> Rule:
        rule.why = words
        return rule

    return decorate


def hint(words: str) -> Callable[[Rule], Rule]:
    """A decorator, above the cases: what to say to a learner who asks for a hint."""

    def decorate(rule: Rule) -> Rule:
        rule.hints = (words, *rule.hints)
        return rule

    return decorate


def case(
    expected: Any, *test: Callable[[Any], Any], hint: str = "", **given: Any
) -> Callable[..., Rule]:
    """A decorator: `expected` must come when the function is called, a value or an Expected.

    With a `test`, what is expected is said in words: both go into an Expected. `given` are
    arguments in addition to what the learner made; `hint` is for this case alone.
    """
    if test:
        expected = Expected(expected, *test)
    wanted = expected if isinstance(expected, Expected) else equal(expected)
    hints = (hint,) if hint else ()

    def decorate(below: Callable[..., Any] | Rule) -> Rule:
        rule = below if isinstance(below, Rule) else Rule(below.__name__, [])
        function = rule.cases[0].function if isinstance(below, Rule) else below
        rule.cases.insert(0, Case(function, wanted, given, hints, place=len(rule.cases)))
        return rule

    return decorate


@dataclass(frozen=True)
class Miss:
    """Where a rule does not hold: what was tried, expected, and came; the learner's line."""

    tried: str
    expected: str
    came: str
    line: str = ""
    note: str = ""
    hints: tuple[str, ...] = ()
    is_out_of_time: bool = False


def try_rule(
    rule: Rule, names: Mapping[str, Any], prepare: Callable[[], None], seconds: float
) -> Miss | None:
    """Try a rule with what the learner made, by `names`. Returns None where it holds.

    `prepare` is called before each case. A case may take this many `seconds`.
    """
    for one in rule.cases:
        prepare()
        outcome = attempt(partial(judge, one, names), seconds)
        if outcome.problem is not None or outcome.value is not None:
            return describe_miss(rule, one, outcome, seconds)
    return None


def judge(one: Case, names: Mapping[str, Any]) -> tuple[Any, str, str] | None:
    """Run one case. None where it gives what is expected; else what came: itself, shown, why."""
    try:
        came = one.call(names)
    except Exception as problem:
        came = Raised(problem)
    with suppress(Exception):  # a value that the test cannot bear does not pass it
        if one.expected.test(came):
            return None
    return came, show(came), one.expected.explain(came)


def describe_miss(rule: Rule, one: Case, outcome: Outcome, seconds: float) -> Miss:
    """Put into words what came instead of what was expected."""
    stopped = Raised(outcome.problem or OutOfTimeError())
    value, came, explained = outcome.value or (stopped, show(stopped), "")
    problem = value.problem if isinstance(value, Raised) else None
    is_out_of_time = isinstance(problem, OutOfTimeError)
    if is_out_of_time:
        came = f"nothing within {seconds:g} seconds"
    line = find_own_line(problem, outcome.frame)
    note = explained or add_note(value, one.expected.words, line, outcome.printed)
    if outcome.is_stuck:
        note += " It could not be stopped and still runs: restart the kernel before you go on."
    hints = one.hints or rule.hints
    return Miss(one.source, one.expected.words, came, line, note, hints, is_out_of_time)


def find_own_line(problem: BaseException | None, frame: Any = None) -> str:
    """The learner's own line that was at work: "line 7: order = {}[item]"; "" if there is none."""
    places = traceback.extract_tb(problem.__traceback__) if problem else []
    if frame is not None and not places:
        places = traceback.extract_stack(frame)
    for place in reversed(places):
        if not place.filename.startswith((*PACKAGES, *LIBRARY, "<frozen")):
            return f"line {place.lineno}: {place.line}" if place.line else f"line {place.lineno}"
    return ""
