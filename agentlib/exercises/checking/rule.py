"""What a check consists of: rules, each with code to try, and what must come of it."""

import ast
import linecache
import re
import sysconfig
import textwrap
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from pathlib import Path
from typing import Any

from .hints import TRIED, error_remark, message, nothing_back, value_remark
from .timeout import SECONDS, Outcome, OutOfTime, attempt

OURS = str(Path(__file__).parents[2])
LIBRARY = tuple({sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib")})
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
SHOWN = 400  # characters of a value


@dataclass(frozen=True)
class Raised:
    """What the code that was tried gave, where it raised."""

    problem: BaseException


@dataclass(frozen=True)
class Expected:
    """What must come: in `words`, and as a `test` of what came, which may be a Raised."""

    words: str
    test: Callable[[Any], bool]


@dataclass(frozen=True)
class Case:
    """Code to try, which a learner can paste into a cell. Its last line is the one that counts.

    A `hint` stands in place of the rule's, where a miss here has a cause of its own.
    """

    tried: str
    expected: Expected
    hint: str = ""


@dataclass(frozen=True)
class Rule:
    """One thing that a solution must do. `why` it matters and a `hint` are whole sentences."""

    name: str
    title: str
    why: str
    hint: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Miss:
    """Where a rule does not hold: what was tried, expected, and came; the learner's line."""

    tried: str
    expected: str
    came: str
    line: str = ""
    remark: str = ""
    hint: str = ""


def equal(value: Any) -> Expected:
    """Exactly this value."""
    return Expected(shown(value), lambda came: came == value)


def number(came: Any) -> bool:
    """Whether this is a number of any kind, but True and False."""
    return isinstance(came, (Real, Decimal)) and not isinstance(came, bool)


def seconds(value: float) -> Expected:
    """This number, but for rounding."""
    return Expected(f"{value:g}",
                    lambda came: number(came) and abs(float(came) - value) < 1e-6)


def saying(pattern: str, note: str = "") -> Expected:
    """What a nag must answer, round by round: "- R" is a silence, then a reminder."""
    marks = pattern.split()
    words = ", ".join("a reminder" if mark == "R" else "None" for mark in marks)

    def mark(answer: Any) -> str:
        spoken = isinstance(answer, str) and answer.strip()
        return "-" if not answer else "R" if spoken else "neither"

    return Expected(f"[{words}]" + (f": {note}" if note else ""),
                    lambda came: isinstance(came, list) and list(map(mark, came)) == marks)


def refused(*words: str) -> Expected:
    """A ValueError with one of these `words` in its message; without any, whatever is raised."""
    def test(came: Any) -> bool:
        if not isinstance(came, Raised) or not words:
            return isinstance(came, Raised)
        said = message(came.problem).lower()
        return isinstance(came.problem, ValueError) and any(word in said for word in words)

    named = f" whose message has {' or '.join(words)} in it" if words else ""
    return Expected(f"a ValueError{named}", test)


def says(*words: str, never: Iterable[str] = (), what: str = "") -> Expected:
    """A text that has each of these `words`, and none of those in `never`."""
    def test(came: Any) -> bool:
        return (isinstance(came, str) and all(word in came for word in words)
                and not any(word in came for word in never))

    return Expected(what or "a text with " + " and ".join(map(repr, words)), test)


def try_rule(rule: Rule, names: Mapping[str, Any], limit: float = SECONDS) -> Miss | None:
    """Try a rule with these `names` in sight. Returns None where it holds."""
    for case in rule.cases:
        source = textwrap.dedent(case.tried).strip()
        outcome = attempt(lambda case=case, source=source: judge(source, case, names), limit)
        if outcome.problem is not None or outcome.value is not None:
            return miss(source, case, outcome, limit)
    return None


def judge(source: str, case: Case, names: Mapping[str, Any]) -> tuple[str, Any] | None:
    """Run the code and test what comes of its last line. None where it is as expected."""
    *before, last = ast.fix_missing_locations(Tolerant().visit(ast.parse(source))).body
    names = dict(names) | {"field_": field}
    try:
        exec(compile(ast.Module(before, []), TRIED, "exec"), names)
    except Exception as problem:
        return shown(Raised(problem)), Raised(problem)
    try:
        came = eval(compile(ast.Expression(last.value), TRIED, "eval"), names)
    except Exception as problem:
        came = Raised(problem)
    return None if case.expected.test(came) else (shown(came), came)


def miss(source: str, case: Case, outcome: Outcome, limit: float) -> Miss:
    """Put into words what came instead of what was expected."""
    came, value = outcome.value or (None, Raised(outcome.problem))
    problem = value.problem if isinstance(value, Raised) else None
    if came is None:
        came = shown(value)
    if isinstance(problem, OutOfTime):
        came = f"nothing within {limit:g} seconds"
    line = own_line(problem, outcome.frame)
    remarks = (nothing_back(value, problem, source, outcome.printed)
               or error_remark(problem, line) or value_remark(value, case.expected.words))
    if outcome.stuck:
        remarks += " It could not be stopped and still runs: restart the kernel before you go on."
    return Miss(source, case.expected.words, came, line, remarks, case.hint)


class Tolerant(ast.NodeTransformer):
    """Lets `item["status"]` read a dict and an object with such an attribute alike."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return ast.Call(ast.Name("field_", ast.Load()), [node.value, node.slice], [])
        return node


def field(thing: Any, name: str) -> Any:
    """`thing[name]`, also where name is an attribute."""
    if not isinstance(thing, Mapping) and hasattr(thing, name):
        return getattr(thing, name)
    return thing[name]


def shown(value: Any) -> str:
    """Any value in a few words, the same on every machine."""
    try:
        if isinstance(value, Raised):
            words = message(value.problem).strip()
            text = type(value.problem).__name__ + (f": {words}" if words else "")
        elif isinstance(value, str) and "\n" in value.strip():
            text = value
        else:
            text = repr(value)
    except Exception:
        text = f"a {type(value).__name__} that cannot be shown"
    text = ADDRESS.sub("", text.encode("utf-8", "replace").decode())
    return text if len(text) <= SHOWN else text[:SHOWN] + " … (and more)"


def own_line(problem: BaseException | None, frame: Any = None) -> str:
    """The learner's own line that was at work: "line 7: order = {}[item]"; "" if there is none."""
    places = list(traceback.extract_tb(problem.__traceback__)) if problem else []
    if frame is not None and not places:
        places = list(traceback.extract_stack(frame))
    for place in reversed(places):
        if place.filename != TRIED and not place.filename.startswith((OURS, *LIBRARY, "<frozen")):
            code = place.line or linecache.getline(place.filename, place.lineno or 0).strip()
            return f"line {place.lineno}: {code}" if code else f"line {place.lineno}"
    return ""
