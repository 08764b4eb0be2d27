"""One Round in a few words."""

from typing import Any

from agentlib.loop import Round
from safetylib import escape

from ..real_model.stop_reasons import mark_end

SHORT = 48  # characters, for the path or the command of a call: it stays on its line


def headline(turn: Round) -> str:
    """Return what a round did: "edit_file shop.py", "todo", or what the model said at the end.

    A tool with a path that is called several times in a row is named once: "edit_file a.py, b.py".
    """
    parts: list[str] = []
    before = ""
    for call in turn.calls:
        words = describe_use(call.name, call.input) + ("" if call.ok else " (failed)")
        has_path = isinstance(call.input, dict) and "path" in call.input
        parts.append(words.removeprefix(f"{before} ") if has_path else words)
        before = call.name
    said = f"says “{clip(turn.text)}”" if turn.text.strip() else "says nothing"
    return (", ".join(parts) or said) + mark_end(turn.stop_reason, bool(turn.calls))


def describe_use(name: str, given: Any) -> str:
    """Return a tool's name with the path or the command that it was given."""
    subject = given if isinstance(given, dict) else {}
    words = clip(str(subject.get("path") or subject.get("command") or ""))
    return f"{clip(name)} {words}".rstrip()


def clip(words: Any, width: int = SHORT) -> str:
    """Return the first words of `words`, on one line."""
    return escape.shorten(str(words), width, placeholder="…")
