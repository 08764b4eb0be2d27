"""What hello.py shows: a function for each step."""

from ..project_files import ProjectFiles
from ..syntax import (
    does_nothing_when_imported,
    find_functions,
    has_main_guard,
    is_annotated,
    is_documented,
)


def has_type_hints(files: ProjectFiles) -> bool:
    """Return whether each function has type hints for its parameters and its result."""
    tree = files.tree("hello.py")
    functions = find_functions(tree) if tree else []
    return bool(functions) and all(map(is_annotated, functions))


def has_docstrings(files: ProjectFiles) -> bool:
    """Return whether each function has a docstring of two words or more.

    Exception: the module itself needs none.
    """
    tree = files.tree("hello.py")
    functions = find_functions(tree) if tree else []
    return bool(functions) and all(map(is_documented, functions))


def is_guarded(files: ProjectFiles) -> bool:
    """Return whether importing hello.py does nothing, because its work is behind a main guard."""
    tree = files.tree("hello.py")
    return (
        tree is not None and has_main_guard(tree) and does_nothing_when_imported(files, "hello.py")
    )
