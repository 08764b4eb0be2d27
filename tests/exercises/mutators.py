"""Small changes that learners make, besides those of the library mutmut.

Each operator has the form of mutmut's: a type of libcst's nodes, and a function from a node to the
nodes that may replace it. KINDS has all of them, the likely ones first.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import libcst as cst
import libcst.matchers as m
from mutmut.mutation import mutators as mutmut

Operator = tuple[type, Callable[[Any], Iterable[Any]]]

COMPARISONS = {
    cst.GreaterThan: [cst.Equal, cst.NotEqual, cst.LessThan],
    cst.GreaterThanEqual: [cst.Equal, cst.LessThan],
    cst.LessThan: [cst.NotEqual, cst.GreaterThan],
    cst.LessThanEqual: [cst.Equal, cst.GreaterThan],
}
# A name that is taken for another one. Most of them are in pairs.
CONFUSED = {
    **{"append": ["extend"], "extend": ["append"], "add": ["discard"], "update": ["setdefault"]},
    **{"min": ["max"], "max": ["min"], "any": ["all"], "all": ["any"], "sum": ["len"]},
    **{"setdefault": ["get"], "get": ["pop"], "items": ["keys"], "values": ["keys"]},
    **{"strip": ["lstrip", "rstrip"], "removeprefix": ["strip"], "removesuffix": ["strip"]},
    **{"startswith": ["endswith"], "count": ["index"], "union": ["intersection"]},
    **{"intersection": ["union"], "sorted": ["reversed"], "reversed": ["sorted"]},
}
SIMPLE = ("[]", "{}", "set()", "0", "None", "False", "True")


def change_comparison(target: cst.ComparisonTarget) -> Iterator[cst.CSTNode]:
    for other in COMPARISONS.get(type(target.operator), ()):
        yield target.with_changes(operator=other())


def subtract_one(number: cst.Integer) -> Iterator[cst.CSTNode]:
    yield cst.parse_expression(str(number.evaluated_value - 1))


def negate(test: cst.BaseExpression) -> cst.CSTNode:
    whole = test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.UnaryOperation(cst.Not(), whole)


def change_condition(node: cst.If | cst.IfExp | cst.While | cst.CompIf) -> Iterator[cst.CSTNode]:
    """Negate a condition, or drop it."""
    if not m.matches(node.test, m.Name("True")):
        yield node.with_changes(test=negate(node.test))
        yield node.with_changes(test=cst.Name("True"))


def drop_operand(node: cst.BooleanOperation) -> Iterator[cst.CSTNode]:
    yield node.left
    yield node.right


def test_truth_instead_of_none(node: cst.Comparison) -> Iterator[cst.CSTNode]:
    if m.matches(node, m.Comparison(comparisons=[m.ComparisonTarget(comparator=m.Name("None"))])):
        is_none = m.matches(node.comparisons[0].operator, m.Is())
        yield negate(node.left) if is_none else node.left


def put_constant(node: cst.Comparison) -> Iterator[cst.CSTNode]:
    """Compare with a number in place of a name."""
    target = node.comparisons[0]
    is_name = m.matches(target.comparator, m.Name() | m.Attribute())
    if is_name and not m.matches(target.comparator, m.Name("None")):
        for number in "13":
            changed = target.with_changes(comparator=cst.Integer(number))
            yield node.with_changes(comparisons=[changed, *node.comparisons[1:]])


def is_docstring(statement: cst.CSTNode) -> bool:
    return m.matches(statement, m.SimpleStatementLine(body=[m.Expr(m.SimpleString())]))


IS_KEPT = m.FunctionDef() | m.ClassDef() | m.SimpleStatementLine(body=[m.Import() | m.ImportFrom()])
PASS = cst.SimpleStatementLine([cst.Pass()])


def change_block(change: Callable[[list[Any]], Iterator[list[Any]]]) -> Callable[[Any], Iterator]:
    """Return an operator for a block from a function of the list of its statements."""

    def operator(block: cst.IndentedBlock) -> Iterator[cst.CSTNode]:
        for body in change([*block.body]):
            yield block.with_changes(body=body or [PASS])

    return operator


def is_movable(statement: cst.CSTNode) -> bool:
    return not m.matches(statement, IS_KEPT) and not is_docstring(statement)


def remove_statement(body: list[Any]) -> Iterator[list[Any]]:
    for place, statement in enumerate(body):
        if is_movable(statement) and not m.matches(statement, m.SimpleStatementLine([m.Pass()])):
            yield body[:place] + body[place + 1 :]


def swap_statements(body: list[Any]) -> Iterator[list[Any]]:
    """Swap two statements of which one stores what the other one uses."""
    for place, (one, other) in enumerate(zip(body, body[1:], strict=False)):
        is_ordered = find_stored(one) & find_used(other) or find_stored(other) & find_used(one)
        if is_movable(one) and is_movable(other) and is_ordered:
            yield [*body[:place], other, one, *body[place + 2 :]]


def find_stored(statement: cst.CSTNode) -> set[str]:
    """Return the names and attributes that a statement assigns to."""
    code = cst.Module([]).code_for_node
    targets = m.findall(statement, m.AssignTarget() | m.AugAssign())
    return {code(one.target) for one in targets}  # type: ignore[attr-defined]


def find_used(statement: cst.CSTNode) -> set[str]:
    """Return the names and attributes in a statement."""
    code = cst.Module([]).code_for_node
    return {code(one) for one in m.findall(statement, m.Name() | m.Attribute())}


def move_statement(body: list[Any]) -> Iterator[list[Any]]:
    """Move a statement into the block before or after it, or out of such a block."""
    for place, statement in enumerate(body):
        if not m.matches(statement, m.For() | m.While() | m.If() | m.With()):
            continue
        inner = [*statement.body.body]
        before, after = body[:place], body[place + 1 :]

        def rebuild(lines: list[Any], statement: Any = statement) -> Any:
            return statement.with_deep_changes(statement.body, body=lines or [PASS])

        if after and is_movable(after[0]):
            yield [*before, rebuild([*inner, after[0]]), *after[1:]]
        if before and is_movable(before[-1]):
            yield [*before[:-1], rebuild([before[-1], *inner]), *after]
        if len(inner) > 1 and is_movable(inner[0]):
            yield [*before, inner[0], rebuild(inner[1:]), *after]
        if len(inner) > 1 and is_movable(inner[-1]):
            yield [*before, rebuild(inner[:-1]), inner[-1], *after]


def swap_arguments(call: cst.Call) -> Iterator[cst.CSTNode]:
    places = [n for n, one in enumerate(call.args) if one.keyword is None and not one.star]
    for one, other in zip(places, places[1:], strict=False):
        args = [*call.args]
        args[one], args[other] = (
            args[one].with_changes(value=args[other].value),
            args[other].with_changes(value=args[one].value),
        )
        yield call.with_changes(args=args)


def require_argument(parameter: cst.Param) -> Iterator[cst.CSTNode]:
    """Remove the default of a parameter."""
    if parameter.default is not None:
        yield parameter.with_changes(default=None, equal=cst.MaybeSentinel.DEFAULT)


def confuse_function(call: cst.Call) -> Iterator[cst.CSTNode]:
    attribute = isinstance(call.func, cst.Attribute)
    name = call.func.attr if attribute else call.func
    for other in CONFUSED.get(getattr(name, "value", ""), ()):
        new = cst.Name(other)
        yield call.with_changes(func=call.func.with_changes(attr=new) if attribute else new)


def leave_out_call(call: cst.Call) -> Iterator[cst.CSTNode]:
    """Replace `str(text)` and `text.strip()` by `text`, and a copy by the object itself."""
    if isinstance(call.func, cst.Attribute) and not call.args:
        if not m.matches(call.func.value, m.Call(func=m.Name("super"))):
            yield call.func.value
    if isinstance(call.func, cst.Name) and len(call.args) == 1 and not call.args[0].star:
        if call.args[0].keyword is None:
            yield call.args[0].value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def take_the_other_end(node: cst.Subscript) -> Iterator[cst.CSTNode]:
    """Take the last element in place of the first one, or the first in place of the last."""
    ends = {"[0]": "[-1]", "[-1]": "[0]"}
    code = cst.Module([]).code_for_node
    index = code(node)[len(code(node.value)) :]
    if index in ends:
        yield cst.parse_expression(code(node.value) + ends[index])


def shorten_loop(node: cst.For | cst.CompFor) -> Iterator[cst.CSTNode]:
    """Go through the first element alone, through all others, or through the last alone."""
    if m.matches(node.iter, m.Name() | m.Attribute()):
        for part in ("[:1]", "[1:]", "[-1:]"):
            code = cst.Module([]).code_for_node(node.iter)
            yield node.with_changes(iter=cst.parse_expression(code + part))


def use_original(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Use an object in place of a copy of it, or a part in place of two that are joined."""
    if m.matches(node, m.List(elements=[m.StarredElement()])):
        yield node.elements[0].value
    if m.matches(node, m.Subscript(slice=[m.SubscriptElement(m.Slice(None, None, None))])):
        yield node.value
    if m.matches(node, m.BinaryOperation(operator=m.BitOr() | m.Add())):
        yield node.left
        yield node.right


def share_in_class(node: cst.ClassDef) -> Iterator[cst.CSTNode]:
    """Move what `__init__` creates into the class body, where all objects share it."""
    code = cst.Module([]).code_for_node
    for method in node.body.body:
        if not m.matches(method, m.FunctionDef(name=m.Name("__init__"))):
            continue
        for line in method.body.body:
            created = m.Assign(targets=[m.AssignTarget(m.Attribute(value=m.Name("self")))])
            if m.matches(line, m.SimpleStatementLine(body=[created])):
                assign = line.body[0]
                if code(assign.value) in SIMPLE:
                    name = assign.targets[0].target.attr.value
                    shared = cst.parse_statement(f"{name} = {code(assign.value)}")
                    kept = [one for one in method.body.body if one is not line] or [PASS]
                    method_left = method.with_deep_changes(method.body, body=kept)
                    others = [method_left if one is method else one for one in node.body.body]
                    first = 1 if is_docstring(others[0]) else 0
                    body = [*others[:first], shared, *others[first:]]
                    yield node.with_deep_changes(node.body, body=body)


def share_in_default(node: cst.FunctionDef) -> Iterator[cst.CSTNode]:
    """Move what a function creates into a default, which all calls share."""
    code = cst.Module([]).code_for_node
    for line in node.body.body:
        if m.matches(line, m.SimpleStatementLine(body=[m.Assign([m.AssignTarget(m.Name())])])):
            assign = line.body[0]
            if code(assign.value) in ("[]", "{}", "set()"):
                new = cst.Param(assign.targets[0].target, default=assign.value)
                kept = [one for one in node.body.body if one is not line] or [PASS]
                params = node.params.with_changes(params=[*node.params.params, new])
                yield node.with_deep_changes(node.body, body=kept).with_changes(params=params)


def return_nothing(node: cst.Return) -> Iterator[cst.CSTNode]:
    if node.value is not None and not m.matches(node.value, m.Name("None")):
        yield node.with_changes(value=cst.Name("None"))


def drop_self(node: cst.Attribute) -> Iterator[cst.CSTNode]:
    """Use `items`, the argument, in place of `self.items`."""
    if m.matches(node, m.Attribute(value=m.Name("self"))):
        yield node.attr


def change_key(node: cst.SimpleString) -> Iterator[cst.CSTNode]:
    """Misspell a key, a status or a type: a string without a space."""
    text = node.evaluated_value
    if isinstance(text, str) and text.isidentifier():
        yield cst.SimpleString(repr(text + "s"))


FROM_MUTMUT = {
    function: [(kind, one) for kind, one in mutmut.mutation_operators if one is function]
    for _, function in mutmut.mutation_operators
    if function is not mutmut.operator_string  # most strings are words for the model
}


def own(kind: type, *functions: Callable[[Any], Iterable[Any]]) -> list[Operator]:
    return [(kind, one) for one in functions]


KINDS: dict[str, list[Operator]] = {
    "comparison": FROM_MUTMUT.pop(mutmut.operator_swap_op)
    + own(cst.ComparisonTarget, change_comparison)
    + own(cst.Comparison, test_truth_instead_of_none),
    "number": FROM_MUTMUT.pop(mutmut.operator_number) + own(cst.Integer, subtract_one),
    "condition": own(cst.If, change_condition)
    + own(cst.IfExp, change_condition)
    + own(cst.While, change_condition)
    + own(cst.CompIf, change_condition)
    + own(cst.BooleanOperation, drop_operand),
    "statement": own(cst.IndentedBlock, change_block(remove_statement)),
    "place": own(cst.IndentedBlock, change_block(move_statement), change_block(swap_statements)),
    "argument": FROM_MUTMUT.pop(mutmut.operator_arg_removal)
    + own(cst.Call, swap_arguments)
    + own(cst.Param, require_argument),
    "function": own(cst.Call, confuse_function, leave_out_call),
    "element": own(cst.Subscript, take_the_other_end)
    + own(cst.For, shorten_loop)
    + own(cst.CompFor, shorten_loop),
    "shared": own(cst.CSTNode, use_original)
    + own(cst.ClassDef, share_in_class)
    + own(cst.FunctionDef, share_in_default),
    "name": own(cst.Comparison, put_constant)
    + own(cst.Attribute, drop_self)
    + own(cst.SimpleString, change_key),
    "result": own(cst.Return, return_nothing),
    "others": [one for found in FROM_MUTMUT.values() for one in found],
}
