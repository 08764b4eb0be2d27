"""Send recorded answers of the real API through the client and the loop.

The recorded exchanges are other people's, so they stay outside the repository. Without them these
tests are skipped.
"""

import json
from pathlib import Path

import anthropic
import pytest
from loopback import PROMPT, Server, http, reach
from support.loop import SETTINGS, assert_sendable
from support.streams import Wire, listening

from agentlib import Tool, run

FOLDER = Path(__file__).parents[2] / "shared" / "wire"
EXCHANGES = {path.stem: json.loads(path.read_text("utf-8"))["response"]
             for path in sorted(FOLDER.glob("[0-9]*.json"))}  # fmt: skip
pytestmark = pytest.mark.skipif(not EXCHANGES, reason="the recorded exchanges are not here")


def each(matches):
    """Parametrize a test by the recorded responses for which `matches` is true."""
    chosen = {name: response for name, response in EXCHANGES.items() if matches(response)}
    return pytest.mark.parametrize("response", chosen.values(), ids=chosen)


def read_with_the_sdk(response):
    """Return the recorded message. If it was streamed, the SDK alone assembles it."""
    if "sse" not in response:
        return response["body"]
    client = Wire([response["sse"].encode()]).client
    with client.messages.stream(messages=PROMPT, **SETTINGS) as events:
        return events.get_final_message().to_dict(mode="json")


@each(lambda response: response["status"] < 400)
def test_recorded_reply_is_returned_to_the_api_unchanged(response):
    answer, ran = read_with_the_sdk(response), []
    uses = [block for block in answer["content"] if block["type"] == "tool_use"]

    def act(**input):
        ran.append(input)
        return "done"

    tools = [Tool(name, "", {"type": "object"}, act) for name in {use["name"] for use in uses}]
    with Server(http(200, answer)) as server:
        agent, _ = reach(server)
        messages = list(PROMPT)
        played = run(agent.client, messages, tools, **agent.settings)
    cut = answer["stop_reason"] in ("max_tokens", "refusal") and answer["content"][-1:] == uses[-1:]
    assert ran == [use["input"] for use in uses][: len(uses) - cut]
    assert played[0].usage.output_tokens == answer["usage"]["output_tokens"]
    kept = [block for block in answer["content"] if block.get("text") != ""]
    assert messages[1:2] == [{"role": "assistant", "content": kept}] * bool(kept)
    results = [block["tool_use_id"] for block in messages[2]["content"]] if uses else []
    assert results == [use["id"] for use in uses]
    assert_sendable([*messages, *PROMPT])


@each(lambda response: "sse" in response)
def test_streaming_a_recorded_reply_equals_the_sdk(response):
    with listening(lambda words: None):
        client = Wire([response["sse"].encode()]).client
        ours = client.messages.create(messages=PROMPT, **SETTINGS)
    with client.messages.stream(messages=PROMPT, **SETTINGS) as events:
        by_the_sdk = events.get_final_message()
    assert json.loads(ours.to_json(exclude_none=True)) == json.loads(
        by_the_sdk.to_json(exclude_none=True)
    )


@each(lambda response: response["status"] >= 400)
def test_recorded_error_is_explained_and_leaves_the_history_unchanged(response):
    kind = response["headers"].get("content-type", "application/json")
    answer = http(response["status"], json.dumps(response["body"]), f"content-type: {kind}")
    with Server(answer) as server:
        agent, _ = reach(server)
        messages = list(PROMPT)
        with pytest.raises(anthropic.APIStatusError) as refused:
            run(agent.client, messages, **agent.settings)
        assert refused.value.status_code == response["status"]
        assert len(refused.value.__notes__) == 1
        assert messages == PROMPT
        assert run(agent.client, messages, **agent.settings)[-1].text == "Done."
