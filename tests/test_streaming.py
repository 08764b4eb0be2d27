"""Streaming: the same Rounds as without, and a sendable history after any interruption."""

import json

import anthropic
import httpx2
import pytest
from loopback import PROMPT, SILENCE, Server, error, http, reach
from support.blocks import reply, text, use
from support.loop import SETTINGS, assert_sendable
from support.processes import interrupt_when
from support.streams import KEY, Wire, listening, sse

from agentlib import Tool, rounds, run
from lesson import aloud
from lesson.real_model.redaction import Redactor, StreamRedactor
from lesson.real_model.streaming import print_words

ECHO = Tool("echo", "Echoes.", {"type": "object"}, lambda **input: str(input))
THOUGHT = {"type": "thinking", "thinking": "Hm, hm.", "signature": "c2ln"}
REPLIES = {
    "text": reply(text("D\u00fcnn \u65e5\u672c \U0001f980.")),  # letters of several bytes
    "text and a call": reply(text("I echo."), use("echo", "toolu_1", a=1, b=["x", {"y": None}])),
    "calls alone": reply(use("echo", "toolu_1"), use("echo", "toolu_2", a="b")),
    "thinking": reply(THOUGHT, text("Now."), text("Then."), use("echo", "toolu_1", a=2)),
    "cut off at max_tokens": reply(text("And so"), stop_reason="max_tokens"),
}
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
WHOLE = [*sse(reply(text("Done.")))]
each_reply = pytest.mark.parametrize("message", REPLIES.values(), ids=REPLIES)


def json_response(message):
    return httpx2.Response(200, json=message)


def play(wire, messages):
    """Run to the end with streaming. Return the Rounds and the pieces of text."""
    heard = []
    return list(aloud(rounds(wire.client, messages, [ECHO], **SETTINGS), heard.append)), heard


@each_reply
def test_streaming_returns_the_same_rounds(message):
    streamed, whole = list(PROMPT), list(PROMPT)
    played, heard = play(Wire(sse(message), WHOLE), streamed)
    wire = Wire(json_response(message), json_response(reply(text("Done."))))
    assert played == run(wire.client, whole, [ECHO], **SETTINGS)
    assert streamed == whole
    texts = [block["text"] + "\n" for block in message["content"] if block["type"] == "text"]
    assert "".join(heard).startswith("".join(texts))


# A stream that breaks


def assert_whole_or_nothing(wire, message, parts):
    """Assert that a run ends with a whole Round or an error, and that a second one continues."""
    wire.begin(parts, json_response(reply(text("Done."))))
    messages, heard = list(PROMPT), []
    try:
        with listening(heard.append):
            first = next(rounds(wire.client, messages, [ECHO], **SETTINGS))
    except anthropic.APIError:
        assert messages == PROMPT
    else:
        assert first.stop_reason == message["stop_reason"]
        assert len(first.calls) == sum(b["type"] == "tool_use" for b in message["content"])
    words = "".join(block.get("text", "") for block in message["content"])
    assert words.startswith("".join(heard).replace("\n", ""))
    assert_sendable(messages)
    assert run(wire.client, messages, [ECHO], **SETTINGS)[-1].text == "Done."
    assert_sendable(messages)


def test_a_stream_cut_at_any_byte_leaves_a_sendable_history():
    message = reply(text("\u00dc \U0001f980"), use("echo", "a", b="\u00fc"))
    data = b"".join(sse(message))
    wire = Wire()
    for length in range(0, len(data), 11):
        assert_whole_or_nothing(wire, message, [data[:length]])


@each_reply
def test_a_stream_reset_after_any_event_leaves_a_sendable_history(message):
    parts, wire = sse(message), Wire()
    for number in range(len(parts)):
        assert_whole_or_nothing(wire, message, [*parts[:number], httpx2.ReadError("reset")])


def test_ctrl_c_during_streaming_closes_the_connection():
    parts, heard = sse(reply(text("One two three."))), []
    with Server([HEAD, *parts[:5], SILENCE]) as server:
        model, _ = reach(server)
        messages = list(PROMPT)
        with pytest.raises(KeyboardInterrupt), interrupt_when(lambda: heard):
            list(aloud(rounds(model.client, messages, **model.settings), heard.append))
        assert server.was_left.wait(60)
        assert messages == PROMPT
        assert run(model.client, messages, **model.settings)[-1].text == "Done."


def test_a_stream_that_breaks_before_any_text_is_retried():
    wire = Wire([httpx2.ReadError("reset")], sse(reply(text("Done."))))
    wire.client.max_retries = 1
    played, heard = play(wire, list(PROMPT))
    assert played[-1].text == "Done." and "".join(heard) == "Done.\n"
    assert len(wire.said) == 1 and "the connection broke. Retrying in" in wire.said[0]


def test_a_stream_that_breaks_after_text_is_not_retried():
    parts = sse(reply(text("One two")))
    wire, heard = Wire([*parts[:5], httpx2.ReadError("reset")], WHOLE), []
    wire.client.max_retries = 1
    with pytest.raises(anthropic.APIConnectionError) as broken, listening(heard.append):
        run(wire.client, list(PROMPT), **SETTINGS)
    assert "broke before the answer was complete. Run this again" in broken.value.__notes__[0]
    assert "".join(heard) == "One two\n"
    assert len(wire.requests) == 1 and wire.said == []


OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Too busy"}}
ERROR = b"event: error\ndata: " + json.dumps(OVERLOADED).encode() + b"\n\n"


def test_an_error_event_is_retried_only_before_any_text():
    parts = sse(reply(text("One two")))
    wire = Wire([parts[0], ERROR], [*parts[:5], ERROR])
    wire.client.max_retries = 2
    with pytest.raises(anthropic.OverloadedError) as failed, listening(lambda words: None):
        run(wire.client, list(PROMPT), **SETTINGS)
    assert "(529). Wait a few minutes" in failed.value.__notes__[0]
    assert "there says: Too busy" in failed.value.__notes__[0]
    assert len(wire.requests) == 2 and len(wire.said) == 1


# Servers that do not stream well


@pytest.mark.parametrize(
    "answer, sentence",
    [
        (error(400, "streaming is not supported"), "does not support streaming."),
        (error(500, "got an unexpected keyword argument 'stream'"), "does not support streaming."),
        (http(200, b'data: {"object": "chat.completion.chunk"}\n\ndata: [DONE]\n\n',
              "content-type: text/event-stream"), "a stream of events in an unknown format."),
        (http(200, b"".join(sse(reply(text("Hi")))[1:]), "content-type: text/event-stream"),
         "a stream of events in an unknown format."),
        (http(200, b"".join(sse(reply({"type": "tool_use", "id": "", "name": "a", "input": {}}))),
              "content-type: text/event-stream"), "an answer that is not a message"),
    ],
)  # fmt: skip
def test_streaming_is_switched_off_for_a_server_that_cannot(answer, sentence):
    with Server(answer) as server:
        model, said = reach(server)
        for _ in range(2):
            with listening(print_words):
                assert run(model.client, list(PROMPT), **model.settings)[-1].text == "Done."
    assert [request.get("stream", False) for request in server.requests] == [True, False, False]
    assert len(said) == 3 and sentence in said[2]
    assert said[2].endswith("From now on, its replies are shown when they are complete.")


ODD = {
    "no ping, and comments": [
        b": hello\n\n", *(part for part in sse(reply(text("Done."))) if b'"ping"' not in part)
    ],
    "events without names": [part.partition(b"\n")[2] for part in sse(reply(text("Done.")))],
    "the text at the start of its block": [
        part.replace(b'"text":""', b'"text":"Done."') for part in sse(reply(text("Done.")))
        if b"text_delta" not in part
    ],
    "a new kind of event": [*sse(reply(text("Done.")))[:2],
                            b'event: new\ndata: {"type": "new"}\n\n',
                            *sse(reply(text("Done.")))[2:]],
    "a connection that stays open": [*sse(reply(text("Done."))), httpx2.ReadTimeout("open")],
    "no usage": sse(reply(text("Done."), usage=None)),
}  # fmt: skip


@pytest.mark.parametrize("parts", ODD.values(), ids=ODD)
def test_odd_but_complete_streams_are_accepted(parts):
    played, heard = play(Wire(parts), list(PROMPT))
    assert played[-1].text == "Done." and "".join(heard) == "Done.\n"


def test_a_server_that_ignores_stream_is_accepted():
    wire = Wire(json_response(reply(text("Done."))))
    played, heard = play(wire, list(PROMPT))
    assert played[-1].text == "Done." and heard == [] and wire.said == []


@pytest.mark.parametrize(
    "stop_reason, after, is_accepted",
    [("tool_use", [], False), ("max_tokens", [], True), ("max_tokens", [text("And")], False)],
)
def test_half_a_tool_call_is_not_run(stop_reason, after, is_accepted):
    ran = []
    echo = Tool("echo", "Echoes.", {"type": "object"}, lambda **input: ran.append(input) or "")
    call = use("echo", "toolu_1", words="a long enough input")
    parts = sse(reply(call, *after, stop_reason=stop_reason))
    half = [part for part in parts if b"enough" not in part]
    wire = Wire(half, json_response(reply(text("Done."))))
    with listening(lambda words: None):
        played = run(wire.client, list(PROMPT), [echo], **SETTINGS)
    assert played[-1].text == "Done." and ran == []
    if is_accepted:
        assert "cut off" in played[0].calls[0].output
    else:
        assert "a tool call whose input is not JSON" in wire.said[0]


# The key, and what is counted


@pytest.mark.parametrize("size", [1, 2, 5, len(KEY)])
def test_redaction_of_a_key_split_over_pieces(size):
    heard = []
    shown = StreamRedactor(heard.append, Redactor((KEY,)))
    words = f"a-key {KEY} a-key-that {KEY}{KEY[:9]}"
    for start in range(0, len(words), size):
        shown.add(words[start : start + size])
    shown.end_line()
    assert "".join(heard) == words.replace(KEY, "[your key]") + "\n"


def test_streamed_text_without_spaces_is_shown_at_once():
    heard = []
    shown = StreamRedactor(heard.append, Redactor((KEY,)))
    for piece in ("\u65e5\u672c", "\u8a9e"):
        shown.add(piece)
    assert heard == ["\u65e5\u672c", "\u8a9e"]


def test_redaction_of_a_key_split_over_two_events():
    first, second = (b"".join(sse(reply(text(part)))) for part in (f"It is {KEY[:9]}", KEY[9:]))
    stop = first.index(b"event: content_block_stop")
    start = second.index(b"event: content_block_delta")
    messages = list(PROMPT)
    _, heard = play(Wire([first[:stop], second[start:]]), messages)
    assert "".join(heard) == "It is [your key]\n"
    assert messages[1]["content"] == [text("It is [your key]")]


def test_control_characters_in_streamed_text_are_escaped(capsys):
    print_words("a\x1b[2J\u202eb")
    assert capsys.readouterr().out == "a\ufffd[2J\\u202eb"


COSTS = reply(text("One two three."), tokens=(900, 100))


def test_tokens_of_streams_are_counted():
    wire = Wire(sse(COSTS))
    play(wire, list(PROMPT))
    assert (wire.limits.requests_sent, wire.limits.tokens_used) == (1, 1000)
    with wire.client.messages.stream(messages=PROMPT, **SETTINGS) as events:
        assert "".join(events.text_stream) == "One two three."
    for _ in wire.client.messages.create(messages=PROMPT, stream=True, **SETTINGS):
        assert wire.limits.requests_sent == 3
    create = wire.client.messages.with_streaming_response.create
    with create(messages=PROMPT, stream=True, **SETTINGS) as pieces:
        assert b"message_stop" in b"".join(pieces.iter_bytes())
    assert (wire.limits.requests_sent, wire.limits.tokens_used) == (4, 4000)


def test_an_interrupted_stream_counts_the_usage_it_had_reported():
    wire = Wire([*sse(COSTS)[:4], httpx2.ReadError("reset")], sse(COSTS))
    with pytest.raises(anthropic.APIConnectionError), listening(lambda words: None):
        run(wire.client, list(PROMPT), **SETTINGS)
    assert wire.limits.tokens_used == 901
    with wire.client.messages.stream(messages=PROMPT, **SETTINGS) as events:
        next(events.text_stream)
    assert wire.limits.tokens_used == 1802


def test_your_own_stream_without_message_stop_is_an_error():
    stream = Wire(sse(COSTS)[:-1]).client.messages.stream(messages=PROMPT, **SETTINGS)
    with pytest.raises(httpx2.RemoteProtocolError), stream as events:
        events.until_done()


def test_an_endless_stream_is_an_error():
    ping = b'event: ping\ndata: {"type": "ping", "x": "' + b"x" * 2**20 + b'"}\n\n'
    wire = Wire([sse(COSTS)[0], *[ping] * 100])
    with pytest.raises(anthropic.APIConnectionError), listening(lambda words: None):
        run(wire.client, list(PROMPT), **SETTINGS)
