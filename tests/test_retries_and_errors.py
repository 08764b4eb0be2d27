"""Retries, timeouts and error messages: any answer of a server leaves a sendable history."""

import json
import zlib

import anthropic
import pytest
from loopback import CUT, KEY, PROMPT, SILENCE, Server, error, http, message, reach
from support.blocks import text, use
from support.loop import assert_sendable

from agentlib import Tool, run

HTML = "<!DOCTYPE html><title>Sign in</title>" + "<p>Welcome to the hotel.</p>" * 2000
GOOD = message(text("Hello."))
BROKEN = "127.0.0.1 cannot be reached, or the connection broke. Retrying in"
ECHO = Tool("echo", "Echoes.", {"type": "object"}, lambda **input: str(input))


def play(*answers, timeout=5, tools=(ECHO,), **options):
    """Run a conversation against these answers and, after an error, run it again.

    Return the first error or None, the printed lines, and the server.
    """
    with Server(*answers) as server:
        model, said = reach(server, **options)
        settings, messages = model.settings | {"timeout": timeout}, list(PROMPT)
        problem = None
        try:
            run(model.client, messages, tools, **settings)
        except Exception as raised:
            problem = raised
        assert_sendable(messages)
        if problem:
            server.answers.clear()
            assert run(model.client, messages, tools, **model.settings)[-1].text == "Done."
            assert_sendable(messages)
    assert KEY not in f"{said} {problem!r} {problem} {note(problem)} {messages}"
    return problem, said[2:], server


def note(problem):
    """Return the message that a traceback ends with."""
    return "\n".join(getattr(problem, "__notes__", []))


CONTEXT = "This model's maximum context length is 8192 tokens. However, you "


@pytest.mark.parametrize(
    "answer, sentence",
    [
        (error(400, "tools.0: no"), "rejected the request (400). (127.0.0.1 says: tools.0: no)"),
        (error(400, "Your credit balance is too low."), "The account behind your key has no"),
        (error(429, "You exceeded your current quota, check your plan and billing."), "no credit"),
        (error(400, "prompt is too long: 250000 tokens > 200000"), "The conversation has grown"),
        (error(400, f"{CONTEXT}sent 9000 tokens."), "The conversation has grown longer than the"),
        (error(400, "exceeds the available context size"), "The conversation has grown longer"),
        (error(413, "Request exceeds the maximum size"), "The conversation has grown longer"),
        (error(400, f"{CONTEXT}requested 8000 output tokens and your prompt contains at least 193 "
                    "input tokens"), "Ask for shorter replies: connect(…, max_tokens=2000)"),
        (error(400, "max_tokens: 8000 > 4096, the maximum allowed number of output tokens"),
         "max_tokens is larger than this model allows"),
        (error(400, "phi does not support tools"), "Choose a model that does"),
        (error(401, f"invalid x-api-key: {KEY}"), "does not accept your key, or needs one"),
        (error(403, "no"), "Your key may not use some-model"),
        (error(404, "model: some-model"), "has no model 'some-model'"),
        (http(404, {"error": "model 'some-model' not found, pull it"}), "no model 'some-model'"),
        (http(404, {"detail": "Not Found"}), "has nothing at /v1/messages. Does it support "),
        (http(404, HTML), "says: Sign in Welcome to the hotel."),
        (error(408, "litellm.Timeout"), "gave up waiting for the model (408). Raise the timeout"),
        (http(307, "", "location: https://elsewhere.example/"), "rejected the request (307)"),
    ],
)  # fmt: skip
def test_permanent_errors_are_explained_and_not_retried(answer, sentence):
    problem, said, server = play(answer)
    assert isinstance(problem, anthropic.APIStatusError)
    assert sentence in note(problem)
    assert len(str(problem)) < 1000
    assert said == [] and len(server.requests) == 2


@pytest.mark.parametrize(
    "answer, sentence",
    [
        (error(429, "slow down"), "127.0.0.1: rate limit (429). Retrying in 0.0"),
        (error(429, "slow down", "x", "retry-after: 0.03"),
         "rate limit (429). Retrying in 0.03 s. (127.0.0.1 says: slow down)"),
        (error(429, "slow down", "x", "retry-after-ms: 9000000"), "(429). Retrying in 0.0"),
        (error(529, "Overloaded"), "the server is overloaded or has an error (529). Retrying in"),
        (http(503, ""), "has an error (503). Retrying in"),
        ([CUT], BROKEN),
        ([GOOD[:-20]], BROKEN),
        ([b"SSH-2.0-OpenSSH_9.6\r\n"], BROKEN),
    ],
)  # fmt: skip
def test_temporary_errors_are_retried_and_the_wait_is_announced(answer, sentence):
    problem, said, server = play(answer, GOOD)
    assert problem is None
    assert len(said) == 1 and sentence in said[0]
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "answer, retries, sentence",
    [
        (error(429, "slow"), 2, "Rate limit of 127.0.0.1. Wait 1 min, then run this again"),
        (error(529, "Overloaded"), 2, "(529). Wait a few minutes"),
        (error(529, "no", "x", "x-should-retry: false"), 0, "(529). Wait a few minutes"),
        ([CUT], 2, "broke before the answer was complete"),
        (error(429, "slow", "x", "retry-after: 3600"), 0, "Wait 60 min, then run this again"),
        (error(429, "slow", "x", "retry-after: inf"), 0, "Wait 1,440 min, then run this again"),
    ],
)
def test_after_the_last_retry_the_error_says_what_to_do(answer, retries, sentence):
    problem, said, server = play(*[answer] * 3)
    assert isinstance(problem, anthropic.APIError)
    assert sentence in note(problem)
    assert len(said) == retries
    assert len(server.requests) == retries + 2


@pytest.mark.parametrize(
    "refusal",
    [error(400, "cache_control: Extra inputs are not permitted"),
     http(422, {"detail": [{"loc": ["body", "cache_control"], "msg": "extra fields"}]})],
)  # fmt: skip
def test_rejected_cache_control_is_left_out_from_then_on(refusal):
    with Server(refusal, message(use("echo", "a")), GOOD) as server:
        model, said = reach(server, "claude-by-a-gateway")
        run(model.client, list(PROMPT), [ECHO], **model.settings)
        model.client.with_options(timeout=9).messages.create(messages=PROMPT, **model.settings)
    sent = ["cache_control" in request for request in server.requests]
    assert sent == [True, False, False, False]
    assert said[2:] == ["127.0.0.1 does not accept cache_control. It is left out from now on."]


@pytest.mark.parametrize(
    "answer",
    [
        [SILENCE],
        [GOOD[:-20], SILENCE],
    ],
    ids=["nothing", "half a body"],
)
def test_timeout_closes_the_connection_and_is_not_retried(answer):
    problem, said, server = play(answer, timeout=0.5)
    assert isinstance(problem, anthropic.APITimeoutError)
    assert "took too long to answer" in note(problem)
    assert said == [] and len(server.requests) == 2
    assert server.was_left.wait(60)


NOT_JSON, NOT_A_MESSAGE = "an answer that is not valid JSON", "an answer that is not a message"
CALL = {"type": "tool_use", "id": "a", "name": "echo", "input": {}}


@pytest.mark.parametrize(
    "body, flaw",
    [
        (HTML, "a web page in place of an answer"),
        ("", NOT_JSON),
        ("[" * 100_000, NOT_JSON),
        ('{"content": [], "n": NaN}', NOT_JSON),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "x"}},
         "an error in place of an answer (x)"),
        ("null", NOT_A_MESSAGE),
        ({"choices": [{"message": {"role": "assistant", "content": "Hi"}}]}, NOT_A_MESSAGE),
        ({"content": [{"type": "text"}]}, NOT_A_MESSAGE),
        ({"content": [{"type": "tool_use", "name": "echo", "input": {}}]}, NOT_A_MESSAGE),
        ({"content": [CALL | {"input": "{}"}]}, NOT_A_MESSAGE),
    ],
    ids=lambda value: str(value)[:60],
)  # fmt: skip
def test_invalid_answers_never_reach_the_history(body, flaw):
    kind = "text/html" if body is HTML else "application/json"
    problem, _, _ = play(http(200, body, f"content-type: {kind}"))
    assert isinstance(problem, anthropic.APIResponseValidationError)
    assert flaw in str(problem)
    assert "Is ANTHROPIC_BASE_URL right" in note(problem)
    assert len(str(problem)) < 500


def test_ollamas_missing_input_and_content_are_repaired():
    call = {"type": "tool_use", "id": "a", "name": "echo"}
    problem, _, server = play(message(call), message(content=None))
    assert problem is None
    assert server.requests[1]["messages"][1]["content"] == [CALL]


@pytest.mark.parametrize("stop_reason, ok", [("tool_calls", True), ("length", False)])
def test_stop_reasons_of_other_apis_are_translated(stop_reason, ok):
    problem, _, server = play(message(use("echo", "a"), stop_reason=stop_reason), message())
    assert problem is None
    [result] = server.requests[1]["messages"][2]["content"]
    assert result.get("is_error", False) != ok


def test_repeated_tool_use_ids_are_changed():
    """Some servers begin with call_0 in every reply, and no API takes one id twice."""
    twice = message(use("echo", "call_0"), use("echo", "call_0"))
    problem, _, server = play(twice, message(use("echo", "call_0")))
    assert problem is None
    ids = [block["id"] for turn in server.requests[2]["messages"] for block in turn["content"]
           if isinstance(block, dict) and block["type"] == "tool_use"]  # fmt: skip
    assert ids == ["call_0", "call_0_2", "call_0_3"]


def test_redaction_of_a_key_in_json_escapes():
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    body = GOOD.partition(b"\r\n\r\n")[2].replace(b"Hello.", escaped.encode())
    headers = "content-type: application/json", "content-encoding: deflate"
    with Server(http(200, zlib.compress(body), *headers)) as server:
        model, _ = reach(server)
        assert run(model.client, list(PROMPT), **model.settings)[-1].text == "[your key]"


def test_redaction_of_a_key_in_the_reason_phrase():
    problem, _, _ = play(error(401, "no").replace(b"401 X", f"401 {KEY}".encode()))
    assert repr(problem.response) == "<Response [401 Unauthorized]>"


@pytest.mark.parametrize(
    "answer",
    [error(400, "\x1b[2Jgone\u202e"), http(400, b"\x1b[2Jgone"), http(404, b"<p>\x1b[2Jgone"),
     http(307, "", "location: http://x/\x1b[2Jgone"), http(200, b"\x1b[2Jgone"),
     http(400, r'"\u001b[2Jgone\u202e"', "content-type: application/json"),
     http(400, "+ABs-[2Jgone", "content-type: text/plain; charset=utf-7"),
     message(text("Hm"), stop_reason="\x1b[2Jgone" + "x" * 10**6)],
)  # fmt: skip
def test_control_characters_of_a_server_are_escaped(answer):
    problem, said, _ = play(answer)
    shown = "\n".join([*said, note(problem), str(problem or "")])
    assert "gone" in shown or problem is not None
    assert "\x1b" not in shown and "\u202e" not in shown
    assert len(shown) < 2000


@pytest.mark.parametrize(
    "stop_reason, sentence",
    [
        ("max_tokens", "The reply was cut off at max_tokens. Say 'go on', or raise max_tokens."),
        ("model_context_window_exceeded", "The model's context window is full."),
        ("refusal", "The model declined to answer. Sending it again will not help."),
        ("tea_time", "The reply ended for an unknown reason: 'tea_time'."),
    ],
)
def test_stop_reasons_of_incomplete_replies_are_explained(stop_reason, sentence):
    problem, said, _ = play(message(text("Hm"), stop_reason=stop_reason))
    assert problem is None
    assert len(said) == 1 and said[0].startswith(sentence)


@pytest.mark.parametrize(
    "answer",
    [
        message(),
        message({"type": "crystal_ball", "future": ["bright"]}, use("echo", "a")),
        message(text("Half an emoji: \ud83d"), use("echo", "a", words="\udc00")),
        message(text("Wait"), stop_reason="pause_turn"),
        message(text("Hi"), usage=None),
        message(text("Hi"), stop_reason=None, container={"id": "c"}, novelty=[1]),
    ],
)
def test_odd_but_valid_replies_are_accepted(answer):
    with Server(answer) as server:
        model, _ = reach(server)
        messages = list(PROMPT)
        run(model.client, messages, [ECHO], **model.settings)
        assert run(model.client, [*messages, *PROMPT], [ECHO], **model.settings)[-1].text == "Done."
    json.dumps(server.requests).encode()
