"""Odd replies: whatever a server sends, a run goes on or says so, and its history can be sent.

Each reply is a good one with one change. The changes are generated: a missing field, a value of
another type, half a character, deep nesting, a block of a type that the SDK does not know.
"""

import json
import re
from copy import deepcopy

import anthropic
import pytest
from judge_rules import make, module_of
from loopback import KEY, Server, http
from support.blocks import THINKING, reply, text, use
from support.loop import PROMPT, SETTINGS, assert_sendable
from support.play_loop import run

import lesson
from agentlib import CheckedClient, RunEndedError, Tool
from lesson.runs.from_messages import plain_messages
from lesson.runs.watch import WatchedClient
from safetylib.guard.escape import for_api
from safetylib.wire.replies import is_empty

# The SDK warns about a value of another type in a field that is not read.
pytestmark = [pytest.mark.release, pytest.mark.filterwarnings("ignore:Pydantic serializer")]
ECHO = Tool("echo", "Echoes.", {"type": "object"}, lambda **input: str(input))
NEW = {"type": "novel", "data": {"a": [1]}}
SEARCH = {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "x"}}
CONTENTS = {
    "text": [text("Hello.")],
    "thinking": [THINKING, text("Hello.")],
    "redacted": [{"type": "redacted_thinking", "data": "c2ln"}, text("Hello.")],
    "call": [text("I echo."), use("echo", "toolu_1", words="hi")],
    "calls": [use("echo", "toolu_1", words="hi"), use("echo", "toolu_2")],
    "search": [SEARCH, text("Hello.")],
    "new": [text("Hello."), NEW],
    "only new": [NEW],
    "new before a call": [NEW, use("echo", "toolu_1")],
    "new after a call": [use("echo", "toolu_1"), NEW],
}
MISSING = object()


VALUES = {
    "missing": MISSING,
    "null": None,
    "empty": "",
    "space": " ",
    "word": "length",
    "half a character": "a\ud83d",
    "long": "x" * 300,
    "odd letters": "functions.echo:0",
    "true": True,
    "NaN": float("nan"),
    "[]": [],
    "{}": {},
    "list": ["a", None],
    "deep": json.loads("[" * 50 + "]" * 50),
}


def changed(thing, field, value):
    """Return a copy of an object with this value in the field, or without the field."""
    copy = deepcopy(thing)
    copy[field] = value
    return {name: copy[name] for name in copy if copy[name] is not MISSING}


def odd_replies():
    """Yield a name and a reply for each change."""
    for kind, content in CONTENTS.items():
        good = reply(*content)
        for place, block in enumerate(content):
            for field in (*block, "extra", "text", "name", "citations"):
                for name, value in VALUES.items():
                    blocks = deepcopy(content)
                    blocks[place] = changed(block, field, value)
                    yield f"{kind}, {field} of block {place}: {name}", good | {"content": blocks}
        for field in (*good, "extra"):
            for name, value in VALUES.items():
                yield f"{kind}, {field}: {name}", changed(good, field, value)
        for name, value in VALUES.items():
            if value is not MISSING:
                yield f"{kind}, with {name}", good | {"content": [*content, value]}
    yield "two calls with one id", reply(use("echo", "toolu_1"), use("echo", "toolu_1"))


BODIES = {
    "login page": "<!doctype html><title>Log in</title>",
    "error object": {"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}},
    "stream": "event: message_start\ndata: {}\n\n",
    "null": "null",
    "list": "[1]",
    "number": "1",
    "string": '"Hello."',
    "nothing": "",
    "half of JSON": '{"role": "assist',
    "lists without end": "[" * 200_000,
    "no JSON": "Bad gateway",
    "only a role": {"role": "assistant"},
    "chat completion": {"choices": [{"message": {"role": "assistant", "content": "Hello."}}]},
    "NaN": json.dumps(reply(use("echo", "toolu_1", n=float("nan")))),
    "1e999": json.dumps(reply(use("echo", "toolu_1", n=0))).replace(": 0}", ": 1e999}"),
    "half an emoji in a key": reply(use("echo", "toolu_1", **{"a\ud83d": 1})),
    "half an emoji in a list": reply(use("todo", "toolu_1", items=[{"text": "a\ud83d"}])),
    "half an emoji in thinking": reply(THINKING | {"thinking": "a\ud83d"}, text("Hello.")),
    "half an emoji in a name": reply(use("echo\ud83d", "toolu_1")),
    "half an emoji in an id": reply(use("echo", "toolu_1\ud83d")),
    "300 kB": reply(text("x" * 300_000)),
    "codes of a terminal": reply(text("\x1b[2J\u202e\r")),
}
REPLIES = dict(odd_replies())
PLAYERS = ["own client", "by hand", "by hand, connect", "connect"]
KNOWN = {
    "text": ("type", "text"),
    "thinking": ("type", "thinking", "signature"),
    "redacted_thinking": ("type", "data"),
    "tool_use": ("type", "id", "name", "input"),
    "tool_result": ("type", "tool_use_id", "content", "is_error"),
}


def unknown_types(sent):
    """Return the types of blocks in a reply that the loop does not know."""
    blocks = sent.get("content") if isinstance(sent, dict) else None
    types = [block["type"] for block in blocks or () if isinstance(block, dict)]
    return [for_api(kind) for kind in types if kind not in KNOWN]


def as_the_offline_api_knows_it(messages):
    """Return a history with the blocks, fields and ids of Anthropic's own server only.

    What another server has added is sent back to it, because it may need it.
    """
    copy = []
    for message in plain_messages(messages):
        blocks = message["content"]
        if isinstance(blocks, list):
            readable = [block for block in blocks if block["type"] in KNOWN]
            blocks = [
                {
                    name: re.sub("[^a-zA-Z0-9_-]", "_", block[name])
                    if "id" in name
                    else block[name]
                    for name in KNOWN[block["type"]]
                    if name in block
                }
                for block in readable
            ]
        if not is_empty(message | {"content": blocks}):
            copy.append(message | {"content": blocks})
    return copy


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        yield server


def answer(server, sent):
    kind = "text/html" if sent == BODIES["login page"] else "application/json"
    headers = [f"content-type: {kind}"] if isinstance(sent, str) else []
    server.answers[:] = [http(200, sent, *headers, connection="keep-alive")]  # for thousands


# A learner's first loop, which keeps each reply.
by_hand, *_ = make("agent_loop", module_of("agent_loop").FIRST["plain"])


@pytest.mark.parametrize("whose", PLAYERS)
def test_run_goes_on_or_raises_value_error_and_its_history_can_be_sent(server, whose):
    client = CheckedClient(anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0))
    if "connect" in whose:
        model = lesson.connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=lambda line: None)
        client = model.client
        model.limits.max_requests, model.limits.max_total_tokens = 10**6, 10**20

    def try_one(sent):
        messages, played = [PROMPT], None
        answer(server, sent)
        try:
            if "by hand" in whose:
                by_hand(client, messages, [ECHO], **SETTINGS)
            else:
                played = run(client, messages, [ECHO], **SETTINGS)
        except RunEndedError as problem:
            assert "The model's server sent no valid message, but this: " in str(problem)
            assert messages == [PROMPT]
            return
        # The next request of the same loop arrives, and the API would accept it.
        answer(server, reply(text("Fine.")))
        asked = [*messages, {"role": "user", "content": "Go on"}]
        assert client.messages.create(messages=asked, **SETTINGS).content
        assert_sendable(as_the_offline_api_knows_it(server.requests[-1]["messages"]))
        # If a reply was cut off in its only call, the loop gets the next reply.
        if played and "your reply was cut off here" not in str(messages):
            assert all(f"({kind})" in played[0].text for kind in unknown_types(sent))

    problems = []
    # One of PLAYERS tries each reply. If all tried each, the test would take more than a minute.
    for name in [*BODIES, *[*REPLIES][PLAYERS.index(whose) :: len(PLAYERS)]]:
        try:
            try_one((REPLIES | BODIES)[name])
        except Exception as problem:
            problems.append(f"{name}: {problem!r:.300}")
    assert not problems, "\n".join(problems)


def test_calls_of_one_reply_with_one_id_get_their_own():
    sent = reply(use("echo", "call_1"), use("echo", "call_1", words="other"))
    with Server(http(200, sent)) as server:
        client = CheckedClient(anthropic.Anthropic(api_key=KEY, base_url=server.url))
        messages = [PROMPT]
        by_hand(client, messages, [ECHO], **SETTINGS)
    assert [block.id for block in messages[1]["content"]] == ["call_1", "call_1_2"]
    assert_sendable(messages)


def test_ids_of_a_server_are_sent_back_unchanged_and_each_round_has_its_own_results(server):
    """Kimi's models stop if `functions.echo:0` comes back as another id."""
    ids = ["functions.echo:0", "functions.echo:1"]
    server.answers[:] = [
        http(200, reply(*[use("echo", one, a=number) for one in ids])) for number in range(3)
    ]
    watched = WatchedClient(
        anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0), lambda round_: None
    )
    messages = [PROMPT]
    by_hand(watched, messages, [ECHO], **SETTINGS)
    sent = server.requests[-1]["messages"]
    assert [[block["id"] for block in one["content"]] for one in sent[1::2]] == [ids] * 3
    outputs = [[call.output for call in round_.calls] for round_ in watched.rounds]
    assert outputs == [[str({"a": number})] * 2 for number in range(3)] + [[]]
