"""Judge the steps of this job from hello.py, whoever has written it."""

from ..project_files import ProjectFiles
from ..ten_steps.done import find_functions, has_docstring, has_hints, is_guarded

FILE = "hello.py"


def has_type_hints(files: ProjectFiles) -> bool:
    functions = find_functions(files.tree(FILE))
    return bool(functions) and all(map(has_hints, functions))


def has_docstrings(files: ProjectFiles) -> bool:
    """Return whether the file and each of its functions have a docstring."""
    tree = files.tree(FILE)
    functions = find_functions(tree)
    return bool(tree and functions) and all(map(has_docstring, [tree, *functions]))


def has_main_guard(files: ProjectFiles) -> bool:
    return is_guarded(files, FILE)
