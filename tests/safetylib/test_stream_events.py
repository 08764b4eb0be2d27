"""Streams as servers write them: they are read whole or requested again, and never in part."""

import json

import anthropic
import httpx2
import loopback  # makes retries fast
import pytest
from support.blocks import reply, text, use

from lesson.practice.api.events import list_events
from safetylib.wire.server.streams import StreamingClient

# The SDK warns about a value of another type in a field that is not read.
pytestmark = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
SEPARATORS = "a\u2028b\u2029c\x85d\x0b\x0c\x1ce"  # str.splitlines splits at each
THOUGHT = {"type": "thinking", "thinking": "A note, then more.", "signature": "c2ln"}
REPLIES = [
    reply(text("I look at café.py 😀, and then\n\nI shall see.")),
    reply(text(SEPARATORS), use("write_file", "t", path="a", content=SEPARATORS * 3)),
    reply(THOUGHT, text("Now."), use("bash", "t", command="ls \\n"), use("todo", "u", items=[{}])),
    reply(use("bash", "t"), tokens=(9, 4)),
]
THREE = REPLIES[2]  # a thought, a text and two calls
SETTINGS = {"model": "m", "max_tokens": 100, "messages": loopback.PROMPT}


def connect(client, *streams, content_type="text/event-stream"):
    """Return a client of the SDK, and the requests that it sends.

    Each request for a stream is answered with the next of `streams`, which are bytes in parts, or
    with THREE as a stream. Another request is answered with THREE.
    """
    requests, left = [], [*streams]

    def answer(request):
        requests.append(json.loads(request.content))
        if "stream" not in requests[-1]:
            return httpx2.Response(200, json=THREE)
        parts = left.pop(0) if left else map(write, list_events(THREE))
        return httpx2.Response(200, content=iter(parts), headers={"content-type": content_type})

    http = client(transport=httpx2.MockTransport(answer))
    return anthropic.Anthropic(api_key="k", base_url="http://x", http_client=http), requests


def plain(message):
    return message.to_dict(mode="json", exclude_none=True, warnings=False)


def ask_ours(parts, **more):
    """Return the message of our client, and whether each of its requests was for a stream."""
    client, requests = connect(lambda **more: StreamingClient(str, str, **more), parts, **more)
    return plain(client.messages.create(**SETTINGS)), ["stream" in one for one in requests]


def ask_sdk(parts):
    """Return the message that the SDK joins."""
    client, _ = connect(anthropic.DefaultHttpxClient, parts)
    with client.messages.stream(**SETTINGS) as stream:
        return plain(stream.get_final_message())


def write(event, *, named=True, end="\n", **dump):
    """Return the lines of an event. `dump` is how its JSON is written."""
    data = json.dumps(event, **dump).split("\n")
    lines = [*([f"event: {event['type']}"] if named else []), *(f"data: {one}" for one in data)]
    return "".join(line + end for line in [*lines, ""]).encode()


def whole(message):
    """Return a message as the SDK reads it from a whole reply."""
    return plain(anthropic.types.Message.construct(**message))


@pytest.mark.parametrize("message", REPLIES)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("ascii", [True, False])
def test_reply_with_any_character_is_read_as_it_was_written(message, end, ascii):
    sent = b"".join(write(one, end=end, ensure_ascii=ascii) for one in list_events(message))
    for size in (1, 7, len(sent)):
        parts = [sent[place : place + size] for place in range(0, len(sent), size)]
        assert ask_ours(parts)[0] == ask_sdk(parts) == whole(message)


def test_stream_is_utf_8_whatever_its_header_says():
    sent = [write(one, ensure_ascii=False) for one in list_events(REPLIES[0])]
    got, _ = ask_ours(sent, content_type="text/event-stream; charset=iso-8859-1")
    assert got == whole(REPLIES[0])


def test_nothing_is_read_after_the_end_of_a_reply():
    def parts():
        yield from map(write, list_events(THREE))
        pytest.fail("the reply is whole, and more of the stream was read")

    assert ask_ours(parts()) == (whole(THREE), [True])


def test_stream_without_a_stop_reason_is_whole_if_the_server_has_ended_it():
    events = [one for one in list_events(REPLIES[0]) if one["type"] != "message_delta"]
    got, asked = ask_ours(map(write, events))
    assert got["content"] == REPLIES[0]["content"] and "stop_reason" not in got and asked == [True]


READ, AGAIN, WHOLE = [True], [True, True], [True, False]
BUSY = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
LLAMA = b'event: error\ndata: {"code": 500, "message": "busy", "type": "server_error"}\n\n'
GUARDED = THREE | {"content": [text("Sorry, I can't help with that.")]}
COUNTED = {"type": "message_delta", "delta": {}, "usage": {"input_tokens": None}}
SAID = {"type": "content_block_delta", "index": 3, "delta": {"type": "text_delta", "text": "x"}}
SECOND = {"type": "content_block_start", "index": 1, "content_block": THOUGHT}


def change(kind, part="", without=(), **more):
    """Return a function that changes a type of events, or a part of each. None becomes null."""

    def changed(event):
        old = event[part] if part else event
        new = {name: value for name, value in (old | more).items() if name not in without}
        return event | {part: new} if part else new

    return lambda events: [changed(event) if event["type"] == kind else event for event in events]


def insert(place, *more):
    return lambda events: [*events[:place], *more, *events[place:]]


def leave_out(kind):
    return lambda events: [one for one in events if one["type"] != kind]


def lines(**more):
    return lambda events: [write(one, **more) for one in events]


def type_in_its_line(events):
    return [f"event: {one.pop('type')}\ndata: {json.dumps(one)}\n\n".encode() for one in events]


def close_at_the_end(events):
    last = [one for one in events if "_stop" in one["type"] or "signature" in one.get("delta", ())]
    return [*(one for one in events[:-2] if one not in last), *last[:-1], *events[-2:]]


def begun(blocks, **more):
    """Return a function that puts the first blocks into the start of a message."""

    def start(events):
        content = THREE["content"][:blocks]
        others = [one for one in events[1:] if one.get("index", blocks) >= blocks]
        return [*change("message_start", "message", content=content, **more)(events[:1]), *others]

    return start


# The forms of streams, each with its server and what the client does: read it, or request it again.
FORMS = {
    "lines of data alone": (lines(named=False), READ),
    "two lines of data": (lines(indent=1), READ),
    "new type of event": (insert(3, {"type": "new", "x": 1}), READ),
    "vLLM (#45367): no role": (change("message_start", "message", ["role", "type"]), READ),
    "vLLM: [DONE] at the end": (insert(99, b"data: [DONE]\n\n"), READ),
    "Kimi (anthropic-sdk-kotlin #147): no ends": (leave_out("content_block_stop"), READ),
    "llama.cpp: all ends after the last block": (close_at_the_end, READ),
    "llama.cpp (#22960): no input": (
        change("content_block_start", "content_block", ["input"]),
        READ,
    ),
    "Anthropic's API: a message that is there": (begun(4, stop_reason="tool_use"), READ),
    "a message that is there in part": (begun(2), READ),
    "an empty text that is there": (change("message_start", "message", content=[text("")]), READ),
    "what is there comes again": (
        lambda events: [*begun(1)(events)[:1], *events[1:]],
        WHOLE,
    ),
    "GLM (GLM-5 #139): counts at the end": (change("message_start", "message", ["usage"]), READ),
    "null for a count, which the SDK allows": (insert(-1, COUNTED), READ),
    "no last event": (leave_out("message_stop"), READ),
    "an error of the API": (insert(5, BUSY), AGAIN),
    "llama.cpp: an error in its line": (insert(5, LLAMA), AGAIN),
    "an error without a type": (insert(5, b'data: {"error": {"message": "x"}}\n\n'), AGAIN),
    "an early end": (lambda events: events[:9], AGAIN),
    "LiteLLM (#38153): an early end, its reason at the start": (
        lambda events: change("message_start", "message", stop_reason="tool_use")(events[:9]),
        AGAIN,
    ),
    "an early end in a character": (lambda events: [*events[:5], b"data: caf\xc3"], AGAIN),
    "LiteLLM (#33224): thought in a text": (
        change("content_block_start", "content_block", type="text"),
        WHOLE,
    ),
    "SGLang (#24293): text in a call": (insert(-3, SAID), WHOLE),
    "omlx (#1353): left-out index": (change("content_block_start", index=2), WHOLE),
    "Ollama: thought in an open text": (insert(-2, SECOND), WHOLE),
    "kimi-code #2925: no text": (change("content_block_delta", "delta", ["text"]), WHOLE),
    "null for a text": (change("content_block_delta", "delta", text=None), WHOLE),
    "new type of delta": (change("content_block_delta", "delta", type="new"), WHOLE),
    "LiteLLM (#38953): a message as its only event": (lambda events: [GUARDED], WHOLE),
    "types in the lines alone": (type_in_its_line, WHOLE),
    "half an event": (insert(5, b"data: {\n\n"), WHOLE),
    "half a call before the last": (lambda events: [*events[:13], *events[14:]], WHOLE),
    "a block before the message": (lambda events: events[1:], WHOLE),
}


@pytest.mark.parametrize("form", FORMS)
def test_form_of_a_stream_is_read_or_asked_for_again_and_no_word_is_lost(form):
    write_form, expected = FORMS[form]
    sent = write_form(json.loads(json.dumps([*list_events(THREE)])))
    parts = [one if isinstance(one, bytes) else write(one) for one in sent]
    assert ask_ours(parts) == (whole(THREE), expected)
