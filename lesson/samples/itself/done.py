"""Is each step of the job done? Read from frame.py, which is never run here."""

import ast

from ..project_files import ProjectFiles
from ..ten_steps.done import find_functions, has_docstring

FILE, TOOL = "frame.py", "list_files"


def has_function(files: ProjectFiles) -> bool:
    """Return whether the tool is there, takes nothing, says what it is for, and returns a value."""
    found = [one for one in find_functions(files.tree(FILE)) if one.name == TOOL]
    return bool(found) and all(
        has_docstring(one) and not ast.unparse(one.args) and returns_a_value(one) for one in found
    )


def returns_a_value(function: ast.AST) -> bool:
    return any(isinstance(one, ast.Return) and one.value for one in ast.walk(function))


def is_offered(files: ProjectFiles) -> bool:
    """Return whether the newest TOOLS of the file has the tool."""
    tree = files.tree(FILE)
    lists = [
        one.value
        for one in (tree.body if tree else ())
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "TOOLS"
    ]
    return bool(lists) and any(
        isinstance(one, ast.Name) and one.id == TOOL for one in ast.walk(lists[-1])
    )


def is_python(files: ProjectFiles) -> bool:
    return has_function(files) and is_offered(files)
