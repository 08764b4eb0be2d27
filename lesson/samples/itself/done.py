"""Is each step of the job done? Read from frame.py, which is never run here."""

import ast

from ..project_files import ProjectFiles
from ..ten_steps.done import find_functions, has_docstring

TOOL = "list_files"


def has_function(files: ProjectFiles) -> bool:
    """Return whether the tool takes nothing, says what it is for, and returns a value."""
    found = [one for one in find_functions(files.tree("frame.py")) if one.name == TOOL]
    returned = [one for tool in found for one in ast.walk(tool) if isinstance(one, ast.Return)]
    is_whole = all(has_docstring(one) and not ast.unparse(one.args) for one in found)
    return is_whole and any(one.value for one in returned)


def is_offered(files: ProjectFiles) -> bool:
    """Return whether the newest TOOLS of the file has the tool."""
    body = getattr(files.tree("frame.py"), "body", [])
    lists = [one for one in body if ast.unparse(one).startswith("TOOLS = ")]
    return any(getattr(one, "id", "") == TOOL for end in lists[-1:] for one in ast.walk(end))


def is_python(files: ProjectFiles) -> bool:
    return has_function(files) and is_offered(files)
