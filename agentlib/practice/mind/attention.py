"""What a mind sees of a request: the task, the tools, and the last few messages. No more."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

END = "EOF"
REMINDER = re.compile(r"<reminder>(.*?)</reminder>", re.DOTALL)


@dataclass(frozen=True)
class Seen:
    """A tool call that is in view: what was asked, what came back, and whether it worked."""

    tool: str
    input: Mapping[str, Any]
    output: str
    ok: bool


class View:
    """Reads one request of the Messages API as a mind with limited attention sees it.

    Besides the newest prompt, only the last `attention` messages after it are looked at.

    Attributes: `prompt`; `tools`, the input schema of each by name; `todo`, the name of the tool
    that takes a list of items with a status, or None; `seen`, the calls in view, oldest first;
    `reminder`, what the newest message says besides results; `length`, how many messages came
    after the prompt; `whole`, whether all of them are in view.
    """

    def __init__(self, request: Mapping[str, Any], attention: int) -> None:
        messages = [{**message, "content": blocks(message)} for message in request["messages"]]
        start = max((n for n, message in enumerate(messages) if prompt(message)), default=0)
        self.prompt = prompt(messages[start])
        tools = request.get("tools") or ()
        self.tools = {tool["name"]: tool.get("input_schema", {}) for tool in tools}
        self.todo = next((name for name in self.tools if item_fields(self.tools[name])), None)
        after = messages[start + 1 :]
        self.length = len(after)
        self.whole = self.length <= attention
        visible = after[-attention:] if attention else []
        self.seen = calls(visible)
        self.reminder = reminder(visible[-2:])

    @property
    def last(self) -> Seen | None:
        """The newest call in view."""
        return self.seen[-1] if self.seen else None

    def plan(self) -> list[dict[str, Any]] | None:
        """The items of the newest todo list in view that was accepted, or None."""
        for seen in reversed(self.seen):
            if seen.tool == self.todo and seen.ok:
                return todo_items(seen.input)
        return None

    def texts_of(self, path: str) -> list[str | None]:
        """What the file `path` held, as far as the calls in view tell: one text after the other.

        None stands where it is not known. A failed edit shows that the file is not what it was
        taken for, and must be read again.
        """
        texts: list[str | None] = [None]
        for seen in self.seen:
            command = str(seen.input.get("command"))
            if command == f"cat {path}" and seen.ok:
                texts.append(seen.output)
            elif command.startswith(heredoc(path)) and seen.ok:
                texts.append(command.removeprefix(heredoc(path)).removesuffix(END))
            elif seen.input.get("path") != path:
                continue
            elif seen.tool == "edit_file" and texts[-1] is not None:
                old, new = (str(seen.input.get(part)) for part in ("old_text", "new_text"))
                texts.append(texts[-1].replace(old, new, 1) if seen.ok else None)
            elif seen.ok and seen.tool in ("read_file", "write_file"):
                text = seen.output if seen.tool == "read_file" else seen.input.get("content")
                texts.append(text if isinstance(text, str) else None)
        return texts

    def text_of(self, path: str) -> str | None:
        """What the file `path` holds now, as far as the calls in view tell, or None."""
        return self.texts_of(path)[-1]


def heredoc(path: str) -> str:
    """How a shell command begins that writes the file `path`; the text follows, then END."""
    return f"cat > {path} <<'EOF'\n"


def blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A message's content as a list of blocks, whichever way it was sent."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def prompt(message: Mapping[str, Any]) -> str:
    """The task that a message sets, or "": only a user's own words count, no results."""
    if message["role"] != "user" or any(b["type"] == "tool_result" for b in message["content"]):
        return ""
    text = "\n".join(b["text"] for b in message["content"] if b["type"] == "text")
    return REMINDER.sub("", text).strip()


def calls(messages: list[dict[str, Any]]) -> list[Seen]:
    """The calls in `messages` of which both the tool_use and the tool_result are there."""
    results = {
        block["tool_use_id"]: block
        for message in messages
        for block in message["content"]
        if block["type"] == "tool_result"
    }
    return [
        Seen(
            use["name"],
            use["input"],
            REMINDER.sub("", words(results[use["id"]])[0]),
            not results[use["id"]].get("is_error", False),
        )
        for message in messages
        for use in message["content"]
        if use["type"] == "tool_use" and use["id"] in results
    ]


def words(result: Mapping[str, Any]) -> list[str]:
    """The texts of a tool_result: first the tool's output, then what was put beside it."""
    content = result.get("content") or ""
    if isinstance(content, str):
        return [content]
    return [block.get("text", "") for block in content] or [""]


def reminder(newest: list[dict[str, Any]]) -> str:
    """What the newest messages say that neither a tool nor the model said, or ""."""
    said = []
    for message in newest:
        if message["role"] == "assistant":
            said = []
            continue
        for block in message["content"]:
            if block["type"] == "tool_result":
                output, *others = words(block)
                said += [*REMINDER.findall(output), *others]
            else:
                said.append(block.get("text", ""))
    return "\n".join(said)


def item_fields(schema: Any) -> tuple[str, Mapping[str, Any]] | None:
    """Where a tool's `schema` takes items with a status: the list's name, and an item's schema."""
    for name, part in an_object(an_object(schema).get("properties")).items():
        item = an_object(an_object(part).get("items"))
        fields = {key: an_object(field) for key, field in an_object(item.get("properties")).items()}
        if "status" in fields:
            return name, {**item, "properties": fields}
    return None


def an_object(part: Any) -> Mapping[str, Any]:
    """A part of a JSON Schema where that is an object; it may also be true, false or null."""
    return part if isinstance(part, Mapping) else {}


def todo_items(input: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A copy of the items in a todo call's `input`, whatever the list's name, also from JSON."""
    for value in input.values():
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                continue
        if isinstance(value, list):
            return [
                item | {"status": str(item.get("status") or "pending").strip().lower()}
                for item in value
                if isinstance(item, dict)
            ]
    return []
