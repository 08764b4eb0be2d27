"""Find a statement of a learner's cell that has no effect, and say what was probably meant."""

import ast
import re
from collections.abc import Iterator
from typing import Any

MAKE_NEW = {"replace", "strip", "lstrip", "rstrip", "removesuffix", "removeprefix", "lower"}
COMPARES = "`==` only compares, and its result is not used: `=` assigns."
NOT_RAISED = "This line makes a {}, and does not raise it: write `raise` before it."
NO_RETURN = "This line makes a text and does nothing with it: is a `return` missing?"
NO_STORE = (
    "This line makes a new value and does nothing with it, and `+` changes neither of the two: is "
    "`+=` meant, or is a `return` missing?"
)
NO_CALL = (
    "This line only names something, and does nothing with it: write `return` before it to return "
    "it, or `()` after it to call it."
)
NEW_STRING = "A string is never changed: this makes a new one, which is not used."
ALWAYS = "A string alone is true, so `or {!r}` is always true: compare with `in` and a list."
NO_AND = (
    "No value is equal to both words, so with `or`, one of the two `!=` is always true: write "
    "`and`, or `not in` and a list."
)
IS_STRING = "`is` asks for the very same object: compare two strings by `==` or `!=`."
PLUS = "`=+ 1` sets it to 1: `+= 1` adds 1."
NO_F_STRING = 'Braces are read only in an f-string: write `f` before the first quote, `f"…"`.'


def find_no_effect(source: str) -> tuple[int, str]:
    """Return the line of the first statement without effect, and a sentence; or 0 and ""."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return 0, ""
    found = [*find_statements(tree), *find_always_true(tree), *find_braces(tree)]
    return min(found, default=(0, ""))


def find_statements(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each statement without effect, and what was probably meant."""
    bodies = [getattr(node, "body", None) for node in ast.walk(tree)]
    first = {id(body[0]) for body in bodies if isinstance(body, list) and body}  # docstrings
    shown = {id(node) for node in getattr(tree, "body", ())}  # below the cell, as its last value
    for node in (node for node in ast.walk(tree) if id(node) not in shown):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.UnaryOp):
            if isinstance(node.value.op, ast.UAdd):
                yield node.lineno, PLUS
        if not isinstance(node, ast.Expr):
            continue
        match node.value:
            case ast.Compare():
                yield node.lineno, COMPARES
            case ast.Call(func=ast.Name(id=name)) if name.endswith("Error"):
                yield node.lineno, NOT_RAISED.format(name)
            case ast.Call(func=ast.Attribute(attr=name)) if name in MAKE_NEW:
                yield node.lineno, NEW_STRING
            case ast.JoinedStr():
                yield node.lineno, NO_RETURN
            case ast.BinOp():
                yield node.lineno, NO_STORE
            case ast.Constant(value=str()) if id(node) not in first:
                yield node.lineno, NO_RETURN
            case ast.Name() | ast.Attribute():
                yield node.lineno, NO_CALL


def find_always_true(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each `one == "a" or "b"`, `one != "a" or one != "b"` and `one is "a"`.

    (`one or "b"` may be meant: it is a default.)
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            first, *others = node.values
            if isinstance(first, ast.Compare):
                for one in others:
                    if isinstance(one, ast.Constant) and isinstance(one.value, str) and one.value:
                        yield node.lineno, ALWAYS.format(one.value)
            unequal = [one for one in node.values if is_compared(one, ast.NotEq)]
            if len({ast.dump(one.left) for one in unequal}) < len({*map(ast.dump, unequal)}):
                yield node.lineno, NO_AND
        if is_compared(node, ast.Is) or is_compared(node, ast.IsNot):
            yield node.lineno, IS_STRING


def is_compared(node: Any, operator: type[ast.cmpop]) -> bool:
    """Return whether a node compares something with a string in this way."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], operator):
        return False
    value = node.comparators[0]
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def find_braces(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each plain string with a variable of the cell, or `self`, in braces."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | {"len"}
    names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    left: set[int] = set()  # docstrings, and what is inside of an f-string or has a method
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            left |= {id(one) for one in ast.walk(node)}
        if isinstance(node, ast.Expr):
            left.add(id(node.value))
        if isinstance(node, ast.Attribute):
            left.add(id(node.value))
            if node.attr in ("format", "format_map"):
                return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in left:
            inside = re.findall(r'\{(?!\s*"\w+": )([^{}]+)\}', node.value)  # but no JSON
            if names & {*re.findall(r"\w+", " ".join(inside))}:
                yield node.lineno, NO_F_STRING
