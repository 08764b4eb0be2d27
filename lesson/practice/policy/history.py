"""Read from a request what the policy uses: the job, the tools, and what was done so far."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentlib.stop import WHO
from agentlib.tools import Call
from safetylib.guard.approval import REFUSED
from safetylib.wire.reminders import REMINDERS

from ...common.message_blocks import (
    DICTS,
    Block,
    Message,
    blocks_of,
    find_prompt,
    find_reminders,
    read_items,
    read_messages,
    text_of,
)
from ...samples.find_job import find_job, part_prompts
from .parse_reminder import find_request, is_about_work

NO_SHELL = "There is no shell here"  # how the result of a bash call begins in a browser
FAILED = re.compile(r"\w*Error\b")  # how an error message begins, even one without is_error
# What a program says in the message of the prompt if it has left messages out.
SAYS_LEFT_OUT = re.compile(r"\bmessages (?:were|have been) (?:left out|removed)\b", re.IGNORECASE)
NO_FIELDS: Mapping[str, Any] = {"properties": {}}


class VisibleHistory:
    """What a request shows: the newest prompt, and the messages after it.

    `prompt` is that prompt, and `job` what it asks for, or None. A user message about the work on
    a prompt, such as "You have not finished README.md", is not a new one. `follow_up` is the newest
    such message, or "".

    `tools` has the input schemas of the tools by name. `todo` is the name of the tool that takes a
    list of items with a status, or None; `list_name` and `item_schema` describe its list.

    `calls` are the calls with a result, oldest first, and `calls_since` those after the follow-up.
    `calls_of_user` are those since the user has said something, and not only the program. `refused`
    has the names and inputs of the calls that the user has refused, and `refused_now` those since
    the user has said something. `lacks_shell` says that a command failed because there is no shell.

    `reminders` has, for each message since the last todo call, the text other than results, and
    `reminder` that of the newest message, or "". `opening` is the same text of the messages before
    the first reply.

    `length` is the number of messages after the prompt. `is_whole` says that none was left out:
    otherwise the program says so, or the first call is not the todo call with which the practice
    model begins.
    """

    def __init__(self, request: Mapping[str, Any]) -> None:
        messages = read_messages(part_prompts(request["messages"]))
        prompts = [find_prompt(message) for message in messages]
        start = find_start(prompts)
        replies = [n for n in range(start + 1, len(messages)) if is_reply(messages[n])]
        first = replies[0] if replies else len(messages)
        visible = messages[first:]
        self.prompt = prompts[start]
        self.job = find_job(self.prompt)
        self.tools = {
            tool["name"]: tool["input_schema"]
            for tool in request.get("tools") or ()
            if "input_schema" in tool
        }
        lists = {name: list_schema(schema) for name, schema in self.tools.items()}
        self.todo = next((name for name, schema in lists.items() if schema), None)
        self.list_name, self.item_schema = lists.get(self.todo) or ("items", NO_FIELDS)
        self.calls = find_calls(visible)
        self.follow_up, self.calls_since, self.calls_of_user = "", self.calls, self.calls
        for number in range(start + 1, len(messages)):
            words = find_follow_up(messages, prompts, number)
            if words:
                self.follow_up, self.calls_since = words, find_calls(messages[number:])
                if not words.startswith(WHO):
                    self.calls_of_user = self.calls_since
        self.refused, self.refused_now = (
            [(call.name, call.input) for call in calls if is_refusal(call)]
            for calls in (self.calls, self.calls_of_user)
        )
        self.lacks_shell = any(call.output.startswith(NO_SHELL) for call in self.calls)
        self.reminders = collect_reminders(visible, self.todo)
        self.reminder = self.reminders[-1] if self.reminders else ""
        self.length = len(messages) - start - 1
        before = messages[start:first]
        self.opening = "\n".join(text for message in before for text in find_reminders(message))
        is_cut = bool(self.todo and self.calls) and self.calls[0].name != self.todo
        self.is_whole = not is_cut and not SAYS_LEFT_OUT.search(self.opening)

    @property
    def last(self) -> Call | None:
        return self.calls[-1] if self.calls else None

    def accepted_list(self) -> list[dict[str, Any]] | None:
        """Return the items of the newest accepted todo list, or None."""
        for call in reversed(self.calls):
            if call.name == self.todo and call.ok:
                return read_items(call.input)
        return None

    def texts_of(self, path: str) -> list[str | None]:
        """Return the successive contents of the file `path` that the calls show.

        None means unknown content. After a failed edit, the content is unknown: it is not what
        the model expected, and the file must be read again.
        """
        texts: list[str | None] = [None]
        for call in self.calls:
            fields, before = call.input, texts[-1]
            if fields.get("path") != path or is_refusal(call):
                continue
            if call.name == "edit_file" and before is not None:
                after = before.replace(str(fields.get("old_text")), str(fields.get("new_text")), 1)
                texts.append(after if call.ok else None)
            elif call.ok and call.name == "read_file":
                texts.append(call.output)
            elif call.ok and call.name == "write_file":
                texts.append(str(fields.get("content")))
        return texts

    def text_of(self, path: str) -> str | None:
        return self.texts_of(path)[-1]


def find_start(prompts: Sequence[str]) -> int:
    """Return the number of the message with the newest prompt, of those of all messages.

    It is 0 if there is none.
    """
    numbers = [number for number, prompt in enumerate(prompts) if prompt]
    newest = numbers[-1] if numbers else 0
    for number in reversed(numbers):
        job = find_job(prompts[number])
        if job:
            return number if is_about_work(prompts[newest], job) else newest
    return newest


def find_calls(messages: Sequence[Message]) -> list[Call]:
    """Return the calls in `messages` that have a tool_result before the next reply.

    Some servers number the calls of each reply anew, so an id is one of its reply alone.
    """
    calls: list[Call] = []
    uses: list[Block] = []
    for message in messages:
        if is_reply(message):
            uses = find_uses(message)
        blocks = message["content"]
        results = {block["tool_use_id"]: block for block in blocks if "tool_use_id" in block}
        for use in uses:
            if use["id"] in results:
                output, ok, _ = split_result(results[use["id"]])
                calls.append(Call(use["name"], use["input"], output, ok))
        uses = [use for use in uses if use["id"] not in results]
    return calls


def split_result(result: Block) -> tuple[str, bool, list[str]]:
    """Return a tool's output, whether the tool worked, and the texts that were added to the output.

    Added are texts in the tags of a reminder and in other blocks. Without either, the added text
    begins at the line of the output that asks for an update of your list.
    """
    output, *others = [text_of(block) for block in blocks_of(result)] or [""]
    ok = not result.get("is_error") and not FAILED.match(output)
    added = [*REMINDERS.findall(output), *others]
    output = REMINDERS.sub("", output)
    request = find_request(output) if ok and not added else ""
    return output.removesuffix(request), ok, [*added, request] if request else added


def find_follow_up(messages: Sequence[Message], prompts: Sequence[str], number: int) -> str:
    """Return the user's words in a message after the prompt, or "" if there are none.

    At the stop, after a reply without a call, they may also be between the tags of a reminder.
    """
    message, before = messages[number], messages[number - 1]
    is_stop = is_reply(before) and not find_uses(before)
    if is_stop and message["role"] == "user":
        return prompts[number] or "\n".join(find_reminders(message))
    return prompts[number]


def is_refusal(call: Call) -> bool:
    """Return whether the user has refused a call, which then has changed nothing."""
    return not call.ok and REFUSED in call.output


def is_reply(message: Message) -> bool:
    return bool(message["role"] == "assistant")


def find_uses(message: Message) -> list[Block]:
    return [block for block in message["content"] if block["type"] == "tool_use"]


def collect_reminders(messages: Iterable[Message], todo: str | None) -> list[str]:
    """Return the text since the last todo call that is neither output nor reply, by turn."""
    reminders: list[str] = []
    for message in messages:
        if is_reply(message):
            names = [use["name"] for use in find_uses(message)]
            reminders = [""] if todo in names else [*reminders, ""]
            continue
        words = [reminders.pop()] if reminders else []
        for block in message["content"]:
            if block["type"] == "tool_result":
                words += split_result(block)[2]
            elif block["type"] == "text":
                words.append(block["text"])
        reminders.append("\n".join(words).strip())
    return reminders


def list_schema(schema: Any) -> tuple[str, Mapping[str, Any]] | None:
    """Return the name and item schema of a list in a tool's `schema` if its items have a status."""
    for name, field in as_object(as_object(schema).get("properties")).items():
        item = as_object(as_object(field).get("items"))
        if "status" in as_object(item.get("properties")):
            return name, item
    return None


def as_object(schema: Any) -> Mapping[str, Any]:
    """Return a JSON Schema if it is an object; for true, false or null, an empty one."""
    return schema if isinstance(schema, DICTS) else {}
