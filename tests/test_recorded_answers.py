"""What the real API answered, recorded, goes through our client and our loop.

The recordings are other people's, so they stay outside the repository; without them these tests
are skipped.
"""

import json
from pathlib import Path

import anthropic
import pytest
from loopback import Server, http
from test_connect import PROMPT, reach
from test_loop import SETTINGS

from agentlib import Tool, run
from lesson import PracticeModel

FOLDER = Path(__file__).parents[2] / "shared" / "wire"
RECORDINGS = sorted(FOLDER.glob("[0-9]*.json"))
pytestmark = pytest.mark.skipif(not RECORDINGS, reason="the recorded exchanges are not here")


def exchanges(refused):
    for path in RECORDINGS:
        exchange = json.loads(path.read_text(encoding="utf-8"))
        if (exchange["response"]["status"] >= 400) == refused:
            yield pytest.param(exchange, id=path.stem)


def recorded(exchange):
    """The answer, as bytes on the wire."""
    response = exchange["response"]
    kind = response["headers"].get("content-type", "application/json")
    body = response["sse"] if "sse" in response else json.dumps(response["body"])
    return http(response["status"], body, f"content-type: {kind}")


def whole(exchange):
    """The recorded message. One that was streamed is put together by the SDK itself."""
    if "sse" not in exchange["response"]:
        return exchange["response"]["body"]
    with Server(recorded(exchange)) as server:
        agent, _ = reach(server)
        with agent.client.messages.stream(messages=PROMPT, **agent.settings) as stream:
            return stream.get_final_message().to_dict(mode="json")


@pytest.mark.parametrize("exchange", list(exchanges(refused=False)))
def test_an_answer_of_the_real_api_is_worked_on_and_goes_back_as_it_came(exchange):
    answer, ran = whole(exchange), []
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
    client = PracticeModel(lambda request: [{"type": "text", "text": "Fine."}]).client()
    client.messages.create(messages=[*messages, *PROMPT], **SETTINGS)


@pytest.mark.parametrize("exchange", list(exchanges(refused=True)))
def test_an_error_of_the_real_api_is_explained_and_leaves_the_history_alone(exchange):
    with Server(recorded(exchange)) as server:
        agent, _ = reach(server)
        messages = list(PROMPT)
        with pytest.raises(anthropic.APIStatusError) as refused:
            run(agent.client, messages, **agent.settings)
        assert refused.value.status_code == exchange["response"]["status"]
        assert len(refused.value.__notes__) == 1
        assert messages == PROMPT
        assert run(agent.client, messages, **agent.settings)[-1].text == "Done."
