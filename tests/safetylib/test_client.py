"""A client whose replies are checked, in a loop of the package's, a run's, or a learner's own."""

from contextlib import nullcontext

import anthropic
import pytest
from loopback import KEY, PROMPT, Server, error, http, message, reach
from support.blocks import THINKING, result, text, use
from support.loop import SETTINGS
from support.play_loop import rounds

from agentlib import CheckedClient
from lesson.runs.watch import WatchedClient
from safetylib.wire import client
from safetylib.wire.ends import RequestLimitError
from safetylib.wire.replies import check_reply


def bare(server):
    return anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0)


def answer(id_, output):
    """Return a message with the result of a call."""
    return {"role": "user", "content": [result(id_) | {"content": output}]}


def ask(client, messages):
    """Ask once and keep the reply, as in the notebook s02."""
    reply = client.messages.create(messages=messages, **SETTINGS)
    messages.append({"role": "assistant", "content": reply.content})


@pytest.mark.parametrize(
    "kind", ["bare", "checked", "watched", "connected", "watched connected", "own connected"]
)
def test_a_reply_is_checked_once(kind, monkeypatch):
    checked = []

    def note(*args):
        checked.append(args)
        return check_reply(*args)

    monkeypatch.setattr(client, "check_reply", note)
    monkeypatch.setattr("safetylib.wire.server.anthropic_client.check_reply", note)
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
    assert sent == [{"role": "user", "content": [text("Go"), text("Go on")]}]


def test_other_attributes_are_those_of_the_client():
    with Server(counts=[http(200, {"input_tokens": 5})]) as server:
        inner = bare(server)
        outer = CheckedClient(inner)
        assert outer.base_url == inner.base_url
        assert outer.messages.count_tokens(messages=PROMPT, model="m").input_tokens == 5
        assert outer.requests_sent == 0  # it asks no model
        with pytest.raises(AttributeError):
            outer.nothing  # noqa: B018


WAYS = {
    "create": lambda client, **sent: client.messages.create(**sent),
    "with_options": lambda client, **sent: client.with_options(timeout=9).messages.create(**sent),
    "copy": lambda client, **sent: client.copy().messages.create(**sent),
    "raw": lambda client, **sent: client.messages.with_raw_response.create(**sent),
    "beta": lambda client, **sent: client.beta.messages.create(**sent),
    "stream": lambda client, **sent: client.messages.stream(**sent).__enter__().close(),
    "around it": lambda client, **sent: CheckedClient(client, 9).messages.create(**sent),
    "watched": lambda client, **sent: WatchedClient(client, print).messages.create(**sent),
}


class Proxy:
    """A client as a tracing library returns it."""

    def __init__(self, client):
        self.client = client

    def __getattr__(self, name):
        return getattr(self.client, name)


@pytest.mark.parametrize("wrap", [lambda client: client, Proxy], ids=["client", "proxy"])
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(("most", "sent"), [(3, 3), (2.5, 2), (0, 0), (-1, 0)])
def test_limit_of_requests_is_kept_by_each_way_to_send_one(way, most, sent, wrap):
    with Server(error(529, "Busy")) as server:
        client = CheckedClient(wrap(anthropic.Anthropic(api_key=KEY, base_url=server.url)), most)
        with pytest.raises(RequestLimitError, match=rf"\({sent} of {most}\). Nothing was sent"):
            for _ in range(9):
                way(client, messages=[*PROMPT], **SETTINGS)
    assert client.requests_sent == sent
    assert len(server.requests) == (sent and sent + 1)  # the SDK tries the first one again


def test_limit_can_be_lowered_below_what_was_sent():
    with Server() as server:
        client = CheckedClient(bare(server))
        for client.max_requests in (9, 9, 9, 2):
            with nullcontext() if client.max_requests > 2 else pytest.raises(RequestLimitError):
                ask(client, [*PROMPT])
    assert len(server.requests) == 3


HALF = "caf\udce9.txt"  # what Python makes of the name of a file in Latin-1
NAMES = {
    "a prompt": [{"role": "user", "content": HALF}],
    "a text": [{"role": "user", "content": [text(HALF)]}],
    "a result": [*PROMPT, {"role": "assistant", "content": [use("ls", "t")]}, answer("t", HALF)],
    "a text in a result": [
        *PROMPT,
        {"role": "assistant", "content": [use("ls", "t", path=HALF)]},
        answer("t", [text(HALF)]),
    ],
}


@pytest.mark.parametrize("is_connected", [False, True], ids=["bare", "connect"])
@pytest.mark.parametrize("messages", NAMES.values(), ids=NAMES)
def test_half_of_a_character_is_sent_as_a_question_mark(messages, is_connected):
    before = repr(messages)
    with Server() as server:
        client = reach(server)[0].client if is_connected else CheckedClient(bare(server))
        for _ in range(2):
            ask(client, [*messages])
    assert all("caf?.txt" in str(request["messages"][-1]) for request in server.requests)
    assert len(server.requests) == 2 and repr(messages) == before
