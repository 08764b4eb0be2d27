"""A model's thinking that its server no longer takes back.

The newest Claude models bind each thinking block to the system prompt, the tools and all messages
before it. Where a window, room that was made, or a loop has changed one of these, the API answers
400, also to each later request that has the block:
https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks

DeepSeek's and Kimi's servers demand the thinking of each reply with a call, whatever was before it.
So nothing is left out until a server has rejected it:
https://github.com/NousResearch/hermes-agent/pull/16149
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .replies import THINKING, fields_of, list_blocks, newest_calls, without_empty

Place = list[int]  # the numbers of a message and of a block in it
MAX_REJECTED = 3  # requests: a window changes what is before the thinking in each round
SAID = (
    "The model's server rejects what the model thought before messages were changed or left out, "
    "so the request is sent once more without it. Your messages keep it."
)


@dataclass
class Rejections:
    """What a server has rejected of one conversation, and how often since its newest prompt."""

    signatures: set[str] = field(default_factory=set)
    count: int = 0


class RejectedThinking:
    """What a server has rejected of the conversations of a client, and so never gets again.

    A conversation is known by the signatures in its messages and replies. After MAX_REJECTED
    requests since its prompt, it is sent without any thinking.
    """

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._of = dict[str, Rejections]()  # by each signature of a conversation

    def _look_up(self, found: Iterable[tuple[Place, str]]) -> Rejections:
        return next((self._of[sign] for _, sign in found if sign in self._of), Rejections())

    def find(self, messages: Any) -> list[Place]:
        """Return the places of the thinking that is not sent."""
        found = [*find_thinking(messages)] if self._of else []
        known = self._look_up(found)
        if found and not newest_calls(messages):  # so a prompt is behind it
            known.count = 0
        has_all = known.count >= MAX_REJECTED
        return [place for place, sign in found if has_all or sign in known.signatures]

    def note(self, messages: Any, reply: Any, is_rejected: bool) -> None:
        """Note the reply to these messages, and whether they were rejected with their thinking."""
        found = [*find_thinking(messages)] if self._of or is_rejected else []
        known = self._look_up(found)
        if is_rejected:
            if not known.signatures:
                self._say(SAID)
            known.signatures.update(sign for _, sign in found)
            known.count += 1
        if known.signatures:
            self._of.update({sign: known for _, sign in [*found, *find_thinking([reply])]})


def find_thinking(messages: Any) -> Iterator[tuple[Place, str]]:
    """Yield the place of each thinking block in messages, and what the server knows it by."""
    for number, message in enumerate(messages if isinstance(messages, list | tuple) else ()):
        for at, block in enumerate(map(fields_of, list_blocks(message))):
            if block.get("type") in THINKING:
                known = block.get("signature") or block.get("data") or block.get("thinking")
                yield [number, at], str(known)


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
