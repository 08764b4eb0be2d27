"""Is each step of the job done? Read from the files, whoever has written them."""

import ast

from ..project_files import ProjectFiles

FUNCTIONS = ("slugify", "word_count", "truncate")


def has_function(files: ProjectFiles, name: str) -> bool:
    """Return whether a utils.py has a function of this name that returns something."""
    for path, tree in files.programs.items():
        for node in tree.body if path.endswith("utils.py") else ():
            if isinstance(node, ast.FunctionDef) and node.name == name:
                returns = [one for one in ast.walk(node) if isinstance(one, ast.Return)]
                return any(one.value is not None for one in returns)
    return False


def exports_functions(files: ProjectFiles) -> bool:
    """Return whether an __init__.py imports all functions, by their names or with a star."""
    for path, tree in files.programs.items():
        if path.endswith("__init__.py"):
            imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
            names = {alias.asname or alias.name for node in imports for alias in node.names}
            if names.issuperset(FUNCTIONS) or "*" in names:
                return True
    return False


def has_tests(files: ProjectFiles) -> bool:
    """Return whether test_utils.py has a test function, and calls each of the functions."""
    found = [tree for path, tree in files.tests.items() if path.endswith("test_utils.py")]
    nodes = [node for tree in found for node in ast.walk(tree)]
    has_test = any(isinstance(one, ast.FunctionDef) and "test" in one.name for one in nodes)
    called = [one.func for one in nodes if isinstance(one, ast.Call)]
    names = {getattr(one, "attr", getattr(one, "id", "")) for one in called}
    return has_test and names.issuperset(FUNCTIONS)
