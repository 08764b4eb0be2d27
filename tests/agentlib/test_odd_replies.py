"""Odd replies: whatever a server sends, a run goes on or says so, and its history can be sent.

Each reply is a good one with one change. The changes are generated: a missing field, a value of
another type, half a character, deep nesting, a block of a type that the SDK does not know.
"""

import json
from copy import deepcopy
from dataclasses import replace
from functools import partial

import anthropic
import pytest
from hypothesis import settings
from loopback import KEY, Server, http
from support.blocks import reply, result, text, use
from support.loop import PROMPT, SETTINGS, assert_sendable

import lesson
from agentlib import Tool, run
from lesson.program.main import PrintingClient, play_to_the_end
from safetylib.escape import for_api

ECHO = Tool("echo", "Echoes.", {"type": "object"}, lambda **input: str(input))
NEW = {"type": "novel", "data": {"a": [1]}}
THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
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


def nested(depth):
    value = "deep"
    for _ in range(depth):
        value = [value]
    return value


VALUES = {
    "missing": MISSING,
    "null": None,
    "empty": "",
    "space": " ",
    "word": "length",
    "half a character": "a\ud83d",
    "long": "x" * 300,
    "odd letters": "functions.echo:0",
    "0": 0,
    "true": True,
    "1.5": 1.5,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "[]": [],
    "{}": {},
    "list": ["a", None],
    "object": {"a": {"b": None}},
    "deep": nested(50),
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


REPLIES = dict(odd_replies())


PLAYERS = ["own client", "connect", "my_agent"]
IS_THOROUGH = settings.default.max_examples > 1000  # --hypothesis-profile=fuzz


def parts(whose):
    """Return the names of the replies that one of PLAYERS tries: a third of all.

    Each reply is tried by one of the three, because all by each take more than a minute.
    """
    names = [*REPLIES]
    return names if IS_THOROUGH else names[PLAYERS.index(whose) :: 3]


def kept(sent):
    """Return the blocks of a reply that have a type which the loop does not know."""
    known = ("text", "thinking", "redacted_thinking", "tool_use")
    blocks = sent.get("content")
    blocks = blocks if isinstance(blocks, list) else []
    return [block for block in blocks if isinstance(block, dict) and block["type"] not in known]


def as_the_offline_api_knows_it(messages):
    """Return a history in which the blocks of Anthropic's own server are as it sends them."""
    fields = {"thinking": ("type", "thinking", "signature"), "redacted_thinking": ("type", "data")}
    copy = deepcopy(messages)
    for message in copy:
        for block in message["content"] if isinstance(message["content"], list) else ():
            if block["type"] in fields:
                for name in block.keys() - fields[block["type"]]:
                    del block[name]
    return copy


def clean(thing):
    """Return plain data as it can be sent: "?" for half a character, null for no number."""
    text = for_api(json.dumps(thing, ensure_ascii=False))
    return json.loads(text, parse_constant=lambda constant: None)


def try_each(names, try_one):
    """Try each of these replies. Fail with the names of those that fail, and the reasons."""
    problems = []
    for name in names:
        try:
            try_one(REPLIES[name])
        except Exception as problem:
            problems.append(f"{name}: {problem!r:.300}")
    assert not problems, "\n".join(problems)


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        yield server


def answer(server, sent):
    server.answers[:] = [http(200, sent)]


@pytest.mark.parametrize("whose", ["own client", "connect"])
def test_run_goes_on_or_raises_value_error_and_its_history_can_be_sent(server, whose):
    client = anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0)
    if whose == "connect":
        model = lesson.connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=lambda line: None)
        client, model.limits.max_requests, model.limits.max_tokens = model.client, 10**6, 10**20

    def try_one(sent):
        messages = [PROMPT]
        answer(server, sent)
        try:
            played = run(client, messages, [ECHO], **SETTINGS)
        except ValueError as problem:
            assert "sent no valid message, but this: " in str(problem)
            assert messages == [PROMPT]
            return
        assert_sendable(as_the_offline_api_knows_it(messages))
        other = clean(kept(sent))
        found = [block for message in messages[1:2] for block in message["content"]]
        assert not [block for block in found if block in other]
        assert all(f"({block['type']})" in played[0].text for block in other)

    try_each(parts(whose), try_one)


FOUND = {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": []}


@pytest.mark.parametrize(
    "content, stop_reason, is_kept",
    [
        ([SEARCH, FOUND, text("Hello.")], "end_turn", True),
        ([SEARCH], "pause_turn", False),
        ([SEARCH, use("echo", "toolu_1")], "tool_use", False),
        ([SEARCH, text("Hello.")], "end_turn", False),
        ([SEARCH, FOUND | {"tool_use_id": "srv_2"}, text("Hello.")], "end_turn", False),
        ([text("Hm."), SEARCH], "max_tokens", False),
        ([SEARCH], "refusal", False),
    ],
)
def test_call_of_the_server_goes_back_only_with_its_result(server, content, stop_reason, is_kept):
    client = anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0)
    messages = [PROMPT]
    answer(server, reply(*content, stop_reason=stop_reason))
    run(client, messages, [ECHO], **SETTINGS)
    blocks = [block for message in messages[1:] for block in message["content"]]
    assert (SEARCH in blocks) is is_kept
    assert_sendable(messages)


HOLOGRAM = {"type": "hologram", "data": "x"}
MCP = {"type": "mcp_tool_use", "id": "mcp_1", "name": "a", "server_name": "b", "input": {}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_0", "content": "I answer myself."}


@pytest.mark.parametrize("whose", ["own client", "connect"])
@pytest.mark.parametrize(
    "content",
    [
        [text("Hello."), HOLOGRAM],
        [MCP, use("echo")],
        [use("echo"), RESULT],
        [text("Hello.", extra=1)],
        [use("echo") | {"extra": 1}],
        [HOLOGRAM],
        [use("echo", "call_1"), use("echo", "call_1", words="other")],
    ],
    ids=["unknown", "mcp", "a result", "field of a text", "field of a call", "alone", "one id"],
)
def test_history_can_be_sent_after_what_the_api_would_reject(server, whose, content):
    client = anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0)
    if whose == "connect":
        client = lesson.connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=str).client
    messages = [PROMPT]
    answer(server, reply(*content))
    played = run(client, messages, [ECHO], **SETTINGS)
    assert_sendable(messages)
    assert "hologram" not in str(messages)
    assert ("(hologram)" in played[0].text) == (HOLOGRAM in content)


def test_calls_with_one_id_in_two_rounds_get_new_ids_and_their_own_results(server):
    client = lesson.connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=str).client
    messages = [PROMPT]
    calls = [[use("echo", "call_1", a=n), use("echo", "call_2", b=n)] for n in range(3)]
    server.answers[:] = [http(200, reply(*one)) for one in calls]
    run(client, messages, [ECHO], **SETTINGS)
    assert_sendable(messages)
    turns, answers = messages[1:6:2], messages[2:7:2]
    ids = [[block["id"] for block in turn["content"]] for turn in turns]
    assert ids == [["call_1", "call_2"], ["call_1_2", "call_2_2"], ["call_1_3", "call_2_3"]]
    for turn, results in zip(turns, answers, strict=True):
        for block, its in zip(turn["content"], results["content"], strict=True):
            assert its["tool_use_id"] == block["id"]
            assert its["content"] == str(block["input"])


def test_call_that_came_twice_runs_once(server):
    """A badly joined stream repeats a block, with its id. Another input is another call."""
    messages, ran = [PROMPT], []
    tool = replace(ECHO, run=lambda **given: ran.append(given) or "done")
    twice = [use("echo", "call_1", a=1), text("Hello."), use("echo", "call_1", a=1)]
    server.answers[:] = [http(200, reply(*twice, use("echo", "call_1", a=2)))]
    client = anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0)
    played = run(client, messages, [tool], **SETTINGS)
    assert ran == [{"a": 1}, {"a": 2}] == [call.input for call in played[0].calls]
    assert [block.get("id") for block in messages[1]["content"]] == ["call_1", None, "call_1_2"]
    assert_sendable(messages)


def test_id_of_a_call_in_a_tuple_is_not_given_again(server):
    client = anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0)
    messages = [PROMPT, {"role": "assistant", "content": (use("echo", "call_1"),)}]
    messages += [{"role": "user", "content": (result("call_1"),)}]
    server.answers[:] = [http(200, reply(use("echo", "call_1")))]
    run(client, messages, [ECHO], **SETTINGS)
    assert_sendable(messages)


def test_own_loop_gets_unique_ids_from_connect(server):
    model = lesson.connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=str)
    server.answers[:] = [http(200, reply(use("echo", "call_1"))) for _ in range(2)]
    first = model.client.messages.create(messages=[PROMPT], **model.settings)
    messages = [PROMPT, {"role": "assistant", "content": first.content}]
    messages += [{"role": "user", "content": [result("call_1")]}]
    second = model.client.messages.create(messages=messages, **model.settings)
    assert [first.content[0].id, second.content[0].id] == ["call_1", "call_1_2"]


def test_my_agent_goes_on_or_ends_with_a_sentence(server, capsys):
    model = lesson.connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=lambda line: None)
    model.limits.max_requests, model.limits.max_tokens = 10**6, 10**20
    client = PrintingClient(model)

    def try_one(sent):
        answer(server, sent)
        capsys.readouterr()
        try:
            assert not play_to_the_end(partial(run, client, [PROMPT], [ECHO], **model.settings))
        except SystemExit as end:
            assert isinstance(end.code, str)
            return
        if client.describe_end():  # then the program says so at its end
            return
        shown = capsys.readouterr().out
        if not any(block.get("type") == "tool_use" for block in sent["content"] or []):
            assert all(f"({clean(block)['type']})" in shown for block in kept(sent))

    try_each(parts("my_agent"), try_one)
