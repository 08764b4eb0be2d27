"""What the files of the weather report show: a function for each step.

A step that only looks at something leaves a trace only if it saves a file. Therefore the prompt
for a real model names these files.
"""

import ast
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import PurePosixPath

from ..project_files import ProjectFiles
from ..syntax import Function, find_functions, find_imports, last_name, loaded_names, serves

MAX_COLUMNS = 100  # the longest line of the project has 177
AFTER = re.compile("after|now|new", re.IGNORECASE)
TITLE, STATIONS = "Weather report", ("harbour", "hill")


def has_saved_report(files: ProjectFiles) -> bool:
    """Return whether a file contains what the report prints.

    Its name may be any, but not one that says that it was saved after the work.
    """
    return any(not AFTER.search(name) for name in find_reports(files))


def find_reports(files: ProjectFiles) -> dict[str, str]:
    """Return the text of each file that has the title and a line for each station, by its name."""
    return {
        name: text.strip()
        for name, text in files.texts.items()
        if PurePosixPath(name).suffix not in (".py", ".md")
        and text.lstrip().startswith(TITLE)
        and all(f"\n{station}: " in text for station in STATIONS)
    }


def has_clean_readings(files: ProjectFiles) -> bool:
    """Return whether readings.py has no flaw of `find_flaws`, and still what report.py imports."""
    return serves(files, "readings.py") and is_clean(files, "readings.py")


def has_clean_stats(files: ProjectFiles) -> bool:
    """Return whether stats.py has no flaw of `find_flaws`, and still what report.py imports."""
    return serves(files, "stats.py") and is_clean(files, "stats.py")


def has_clean_report(files: ProjectFiles) -> bool:
    """Return whether report.py has no flaw of `find_flaws`, and still functions."""
    return is_clean(files, "report.py")


def has_same_report(files: ProjectFiles) -> bool:
    """Return whether two files contain the same report: one saved before, and one after."""
    reports = find_reports(files).values()
    return any(first == second for first, second in combinations(reports, 2))


def is_clean(files: ProjectFiles, name: str) -> bool:
    tree = files.tree(name)
    if tree is None or not find_functions(tree):
        return False
    return next(find_flaws(files.texts[name], tree), None) is None


def find_flaws(text: str, tree: ast.Module) -> Iterator[str]:
    """Yield the usual flaws of style, which linters name, as text.

    Not looked at are blank lines, the order of imports, quotes, and how a line is wrapped.
    """
    yield from find_flaws_of_lines(text, tree)
    yield from find_flaws_of_imports(tree)
    formats = {id(n.format_spec) for n in ast.walk(tree) if isinstance(n, ast.FormattedValue)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and compares_singleton(node):
            yield "a comparison of None, True or False with =="
        elif isinstance(node, ast.UnaryOp) and is_late_not(node):
            yield "not x in y"
        elif isinstance(node, ast.ExceptHandler) and node.type is None:
            yield "an except for everything"
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            yield "a lambda with a name"
        elif isinstance(node, ast.JoinedStr) and id(node) not in formats:
            if not any(isinstance(part, ast.FormattedValue) for part in node.values):
                yield "an f-string without a value"
        elif isinstance(node, ast.For) and has_unused_position(node):
            yield "a position that is not used"
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and has_shared_default(node):
            yield "a list or a dict as the default of a parameter"
        elif looks_like_a_digit(node):
            yield "a name that looks like a digit"


def find_flaws_of_lines(text: str, tree: ast.Module) -> Iterator[str]:
    lines = text.split("\n")
    for line in lines:
        if "\t" in line[: len(line) - len(line.lstrip())]:
            yield "a tab"
        if line != line.rstrip():
            yield "whitespace at the end of a line"
        if len(line) > MAX_COLUMNS:
            yield "a long line"
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            before = lines[node.lineno - 1].encode()[: node.col_offset]
            if before.strip():
                yield "a statement that does not begin its line"


def find_flaws_of_imports(tree: ast.Module) -> Iterator[str]:
    used = loaded_names(tree)
    for node, bound in find_imports(tree):
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if bound == "*":
            yield "an import of everything"
        elif bound not in used and not is_future:
            yield "an import that is not used"
        if isinstance(node, ast.Import) and len(node.names) > 1:
            yield "several modules in one import"


def compares_singleton(node: ast.Compare) -> bool:
    sides = [node.left, *node.comparators]
    values = [side.value for side in sides if isinstance(side, ast.Constant)]
    is_equality = any(isinstance(one, ast.Eq | ast.NotEq) for one in node.ops)
    return is_equality and any(value is None or isinstance(value, bool) for value in values)


def is_late_not(node: ast.UnaryOp) -> bool:
    inner = node.operand
    return (
        isinstance(node.op, ast.Not)
        and isinstance(inner, ast.Compare)
        and len(inner.ops) == 1
        and isinstance(inner.ops[0], ast.In | ast.Is)
    )


def has_unused_position(loop: ast.For) -> bool:
    """Return whether a loop counts with `enumerate`, and does not use the number."""
    if not isinstance(loop.iter, ast.Call) or last_name(loop.iter.func) != "enumerate":
        return False
    target = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else None
    name = last_name(target) if target else "_"
    used = {found for statement in loop.body for found in loaded_names(statement)}
    return not name.startswith("_") and name not in used


def has_shared_default(function: Function) -> bool:
    given = [*function.args.defaults, *function.args.kw_defaults]
    return any(isinstance(one, ast.List | ast.Dict | ast.Set) for one in given)


def looks_like_a_digit(node: ast.AST) -> bool:
    name = ""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        name = node.id
    elif isinstance(node, ast.arg):
        name = node.arg
    elif isinstance(node, ast.alias):
        name = node.asname or ""
    return name in ("l", "O", "I")
