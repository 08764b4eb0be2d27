"""Scripted models for the agent loop, and the check that a history can be sent."""

from lesson import PracticeModel
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
