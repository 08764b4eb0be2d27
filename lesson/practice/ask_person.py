"""A policy that asks the person at the keyboard: be the model, in your own agent's run.

client = PracticeModel(ask_person).client()
agent_loop(client, messages, tools, model="practice", max_tokens=1000)
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..blocks import blocks_of, text_of

EXAMPLE = '{"name": "read_file", "input": {"path": "hello.py"}}'


def ask_person(request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Print what is new in `request`, and return the reply that the person types.

    A line of text is a reply that ends the run. A tool call is JSON with a `name` and an `input`,
    and several calls are a list of these. If no one can type here, the reply says so.
    """
    for line in describe_news(request["messages"]):
        print(line)
    print("Tools:", ", ".join(tool["name"] for tool in request.get("tools", ())) or "none")
    while True:
        try:
            typed = input("You are the model. A tool call as JSON, or text to stop: ").strip()
        except (EOFError, NotImplementedError):  # the input has ended, or a notebook has none
            return [{"type": "text", "text": "No one is at the keyboard."}]
        try:
            return read_reply(typed)
        except (ValueError, TypeError, KeyError) as problem:
            print(f"This is not a tool call ({problem!r}). Write it like this: {EXAMPLE}")
            print("A line that begins with { or [ is read as a tool call, any other line as text.")


def describe_news(messages: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the text of each block that was added since the model's last message."""
    start = max((n for n, one in enumerate(messages) if one["role"] == "assistant"), default=-1)
    for message in messages[start + 1 :]:
        for block in blocks_of(message):
            label = "error" if block.get("is_error") else block["type"]
            yield f"[{label}] " + "\n".join(map(text_of, blocks_of(block) or [block]))


def read_reply(typed: str) -> list[dict[str, Any]]:
    """Return the content blocks of a typed reply. Raise an exception for a malformed call."""
    if typed and not typed.startswith(("{", "[")):
        return [{"type": "text", "text": typed}]
    calls = json.loads(typed) if typed else []
    if not calls:
        raise ValueError("it is empty")
    calls = calls if isinstance(calls, list) else [calls]
    return [
        {"type": "tool_use", "name": str(one["name"]), "input": dict(one["input"])} for one in calls
    ]
