"""Quirks of servers: what some write differently from the API, and how it is repaired.

Every reply passes `repair_message` when it is complete, whether it was streamed or not.
`repair_event` adds only what the SDK needs to put a stream together. What a server cannot do at all
(streaming, `cache_control`) is in `anthropic_client`.
"""

from typing import Any

from agentlib.replies import is_count


def repair_message(data: Any) -> Any:
    """Return a message in the API's format.

    Ollama sends `"content": null` in an empty reply, and a tool call without `input`.
    """
    match data:
        case {"role": "assistant", "content": None}:
            data["content"] = []
        case {"content": [*blocks]}:
            for block in blocks:
                if isinstance(block, dict) and block.get("type") == "tool_use":
                    block["input"] = block.get("input") or {}
    return data


def repair_event(event: dict[str, Any]) -> dict[str, Any]:
    """Return an event with the fields that the SDK requires and some servers leave out."""
    match event:
        case {"type": "message_start", "message": dict(message)}:
            usage = repair_usage(message.get("usage"))
            return event | {"message": message | {"content": [], "usage": usage}}
        case {"type": "message_delta"}:
            return event | {"usage": repair_usage(event.get("usage"))}
    return event


def repair_usage(usage: Any) -> dict[str, Any]:
    """Return a usage with its readable counts and its service tier."""
    repaired: dict[str, Any] = {"output_tokens": 0}
    for name, value in usage.items() if isinstance(usage, dict) else ():
        if isinstance(value, dict):
            repaired[name] = repair_usage(value)
        elif is_count(value) or name == "service_tier":
            repaired[name] = value
    return repaired


def give_new_ids(blocks: list[dict[str, Any]], used: set[str]) -> None:
    """Change the ids of tool calls that are already in `used` or in this reply.

    Some servers count from call_0 in each reply. The API rejects a history with one id twice.
    """
    number = 2
    for block in blocks:
        if block["type"] != "tool_use":
            continue
        first = block["id"]
        while block["id"] in used:
            block["id"] = f"{first}_{number}"
            number += 1
        used.add(block["id"])


def ids_in(body: dict[str, Any]) -> set[str]:
    """Return the ids of all content blocks in a request."""
    return {
        block["id"]
        for turn in body["messages"]
        for block in turn["content"]  # blocks, or the characters of a string
        if isinstance(block, dict) and "id" in block
    }
