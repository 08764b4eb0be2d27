"""Streamed replies: read whole, shown while they come, cut off, interrupted, or refused."""

import threading
import time
from functools import partial
from itertools import pairwise
from signal import SIGINT, pthread_kill
from types import SimpleNamespace

import anthropic
import pytest
from loopback import KEY, PROMPT, SILENCE, Server, error, http, message, reach, send
from support.blocks import reply, text, use
from support.loop import assert_sendable
from support.play_loop import run

from lesson import play
from lesson.drawing.cost import draw_cost
from lesson.practice.api.events import list_events, write_event
from lesson.widgets.drawn import SignOfWork
from safetylib.wire.server.limits import LimitReachedError
from safetylib.wire.server.streams import WHOLE as IN_ONE

THOUGHT = {"type": "thinking", "thinking": "A note, then.", "signature": "c2ln"}
CALL = use("bash", "t", command="echo 'a  b'\n# ü \"q\" \\n")
WHOLE = reply(THOUGHT, text("I look.\n\n  Now "), CALL, use("todo", "u"))
UNUSABLE = (
    "Attempt 1 failed: 127.0.0.1 has sent no stream that can be used, so the next request is "
    "without one ({})."
)
BROKEN = "Attempt 1 failed: 127.0.0.1 broke off its answer (the stream ended early)."
HEAD = "HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


def stream(events, *more):
    """Return the bytes of a response that is a stream of these events."""
    return [HEAD.encode(), *[write_event(event) for event in events], *more]


def collect(*answers, **options):
    with Server(*answers) as server:
        model, lines = reach(server, **options)
        shown = []
        model.display.show = shown.append
        got = send(model)
    return got, shown, lines[2:], server


def test_names_of_the_calls_are_shown_after_the_words(monkeypatch):
    monkeypatch.setattr("safetylib.wire.server.stream_events.SHOW_SECONDS", 0)
    _, shown, *_ = collect(stream(list_events(WHOLE)))
    assert [*dict.fromkeys(shown)][-2:] == ["I look.\n\n  Now  bash … todo …", ""]


@pytest.mark.parametrize("size", [1, 5, 30])
def test_of_a_key_in_a_stream_no_part_is_shown(monkeypatch, size):
    monkeypatch.setattr("safetylib.wire.server.stream_events.SHOW_SECONDS", 0)
    words = f"It is {KEY}, and {KEY}"
    start, *_, stopped, ended, end = list_events(reply(text("")))
    begun = {"type": "content_block_start", "index": 0, "content_block": text("")}
    parts = [words[place : place + size] for place in range(0, len(words), size)]
    kind = {"type": "content_block_delta", "index": 0}
    deltas = [kind | {"delta": {"type": "text_delta", "text": part}} for part in parts]
    _, shown, *_ = collect(stream([start, begun, *deltas, stopped, ended, end]))
    assert "It is (your key), and" in "".join(shown)
    assert not [one for one in shown if KEY[:3] in one or KEY[-3:] in one]


def test_words_are_shown_at_once_and_at_most_ten_times_a_second(monkeypatch):
    """Each event takes 0.03 seconds of the test's own clock, because a busy machine is late."""
    events = [write_event(event) for event in list_events(reply(text("word " * 400)))]
    is_shown, waits, ticks, times = threading.Event(), [], [], []

    def answer():
        yield HEAD.encode()
        yield from events[:10]
        waits.append(is_shown.wait(60))
        yield from events[10:]

    def read_clock():
        ticks.append(100 + 0.03 * len(ticks))
        return ticks[-1]

    def show(words):
        if words.startswith("word"):
            times.append(ticks[-1])
            is_shown.set()

    clock = SimpleNamespace(monotonic=read_clock)
    monkeypatch.setattr("safetylib.wire.server.stream_events.time", clock)
    with Server(answer()) as server:
        model, _ = reach(server)
        model.display.show = show
        send(model)
    assert waits == [True], "the first words are shown before the others come"
    gaps = {round(later - sooner, 2) for sooner, later in pairwise(times)}
    assert len(times) > 3 and gaps == {0.12}


@pytest.mark.parametrize("size", range(1, 7))
def test_stream_that_breaks_off_is_sent_again_and_no_half_of_it_is_used(size):
    events = [*list_events(reply(text("I look."), CALL))][: 2 * size]
    assert events[-1]["type"] not in ("message_delta", "message_stop")
    got, _, lines, server = collect(stream(events), message(text("Whole.")))
    assert got.content[0].text == "Whole." and len(server.requests) == 2
    assert lines == [BROKEN]


def test_error_in_the_middle_of_a_stream_is_the_error_that_it_names():
    events = [*list_events(WHOLE)][:6]
    busy = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    got, _, lines, _ = collect(stream([*events, busy]), message(text("Whole.")))
    assert got.content[0].text == "Whole."
    assert lines == ["Attempt 1 failed: 127.0.0.1 says 529: Overloaded."]
    wrong = {"type": "error", "error": {"type": "invalid_request_error", "message": "no such"}}
    with pytest.raises(anthropic.BadRequestError) as raised:
        collect(stream([*events, wrong]))
    assert "no such" in raised.value.__notes__[0]


def test_error_about_what_is_upstream_is_no_server_without_streams():
    with Server(error(429, "upstream rate limit"), message(text("A."))) as server:
        model, lines = reach(server)
        send(model)
    assert [one.get("stream") for one in server.requests] == [True, True]
    assert len(lines) == 3 and "Attempt 1 failed" in lines[2]


@pytest.mark.parametrize(
    "no, why",
    [
        (error(400, "no streaming here"), "it answered 400: no streaming here"),
        (error(405, "stream: no"), "it answered 405: stream: no"),
        (stream([*list_events(WHOLE)][-2:]), "message_delta is out of order"),
    ],
)
def test_server_that_does_not_stream_is_asked_without_and_this_is_said_once(no, why):
    with Server(no, message(text("A.")), message(text("B."))) as server:
        model, lines = reach(server)
        assert [send(model).content[0].text for _ in range(2)] == ["A.", "B."]
    assert [one.get("stream") for one in server.requests] == [True, None, None]
    assert lines[2:] == [UNUSABLE.format(why), IN_ONE.format("127.0.0.1")]
    assert model.limits.requests_sent == 3


@pytest.mark.parametrize(
    "answers, kinds",
    [
        # llama.cpp #22072: a call that is no JSON. The next request is another sample.
        ([error(500, "no JSON"), message(text("A.")), stream([*list_events(WHOLE)])], "s w s"),
        # Portkey's gateway 1.15.2 answers so to each stream.
        ([error(500, "no"), message(text("A."))] * 2 + [message(text("B."))], "s w s w w"),
    ],
)
def test_one_error_500_is_no_proof_against_streams_and_two_are(answers, kinds):
    with Server(*answers) as server:
        model, lines = reach(server)
        while len(server.requests) < len(answers):
            send(model)
    sent = ["s" if one.get("stream") else "w" for one in server.requests]
    assert " ".join(sent) == kinds and lines[2].startswith(UNUSABLE[:60])
    assert (IN_ONE.format("127.0.0.1") in lines) is (kinds[-1] == "w")


def test_server_that_is_down_is_asked_three_times_and_once_of_these_without_a_stream():
    with Server(*[error(500, "down")] * 9) as server:
        model, lines = reach(server)
        with pytest.raises(anthropic.InternalServerError):
            send(model)
    assert model.limits.requests_sent == len(server.requests) == len(lines[2:]) == 3
    assert [one.get("stream") for one in server.requests] == [True, None, True]


def test_request_without_a_stream_is_not_sent_if_it_is_one_too_many():
    with Server(stream([*list_events(WHOLE)][-2:])) as server:
        model, _ = reach(server, max_requests=1)
        with pytest.raises(LimitReachedError):
            send(model)
    assert len(server.requests) == model.limits.requests_sent == 1


@pytest.mark.parametrize("stop_reason", ["tool_use", "max_tokens"])
def test_half_a_call_is_cut_off_whatever_the_stop_reason_says(stop_reason):
    events = [*list_events(reply(use("write_file", "t", path="a", content="one two three")))]
    events.remove([one for one in events if one["type"] == "content_block_delta"][-1])
    events[-2]["delta"]["stop_reason"] = stop_reason
    _, _, _, server = collect(stream(events))
    half, told = server.requests[1]["messages"][1:]
    assert half["content"][0]["input"]["path"] == "a"
    end = {"tool_use": "tool_use (ended too early)"}.get(stop_reason, stop_reason)
    assert f"your reply was cut off here: {end}." in told["content"][0]["content"]


@pytest.mark.parametrize("is_models_fault", [False, True])
def test_stream_without_the_arguments_of_each_call_is_asked_for_once_as_a_whole(is_models_fault):
    def answer(request):
        count = len(server.requests)
        fields = {} if is_models_fault or request.get("stream") else {"command": "true"}
        call = reply(use("bash", f"t{count}", **fields) if count < 8 else text("Done."))
        return stream(list_events(call)) if request.get("stream") else http(200, call)

    with Server() as server:
        server.answer = answer
        model, said = reach(server, ask=lambda question: "once")
        played = play("hello", model=model)
    streams = [bool(request.get("stream")) for request in server.requests]
    assert streams[:3] == [True, True, False] and any(streams[3:]) is is_models_fault
    assert streams.count(False) == (1 if is_models_fault else 6)
    lost = UNUSABLE.format("each of the last 2 calls came without its arguments")
    assert said[2] == lost and (IN_ONE.format("127.0.0.1") in said) is not is_models_fault
    calls = [call.ok for one in played.rounds for call in one.calls]
    assert is_models_fault or calls == [False] + [True] * 5


def test_interrupt_ends_the_request_at_once_and_the_history_can_be_sent():
    events = [*list_events(reply(text("I look around, and then"), CALL))][:4]
    with Server(stream(events, SILENCE)) as server:
        model, _ = reach(server)
        messages = list(PROMPT)
        stop = partial(pthread_kill, threading.main_thread().ident, SIGINT)
        model.display.show = lambda words: words and threading.Timer(0.2, stop).start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            run(model.client, messages, **model.settings)
            time.sleep(5)
        assert time.monotonic() - began < 3
        assert server.was_left.wait(5)
    assert_sendable(messages)


PINGS = {
    "pings": b'event: ping\ndata: {"type": "ping"}\n\n',
    "pings without a name": b'data: {"type": "ping"}\n\n',
    "comments": b": keep-alive\n\n",
    "empty deltas": write_event(
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ""}}
    ),
}


@pytest.mark.parametrize("ping, before", [*((one, 2) for one in PINGS), ("comments", 0)])
def test_stream_of_pings_alone_is_given_up_after_the_time_of_a_silent_server(ping, before):
    first = [*list_events(reply(text("Hello.")))][:before]
    events = [write_event(event) for event in first]
    endless = [part for _ in range(100) for part in (PINGS[ping], 0.05)]
    with Server(*[[HEAD.encode(), *events, *endless]] * 3) as server:
        model, lines = reach(server)
        model.settings["timeout"] = 0.4
        began = time.monotonic()
        with pytest.raises(anthropic.APITimeoutError) as raised:
            send(model)
    assert len(server.requests) == 3 and time.monotonic() - began > 3 * 0.4
    given_up = "127.0.0.1 took too long to answer (for 0.4 seconds, no part of the reply has"
    assert raised.value.__notes__[0].startswith(given_up)
    assert 'set model.settings["timeout"]' in raised.value.__notes__[0]
    assert len(lines[2:]) == 3 and lines[2].startswith(f"Attempt 1 failed: {given_up}")


@pytest.mark.parametrize("content", [THOUGHT, text("one two three four five"), CALL])
def test_slow_reply_is_read_as_long_as_parts_of_it_come_between_the_pings(content):
    """Thinking is a part of the reply, and the user pays for it."""
    slow = [
        part
        for event in list_events(reply(content, text("Done.")))
        for part in (PINGS["pings"], 0.1, write_event(event), PINGS["comments"], 0.1)
    ]
    with Server([HEAD.encode(), *slow]) as server:
        model, lines = reach(server)
        model.settings["timeout"] = 1
        began = time.monotonic()
        assert send(model).content[1].text == "Done."
    assert time.monotonic() - began > 1.2 and lines[2:] == []


def test_web_page_in_place_of_a_stream_is_quoted():
    """Some proxies send a page with the content type of the request."""
    page = [HEAD.encode(), b"<html><title>Sign in</title><p>to the network</p>"]
    with Server(page, error(401, "no")) as server:
        model, lines = reach(server)
        with pytest.raises(anthropic.AuthenticationError):
            send(model)
    assert "has sent no stream that can be used" in lines[2]
    assert "(it has sent <html><title>Sign in</title>" in lines[2]


def test_longer_reply_than_a_whole_one_may_be_is_possible():
    got, _, _, server = collect(stream(list_events(WHOLE)), max_tokens=64_000)
    assert got.content and server.requests[0]["max_tokens"] == 64_000


def test_cell_shows_the_words_of_a_reply_before_and_after_its_first_round(monkeypatch):
    drawn = []
    monkeypatch.setattr("lesson.widgets.drawn.is_watched", lambda: True)

    def watch(data, **more):
        if isinstance(data.shown, SignOfWork):
            data.shown.shown.observe(lambda change: drawn.append(change.new), "value")

    monkeypatch.setattr("lesson.widgets.drawn.display", watch)
    replies = [reply(text("I <look>."), use("read_file", "t", path="README.md"))] * 2
    with Server(*[stream(list_events(one)) for one in replies]) as server:
        run = play("hello", model=reach(server)[0])
    shown = [one for one in drawn if "I &lt;look&gt;." in one]
    assert len(run.rounds) == 3 and len(shown) >= 2


def test_picture_says_how_many_tokens_came_from_the_cache():
    usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 1500}
    with Server(stream(list_events(reply(text("Done."), usage=usage)))) as server:
        run = play("hello", model=reach(server)[0])
    assert "1 round, 1,510 tokens sent" in str(run)
    assert "<b>10</b> of 1,510 tokens are new" in draw_cost(run)
