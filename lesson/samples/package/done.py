"""Judge the steps of this job from its files, whoever has written them."""

import ast

from ..project_files import ProjectFiles

FUNCTIONS = ("slugify", "word_count", "truncate")


def has_function(files: ProjectFiles, name: str) -> bool:
    """Return whether a utils.py has a function of this name that returns something."""
    for path, tree in files.programs.items():
        for node in tree.body if path.endswith("utils.py") else ():
            if isinstance(node, ast.FunctionDef) and node.name == name:
                returns = [inner for inner in ast.walk(node) if isinstance(inner, ast.Return)]
                return any(inner.value is not None for inner in returns)
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
    trees = [tree for path, tree in files.tests.items() if path.endswith("test_utils.py")]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    has_test = any(isinstance(node, ast.FunctionDef) and "test" in node.name for node in nodes)
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    names = {getattr(func, "attr", getattr(func, "id", "")) for func in called}
    return has_test and names.issuperset(FUNCTIONS)
