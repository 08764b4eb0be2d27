"""Read the source of code that runs: its statements and its functions, by line."""

import ast
import linecache
from functools import cache
from types import CodeType
from typing import NamedTuple


class Lines(NamedTuple):
    """The first and the last line of a statement, or of the head of a compound statement."""

    first: int
    last: int


@cache  # a program that is loaded again has another name
def list_statements(file: str) -> dict[int, Lines]:
    """Return for each line of a file the innermost statement that it belongs to."""
    statements: dict[int, Lines] = {}
    for node in ast.walk(parse_file(file)):  # outer statements come before inner ones
        if isinstance(node, ast.match_case):
            statements[node.pattern.lineno] = Lines(node.pattern.lineno, node.pattern.lineno)
        elif isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno or node.lineno
            statements |= dict.fromkeys(range(node.lineno, last + 1), Lines(node.lineno, last))
    return statements


@cache
def parse_file(file: str) -> ast.Module:
    """Return the syntax tree of a file, as it was when it was compiled."""
    return ast.parse("".join(linecache.getlines(file)))


@cache
def read_function(code: CodeType) -> dict[int, str]:
    """Return the lines of a function by their numbers, without its docstring and its indent."""
    nodes = ast.walk(parse_file(code.co_filename))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    # The first line of the code may be that of a decorator.
    after = [node for node in functions if node.lineno >= code.co_firstlineno]
    node = min(after, key=lambda node: node.lineno)
    left_out = range(0)
    if ast.get_docstring(node) is not None and len(node.body) > 1:
        left_out = range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    source = linecache.getlines(code.co_filename)
    shown = [n for n in range(node.lineno, (node.end_lineno or 0) + 1) if n not in left_out]
    return {n: source[n - 1][node.col_offset :].rstrip() for n in shown}
