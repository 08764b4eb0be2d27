"""Conversations that are drawn at random, to compare a learner's loop with the package's."""

from functools import partial
from itertools import zip_longest
from random import Random
from typing import Any

from agentlib.loop import run
from lesson.message_blocks import blocks_of
from lesson.practice.api.errors import ApiError

from .loop_causes import expect, list_ids
from .random_cases import compare
from .scene import EARLIER, SAID, SAYS, THOUGHT, Scene, call, describe_block

DIFFERS_AT = (
    "Message {} is not as it should be: send each output unchanged, run equal calls as often as "
    "they are there, and keep nothing from one run to the next."
)
DIFFERS_AFTER = (
    "The messages end too early, or the tools are not called as they should be: append only, also "
    "if the server fails, run each call once, and change nothing else that you were given."
)
COUNT = 60  # conversations: half a second
TEXTS = ("one", "two", "One", " one", "{text}", r"a\1b", "<b>", "fail", "0", "ö")
SERVER_ERROR = "an error of the server (529)"


def compare_conversations(agent_loop: Any, reminds: bool = False) -> None:
    """Raise Differs for the smallest conversation in which the loop and the package's differ."""
    drawn = partial(draw, reminds=reminds)
    compare(agent_loop, run, drawn, converse, explain_difference, tell=tell, count=COUNT)


def draw(random: Random, size: int, reminds: bool = False) -> Any:
    """Return a conversation: earlier messages, the replies with calls, and what remind returns."""
    rounds = []
    for _ in range(random.randint(0, min(size, 4))):
        texts = [random.choice(TEXTS) for _ in range(random.randint(1, min(size, 3)))]
        calls = [call(random.choice(("note", "note", "shout", "missing")), text=t) for t in texts]
        if random.random() < 0.3:  # the same call again
            calls.append(dict(calls[0]))
        if random.random() < 0.3:
            calls.insert(random.randint(0, len(calls)), SAID)
        rounds.append([THOUGHT, *calls] if random.random() < 0.1 else calls)
    says = [random.choice((None, SAYS, "{Next}: <b>a\\1</b>")) for _ in rounds]
    earlier = EARLIER if random.random() < 0.2 else []
    last = SERVER_ERROR if random.random() < 0.1 else "Done."
    return earlier, [*rounds, last], says if reminds else None


def converse(agent_loop: Any, case: Any) -> Any:
    """Return what is in the messages after a conversation, and what the tools and `remind` got."""
    earlier, replies, says = case
    replies = [fail if one == SERVER_ERROR else one for one in replies]
    scene = Scene(agent_loop, *replies, earlier=earlier, says=says)
    if fail not in replies:
        expect(scene, "a run without an exception", lambda scene: scene.problem is None)
    ids = [one for message in scene.messages for one in list_ids(message, "tool_use")]
    lines = []
    for number, message in enumerate(scene.messages, 1):
        blocks = [describe_compared(block, ids) for block in blocks_of(message)]
        lines.append(f"{number}. {message['role']}: {', '.join(blocks) or 'nothing'}")
    lines.append(f"The tools got {scene.noted}.")
    if len(scene.tools) != 2:
        lines.append("The list of tools has changed.")
    if says is not None:
        lines.append(f"`remind` was called with {scene.asked}.")
    return "\n".join(lines)


def explain_difference(got: str, expected: str) -> str:
    """Say which is the first message that is not as it should be."""
    pairs = zip_longest(got.splitlines(), expected.splitlines(), fillvalue="")
    number, pair = next((n, pair) for n, pair in enumerate(pairs, 1) if len({*pair}) > 1)
    are_messages = all(line.startswith(f"{number}. ") for line in pair)
    return DIFFERS_AT.format(number) if are_messages else DIFFERS_AFTER


def fail(request: Any) -> Any:
    """Answer as an overloaded server does."""
    raise ApiError(529, "overloaded_error", "Overloaded")


def describe_compared(block: Any, ids: list[str]) -> str:
    """Return what is compared of a block. The words of an error are the learner's."""
    if block["type"] != "tool_result":
        return describe_block(block)
    output, *more = [str(part.get("text")) for part in blocks_of(block)] or [""]
    output = repr(output) if output.startswith("noted ") else "an error"
    answered = [*ids, block["tool_use_id"]].index(block["tool_use_id"]) + 1
    return " + ".join([f"result of call {answered} {output}", *map(repr, more)])


def tell(case: Any) -> str:
    """Return a conversation as a learner reads it."""
    earlier, replies, says = case
    scene = Scene.__new__(Scene)
    scene.replies, scene.says, scene.prompts_more = replies, says, False
    return ("After an earlier prompt and its reply:\n" if earlier else "") + scene.script
