"""What a mind sees of a request: the job, the tools, and the last few messages. No more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Block = Mapping[str, Any]
Message = dict[str, Any]

HEREDOC_END = "EOF"
REMINDER = re.compile(r"<reminder>(.*?)</reminder>", re.DOTALL)


@dataclass(frozen=True)
class PastCall:
    """A tool call that is in view: what was asked, what came back, and whether it worked."""

    tool: str
    input: Mapping[str, Any]
    output: str
    ok: bool


class VisibleHistory:
    """One request of the Messages API, as a mind with limited attention sees it.

    Besides the newest prompt, only the last `attention` messages after it are looked at.

    Attributes: `prompt`; `tools`, the input schema of each by name; `todo`, the name of the tool
    that takes a list of items with a status, or None; `calls`, those in view, oldest first;
    `reminders`, what was said besides results since the last todo call, oldest first; `reminder`,
    what the newest message says besides results, or ""; `length`, how many messages came after the
    prompt; `is_whole`, whether all of them are in view.
    """

    def __init__(self, request: Mapping[str, Any], attention: int) -> None:
        messages = [{**message, "content": as_blocks(message)} for message in request["messages"]]
        prompts = [number for number, message in enumerate(messages) if prompt_of(message)]
        start = prompts[-1] if prompts else 0
        after = messages[start + 1 :]
        visible = after[-attention:]
        self.prompt = prompt_of(messages[start])
        self.tools = {
            tool["name"]: tool["input_schema"]
            for tool in request.get("tools") or ()
            if "input_schema" in tool
        }
        self.todo = next((name for name in self.tools if list_schema(self.tools[name])), None)
        self.calls = answered_calls(visible)
        self.reminders = reminders_since_list(visible, self.todo)
        self.reminder = self.reminders[-1] if self.reminders else ""
        self.length = len(after)
        self.is_whole = self.length <= attention

    @property
    def last(self) -> PastCall | None:
        """The newest call in view."""
        return self.calls[-1] if self.calls else None

    def accepted_list(self) -> list[dict[str, Any]] | None:
        """The items of the newest todo list in view that was accepted, or None."""
        for call in reversed(self.calls):
            if call.tool == self.todo and call.ok:
                return todo_items(call.input)
        return None

    def texts_of(self, path: str) -> list[str | None]:
        """What the file `path` held, as far as the calls in view tell: one text after the other.

        None stands where it is not known. A failed edit shows that the file is not what it was
        taken for, and must be read again.
        """
        texts: list[str | None] = [None]
        for call in self.calls:
            command = str(call.input.get("command"))
            if command == f"cat {path}" and call.ok:
                texts.append(call.output)
            elif command.startswith(heredoc(path)) and call.ok:
                texts.append(command.removeprefix(heredoc(path)).removesuffix(HEREDOC_END))
            elif call.input.get("path") == path:
                texts += text_after(call, texts[-1])
        return texts

    def text_of(self, path: str) -> str | None:
        """What the file `path` holds now, as far as the calls in view tell, or None."""
        return self.texts_of(path)[-1]


def text_after(call: PastCall, before: str | None) -> list[str | None]:
    """What a file holds after `call` on its path, where that changes what is known of it."""
    if call.tool == "edit_file" and before is not None:
        if not call.ok:
            return [None]
        old, new = str(call.input.get("old_text")), str(call.input.get("new_text"))
        return [before.replace(old, new, 1)]
    if call.tool == "read_file" and call.ok:
        return [call.output]
    if call.tool == "write_file" and call.ok:
        content = call.input.get("content")
        return [content if isinstance(content, str) else None]
    return []


def heredoc(path: str) -> str:
    """How a shell command begins that writes `path`; the text follows, then HEREDOC_END."""
    return f"cat > {path} <<'{HEREDOC_END}'\n"


def as_blocks(message: Mapping[str, Any]) -> list[Block]:
    """A message's content as a list of blocks, whichever way it was sent."""
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def prompt_of(message: Message) -> str:
    """The job that a message sets, or "": only a user's own words count, no results."""
    content = message["content"]
    if message["role"] != "user" or any(block["type"] == "tool_result" for block in content):
        return ""
    text = "\n".join(block["text"] for block in content if block["type"] == "text")
    return REMINDER.sub("", text).strip()


def answered_calls(messages: Iterable[Message]) -> list[PastCall]:
    """The calls in `messages` of which both the tool_use and the tool_result are there."""
    blocks = [block for message in messages for block in message["content"]]
    results = {block["tool_use_id"]: block for block in blocks if block["type"] == "tool_result"}
    return [
        PastCall(
            tool=use["name"],
            input=use["input"],
            output=REMINDER.sub("", texts_in(results[use["id"]])[0]),
            ok=not results[use["id"]].get("is_error", False),
        )
        for use in blocks
        if use["type"] == "tool_use" and use["id"] in results
    ]


def texts_in(result: Block) -> list[str]:
    """The texts of a tool_result: first the tool's output, then what was put beside it."""
    content = result.get("content") or ""
    if isinstance(content, str):
        return [content]
    return [block["text"] if block["type"] == "text" else "" for block in content] or [""]


def reminders_since_list(messages: Iterable[Message], todo: str | None) -> list[str]:
    """What each turn says that neither a tool nor the model said, from the last todo call on."""
    reminders: list[str] = []
    for message in messages:
        if message["role"] == "assistant":
            names = [block["name"] for block in message["content"] if block["type"] == "tool_use"]
            reminders = [] if todo in names else reminders
            reminders.append("")
        else:
            reminders = reminders or [""]
            reminders[-1] = "\n".join([reminders[-1], *words_beside_results(message)]).strip()
    return reminders


def words_beside_results(message: Message) -> list[str]:
    """The texts of a user's or a system turn that are not the output of a tool."""
    words = []
    for block in message["content"]:
        if block["type"] == "tool_result":
            output, *others = texts_in(block)
            words += [*REMINDER.findall(output), *others]
        elif block["type"] == "text":
            words.append(block["text"])
    return words


def list_schema(schema: Any) -> tuple[str, Mapping[str, Any]] | None:
    """Where a tool's `schema` takes items with a status: the list's name, and an item's schema."""
    for name, part in as_object(as_object(schema).get("properties")).items():
        item = as_object(as_object(part).get("items"))
        properties = as_object(item.get("properties"))
        if "status" in properties:
            fields = {key: as_object(field) for key, field in properties.items()}
            return name, {**item, "properties": fields}
    return None


def as_object(part: Any) -> Mapping[str, Any]:
    """A part of a JSON Schema where that is an object; it may also be true, false or null."""
    return part if isinstance(part, Mapping) else {}


def todo_items(input: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A copy of the items in a todo call's `input`, whatever the list's name, also from JSON."""
    for value in input.values():
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):  # not JSON, or too deep: not a list of ours
                continue
        if isinstance(value, list):
            return [
                item | {"status": str(item.get("status") or "pending").strip().lower()}
                for item in value
                if isinstance(item, dict)
            ]
    return []
