"""Scripted models for the agent loop, and the check that a history can be sent."""

from lesson import PracticeModel
from lesson.common.message_blocks import blocks_of
from safetylib.wire.replies import NO_RESULT
from safetylib.wire.server.connect import make_settings
from support.blocks import text

SETTINGS = make_settings("practice", 1000)
PROMPT = {"role": "user", "content": "Go"}
ANY_TOOL = {"name": "any", "input_schema": {"type": "object"}}


def scripted(*replies):
    """Return a practice model that gives these replies, one after another, and then "Done."."""

    def policy(request):
        turn = sum(message["role"] == "assistant" for message in request["messages"])
        return replies[turn] if turn < len(replies) else [text("Done.")]

    return PracticeModel(policy)


def assert_sendable(messages):
    """Send the history to the offline API, which rejects what the real one rejects."""
    client = PracticeModel(lambda request: [text("Fine.")]).client()
    nudge = [{"role": "user", "content": "Go on"}] if messages[-1]["role"] == "assistant" else []
    client.messages.create(messages=messages + nudge, tools=[ANY_TOOL], **SETTINGS)


def assert_every_call_is_sent(messages, ran):
    """Assert that a request can be sent, and what it says of each call. Return their numbers."""
    assert_sendable(messages)
    assert len(ran) == len(set(ran)), "a call ran twice"
    blocks = [block for message in messages for block in blocks_of(message)]
    outputs = {b["tool_use_id"]: b["content"] for b in blocks if b["type"] == "tool_result"}
    calls = {b["input"]["n"]: outputs[b["id"]] for b in blocks if b["type"] == "tool_use"}
    assert set(ran) <= set(calls), "a call ran that is not in the request"
    for n, output in calls.items():
        assert output == NO_RESULT or n in ran and output == f"did {n}"
    return [*calls]
