"""Judge the steps of this job from frame.py, which is never run here."""

import ast

from ..project_files import ProjectFiles
from ..ten_steps.done import find_functions, has_docstring

TOOL = "list_files"


def has_function(files: ProjectFiles) -> bool:
    """Return whether the tool takes nothing, says what it is for, and returns a value."""
    tools = [tool for tool in find_functions(files.tree("frame.py")) if tool.name == TOOL]
    returns = [node for tool in tools for node in ast.walk(tool) if isinstance(node, ast.Return)]
    is_whole = all(has_docstring(tool) and not ast.unparse(tool.args) for tool in tools)
    return is_whole and any(node.value for node in returns)


def is_offered(files: ProjectFiles) -> bool:
    """Return whether the newest TOOLS of the file has the tool."""
    body = getattr(files.tree("frame.py"), "body", [])
    lists = [line for line in body if ast.unparse(line).startswith("TOOLS = ")]
    return any(getattr(node, "id", "") == TOOL for end in lists[-1:] for node in ast.walk(end))


def is_python(files: ProjectFiles) -> bool:
    return has_function(files) and is_offered(files)
