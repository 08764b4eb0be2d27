"""Check a conversation: roles, their order, empty texts, which result answers which call.

Each rule raises ApiError with the first error from the start of the conversation. Sources: "Create
a Message", "Handle tool calls", "Mid-conversation system messages"; what no page says is from
errors that people quoted in public.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from .errors import invalid
from .request_shape import Message, Request

ROLES = 'Allowed roles are "user" or "assistant"'
# Quoted in public since 2024 (ChainForge #271). Claude Code 2.1 sends such messages, and takes only
# these words for a refusal: then it asks again without them.
SYSTEM = (
    "The Messages API accepts a top-level `system` parameter, not "
    '"system" as an input message role.'
)
ROLE_OF_BLOCK = {"tool_use": "assistant", "tool_result": "user"}


class LocatedBlock(NamedTuple):
    """A block, the number of its message, and its path in the request."""

    message: int
    path: str
    block: dict[str, Any]


@dataclass
class Turn:
    """Consecutive messages of one role, which the API reads as one: "Create a Message"."""

    role: str
    blocks: list[LocatedBlock] = field(default_factory=list)

    def select(self, type: str) -> list[LocatedBlock]:
        return [located for located in self.blocks if located.block["type"] == type]


def check_conversation(request: Request) -> None:
    """Apply the rules of a conversation, in the order in which the API reports errors."""
    turns = group_into_turns(request["messages"])
    for turn in turns:
        check_turn(turn)
        check_texts([located.block for located in turn.blocks])
    check_calls_and_results(turns)


def group_into_turns(messages: list[Message]) -> list[Turn]:
    """Return the messages as turns. Roles need not alternate, and any role can be first.

    Each message has content, except perhaps one of the assistant at the end.
    """
    if not messages:
        raise invalid("messages: at least one message is required")
    turns: list[Turn] = []
    for i, message in enumerate(messages):
        role = message["role"]
        if role not in ("user", "assistant"):
            raise invalid(
                f'messages: Unexpected role "{role}". {SYSTEM if role == "system" else ROLES}'
            )
        if not message["content"] and (role == "user" or i < len(messages) - 1):
            raise invalid(
                f"messages.{i}: all messages must have non-empty content "
                "except for the optional final assistant message"
            )
        if not turns or turns[-1].role != role:
            turns.append(Turn(role))
        for j, block in enumerate(message["content"]):
            turns[-1].blocks.append(LocatedBlock(i, f"messages.{i}.content.{j}", block))
    return turns


def check_turn(turn: Turn) -> None:
    """Check that only the assistant calls tools, and only the user sends results."""
    for located in turn.blocks:
        type = located.block["type"]
        role = ROLE_OF_BLOCK.get(type, turn.role)
        if turn.role != role:
            raise invalid(
                f"messages.{located.message}: `{type}` blocks can only be in `{role}` messages"
            )


def check_texts(blocks: Sequence[Mapping[str, Any]]) -> None:
    """Check that no text block is empty, and that the blocks are not only whitespace.

    Whitespace next to a tool call is accepted: models write such turns, and they are sent back.
    """
    for block in blocks:
        for text in block.get("content", []) if block["type"] == "tool_result" else [block]:
            if text["type"] == "text" and not text["text"]:
                raise invalid("messages: text content blocks must be non-empty")
    if blocks and all(block["type"] == "text" and not block["text"].strip() for block in blocks):
        raise invalid("messages: text content blocks must contain non-whitespace text")


def check_calls_and_results(turns: list[Turn]) -> None:
    """Check that one tool_result for each tool_use is at the very start of the next turn.

    The ids of a turn must be unique. In two turns, a recorded request with one id was accepted.
    """
    calls: list[LocatedBlock] = []
    for turn, after in pairwise([*turns, Turn("none")]):
        check_results_have_calls(turn.select("tool_result"), calls)
        calls, ids = turn.select("tool_use"), set[str]()
        for call in calls:
            if call.block["id"] in ids:
                raise invalid(f"{call.path}: `tool_use` ids must be unique")
            ids.add(call.block["id"])
        check_calls_have_results(calls, after)


def check_calls_have_results(calls: list[LocatedBlock], after: Turn) -> None:
    """Check that each tool_use has its result. A result counts only if no other block is before
    it in its turn."""
    results = takewhile(lambda located: located.block["type"] == "tool_result", after.blocks)
    answered = {result.block["tool_use_id"] for result in results}
    missing = [call for call in calls if call.block["id"] not in answered]
    if missing:
        first = missing[0].message
        ids = ", ".join(call.block["id"] for call in missing if call.message == first)
        raise invalid(
            f"messages.{first}: `tool_use` ids were found without `tool_result` blocks "
            f"immediately after: {ids}. Each `tool_use` block must have a corresponding "
            "`tool_result` block in the next message."
        )


def check_results_have_calls(results: list[LocatedBlock], calls: list[LocatedBlock]) -> None:
    """Check that each tool_result answers a tool_use of the turn before, and no two the same."""
    called = {call.block["id"] for call in calls}
    answered: set[str] = set()
    for result in results:
        id = result.block["tool_use_id"]
        if id not in called:
            raise invalid(
                f"{result.path}: unexpected `tool_use_id` found in `tool_result` "
                f"blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` "
                "block in the previous message."
            )
        if id in answered:
            raise invalid(
                f"{result.path}: each tool_use must have a single result. "
                f"Found multiple `tool_result` blocks with id: {id}"
            )
        answered.add(id)
