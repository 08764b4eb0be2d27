"""The agent loop: ask the model, act on what it asks for, answer with the results."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from .tools import Call, Tool, call, sendable

CUT_SHORT = ("max_tokens", "model_context_window_exceeded", "refusal")
NOT_RUN = "Error: not run, because the run was stopped before"
INTERRUPTED = "Error: stopped while it ran; look at what it has changed before you go on"


@dataclass(frozen=True)
class Round:
    """One trip round the loop: one request, its reply, and the tool calls it asked for.

    `number` counts from 1. `text` is what the model said, `calls` what it did, `reminder` what
    `remind` put into the results. `usage` (in tokens) and `stop_reason` are the reply's own.
    """

    number: int
    text: str
    calls: tuple[Call, ...]
    reminder: str | None
    usage: Any
    stop_reason: str | None


def silent(calls: tuple[Call, ...]) -> None:
    """The `remind` that never reminds."""


def rounds(
    client: Any,
    messages: list[dict[str, Any]],
    tools: Iterable[Tool] = (),
    *,
    remind: Callable[[tuple[Call, ...]], str | None] = silent,
    **settings: Any,
) -> Iterator[Round]:
    """Run an agent, and yield each Round as it ends, until the model asks for no more tools.

    `client` is an `anthropic.Anthropic`. `messages` is your own list, with your prompt last, and
    is only ever appended to. `remind` sees the calls of every round that had any, and what it
    returns goes back to the model with their results. `settings` (model, max_tokens, system, …)
    go to `client.messages.create` untouched.

    At every yield, and after any exception, `messages` can be sent as it stands (after the last
    yield, with your next prompt): errors of the SDK pass through, and calling again goes on.
    """
    dispatch = {tool.name: tool for tool in tools}
    if dispatch:
        settings["tools"] = [tool.spec for tool in dispatch.values()]
    for number in count(1):
        reply = client.messages.create(messages=messages, **settings)
        if not hasattr(reply, "content"):
            raise ValueError(f"The endpoint sent no message, but this: {str(reply)[:80]!r}")
        uses = [block for block in reply.content if block.type == "tool_use"]
        # Every tool_use has its tool_result from the start, so a stop at any instant is safe.
        results = [result(use.id, NOT_RUN, ok=False) for use in uses]
        added = turns(reply, results)
        messages.extend(added)
        calls = []
        for index, use in enumerate(uses):
            results[index] = result(use.id, INTERRUPTED, ok=False)
            if use is reply.content[-1] and reply.stop_reason in CUT_SHORT:
                error = f"Error: not run, because your reply was cut off here: {reply.stop_reason}"
                calls.append(Call(use.name, use.input, error, ok=False))
            else:
                calls.append(call(dispatch, use.name, use.input))
            results[index] = result(use.id, calls[-1].output, calls[-1].ok)
        reminder = remind(tuple(calls)) if calls else None
        if reminder and reminder.strip():
            add_reminder(results, sendable(reminder))
        text = "\n".join(b.text for b in reply.content if b.type == "text" and b.text)
        yield Round(number, text, tuple(calls), reminder, reply.usage, reply.stop_reason)
        paused = reply.stop_reason == "pause_turn" and added
        if reply.stop_reason == "refusal" or not (uses or paused):
            return


def run(
    client: Any, messages: list[dict[str, Any]], tools: Iterable[Tool] = (), **settings: Any
) -> list[Round]:
    """Like `rounds`, but to the end at once. Returns all the Rounds."""
    return list(rounds(client, messages, tools, **settings))


def turns(reply: Any, results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What one round adds to `messages`: the model's turn as it came, then the results.

    The API may send an empty text, a blank turn, or thinking with nothing after it, but takes
    none of them back: they are left out. Half of a surrogate pair cannot go back: it is a "?".
    """
    blocks = [block.to_dict(mode="json", warnings=False) for block in reply.content]
    blocks = json.loads(json.dumps(blocks, ensure_ascii=False).encode("utf-8", "replace"))
    if reply.stop_reason == "pause_turn":  # sent back as the last turn, which no blanks may end
        blocks = [b | {"text": b["text"].rstrip()} if "text" in b else b for b in blocks]
    content = [block for block in blocks if block.get("text") != ""]
    while content and content[-1]["type"] in ("thinking", "redacted_thinking"):
        content.pop()
    blank = not any(block.get("text", block["type"]).strip() for block in content)
    return ([] if blank else [{"role": "assistant", "content": content}]) + (
        [{"role": "user", "content": results}] if results else []
    )


def result(tool_use_id: str, output: str, ok: bool) -> dict[str, Any]:
    """The tool_result block that answers one tool_use block."""
    block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": output}
    return block if ok else block | {"is_error": True}


def add_reminder(results: list[dict[str, Any]], reminder: str) -> None:
    """Put `reminder` inside the last result, as a text block of its own.

    The API refuses text before the results; after them it is accepted, but a model then tends to
    end its turn (Messages API guide, "Handle tool calls"). In a result it is safe everywhere.
    """
    last = results[-1]
    last["content"] = [{"type": "text", "text": text} for text in (last["content"], reminder)]
