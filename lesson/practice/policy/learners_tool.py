"""Call the learner's own tool once, with arguments from the prompt.

Example: "Count the words in README.md with my tool." The policy chooses the first tool whose
required fields can be filled from the prompt. A string is in quotes, after a colon, or after a
word such as "in". Paths and numbers are recognised by their form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .steps import Reply, reply_with, tool_use
from .window import VisibleHistory, as_object

BASE_TOOLS = ("bash", "read_file", "write_file", "edit_file")
MY_TOOL = re.compile(r"\bmy (?:\w+ )?tools?\b", re.IGNORECASE)
TOKENS = re.compile(
    r'"(?P<double>[^"]+)"|“(?P<curly>[^”]+)”|`(?P<back>[^`]+)`|(?<!\w)\'(?P<single>[^\']+)\'(?!\w)'
    r"|(?<![\w./-])(?P<path>(?:[\w.-]+/)*[\w-]*\.[A-Za-z]\w*|(?:[\w.-]+/)+[\w.-]*)"
    r"|(?P<number>(?<![\w.])-?\d{1,15}(?:\.\d{1,15})?(?!\w))"
)
AFTER_COLON = re.compile(r":\s+(.+)", re.DOTALL)
AFTER_IN = re.compile(
    r"\b(?:in|of|for|about|from)\s+(?:the\s+)?(.+?)(?=\s+(?:with|using|by|in|to)\b|[?!,;.](?:\s|$)|$)",
    re.IGNORECASE,
)
MISSING = object()


def list_own_tools(view: VisibleHistory) -> list[str]:
    """Return the names of all tools except the four base tools and the todo tool."""
    return [name for name in view.tools if name not in (*BASE_TOOLS, view.todo)]


def is_asked_for(view: VisibleHistory) -> bool:
    """Return True if the prompt asks for the learner's own tool: it contains "my tool"."""
    return bool(MY_TOOL.search(view.prompt))


def find_named_tools(view: VisibleHistory) -> list[str]:
    """Return the names of the learner's own tools that are in the prompt."""
    return [
        name
        for name in list_own_tools(view)
        if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", view.prompt)
    ]


def reply_with_own_tool(view: VisibleHistory) -> Reply:
    """Call the tool, or report its output; if it cannot be called, say what is missing."""
    if view.last:
        words = "says" if view.last.ok else "failed, and said"
        return reply_with(f"Your tool {view.last.tool} {words}: {view.last.output}")
    names = find_named_tools(view) or list_own_tools(view)
    if not names:
        offered = ", ".join(view.tools) or "nothing"
        return reply_with(
            f"I see no tool of yours in this request: `tools` holds {offered}. Add yours, with its "
            "name, its description and its input_schema."
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
    values = Values(prompt)
    filled = {name: values.take(name, as_object(field)) for name, field in fields.items()}
    if any(filled.get(name, MISSING) is MISSING for name in required):
        return None
    return {name: value for name, value in filled.items() if value is not MISSING}


class Values:
    """Find the values in a prompt that can be arguments. Each value is used once."""

    def __init__(self, prompt: str) -> None:
        self.prompt = prompt.casefold()
        tokens = [(str(token.lastgroup), token) for token in TOKENS.finditer(prompt)]
        self.paths = [token["path"] for kind, token in tokens if kind == "path"]
        self.numbers = [token["number"] for kind, token in tokens if kind == "number"]
        self.texts = [token[kind] for kind, token in tokens if kind not in ("path", "number")]
        self.phrases = AFTER_COLON.findall(prompt) + AFTER_IN.findall(prompt)

    def take(self, name: str, field: Mapping[str, Any]) -> Any:
        """Return the value for the field `name`, or MISSING."""
        choices = [choice for choice in field.get("enum") or () if isinstance(choice, str)]
        if choices:
            return next((c for c in choices if c.casefold() in self.prompt), MISSING)
        kind = field.get("type", "string")
        if kind == "array":
            return self._take_all(as_object(field.get("items")).get("type", "string"))
        return self._take_one(kind, is_path=bool(re.search("path|file|folder", name)))

    def _take_one(self, kind: Any, is_path: bool = False) -> Any:
        if kind in ("integer", "number"):
            return self._take_number(kind)
        if kind != "string":
            return MISSING
        sources = [self.texts, self.paths, self.phrases]
        if is_path:
            sources = [self.paths, self.texts]
        source = next((source for source in sources if source), None)
        return source.pop(0) if source else MISSING

    def _take_number(self, kind: str) -> Any:
        if not self.numbers:
            return MISSING
        number = float(self.numbers[0])
        if kind == "integer" and not number.is_integer():
            return MISSING
        self.numbers.pop(0)
        return int(number) if number.is_integer() else number

    def _take_all(self, kind: Any) -> Any:
        taken = []
        while (value := self._take_one(kind)) is not MISSING:
            taken.append(value)
        return taken or MISSING
