"""Mutants: small changes of the right solutions. Each check must refuse them.

    make mutants                      all exercises
    make mutants ONLY="nag rules"     these
    make mutants ADVICE=1             also what a learner reads about each of them

Every mutant is refused, or it is in `equivalent/NAME.txt` with a reason, because it is right as
well, or because nothing can tell it from a right one.
"""

import ast
import os
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from difflib import SequenceMatcher
from hashlib import sha256
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from time import monotonic

import libcst as cst
import libcst.matchers as m
from exercises.cells import define
from exercises.mutators import KINDS, Operator

from lesson import check_priority, time_limit
from lesson.exercises.catalogue import EXERCISES
from lesson.exercises.checking.blank import is_blank
from lesson.exercises.checking.check import KINDS as TYPES
from lesson.exercises.checking.restore import save_state
from lesson.exercises.checking.rule import Miss, try_rule
from lesson.exercises.scene import warm_up
from lesson.samples import deleting
from lesson.time_limit import TimeLimit

EQUIVALENT = Path(__file__).parent / "equivalent"
MOST = 200  # mutants of an exercise
WORKERS = int(os.environ.get("JOBS", os.cpu_count() or 1))  # processes
CELL_SECONDS = 10.0  # of processor time, for the cell that defines a mutant
BY_NAME = {one.name: one for one in EXERCISES}


@dataclass(frozen=True)
class Mutant:
    """A changed solution: its source, and the change, as the old and the new line."""

    source: str
    change: str


@dataclass(frozen=True)
class Verdict:
    """What the check says about a mutant: the rule that it fails, or "", and the first advice."""

    mutant: Mutant
    rule: str
    advice: str = ""
    seconds: float = 0.0


def list_mutants(name: str, most: int = MOST) -> list[Mutant]:
    """Return at most so many mutants of an exercise's solutions, some of each kind.

    Of each kind, the order is that of a hash: it is always the same, and a change of a solution
    changes little else.
    """
    attempts = import_module(f"exercises.attempts.{name}")
    sources = [attempts.PLAIN, *attempts.RIGHT.values()]
    known = {normal(source) for source in sources}
    modules = [cst.parse_module(source) for source in sources]
    changes = [
        sorted(
            (change for module in modules for change in find_changes(module, name, operators)),
            key=lambda one: one.rank,
        )
        for operators in KINDS.values()
    ]
    mutants: dict[str, Mutant] = {}
    for row in zip_longest(*changes):
        for change in filter(None, row):
            source = change.render()
            text = normal(source)
            if text and text not in known:
                known.add(text)
                mutant = Mutant(source, describe(change.module.code, source))
                mutants.setdefault(mutant.change, mutant)
            if len(mutants) == most:
                return list(mutants.values())
    return list(mutants.values())


@dataclass(frozen=True)
class Change:
    """A node of a module, and what replaces it."""

    module: cst.Module
    old: cst.CSTNode
    new: cst.CSTNode

    @property
    def rank(self) -> bytes:
        """Return a hash of the change, by which changes are sorted."""
        code = cst.Module([]).code_for_node
        return sha256(f"{code(self.old)} {code(self.new)}".encode()).digest()

    def render(self) -> str:
        """Return the source of the module with the change, or "" if libcst rejects it."""
        try:
            return str(self.module.deep_replace(self.old, self.new).code)
        except cst.CSTValidationError:
            return ""


def find_changes(module: cst.Module, name: str, operators: list[Operator]) -> Iterator[Change]:
    """Yield the changes of what the exercise's cell defines, not of what it needs."""
    nodes: list[cst.CSTNode] = []
    for statement in module.body:
        if not {"upto", *BY_NAME[name].needs} & find_defined(statement):
            statement.visit(Collector(nodes))
    for node in nodes:
        for kind, operator in operators:
            if isinstance(node, kind):
                yield from (Change(module, node, new) for new in operator(node))


def find_defined(statement: cst.CSTNode) -> set[str]:
    """Return the names that a top-level statement defines."""
    if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
        return {statement.name.value}
    targets = m.findall(statement, m.AssignTarget(target=m.Name()))
    return {one.target.value for one in targets if isinstance(one, cst.AssignTarget)}


class Collector(cst.CSTVisitor):
    """Collect all nodes of a tree, without those in annotations and in error messages."""

    def __init__(self, nodes: list[cst.CSTNode]) -> None:
        super().__init__()
        self.nodes = nodes

    def on_visit(self, node: cst.CSTNode) -> bool:
        self.nodes.append(node)
        return not isinstance(node, (cst.Annotation, cst.Raise))


def normal(source: str) -> str:
    """Return a source without comments and in one format, or "" if it is no Python."""
    try:
        with warnings.catch_warnings(action="ignore"):  # about `x is 1`
            compile(source, "", "exec", dont_inherit=True)
        return ast.unparse(ast.parse(source))
    except (SyntaxError, ValueError):
        return ""


def describe(source: str, changed: str) -> str:
    """Return a change in one line: the old lines, an arrow, and the new ones."""
    old, new = list_lines(source), list_lines(changed)
    removed, added, before = [], [], ""
    for tag, i, j, k, n in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += old[i:j]
            added += new[k:n]
            before = before or old[max(i - 1, 0)]
    text = " -> ".join(" / ".join(map(str.strip, lines)) for lines in (removed, added))
    is_moved = Counter(map(str.strip, removed)) == Counter(map(str.strip, added))
    is_unique = removed and all(old.count(line) == 1 for line in removed)
    return text.rstrip() if is_unique and not is_moved else f"{text}  [after: {before.strip()}]"


def list_lines(source: str) -> list[str]:
    """Return the lines of a source without comments and empty ones."""
    return [one for one in source.splitlines() if one.strip() and one.strip()[0] != "#"]


def read_equivalent(name: str) -> dict[str, str]:
    """Return the reason of each mutant that need not be refused, by its change."""
    path = EQUIVALENT / f"{name}.txt"
    reasons, reason = {}, ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("    "):
            reasons[line.strip()] = reason
        elif line.strip():
            reason = line.strip()
    return reasons


def judge(name: str, mutant: Mutant) -> Verdict:
    """Try a mutant up to the first rule that it fails."""
    began = monotonic()
    rule, advice = find_miss(name, mutant.source)
    return Verdict(mutant, rule, advice, monotonic() - began)


def find_miss(name: str, source: str) -> tuple[str, str]:
    """Return the name of the first rule that a source fails, and what the learner reads first."""
    exercise = BY_NAME[name]
    with deleting():
        try:
            with TimeLimit(CELL_SECONDS):
                made = define(source, exercise.subject)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            return "the cell", f"{type(problem).__name__}: {problem}"
        if is_blank(made, exercise.needs):
            return "not begun", ""
        if not isinstance(made, TYPES[exercise.kind]):
            return "another type", ""
        names = {"PriorityTodo": check_priority.exercise.make_solution(), exercise.subject: made}
        restore = save_state(names.values())
        if exercise.kind != "class":
            warm_up()
        for rule in exercise.rules:
            miss = try_rule(rule, names, made, restore)
            if miss:
                return rule.name, f"{miss.note or f'(no Try) {miss.hints[0]}'} [{last_line(miss)}]"
    return "", ""


def last_line(miss: Miss) -> str:
    return miss.got.splitlines()[-1] if miss.got else ""


def judge_all(name: str, mutants: list[Mutant]) -> list[Verdict]:
    """Return a verdict for each mutant, from as many processes as there are processors."""
    with ProcessPoolExecutor(WORKERS) as pool:
        return list(pool.map(judge, [name] * len(mutants), mutants))


def main(names: list[str]) -> int:
    """Print a line for each exercise, and every mutant that is not as it should be."""
    time_limit.PATIENCE = 100  # a busy machine must not refuse a mutant
    wrong = 0
    for exercise in EXERCISES:
        if names and exercise.name not in names:
            continue
        began = monotonic()
        verdicts = judge_all(exercise.name, list_mutants(exercise.name))
        reasons = read_equivalent(exercise.name)
        passed = [one.mutant.change for one in verdicts if not one.rule]
        unknown = [one for one in passed if one not in reasons]
        stale = [one for one in reasons if one not in passed]
        wrong += len(unknown) + len(stale)
        print(
            f"{exercise.name}: {len(verdicts)} mutants, {len(verdicts) - len(passed)} refused, "
            f"{len(passed) - len(unknown)} equivalent, {len(unknown)} passed "
            f"({monotonic() - began:.0f} s)",
            flush=True,
        )
        for change in unknown:
            print(f"    passed: {change}")
        for change in stale:
            print(f"    in equivalent/{exercise.name}.txt, but refused or not made: {change}")
        if "ADVICE" in os.environ:
            for one in sorted(verdicts, key=lambda one: (one.rule, one.advice)):
                print(f"    {one.rule}: {one.advice} ({one.seconds:.1f} s)")
                print(f"        {one.mutant.change}")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
