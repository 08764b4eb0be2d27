"""A server that sends bytes or words without an end does not cost memory or hours."""

import json
import resource
import time
from itertools import chain, repeat

import anthropic
import pytest
from loopback import KEY, Server, http, reach, send
from support.blocks import reply, text

from lesson import connect
from lesson.practice.api.events import list_events, write_event
from safetylib.wire.server import connect as connecting
from safetylib.wire.server.connect import ConnectError

PART = b"x" * 1_000_000
STREAM = b"HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\n\r\n"
JSON = b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\n\r\n"
ERROR = JSON.replace(b"200", b"400")
ENDLESS = {
    "text": (JSON, PART),
    "error": (ERROR, PART),
    "stream of one line": (STREAM, PART),
    "stream of one event": (STREAM, (b": " + b"x" * 997 + b"\n") * 1000),
}
WHOLE = json.dumps(reply(text("Done."))).encode()
SLOW = {"headers": (b"HTTP/1.1 200 X\r\nx: ", b"a"), "body": (JSON, b" "), "stream": (STREAM, b":")}


def drip(kind):
    """Return an answer that has one more byte every tenth of a second."""
    head, byte = SLOW[kind]
    return chain([head], chain.from_iterable(repeat((byte, 0.1))))


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    """Do not print the traceback of a server whose client has left."""
    monkeypatch.setattr(Server, "handle_error", lambda *args: None)


@pytest.mark.parametrize("kind", ENDLESS)
def test_answer_without_end_is_left_after_50_megabytes(kind):
    head, part = ENDLESS[kind]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with Server(*[chain([head], repeat(part)) for _ in range(3)]) as server:
        model, lines = reach(server)
        with pytest.raises(anthropic.APIConnectionError) as raised:
            send(model)
    assert "127.0.0.1 sent an answer that does not end (more than 50,000,000 bytes)." in lines[2]
    assert "Is ANTHROPIC_BASE_URL the address of a model's server?" in raised.value.__notes__[0]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600_000  # kilobytes


@pytest.mark.parametrize("kind", SLOW)
def test_byte_now_and_then_is_not_waited_for_longer_than_silence(kind):
    with Server(*[drip(kind) for _ in range(3)]) as server:
        model, lines = reach(server)
        model.settings["timeout"] = 0.5
        began = time.monotonic()
        with pytest.raises(anthropic.APITimeoutError) as raised:
            send(model)
    assert 1.5 < time.monotonic() - began < 15
    late = "127.0.0.1 took too long to answer (for 0.5 seconds, no part of the reply has come)."
    assert lines[2] == f"Attempt 1 failed: {late}" and late in raised.value.__notes__[0]


@pytest.mark.parametrize("kind", ["headers", "body"])
def test_free_first_request_has_its_seconds_in_all(monkeypatch, kind):
    monkeypatch.setattr(connecting, "PROBE_SECONDS", 0.5)
    with Server(models=drip(kind)) as server:
        began = time.monotonic()
        with pytest.raises(ConnectError, match="took too long to answer"):
            connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=print)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("is_stream", [False, True])
def test_reply_of_many_megabytes_is_read(is_stream):
    sent = reply(text("a" * 20_000_000))
    events = [STREAM, *map(write_event, list_events(sent))]
    with Server(events if is_stream else http(200, sent)) as server:
        assert len(send(reach(server)[0]).content[0].text) == 20_000_000


@pytest.mark.parametrize("timeout", ["5", -1, 0, 1e12, True, float("nan")])
def test_time_that_nobody_can_wait_for_is_named_and_not_blamed_on_the_server(timeout):
    with Server() as server:
        model, lines = reach(server)
        model.settings["timeout"] = timeout
        with pytest.raises(ValueError, match="timeout, as in model.settings.* must be a number"):
            send(model)
        for right in (5, 2.5, anthropic.Timeout(5), None):
            model.settings["timeout"] = right
            assert send(model).content
    assert lines[2:] == [] and KEY not in str(lines)
