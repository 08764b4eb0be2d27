"""The rules of a conversation: who may say what, in which order, and which result to which call.

Each rule reads the conversation from its start and raises ApiError at the first fault. Sources:
"Create a Message", "Handle tool calls", "Mid-conversation system messages", "Prefill not
supported"; what no page says comes from refusals that people quoted in public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from .errors import ApiError, invalid
from .models import Model
from .request import Block, Message, Prompt, Text

Place = tuple[str | int, ...]


class LocatedBlock(NamedTuple):
    """A block, the number of its message, and its own number there."""

    message: int
    position: int
    block: Any

    @property
    def place(self) -> str:
        return f"messages.{self.message}.content.{self.position}"


@dataclass(slots=True)
class Turn:
    """Consecutive messages of one role, which the API reads as one: "Create a Message"."""

    role: str
    first: int  # the number of its first message
    end: int = 0  # the number of the first message behind it
    blocks: list[LocatedBlock] = field(default_factory=list)  # all blocks; among them:
    calls: list[LocatedBlock] = field(default_factory=list)  # every tool_use
    results: list[LocatedBlock] = field(default_factory=list)  # every tool_result
    markable: list[tuple[Place, Block]] = field(default_factory=list)  # can have a cache mark


NO_TURN = Turn("nobody", 0)  # what stands before the first turn and after the last


def check_conversation(asked: Prompt, model: Model, known: Sequence[Turn] = ()) -> list[Turn]:
    """Apply the rules of a conversation, in the order in which the API reports faults.

    Returns its turns. `known` are the first of them, if they have been accepted before; the last
    of these is looked at again, since it may go on now.
    """
    accepted = known[:-1]
    turns = group_into_turns(asked.messages, accepted)
    new = turns[len(accepted) :]
    check_system_turns(asked.messages, model, accepted[-1].end if accepted else 0)
    check_turns_have_content(new)
    check_block_roles(new)
    check_system_prompt(asked.system)
    check_texts(new)
    check_calls_and_results(turns, len(accepted))
    check_ending(turns[-1], model)
    return turns


def group_into_turns(messages: list[Message], accepted: Sequence[Turn]) -> list[Turn]:
    """The messages as turns, which begin with those that were `accepted` before.

    Roles need not alternate, and any known role may come first.
    """
    if not messages:
        raise invalid("messages: at least one message is required")
    turns = list(accepted)
    start = turns[-1].end if turns else 0
    for i, message in enumerate(messages[start:], start):
        if message.role not in ("user", "assistant", "system"):
            raise invalid(
                f'messages: Unexpected role "{message.role}". '
                'Allowed roles are "user" or "assistant"'
            )
        if not turns or turns[-1].role != message.role:
            turns.append(Turn(message.role, i))
        turns[-1].end = i + 1
        for j, block in enumerate(message.content):
            located = LocatedBlock(i, j, block)
            turns[-1].blocks.append(located)
            turns[-1].markable += list_markable(located)
            if block.type == "tool_use":
                turns[-1].calls.append(located)
            elif block.type == "tool_result":
                turns[-1].results.append(located)
    return turns


def list_markable(located: LocatedBlock) -> Iterator[tuple[Place, Block]]:
    """This block, if it can have a cache mark, after those in its result, each with its place."""
    i, j, block = located
    if block.type == "tool_result":
        for k, inner in enumerate(block.content):
            yield ("messages", i, "content", j, "tool_result", "content", k), inner
    if isinstance(block, Block):
        yield ("messages", i, "content", j), block


ANYWHERE = "; the directive-only form (content: [] with output_config) is accepted at any position"


def check_system_turns(messages: list[Message], model: Model, first: int) -> None:
    """Where later instructions may stand, and on which models: "Mid-conversation system messages".

    They follow the user's turn, and come before the assistant's next turn or last. The messages
    from number `first` on are looked at.
    """
    for i, message in enumerate(messages[first:], first):
        if message.role != "system":
            continue
        if not message.content:
            raise invalid(f"messages.{i}: system content must contain at least one block")
        if any(block.type != "text" for block in message.content):
            raise invalid(
                f"messages.{i}: role 'system' supports text, tool_addition, "
                "and tool_removal blocks only"
            )
        if i == 0:
            raise invalid(
                "messages.0: use the top-level 'system' parameter for the initial system prompt"
                + ANYWHERE
            )
        if not model.system_turns:
            raise invalid("role 'system' is not supported on this model")
        if messages[i - 1].role == "assistant":
            raise invalid(
                f"messages.{i}: role 'system' must follow a 'user' message or an 'assistant' "
                "message ending in a server tool result" + ANYWHERE
            )
        if i + 1 < len(messages) and messages[i + 1].role == "user":
            raise invalid(
                f"messages.{i}: role 'system' must precede an 'assistant' message "
                "or end the array" + ANYWHERE
            )


def check_turns_have_content(turns: list[Turn]) -> None:
    """Each turn has content, except perhaps an assistant's turn at the end."""
    for turn in turns:
        if turn.blocks:
            continue
        if turn.role == "user":
            raise invalid(f"messages.{turn.first}: user messages must have non-empty content")
        if turn is not turns[-1]:
            raise invalid(
                f"messages.{turn.first}: all messages must have non-empty content "
                "except for the optional final assistant message"
            )


def check_block_roles(turns: list[Turn]) -> None:
    """The assistant calls tools and thinks, with a signature; the user sends results."""
    for turn in turns:
        for i, j, block in turn.blocks:
            if block.type == "tool_use" and turn.role != "assistant":
                raise invalid(
                    f"messages.{i}: `tool_use` blocks can only be in `assistant` messages"
                )
            if block.type == "tool_result" and turn.role != "user":
                raise invalid(f"messages.{i}: `tool_result` blocks can only be in `user` messages")
            if block.type in ("thinking", "redacted_thinking") and turn.role != "assistant":
                raise invalid(
                    f"messages.{i}.content: thinking blocks may only be in `assistant` messages"
                )
            if block.type == "thinking" and not block.signature:
                # A made-up signature cannot be told from a real one here.
                raise invalid(f"messages.{i}.content.{j}: Invalid `signature` in `thinking` block")
        if turn.blocks and turn.blocks[-1].block.type == "thinking":
            raise invalid(
                f"messages.{turn.blocks[-1].message}: The final block in an assistant message "
                "cannot be `thinking`."
            )


def check_texts(turns: list[Turn]) -> None:
    """No text block is empty, and no turn consists only of white space.

    White space beside a call is accepted: models write such turns, and they must be sent back.
    """
    for turn in turns:
        for located in turn.blocks:
            for text in find_texts(located.block):
                if not text.text:
                    raise empty_text_error(
                        text, "messages", f"{located.place}.{located.block.type}"
                    )
        if not all(is_blank(located.block) for located in turn.blocks):
            continue
        if turn.role == "system":
            raise invalid(
                f"messages.{turn.first}: system text blocks must contain non-whitespace text"
            )
        if turn.blocks:
            raise invalid("messages: text content blocks must contain non-whitespace text")


def check_system_prompt(system: list[Text]) -> None:
    """The system prompt may be left out, but not blank."""
    for n, text in enumerate(system):
        if not text.text:
            raise empty_text_error(text, "system", f"system.{n}")
        if is_blank(text):
            raise invalid("system: text content blocks must contain non-whitespace text")


def find_texts(block: Any) -> list[Text]:
    """The text blocks in this block: itself, or those in its result."""
    held = block.content if block.type == "tool_result" else [block]
    return [inner for inner in held if inner.type == "text"]


def is_blank(block: Any) -> bool:
    """Whether this is a text of white space only."""
    return block.type == "text" and not block.text.strip()


def empty_text_error(text: Text, part: str, place: str) -> ApiError:
    """What the API says about an empty text: first of all, that it has a cache mark, if so."""
    if text.cache_control:
        return invalid(f"{place}: cache_control cannot be set for empty text blocks")
    return invalid(f"{part}: text content blocks must be non-empty")


def check_calls_and_results(turns: list[Turn], first: int) -> None:
    """Each tool_use is answered by one tool_result, at the very start of the next turn.

    The turns from number `first` on have not been accepted before. The one before them is looked
    at again, since what follows it is new.
    """
    start = max(0, first - 1)
    seen = {call.block.id for turn in turns[:start] for call in turn.calls}
    row = [NO_TURN, *turns, NO_TURN]
    for n in range(start, len(turns)):
        before, turn, after = row[n : n + 3]
        check_ids_are_new(turn, seen)
        check_calls_have_results(turn, after)
        check_results_have_calls(turn, before)


def check_ids_are_new(turn: Turn, seen: set[str]) -> None:
    """No call has the id of an earlier one. The new ids are added to `seen`."""
    for call in turn.calls:
        if call.block.id in seen:
            raise invalid(f"{call.place}: `tool_use` ids must be unique")
        seen.add(call.block.id)


def check_calls_have_results(turn: Turn, after: Turn) -> None:
    """Each call has its result. Text before the results hides them; text after them does not."""
    first_said = takewhile(lambda located: located.block.type == "tool_result", after.blocks)
    answered = {result.block.tool_use_id for result in first_said}
    lost = [call for call in turn.calls if call.block.id not in answered]
    if lost:
        ids = ", ".join(call.block.id for call in lost if call.message == lost[0].message)
        raise invalid(
            f"messages.{lost[0].message}: `tool_use` ids were found without `tool_result` blocks "
            f"immediately after: {ids}. Each `tool_use` block must have a corresponding "
            "`tool_result` block in the next message."
        )


def check_results_have_calls(turn: Turn, before: Turn) -> None:
    """Each tool_result answers a tool_use of the turn before, and no two the same one."""
    asked = {call.block.id for call in before.calls}
    answered: set[str] = set()
    for result in turn.results:
        id = result.block.tool_use_id
        if id not in asked:
            raise invalid(
                f"{result.place}: unexpected `tool_use_id` found in `tool_result` "
                f"blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` "
                "block in the previous message."
            )
        if id in answered:
            raise invalid(
                f"{result.place}: each tool_use must have a single result. "
                f"Found multiple `tool_result` blocks with id: {id}"
            )
        answered.add(id)


def check_ending(last: Turn, model: Model) -> None:
    """A final turn of the assistant is a prefill, which the model must support:
    "Prefill not supported"."""
    if last.role != "assistant" or not last.blocks:
        return
    if not model.prefill:
        raise invalid(
            "This model does not support assistant message prefill. "
            "The conversation must end with a user message."
        )
    end = last.blocks[-1].block
    if end.type == "text" and end.text != end.text.rstrip():
        raise invalid("messages: final assistant content cannot end with trailing whitespace")
