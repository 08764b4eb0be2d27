"""The source of a rule as a learner reads it: what was tried, up to the line that has failed.

Without the docstring, whose sentences are shown above it, and without the notes: they are about
other mistakes.
"""

import ast
import inspect
import textwrap
import traceback
from typing import Any

NOTE_WORDS = 8  # a string with so many words, in a call or an assert of a rule, is a note


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
    strip = NotesRemoved(function.__globals__)
    shown = [show_statement(one, text, strip) for one in body[1:] if one.lineno <= last]
    return "\n".join(filter(None, shown))


def show_statement(statement: ast.stmt, text: str, strip: "NotesRemoved") -> str:
    """Return a statement as it was written, or without its notes, or "" if it is a note."""
    if isinstance(statement, ast.Assign) and strip.is_note(statement.value):
        strip.names |= {ast.unparse(one) for one in statement.targets}
        return ""
    before = ast.dump(statement)
    written = textwrap.dedent(ast.get_source_segment(text, statement, padded=True) or "")
    without = strip.visit(statement)
    return written if ast.dump(without) == before else ast.unparse(without)


class NotesRemoved(ast.NodeTransformer):
    """Remove the notes from calls and asserts. `names` are local variables that contain one."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values, self.names = values, set[str]()

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.msg = None
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        node.args = [one for one in node.args if not self.is_note(one)]
        node.keywords = [
            one for one in node.keywords if one.arg != "note" and not self.is_note(one.value)
        ]
        if ast.unparse(node.func) == "same":  # its third argument is made by a function, or is ""
            node.args = node.args[:2]
        return self.generic_visit(node)

    def is_note(self, node: ast.expr) -> bool:
        """Return whether an expression is a sentence for the learner."""
        if isinstance(node, ast.IfExp):
            return self.is_note(node.body) or self.is_note(node.orelse)
        if isinstance(node, ast.JoinedStr):
            return any(map(self.is_note, node.values))
        if isinstance(node, ast.Name):
            value = self.values.get(node.id, "")
            return node.id in self.names or (isinstance(value, str) and is_sentence(value))
        value = getattr(node, "value", "")
        return isinstance(node, ast.Constant) and isinstance(value, str) and is_sentence(value)


def is_sentence(text: str) -> bool:
    """Return whether a string is a sentence, and not one of the values that are tried."""
    return len(set(text.split())) >= NOTE_WORDS
