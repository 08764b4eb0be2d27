"""Call the learner's own tool once, with arguments from the prompt.

Example: "Count the words in README.md with my tool." The policy takes the first tool that is
neither the workspace's nor the list, and fills its input with paths, numbers, and text in quotes.
"""

from __future__ import annotations

import re
from typing import Any

from .history import VisibleHistory, as_object
from .steps import Reply, reply_with, tool_use

BASE_TOOLS = ("bash", "read_file", "write_file", "edit_file")
MY_TOOL = re.compile(r"\bmy (?:\w+ )?tools?\b", re.IGNORECASE)
TEXT = re.compile(r'"([^"]+)"|((?:[\w.-]+/)*[\w-]*\.[A-Za-z]\w*)')  # in quotes, or a path
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def reply_with_own_tool(view: VisibleHistory) -> Reply:
    """Call the tool, or report its output; if it cannot be called, say what is missing."""
    if view.last:
        words = "says" if view.last.ok else "failed, and said"
        return reply_with(f"Your tool {view.last.tool} {words}: {view.last.output}")
    names = [name for name in view.tools if name not in (*BASE_TOOLS, view.todo)]
    if not names:
        offered = ", ".join(view.tools) or "nothing"
        return reply_with(
            f"I see no tool of yours in this request: `tools` contains {offered}. Add yours, with "
            "its name, its description and its input_schema."
        )
    arguments = arguments_for(view.tools[names[0]], view.prompt)
    if arguments is not None:
        return reply_with(f"Your tool {names[0]} can do that.", tool_use(names[0], arguments))
    return reply_with(
        f"I would use your tool {names[0]}, but I cannot tell from your words what its input "
        "should be. Name a file, a number, or a text in quotes."
    )


def arguments_for(schema: Any, prompt: str) -> dict[str, Any] | None:
    """Return an input that fits `schema`, with values from `prompt`; None if one is missing.

    The values are used in the order of the prompt.
    """
    fields = as_object(as_object(schema).get("properties"))
    texts = [quoted or path for quoted, path in TEXT.findall(prompt)]
    numbers = [float(one) if "." in one else int(one) for one in NUMBER.findall(prompt)]
    values: dict[str, list[Any]] = {"string": texts, "integer": numbers, "number": numbers}
    filled = {}
    for name, field in fields.items():
        left = values.get(str(as_object(field).get("type", "string")))  # it can be a list of types
        if left:
            filled[name] = left.pop(0)
        elif name in as_object(schema).get("required", list(fields)):
            return None
    return filled
