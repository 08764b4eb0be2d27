"""Messages as they are on the wire, as plain data to draw."""

import json
from collections.abc import Mapping
from typing import Any

LONGEST = 20_000


def turn(message: Mapping[str, Any]) -> dict[str, Any]:
    """One message: its role, its blocks, and the whole of it as JSON."""
    content = message.get("content", "")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    whole = json.dumps(message, indent=2, ensure_ascii=False)
    return {"role": message.get("role", ""), "blocks": [block(one) for one in blocks],
            "json": cut(whole)}


def block(one: Mapping[str, Any]) -> dict[str, Any]:
    """One content block: its type, a name or a note, and named parts of text."""
    kind = one.get("type", "")
    if kind == "text":
        return {"type": kind, "note": "", "parts": [text(one.get("text", ""))]}
    if kind == "tool_use":
        given = one.get("input", {})
        fields = given.items() if isinstance(given, Mapping) else [("input", given)]
        return {"type": kind, "note": one.get("name", ""),
                "parts": [part(words(value), str(name)) for name, value in fields]}
    if kind == "tool_result":
        content = one.get("content", "")
        inner = content if isinstance(content, list) else [{"text": words(content)}]
        return {"type": kind, "note": "is_error" if one.get("is_error") else "",
                "parts": [text(each["text"] if "text" in each else words(each))
                          for each in inner]}
    return {"type": kind, "note": "", "parts": [part(words(dict(one)))]}


def text(said: str) -> dict[str, Any]:
    """A text block's part; a reminder is marked as one."""
    return part(said, "reminder" if "<reminder>" in said else "")


def part(said: str, name: str = "") -> dict[str, Any]:
    """A piece of text, its name if it has one, and how many lines it has."""
    return {"name": name, "text": cut(said), "lines": said.count("\n") + 1}


def words(value: Any) -> str:
    """A value of a tool's input as text: a list has one line for each of its items."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(json.dumps(item, ensure_ascii=False) for item in value) or "[]"
    return json.dumps(value, ensure_ascii=False)


def cut(said: str) -> str:
    """A text, but for what is beyond all reading: a saved Trace has the whole."""
    if len(said) <= LONGEST:
        return said
    return f"{said[:LONGEST]}\n… ({len(said) - LONGEST:,} more characters)"
