"""What a document says of a project: which files, commands, functions and imports it names."""

import ast
import builtins
import re
import sys
from pathlib import PurePosixPath

from .project_files import ProjectFiles, is_of_tests
from .syntax import DEFINITIONS, find_imports, find_module

URL = re.compile(r"\w+://\S+")
WRITTEN = re.compile(r">\s*\S+")  # the file into which a command writes need not be there yet
FILE = re.compile(r"(?<![\w/.*-])[\w./-]*\w\.(?:py|md|csv|txt|toml|cfg|ini|json|log|sh)\b(?![/\w])")
OPTIONS = r"(?:-(?!m\b)\w+\s+)*"
MODULE = re.compile(rf"(?:\bpython[\d.]*|\bpy)\s+{OPTIONS}-m\s+([\w.]+)")
RUNNERS = rf"(?:\bpython[\d.]*|\bpy|\buv run)\s+{OPTIONS}"
TOOLS = frozenset("pytest pip coverage mypy ruff black flake8 build".split())
CALL = re.compile(r"`(\w+)\(")


def is_unfinished(text: str) -> bool:
    """Return whether a document is empty, or says that something is still to be done."""
    return not text.strip() or re.search(r"\bTODO\b", text, re.IGNORECASE) is not None


def named_files(text: str) -> set[str]:
    """Return the files that a document names, without those in addresses of the web."""
    plain = WRITTEN.sub("", URL.sub("", text))
    return {match[0].removeprefix("./") for match in FILE.finditer(plain)}


def is_true_of_files(text: str, files: ProjectFiles) -> bool:
    """Return whether all files and modules that a document names are there."""
    paths = [PurePosixPath("/", name) for name in files.names]
    return all(
        any(path.match(name.removeprefix("../")) for path in paths) for name in named_files(text)
    ) and all(is_known_module(match[1], files) for match in MODULE.finditer(text))


def is_known_module(module: str, files: ProjectFiles) -> bool:
    """Return whether `python -m MODULE` can be run: it is in the folder, in Python, or a tool."""
    first = module.partition(".")[0]
    is_there = find_module(files, module) or find_module(files, f"{module}.__main__")
    return bool(is_there) or first in sys.stdlib_module_names or first in TOOLS


def says_how_to_run(text: str, stem: str) -> bool:
    """Return whether a document has a command that runs a program: `python shop.py`."""
    name = re.escape(stem)
    pattern = rf"{RUNNERS}(?:-m\s+{name}\b|(?:\./)?{name}\.py\b)|\./{name}\.py\b"
    return re.search(pattern, text) is not None


def says_how_to_test(text: str, files: ProjectFiles) -> bool:
    """Return whether a document has a command that runs tests, or there are no tests."""
    if not files.tests:
        return True
    stems = [PurePosixPath(name).stem for name in files.tests]
    has_runner = re.search(r"\b(?:pytest|unittest)\b", text) is not None
    return has_runner or any(says_how_to_run(text, stem) for stem in stems)


def find_unnamed(text: str, files: ProjectFiles) -> set[str]:
    """Return the programs in the project's own folder that a document does not name.

    A name is `books.py`, or `books` in backticks. Tests need no name.
    """
    return {
        name
        for name in files.programs
        if "/" not in name
        and not is_of_tests(name)
        and not name.startswith("__")
        and not re.search(rf"\b{re.escape(name)}\b|`{re.escape(name[:-3])}`", text)
    }


def is_true_of_functions(text: str, files: ProjectFiles) -> bool:
    """Return whether all functions that a document names, as `login()`, are defined."""
    known = set(dir(builtins))
    for tree in [*files.programs.values(), *files.tests.values()]:
        known |= {bound for _, bound in find_imports(tree)}
        known |= {node.name for node in ast.walk(tree) if isinstance(node, DEFINITIONS)}
    return {match[1] for match in CALL.finditer(text)} <= known
