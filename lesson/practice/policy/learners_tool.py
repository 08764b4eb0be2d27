"""Call the learner's own tool once, with arguments from the prompt.

Example: "Count the words in README.md with my tool." The policy chooses the first tool whose
required fields can be filled from the prompt: with paths, numbers, and text in quotes.
"""

from __future__ import annotations

import re
from typing import Any

from .steps import Reply, reply_with, tool_use
from .window import VisibleHistory, as_object

BASE_TOOLS = ("bash", "read_file", "write_file", "edit_file")
MY_TOOL = re.compile(r"\bmy (?:\w+ )?tools?\b", re.IGNORECASE)
VALUES = re.compile(
    r'["“`](?P<text>[^"”`]+)["”`]'
    r"|(?P<path>(?:[\w.-]+/)*[\w-]*\.[A-Za-z]\w*|(?:[\w.-]+/)+[\w.-]*)"
    r"|(?P<number>-?\d{1,15}(?:\.\d{1,15})?)"
)


def is_asked_for(view: VisibleHistory) -> bool:
    """Return True if the prompt asks for the learner's own tool: it contains "my tool"."""
    return bool(MY_TOOL.search(view.prompt))


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
    for name in names:
        arguments = arguments_for(view.tools[name], view.prompt)
        if arguments is not None:
            return reply_with(f"Your tool {name} can do that.", tool_use(name, arguments))
    return reply_with(
        f"I would use your tool {names[0]}, but I cannot tell from your words what its input "
        "should be. Name a file, a number, or a text in quotes."
    )


def arguments_for(schema: Any, prompt: str) -> dict[str, Any] | None:
    """Return an input that fits `schema`, with values from `prompt`; None if one is missing."""
    fields = as_object(as_object(schema).get("properties"))
    required = as_object(schema).get("required", list(fields))
    values: dict[str, list[str]] = {"text": [], "path": [], "number": []}
    for found in VALUES.finditer(prompt):
        values[str(found.lastgroup)].append(found[str(found.lastgroup)])
    filled = {}
    for name, field in fields.items():
        value = take_value(values, name, as_object(field).get("type", "string"))
        if value is not None:
            filled[name] = value
        elif name in required:
            return None
    return filled


def take_value(values: dict[str, list[str]], name: str, kind: Any) -> Any:
    """Remove the next value for the field `name` from `values` and return it; None if none fits."""
    sources = {"string": ["text", "path"], "integer": ["number"], "number": ["number"]}
    order = sources.get(str(kind), [])  # `kind` can be a list of types
    if re.search("path|file|folder", name):
        order = order[::-1]
    source = next((values[source] for source in order if values[source]), None)
    if not source:
        return None
    value = source.pop(0)
    if kind == "string":
        return value
    return float(value) if "." in value else int(value)
