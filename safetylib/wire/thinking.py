"""Leave out a model's thinking if its server rejects it.

The newest Claude models bind each thinking block to the system prompt, the tools and all messages
before it. If a window, `trim_messages` or a loop has changed one of these, the API answers 400, and
so it does to each later request that has the block:
https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks

DeepSeek's and Kimi's servers demand the thinking of each reply with a call. So nothing is left out
before a server has rejected it:
https://github.com/NousResearch/hermes-agent/pull/16149
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .replies import THINKING, fields_of, is_empty, list_blocks, newest_calls

Place = list[int]  # the numbers of a message and of a block in it
MAX_REJECTED = 3  # requests since a prompt: with a window, the thinking is rejected in each round
NOTICE = (
    "The model's server rejects what the model thought before messages were changed or left out, "
    "so the request is sent once more without it. Your messages keep it."
)


@dataclass
class Rejections:
    """The rejected thinking of one conversation, and how often since its newest prompt."""

    signatures: set[str] = field(default_factory=set)
    count: int = 0


class RejectedThinking:
    """The thinking that a server has rejected in the conversations of a client. It stays left out.

    A conversation is recognized by the signatures in its messages and replies. After MAX_REJECTED
    rejected requests since its prompt, it is sent without any thinking.
    """

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._by_signature = dict[str, Rejections]()  # each signature of each conversation

    def _look_up(self, blocks: Iterable[tuple[Place, str]]) -> Rejections:
        """Return the rejections of the conversation that has these blocks."""
        by = self._by_signature
        return next((by[signature] for _, signature in blocks if signature in by), Rejections())

    def find(self, messages: Any) -> list[Place]:
        """Return the places of the thinking that is not sent."""
        blocks = [*find_thinking(messages)] if self._by_signature else []
        rejections = self._look_up(blocks)
        if blocks and not newest_calls(messages):  # the newest message is a prompt
            rejections.count = 0
        if rejections.count >= MAX_REJECTED:
            return [place for place, _ in blocks]
        return [place for place, signature in blocks if signature in rejections.signatures]

    def note(self, messages: Any, reply: Any, is_rejected: bool) -> None:
        """Note the reply to these messages, and whether they were rejected with their thinking."""
        blocks = [*find_thinking(messages)] if self._by_signature or is_rejected else []
        rejections = self._look_up(blocks)
        if is_rejected:
            if not rejections.signatures:
                self._say(NOTICE)
            rejections.signatures.update(signature for _, signature in blocks)
            rejections.count += 1
        if rejections.signatures:
            for _, signature in [*blocks, *find_thinking([reply])]:
                self._by_signature[signature] = rejections


def find_thinking(messages: Any) -> Iterator[tuple[Place, str]]:
    """Yield the place of each thinking block in messages, and its signature, data or text."""
    for number, message in enumerate(messages if isinstance(messages, list | tuple) else ()):
        for at, block in enumerate(map(fields_of, list_blocks(message))):
            if block.get("type") in THINKING:
                signature = block.get("signature") or block.get("data") or block.get("thinking")
                yield [number, at], str(signature)


def leave_out(messages: Any, places: Collection[Place]) -> Any:
    """Return messages without the blocks in these places, and without replies that become empty."""
    if not places:
        return messages
    new = [*messages]
    left_out = {(number, at) for number, at in places}
    changed = {number for number, _ in left_out}
    for number in changed:
        blocks = enumerate(list_blocks(new[number]))
        kept = [block for at, block in blocks if (number, at) not in left_out]
        new[number] = {**new[number], "content": kept}
    return [new[at] for at in range(len(new)) if at not in changed or not is_empty(new[at])]
