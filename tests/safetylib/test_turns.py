"""What a CheckedClient sends: the API reads messages of one role in a row as one turn."""

from itertools import pairwise, product

import anthropic
import pytest
from anthropic.types import TextBlock, ToolUseBlock
from loopback import KEY, PROMPT, Server
from support.blocks import result, text, use
from support.loop import SETTINGS, assert_sendable

from agentlib import CheckedClient
from lesson.common.message_blocks import blocks_of
from lesson.runs import watch
from lesson.runs.watch import WatchedClient
from safetylib.wire import client
from safetylib.wire.replies import NO_RESULT, make_history_sendable

MORE_WORDS = {"role": "user", "content": "Go on"}


def says(*blocks):
    return {"role": "assistant", "content": [*blocks]}


def user(*blocks):
    return {"role": "user", "content": [*blocks]}


def make_client(kind, server):
    bare = anthropic.Anthropic(api_key=KEY, base_url=server.url, max_retries=0)
    if kind == "checked":
        return CheckedClient(bare)
    return WatchedClient(bare, id, window=4 if kind == "window" else None)


def send(messages):
    """Return what the server gets of these messages."""
    with Server() as server:
        make_client("checked", server).messages.create(messages=messages, **SETTINGS)
    return server.requests[-1]["messages"]


CALL = [*PROMPT, says(text("I look."), use("ls", "a"), use("ls", "b"))]
BLOCKS = [*PROMPT, *(says(block) for block in CALL[1]["content"])]
DONE, MORE = (
    [result("a"), result("b", "two")],
    [says(use("ls", "c")), user(result("c")), MORE_WORDS],
)
NO_WORDS = (user(), user(text(" \n")), {"role": "user", "content": ""})
HISTORIES = {
    "two prompts": [*PROMPT, MORE_WORDS, says(text("Yes.")), user(text("a"), text("b")), *PROMPT],
    "marked": [*CALL, user(DONE[0]), user(DONE[1] | {"cache_control": {"type": "ephemeral"}})],
    "words before": [*CALL, MORE_WORDS, user(*DONE)],
    "an end without results": [*CALL, user(DONE[0])],
}
# Each style of a loop, interrupted after so many results, and the next prompt.
for replies, count, style, words in product((CALL, BLOCKS), range(3), range(3), range(2)):
    results = [
        [user(*DONE[:count])],  # in one message, which can be empty
        [user(one) for one in DONE[:count]],
        [NO_WORDS[count], *(user(one) for one in DONE[:count]), NO_WORDS[count]],
    ][style]
    behind = [user(text("Update your list."))] if words else []
    name = f"{len(replies)} messages, {count} results, style {style}, {words} words"
    HISTORIES[name] = [*replies, *results, *behind, MORE_WORDS, *MORE]


def list_blocks(messages, kind):
    blocks = [block for message in messages for block in blocks_of(message)]
    return [one for one in blocks if one["type"] == kind and one.get("text", "x").strip()]


@pytest.mark.parametrize("messages", HISTORIES.values(), ids=HISTORIES)
def test_each_history_is_accepted_with_its_words_calls_and_results_in_their_order(messages):
    before = repr(messages)
    sent = send(messages)
    assert_sendable(sent)
    assert repr(messages) == before
    assert "user" not in [a["role"] for a, b in pairwise(sent) if a["role"] == b["role"]]
    for kind in "text", "tool_use":
        assert list_blocks(sent, kind) == list_blocks(messages, kind)
    given = {one["tool_use_id"]: one for one in list_blocks(messages, "tool_result")}
    ids = [one["id"] for one in list_blocks(messages, "tool_use")]
    assert list_blocks(sent, "tool_result") == [
        given.get(id, result(id, NO_RESULT, is_error=True)) for id in ids
    ]


def test_result_with_an_id_that_is_a_list_is_left_to_the_api():
    odd = result(["b"])
    lost = result("b", NO_RESULT, is_error=True)
    assert send([*CALL, user(odd, DONE[0])])[-1] == user(odd, DONE[0], lost)


@pytest.mark.parametrize("end", NO_WORDS)
def test_api_says_what_is_wrong_with_an_empty_prompt_or_an_unknown_field(end):
    odd = MORE_WORDS | {"odd": 1}
    for messages in [[*PROMPT, says(text("Yes.")), end], [*PROMPT, odd, says(text("Yes.")), end]]:
        assert send(messages) == messages
        with pytest.raises(anthropic.BadRequestError):
            assert_sendable(messages)


def change_in_place(messages):
    messages[3]["content"][0].text = "Changed."


def remove_a_round(messages):
    del messages[1:3]
    messages[0] = {"role": "user", "content": "Changed."}


def append_a_call(messages):
    messages[3]["content"].append(ToolUseBlock(**use("ls", "c", path="Changed.")))


@pytest.mark.parametrize("change", [change_in_place, remove_a_round, append_a_call])
@pytest.mark.parametrize("kind", ["checked", "watched", "window"])
def test_change_of_an_older_message_is_sent(change, kind):
    messages = [*PROMPT]
    for n in range(3):
        call = ToolUseBlock(**use("ls", f"t{n}"))
        messages += [says(TextBlock(**text(f"{n}")), call), user(result(f"t{n}"))]
    with Server() as server:
        one, another = make_client(kind, server), make_client(kind, server)
        one.messages.create(messages=messages, **SETTINGS)
        change(messages)
        for client in one, another:
            client.messages.create(messages=messages, **SETTINGS)
    before, sent, expected = (request["messages"] for request in server.requests)
    assert sent == expected != before and "Changed." in str(sent)
    assert_sendable(sent)


@pytest.mark.parametrize("kind", ["checked", "watched", "window"])
def test_a_request_is_repaired_once(kind, monkeypatch):
    repaired = []

    def note(messages):
        repaired.append(messages)
        return make_history_sendable(messages)

    for module in client, watch:
        monkeypatch.setattr(module, "make_history_sendable", note)
    with Server() as server:
        make_client(kind, server).messages.create(messages=[*CALL], **SETTINGS)
    assert len(repaired) == len(server.requests) == 1


def test_request_of_a_run_is_kept_as_it_was_sent():
    messages = [*CALL, user(result("a", "caf\udce9.txt"), result("b"))]
    with Server() as server:
        watched = make_client("watched", server)
        for _ in range(2):
            watched.messages.create(messages=messages, **SETTINGS)
    assert [one["messages"] for one in watched.requests] == [
        one["messages"] for one in server.requests
    ]
