"""What the files of the package show: a function for each step.

The package may have any name, and be in the project's folder or in `src`.
"""

import ast
from pathlib import PurePosixPath

from ..project_files import ProjectFiles
from ..syntax import definitions, find_functions, find_module, imported_module
from ..written_docs import find_shown_imports, is_true_import, is_unfinished
from ..written_tests import find_tested

FUNCTIONS = {"slugify", "word_count", "truncate"}  # README.md names them
UTILS = "utils.py"


def find_utils(files: ProjectFiles) -> str:
    """Return the path of utils.py, or "" if there is none or if there are several."""
    found = [name for name in files.programs if PurePosixPath(name).name == UTILS]
    return found[0] if len(found) == 1 else ""


def has_functions(files: ProjectFiles) -> bool:
    """Return whether utils.py defines the three functions of README.md, and each returns something.

    A function may be a lambda. One that only raises an error or prints is not written yet.
    """
    tree = files.tree(find_utils(files))
    if tree is None:
        return False
    written = {one.name for one in find_functions(tree) if returns_something(one)}
    written |= {
        name
        for name, statement in definitions(tree).items()
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Lambda)
    }
    return written >= FUNCTIONS


def returns_something(function: ast.AST) -> bool:
    return any(isinstance(node, ast.Return) and node.value for node in ast.walk(function))


def is_exported(files: ProjectFiles) -> bool:
    """Return whether the `__init__.py` next to utils.py imports the three functions from it.

    `from .utils import *` is accepted. What is imported must be defined in utils.py.
    """
    utils = find_utils(files)
    init = str(PurePosixPath(utils).parent / "__init__.py")
    tree, source = files.tree(init), files.tree(utils)
    if tree is None or source is None:
        return False
    imported: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            if find_module(files, imported_module(node, init), init) == utils:
                imported |= {alias.name for alias in node.names}
    known = definitions(source).keys()
    return FUNCTIONS <= known and ("*" in imported or imported >= FUNCTIONS)


def has_tests(files: ProjectFiles) -> bool:
    """Return whether tests/test_utils.py imports and calls all three functions, and asserts.

    It may import them from the package or from utils.py, and use unittest or pytest.
    """
    if files.tree("tests/test_utils.py") is None:
        return False
    return {name for _, name in find_tested(files)} >= FUNCTIONS


def has_current_readme(files: ProjectFiles) -> bool:
    """Return whether README.md shows how to import the package, and what it imports is there.

    It has no TODO any more.
    """
    text = files.texts.get("README.md", "")
    shown = list(find_shown_imports(text))
    return (
        not is_unfinished(text)
        and bool(shown)
        and all(is_true_import(node, files) for node in shown)
    )
