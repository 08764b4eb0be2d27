"""A client whose replies are checked, in a loop of the package's, a run's, or a learner's own."""

import anthropic
import pytest
from loopback import KEY, PROMPT, Server, message, reach
from support.blocks import THINKING, text
from support.loop import SETTINGS

from agentlib import CheckedClient, rounds
from lesson.runs.watch import WatchedClient
from safetylib import client
from safetylib.replies import check_reply


def bare(server):
    return anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0)


def ask(client, messages):
    """Ask once and keep the reply, as in the notebook s02."""
    reply = client.messages.create(messages=messages, **SETTINGS)
    messages.append({"role": "assistant", "content": reply.content})


@pytest.mark.parametrize(
    "kind", ["bare", "checked", "watched", "connected", "watched connected", "own connected"]
)
def test_a_reply_is_checked_once(kind, monkeypatch):
    checked = []

    def note(*given):
        checked.append(given)
        return check_reply(*given)

    monkeypatch.setattr(client, "check_reply", note)
    monkeypatch.setattr("safetylib.server.anthropic_client.check_reply", note)
    with Server(message(text("Done."))) as server:
        more = {"client": bare(server)} if "own" in kind else {}
        used = reach(server, **more)[0].client if "connected" in kind else bare(server)
        if kind == "checked":
            used = CheckedClient(used)
        if "watched" in kind:
            used = WatchedClient(used, print)
        assert [*rounds(used, [*PROMPT], **SETTINGS)][-1].text == "Done."
    assert len(checked) == 1


@pytest.mark.parametrize("content", [[], [text(" \n")], [THINKING]])
@pytest.mark.parametrize("is_connected", [False, True], ids=["bare", "connect"])
def test_empty_reply_that_a_loop_keeps_is_not_sent(content, is_connected):
    with Server(message(*content), message(text("Done."))) as server:
        client = reach(server)[0].client if is_connected else CheckedClient(bare(server))
        messages = [*PROMPT]
        ask(client, messages)
        ask(client, [*messages, {"role": "user", "content": "Go on"}])
        sent = server.requests[-1]["messages"]
    assert messages[-1] == {"role": "assistant", "content": []}
    assert [one["role"] for one in sent] == ["user", "user"]


def test_other_attributes_are_those_of_the_client():
    with Server() as server:
        inner = bare(server)
        outer = CheckedClient(inner)
        assert outer.base_url == inner.base_url
        assert outer.messages.count_tokens == inner.messages.count_tokens
        with pytest.raises(AttributeError):
            outer.nothing  # noqa: B018
