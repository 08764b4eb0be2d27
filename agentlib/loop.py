"""The agent loop: ask the model, run the tools that it calls, answer with their results."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from safetylib.guard import escape
from safetylib.wire import replies
from safetylib.wire.client import CheckedClient

from .tools import Call, Tool, call_tool

__all__ = ["Round", "rounds", "run"]

Remind = Callable[[list[Call]], str | None]  # gets the calls of a round, returns a reminder


@dataclass(frozen=True)
class Round:
    """One round of the loop (others say step or turn): a request, its reply, and its tool calls.

    `number` counts from 1. `text` is the reply's text, `calls` are its tool calls with their
    output, and `reminder` is the text that was sent with the results. `usage` and `stop_reason` are
    the reply's. `messages` are those that the round appended. `is_last` is true if the run ended
    with it.
    """

    number: int
    text: str
    calls: tuple[Call, ...]
    reminder: str | None
    usage: replies.Usage
    stop_reason: str | None
    messages: tuple[dict[str, Any], ...] = ()
    is_last: bool = False

    def __str__(self) -> str:
        """Return the round as one line for a log."""
        text = " ".join(self.text.split())
        parts = [str(call) for call in self.calls] or [escape.for_print(text) or "(empty)"]
        if self.reminder:
            parts.append("+ reminder")
        return "  ".join([f"{self.number:2}", *parts])


def rounds(
    client: Any,
    messages: list[dict[str, Any]],
    tools: Sequence[Tool] = (),
    remind: Remind | None = None,
    **settings: Any,
) -> Iterator[Round]:
    """Run an agent and yield each Round, until the model stops calling tools.

    `client` is an `anthropic.Anthropic` or a CheckedClient. `messages` ends with your prompt, and
    the loop appends to it. `remind` is called once for each round with tool calls, and what it
    returns is sent with the results. `settings` (model, max_tokens, …) go to the API unchanged. To
    go on after an error or an interrupt, call `rounds` again with the same `messages`.
    """
    if not isinstance(client, CheckedClient):
        client = CheckedClient(client)
    dispatch = {tool.name: tool for tool in tools}
    if tools:
        settings["tools"] = [tool.spec for tool in tools]

    for number in count(1):
        reply = client.messages.create(messages=messages, **settings)
        length_before, blocks = len(messages), replies.plain_blocks(reply)
        if blocks:  # the API rejects an empty message
            messages.append({"role": "assistant", "content": blocks})

        calls, results = [], []
        for tool_use in replies.calls_of(reply):
            call = call_tool(dispatch, tool_use.name, tool_use.input)
            calls.append(call)
            results.append(replies.tool_result(tool_use.id, call.output, call.ok))
        if results:
            messages.append({"role": "user", "content": results})

        reminder = remind([*calls]) if remind and calls else None
        if reminder and not isinstance(reminder, str):
            raise TypeError(f"remind must return a string or None, not {reminder!r:.60}")
        if reminder:  # in the same string: gateways join a second block, or make JSON of both
            results[-1]["content"] += f"\n\n{escape.for_api(reminder)}"

        text, usage = replies.shown_text(blocks), replies.usage_of(reply)
        added, is_last = tuple(messages[length_before:]), not calls
        yield Round(number, text, tuple(calls), reminder, usage, reply.stop_reason, added, is_last)
        if is_last:
            return


def run(
    client: Any,
    messages: list[dict[str, Any]],
    tools: Sequence[Tool] = (),
    remind: Remind | None = None,
    **settings: Any,
) -> list[Round]:
    """Run `rounds` to its end and return all Rounds."""
    return list(rounds(client, messages, tools, remind, **settings))
