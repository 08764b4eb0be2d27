"""What a CheckedClient sends: the API reads messages of one role in a row as one turn."""

from itertools import count, groupby, islice, pairwise

import anthropic
import pytest
from anthropic.types import TextBlock, ToolUseBlock
from loopback import KEY, PROMPT, Server
from support.blocks import result, text, use
from support.loop import ANY_TOOL, SETTINGS, assert_every_call_is_sent, assert_sendable

from agentlib import CheckedClient
from lesson import PracticeModel
from lesson.common.message_blocks import blocks_of
from lesson.runs import watch
from lesson.runs.from_messages import plain_messages
from lesson.runs.watch import WatchedClient
from safetylib.wire import client
from safetylib.wire.replies import NO_RESULT, calls_of, make_history_sendable

GO_ON = {"role": "user", "content": "Go on"}
CALLS = [use("work", f"toolu_{n}", n=n) for n in range(3)]


def says(*blocks):
    return {"role": "assistant", "content": [*blocks]}


def user(*blocks):
    return {"role": "user", "content": [*blocks]}


def keep_whole(messages, reply):
    messages.append({"role": "assistant", "content": reply.content})


def keep_blocks(messages, reply):
    messages.extend({"role": "assistant", "content": [block]} for block in reply.content)


def add_together(messages, calls, work):
    results = []
    messages.append({"role": "user", "content": results})
    for call in calls:
        yield
        results.append(result(call.id, work(call)))


def add_behind_words(messages, calls, work):
    yield from add_together(messages, calls, work)
    messages.append({"role": "user", "content": "Update your list."} if calls else user())


def add_each(messages, calls, work):
    for call in calls:
        yield
        messages.append(user(result(call.id, work(call))))


STYLES = {
    "an empty list first": (keep_whole, add_together),
    "a message for each result": (keep_whole, add_each),
    "a message for each block": (keep_blocks, add_each),
    "words in a message": (keep_whole, add_behind_words),
    "blocks, then an empty list": (keep_blocks, add_together),
}


def play(client, messages, style, work):
    """Run a loop in some style. It can be interrupted wherever it yields."""
    keep, add = style
    calls = [None]
    while calls:
        reply = client.messages.create(messages=messages, tools=[ANY_TOOL], **SETTINGS)
        yield
        keep(messages, reply)
        calls = calls_of(reply)
        yield
        yield from add(messages, calls, work)
        yield


def answer_turns(*turns):
    """Return a practice model that gives these replies, one for each turn, and then "Done."."""

    def policy(request):
        roles = [role for role, _ in groupby(one["role"] for one in request["messages"])]
        turn = roles.count("assistant")
        return turns[turn] if turn < len(turns) else [text("Done.")]

    return PracticeModel(policy)


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_next_prompt_is_accepted_after_an_interrupt_in_any_style(style):
    for instant in count(1):
        model = answer_turns([text("I work."), *CALLS[:2]], CALLS[2:])
        ran, messages, client = [], [*PROMPT], CheckedClient(model.client())

        def work(call, ran=ran):
            ran.append(call.input["n"])
            return f"did {ran[-1]}"

        steps = sum(1 for _ in islice(play(client, messages, style, work), instant))
        messages.append(GO_ON)
        for _ in play(client, messages, style, work):
            pass
        assert_every_call_is_sent(model.requests[-1]["messages"], ran)
        if steps < instant:
            break
    assert instant > 9 and ran == [0, 1, 2]


CALL = [*PROMPT, says(text("I look."), use("ls", "a"), use("ls", "b"))]
BLOCKS = [says(block) for block in CALL[1]["content"]]
ACCEPTED = {
    "two prompts": [*PROMPT, GO_ON, says(text("Yes.")), user(text("a"), text("b")), *PROMPT],
    "each result": [*CALL, user(result("a")), user(result("b", "two")), says(text("Fine.")), GO_ON],
    "each block": [*PROMPT, *BLOCKS, user(result("a")), user(result("b")), GO_ON],
    "words behind": [*CALL, user(result("a"), result("b"), text("1")), user(text("2")), GO_ON],
    "marked": [*CALL, user(result("a")), user(result("b", cache_control={"type": "ephemeral"}))],
}


def read_turns(messages):
    """Return the role and the blocks of each turn, as the API reads them."""
    turns = groupby(messages, lambda one: one["role"])
    return [(role, [b for one in turn for b in blocks_of(one)]) for role, turn in turns]


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


@pytest.mark.parametrize("messages", ACCEPTED.values(), ids=ACCEPTED)
def test_what_the_api_accepts_keeps_its_content_and_order(messages):
    assert_sendable(messages)
    before = repr(messages)
    sent = send(messages)
    assert read_turns(sent) == read_turns(messages) and repr(messages) == before
    assert "user" not in [a["role"] for a, b in pairwise(sent) if a["role"] == b["role"]]


LOST = result("b", NO_RESULT, is_error=True)
NO_WORDS = (user(), user(text(" \n")), {"role": "user", "content": ""})
MENDED = {
    "one result of two messages": ([*CALL, user(result("a")), GO_ON], [result("a"), LOST]),
    "words before": ([*CALL, GO_ON, user(result("a"), result("b"))], [result("a"), result("b")]),
    "an id that is a list": (
        [*CALL, user(result(["b"]), result("a"))],
        [result(["b"]), result("a"), LOST],
    ),
    "an end without results": ([*CALL, user(result("a"))], [result("a"), LOST]),
    **{
        f"{words['content']!r}, {place}": (
            [*CALL[:place], words, *CALL[place:], user(result("a")), words, GO_ON],
            [result("a"), LOST],
        )
        for words in NO_WORDS
        for place in (1, 2)
    },
}


@pytest.mark.parametrize("messages, first", MENDED.values(), ids=MENDED)
def test_results_are_first_in_the_turn_of_the_user_and_empty_messages_are_not_sent(messages, first):
    sent = send(messages)
    assert sent[:-1] == CALL and sent[-1]["content"][: len(first)] == first
    if "['b']" not in str(sent):  # the API says that this is no id
        assert_sendable(sent)


@pytest.mark.parametrize("end", NO_WORDS)
def test_api_says_what_is_wrong_with_an_empty_prompt_or_an_unknown_field(end):
    odd = GO_ON | {"odd": 1}
    for messages in [[*PROMPT, says(text("Yes.")), end], [*PROMPT, odd, says(text("Yes.")), end]]:
        assert send(messages) == messages
        with pytest.raises(anthropic.BadRequestError):
            assert_sendable(messages)


def as_object(block):
    return {"text": TextBlock, "tool_use": ToolUseBlock}[block["type"]](**block)


def change_a_block(messages, make):
    messages[3]["content"][0] = make(text("Changed."))


def change_in_place(messages, make):
    block = messages[3]["content"][0]
    fields = block if isinstance(block, dict) else vars(block)
    fields["text"] = "Changed."


def insert_a_prompt(messages, make):
    messages.insert(1, {"role": "user", "content": "Changed."})


def remove_a_round(messages, make):
    del messages[1:3]
    messages[0] = {"role": "user", "content": "Changed."}


def append_a_call(messages, make):
    messages[3]["content"].append(make(use("ls", "c", path="Changed.")))


def append_words(messages, make):
    messages[4]["content"].append(text("Changed."))


@pytest.mark.parametrize(
    "change",
    [
        change_a_block,
        change_in_place,
        insert_a_prompt,
        remove_a_round,
        append_a_call,
        append_words,
    ],
)
@pytest.mark.parametrize("make", [dict, as_object])
@pytest.mark.parametrize("kind", ["checked", "watched", "window"])
def test_change_of_an_older_message_is_sent(change, make, kind):
    messages = [*PROMPT]
    for n in range(3):
        messages += [says(make(text(f"{n}")), make(use("ls", f"t{n}"))), user(result(f"t{n}"))]
    with Server() as server:
        one, another = make_client(kind, server), make_client(kind, server)
        one.messages.create(messages=messages, **SETTINGS)
        change(messages, make)
        for client in one, another:
            client.messages.create(messages=messages, **SETTINGS)
    before, sent, expected = (request["messages"] for request in server.requests)
    assert sent == expected != before and "Changed." in str(sent)
    assert_sendable(sent)
    assert len(read_turns(sent)) == len(sent)  # the roles alternate
    in_loop = [block for one in plain_messages(messages) for block in blocks_of(one)]
    in_request = [block for one in sent for block in blocks_of(one)]
    calls = [block for block in in_loop if block["type"] == "tool_use"]
    kept = [block for block in in_request if block["type"] == "tool_use"]
    assert kept == (calls[1:] if kind == "window" and len(calls) > 2 else calls)


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
