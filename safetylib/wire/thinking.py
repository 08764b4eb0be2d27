"""A model's thinking that its server no longer takes back.

The newest Claude models bind each thinking block to the system prompt, the tools and all messages
before it. Where a window, room that was made, or a loop has changed one of these, the API answers
400, also to each later request that has the block:
https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks

DeepSeek's and Kimi's servers demand the thinking of each reply with a call, whatever was before it.
So nothing is left out until a server has rejected a signature itself:
https://github.com/NousResearch/hermes-agent/pull/16149
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from .replies import THINKING, fields_of, list_blocks, without_empty

Place = list[int]  # the numbers of a message and of a block in it
MAX_REJECTED = 3  # requests: a window changes what is before the thinking in each round
SAID = (
    "The model's server rejects what the model thought before messages were changed or left out, "
    "so the request is sent once more without it. Your messages keep it."
)


class RejectedThinking:
    """What the server of one client has rejected, and so never gets again.

    After MAX_REJECTED requests, it gets no thinking at all.
    """

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._rejected, self._signatures = 0, set[str]()

    def find(self, messages: Any) -> list[Place]:
        """Return the places of the thinking that is not sent."""
        found = find_thinking(messages) if self._rejected else ()
        has_all = self._rejected >= MAX_REJECTED
        return [place for place, sign in found if has_all or sign in self._signatures]

    def add(self, messages: Any) -> None:
        """Note that a request with these messages was rejected, but not without its thinking."""
        if not self._rejected:
            self._say(SAID)
        self._rejected += 1
        self._signatures.update(sign for _, sign in find_thinking(messages))


def find_thinking(messages: Any) -> Iterator[tuple[Place, str]]:
    """Yield the place of each thinking block in messages, and what the server knows it by."""
    for number, message in enumerate(messages if isinstance(messages, list | tuple) else ()):
        for at, block in enumerate(map(fields_of, list_blocks(message))):
            if block.get("type") in THINKING:
                yield [number, at], str(block.get("signature") or block.get("data"))


def leave_out(messages: Any, places: Collection[Place]) -> Any:
    """Return messages without the blocks in these places, and without those that are empty then."""
    if not places:
        return messages
    new = [*messages]
    left_out = {(number, at) for number, at in places}
    for number in {number for number, _ in left_out}:
        blocks = enumerate(list_blocks(new[number]))
        kept = [block for at, block in blocks if (number, at) not in left_out]
        new[number] = {**new[number], "content": kept}
    return without_empty(new)
