"""Try whether a mend of a learner's code mends what the check saw.

A mend makes code run that did not run before, so nothing that it does may last: `can_run_again`
looks at the cell first, and `refusing_effects` at what runs.
"""

import ast
import re
from collections.abc import Sequence
from functools import partial
from types import BuiltinMethodType, FunctionType
from typing import Any

from .engine import Differs, Rule
from .learners_code import Cell, OutOfTimeError, Raised, attempt, read_work, refusing_effects
from .restore import copy_scope, find_shared, list_next, save_state
from .slips import Slip, list_slips

SECONDS = 0.08  # of processor time, after which no further mend is tried
PROOF_SECONDS = 1.5  # limit of one mend
STORIES = 5  # of each rule, that a mended part must pass beside the one that failed
DECORATOR = re.compile(r"property|staticmethod|classmethod|dataclass|\w+\.(setter|getter)")
DEFINES, NAMES = (ast.FunctionDef, ast.ClassDef), (ast.Assign, ast.AnnAssign)
PLAIN = (*DEFINES, *NAMES, ast.Expr, ast.Pass)


def find_mend(cell: Cell, rules: Sequence[Rule], number: int) -> str:
    """Return the sentence of the slip whose mend mends the rule with this number, or "".

    The mended part passes this rule, or comes further in it, and fails none that the learner's part
    passes, as far as some stories of each rule show. To fail by an error is worse than by another
    value. A mend with which all of these pass is the best one.
    """
    end, found, function = read_work() + SECONDS, "", rules[number].function
    if not hasattr(function, "page"):  # it is of no page, and so has no solution
        return ""
    place = function.place  # where the learner's part has ended
    slips = list_slips(cell, function.page.solution)
    for slip in slips if slips and can_run_again(cell) else ():
        proof = partial(count_failing, cell, slip, rules, number, place)
        many, _ = attempt(proof, PROOF_SECONDS)
        if many == 0:
            return slip.sentence
        if isinstance(many, int):
            found = found or slip.sentence
        is_slow = isinstance(many, Raised) and isinstance(many.problem, OutOfTimeError)
        if is_slow or read_work() > end:
            break
    return found


def can_run_again(cell: Cell) -> bool:
    """Return whether the definitions of a cell, and its part, can run again without an effect.

    They cannot if anything is called outside of functions, if the part uses what is open, such as a
    file or a client, or if a class is told that the part extends it.
    """
    part, used = cell.part, (one for it in find_shared([cell.part]) for one in list_next(it))
    is_plain = isinstance(getattr(part, "__init_subclass__", len), BuiltinMethodType)
    acts = any(acts_outside(one) for one in cell.tree.body if isinstance(one, DEFINES))
    is_alone = len(cell.files) == 1 and type(part) in (type, FunctionType)
    return is_alone and is_plain and not acts and not any(hasattr(one, "close") for one in used)


def acts_outside(node: ast.AST) -> bool:
    """Return whether a statement calls or changes anything outside of the bodies of functions."""
    if isinstance(node, ast.Call | ast.keyword) or (
        isinstance(node, ast.stmt) and not isinstance(node, PLAIN)
    ):
        return True
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
        return True
    used, is_function = list[ast.AST](), isinstance(node, ast.FunctionDef | ast.Lambda)
    for name, value in ast.iter_fields(node):
        several = value if isinstance(value, list) else [value]
        if name == "decorator_list":
            several = [one for one in several if not DECORATOR.fullmatch(ast.unparse(one))]
            if several:
                return True
        used += [one for one in several if isinstance(one, ast.AST)] * (
            not is_function or name != "body"
        )
    return any(map(acts_outside, used))


def count_failing(
    cell: Cell, slip: Slip, rules: Sequence[Rule], number: int, place: tuple[int, int]
) -> int | None:
    """Return how many rules the mended part fails, or None if it mends nothing or breaks a rule."""
    wrong, many = rules[number].function, 0
    others = [one for one in range(len(wrong.stories)) if one != place[0]][:STORIES]
    first = [(wrong, [place[0]]), (wrong, others)]
    rest = [rule.function for rule in rules if rule.function is not wrong]
    with refusing_effects(cell.files):
        part = make_mended(cell, slip)
        for rule, numbers in [*first, *((one, range(len(one.stories))[:STORIES]) for one in rest)]:
            if failure := find_failure(part, rule, numbers):
                is_further = rule is wrong and failure == 1 and rule.place > place
                before = 0 if rule is wrong else find_failure(cell.part, rule, numbers)
                if failure > before and not is_further:
                    return None
                many += 1
    return many


def find_failure(part: Any, rule: Any, numbers: Sequence[int]) -> int:
    """Return how a part fails these stories of a rule: 2 by an error, 1 by a value, or 0."""
    restore = save_state([part])
    try:
        failure = rule.find_failure(part, numbers)
        return 1 + isinstance(failure.difference.step.got, Raised) if failure else 0
    except (OutOfTimeError, KeyboardInterrupt):
        raise
    except BaseException as problem:
        return 1 if isinstance(problem, Differs) and not problem.__cause__ else 2
    finally:
        restore()


class Mender(ast.NodeTransformer):
    """Put nodes in place of others."""

    def __init__(self, new: dict[ast.AST, Any]) -> None:
        self.new = new

    def visit(self, node: ast.AST) -> Any:
        return self.new[node] if node in self.new else self.generic_visit(node)


def make_mended(cell: Cell, slip: Slip) -> Any:
    """Return what the cell defines with the mend of a slip.

    Only its definitions, and constants with a name, run again, in a copy of the notebook's names.
    """
    new = dict[ast.AST, Any]()
    for old, text in slip.mend:
        made: Any = ast.parse(text).body[0]
        new[old] = made.value if isinstance(old, ast.expr) else made
    try:
        body = Mender(new).visit(cell.tree).body
        body = [it for it in body if isinstance(it, DEFINES + NAMES)]
        body = [it for it in body if isinstance(it, DEFINES) or not acts_outside(it)]
        code = compile(ast.Module(body, []), cell.files[0], "exec")
    finally:
        Mender({made: old for old, made in new.items()}).visit(cell.tree)
    exec(code, scope := copy_scope(cell.part))
    return scope[cell.part.__name__]
