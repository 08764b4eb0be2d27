"""The source of a rule as a learner reads it: what was tried, up to the line that has failed.

Without the docstring, whose sentences are shown above it, and without what belongs to the check
alone: the notes, which are about other mistakes, the errors that it raises, and the conditions that
only lead to one of them.
"""

import ast
import builtins
import inspect
import textwrap
import traceback
from typing import Any

NOTE_WORDS = 8  # a string with so many words, in a call or an assert of a rule, is a note
VALUE_CHARACTERS = 100  # a constant of the rules that is not longer is shown by its value


def read_tried(function: Any, problem: BaseException) -> str:
    """Return the statements of a rule up to the one that has raised `problem`."""
    lines, start = inspect.getsourcelines(function)
    frames = traceback.extract_tb(problem.__traceback__)
    code = function.__code__
    places = [
        one.lineno or start
        for one in frames
        if (one.filename, one.name) == (code.co_filename, code.co_name)
    ]
    last = places[0] - start + 1 if places else len(lines)
    text = textwrap.dedent("".join(lines))
    body: list[ast.stmt] = next(one for one in ast.parse(text).body).body  # type: ignore[attr-defined]
    only_tried = OnlyTried(function.__globals__, last)
    shown = [show_statement(one, text, only_tried) for one in body[1:] if one.lineno <= last]
    return "\n".join(filter(None, shown))


def show_statement(statement: ast.stmt, text: str, only_tried: "OnlyTried") -> str:
    """Return a statement as it was written, or what is left of it, or ""."""
    before = ast.dump(statement)
    written = textwrap.dedent(ast.get_source_segment(text, statement, padded=True) or "")
    left = only_tried.visit(statement)
    if left is None:
        return ""
    return written if ast.dump(left) == before else ast.unparse(left)


class OnlyTried(ast.NodeTransformer):
    """Remove what tries nothing: notes, `raise`, and conditions around nothing else.

    The name of a short constant becomes its value. `values` are the global names of a rule, and
    `last` is the line that has failed.
    """

    def __init__(self, values: dict[str, Any], last: int) -> None:
        self.values, self.last = values, last
        self.notes = set[str]()  # the local variables that contain a note

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        if self.is_note(node.value):
            self.notes |= {ast.unparse(one) for one in node.targets}
            return None
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | None:
        return None if self.is_note(node.target) else self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        return None

    def visit_Assert(self, node: ast.Assert) -> ast.AST | None:
        has_failed = node.lineno <= self.last <= (node.end_lineno or node.lineno)
        if not has_failed and not calls_something(node.test):
            return None
        node.msg = None
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        self.generic_visit(node)
        if node.body or node.orelse:
            node.body = node.body or [ast.Pass()]
            return node
        return ast.copy_location(ast.Expr(node.test), node) if calls_something(node.test) else None

    def visit_For(self, node: ast.For) -> ast.AST | None:
        self.generic_visit(node)
        return node if node.body else None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.args = [one for one in node.args if not self.is_note(one)]
        node.keywords = [
            one for one in node.keywords if one.arg != "note" and not self.is_note(one.value)
        ]
        if ast.unparse(node.func) == "same":  # its third argument is made by a function, or is ""
            node.args = node.args[:2]
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.values.get(node.id)
        if isinstance(value, dict | list | str) and len(repr(value)) <= VALUE_CHARACTERS:
            return ast.parse(repr(value), mode="eval").body
        return node

    def is_note(self, node: ast.expr) -> bool:
        """Return whether an expression is a sentence for the learner."""
        if isinstance(node, ast.IfExp):
            return self.is_note(node.body) or self.is_note(node.orelse)
        if isinstance(node, ast.JoinedStr):
            return any(map(self.is_note, node.values))
        if isinstance(node, ast.FormattedValue):
            return self.is_note(node.value)
        if isinstance(node, ast.Name):
            value = self.values.get(node.id, "")
            return node.id in self.notes or (isinstance(value, str) and is_sentence(value))
        value = getattr(node, "value", "")
        return isinstance(node, ast.Constant) and isinstance(value, str) and is_sentence(value)


def calls_something(test: ast.expr) -> bool:
    """Return whether a condition calls a function that is not one of Python's own."""
    calls = [one for one in ast.walk(test) if isinstance(one, ast.Call)]
    names = {one.func.id for one in calls if isinstance(one.func, ast.Name)}
    return bool(names - {*dir(builtins)})


def is_sentence(text: str) -> bool:
    """Return whether a string is a sentence, and not one of the values that are tried."""
    return len(set(text.split())) >= NOTE_WORDS
