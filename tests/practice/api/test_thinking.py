"""Thinking of the practice model is bound to all that was before it."""

import copy

import anthropic
import pytest
from support.blocks import THINKING, result, text, use

from lesson.practice.practice_model import PracticeModel

ROUNDS = 6
LOOK = {"name": "look", "description": "Look.", "input_schema": {"type": "object"}}
ASK = {"role": "user", "content": "Go"}
THOUGHT = {"type": "thinking", "thinking": "Hm."}
MARK = {"cache_control": {"type": "ephemeral"}}
BOUND = (
    "Invalid `signature` in `thinking` block. The block is bound to a different conversation. "
    'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
)


def look(request):
    return [text("I look."), use("look")]


def look_twice(request):
    return [text("First"), THOUGHT, text("I look."), THOUGHT, use("look")]


def converse(client, change, rounds=ROUNDS):
    """Return how many rounds of a loop are answered, and what the API says to the next one.

    `change` gets each request, which has the loop's own messages, and its number. It changes it in
    place, or returns another one.
    """
    messages = [dict(ASK)]
    for number in range(rounds):
        request = {"model": "practice", "max_tokens": 99, "system": "Look.", "tools": [LOOK]}
        request["messages"] = messages
        request = change(request, number) or request
        try:
            reply = client.messages.create(**request)
        except anthropic.BadRequestError as problem:
            return number, problem.body["error"]["message"]
        results = [result(block.id) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "assistant", "content": reply.content})
        messages.append({"role": "user", "content": results})
    return rounds, ""


def thinking(policy=look):
    return PracticeModel(policy, thinks=policy is look).client()


def as_copies(request, number):
    return copy.deepcopy(request)


def as_dicts_with_nulls(request, number):
    """Change the form of older replies, which are the SDK's objects at first."""
    for message in request["messages"][1:-2:2]:
        if not isinstance(message["content"][0], dict):
            message["content"] = [block.model_dump() for block in message["content"]]


def moving_marks(request, number):
    request = copy.deepcopy(request)
    request["messages"][0]["content"] = [text("Go")]
    request["messages"][-1]["content"][-1] |= MARK
    if number % 2:
        request["system"] = [text("Look.") | MARK]
    return request


def without_thinking(*replies):
    def change(request, number):
        if number == 3:
            for reply in replies:
                del request["messages"][1::2][reply]["content"][0]

    return change


def of_another_server(request, number):
    if number == 1:
        request["messages"][1]["content"][0] = THINKING


def result_in_place(request, number):
    if number == 4:
        request["messages"][2]["content"][0]["content"] = "(left out)"


def date_in_the_system_prompt(request, number):
    request["system"] += f" It is 10:0{number}."


def one_tool_more(request, number):
    request["tools"] = [LOOK, LOOK | {"name": "list"}][: 1 + number // 3]


ACCEPTED = {
    "copies": as_copies,
    "other forms of a block": as_dicts_with_nulls,
    "cache marks, and strings as blocks": moving_marks,
    "the first one is missing": without_thinking(0),
    "all are missing": without_thinking(0, 1, 2),
    "one of another server": of_another_server,
}
# What changes, how many rounds are answered, and the first thinking block that does not fit
REJECTED = {
    "a result, in place": (result_in_place, 4, 3),
    "the date in the system prompt": (date_in_the_system_prompt, 1, 1),
    "one tool more": (one_tool_more, 3, 1),
    "one between two is missing": (without_thinking(1), 3, 5),
}


@pytest.mark.parametrize("change", ACCEPTED.values(), ids=ACCEPTED)
def test_thinking_behind_the_same_conversation_is_accepted(change):
    assert converse(thinking(), change) == (ROUNDS, "")


@pytest.mark.parametrize("change, answered, place", REJECTED.values(), ids=REJECTED)
def test_thinking_behind_a_change_is_rejected_in_the_words_of_the_api(change, answered, place):
    error = f"messages.{place}.content.0: {BOUND}"
    assert converse(thinking(), change) == (answered, error)


def test_two_conversations_on_one_client_do_not_meet():
    client = thinking()
    other = {"system": "Look often."}
    assert converse(client, lambda request, number: request | other) == (ROUNDS, "")
    assert converse(client, as_copies) == (ROUNDS, "")


@pytest.mark.parametrize(
    "message, block, first",
    [(1, 1, None), (1, 3, "messages.3.content.1"), (3, 1, "messages.3.content.2")],
    ids=["the first of all", "the second of a reply", "the first of a later reply"],
)
def test_two_blocks_of_one_reply_are_bound_in_turn(message, block, first):
    def leave_out(request, number):
        if number == 2:
            del request["messages"][message]["content"][block]

    answer = (2, f"{first}: {BOUND}") if first else (ROUNDS, "")
    assert converse(thinking(look_twice), leave_out) == answer
