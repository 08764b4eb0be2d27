"""A dotted name in a comment, a docstring or Markdown, such as `agentlib.nag`, exists."""

import ast
import importlib
import json
import re
import subprocess
import tokenize
from pathlib import Path

import pytest
from conftest import SLOW_MODULES

REPOSITORY = Path(__file__).parents[2]
DOTTED = re.compile(r"(?<![\w./-])(?:lesson|agentlib|safetylib|exerciselib)(?:\.[A-Za-z_]\w*)+")
NO_NAMES = re.compile(r"\.(py|md|toml|ipynb|css|js)$")  # files


def list_files():
    """Return the Markdown, the modules and the notebooks that git knows or could add."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True).stdout
    files = [REPOSITORY / line for line in listed.splitlines()] or [*REPOSITORY.glob("*/**/*")]
    kinds = (".md", ".py", ".ipynb")
    return [one for one in files if one.suffix in kinds and one.is_file()]


def read_prose(file):
    """Yield what people read in a file: Markdown, or the comments and docstrings of a module."""
    if file.suffix == ".md":
        yield file.read_text(encoding="utf-8")
    elif file.suffix == ".ipynb":
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                yield "".join(cell["source"])
    else:
        with file.open("rb") as opened:
            for token in tokenize.tokenize(opened.readline):
                if token.type == tokenize.COMMENT:
                    yield token.string
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield ast.get_docstring(node) or ""


def exists(name):
    """Return whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        try:
            for part in parts[end:]:
                found = getattr(found, part)
        except (AttributeError, ImportError):  # `lesson` itself raises an ImportError
            return False
        return True
    return False


def test_every_dotted_name_in_prose_exists():
    named = {
        (file.relative_to(REPOSITORY).as_posix(), name)
        for file in list_files()
        if "project" not in file.parts  # of a sample
        for text in read_prose(file)
        for name in DOTTED.findall(text)
        if not NO_NAMES.search(name)
    }
    assert len(named) > 5  # the pattern finds some
    assert [one for one in sorted(named) if not exists(one[1])] == []


@pytest.mark.parametrize("name", ["lesson.runs.kinds", "agentlib.nag.Nag.remind", "lesson.none.x"])
def test_name_that_does_not_exist_is_found(name):
    assert DOTTED.findall(f"See `{name}`. Or {name}.") == [name, name] and not exists(name)


def test_slow_test_files_exist():
    tests = {file.stem for file in (REPOSITORY / "tests").rglob("test_*.py")}
    assert set(SLOW_MODULES) <= tests
