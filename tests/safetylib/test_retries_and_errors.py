"""Retries, timeouts and error messages: an error of a server leaves a sendable history."""

import html
import json
import re
import traceback
from pathlib import Path
from urllib.parse import quote

import anthropic
import pytest
from loopback import KEY, PROMPT, SILENCE, Server, error, http, message, reach, send
from support.blocks import reply, text, use
from support.loop import assert_sendable
from support.play_loop import run

import lesson
from agentlib import Tool
from lesson import connect
from lesson.practice.api.events import list_events, write_event
from safetylib.guard import hide_keys
from safetylib.wire.replies import MAX_SHOWN_CHARS, no_message
from safetylib.wire.server.connect import ConnectError

JSON = "content-type: application/json"
HTML = "<!DOCTYPE html><title>Sign in</title>" + "<p>Welcome to the hotel.</p>" * 2000
GOOD = message(text("Hello."))
BROKEN = "Attempt 1 failed: 127.0.0.1 broke off its answer ("
ECHO = Tool("echo", "Echoes.", {"type": "object"}, lambda **input: str(input))


def play(*answers, timeout=5, tools=(ECHO,), **options):
    """Run a conversation against these answers and, after an error, run it again.

    Return the first error or None, the printed lines, and the server.
    """
    with Server(*answers) as server:
        model, lines = reach(server, **options)
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
    return problem, lines[2:], server


def note(problem):
    """Return the message that a traceback ends with."""
    return "\n".join(getattr(problem, "__notes__", []))


# Errors in which servers repeat a part of the request: a file in it has these words.
FILE = "prompt is too long, context window, anthropic-version, x-api-key, thinking, stream"
DETAIL = {"type": "missing", "loc": ["body", "name"], "msg": "Field required", "input": [FILE]}
SAID = f"1 validation error:\n {{'msg': 'Field required', 'input': {{'content': {FILE!r}}}}}"
CONTEXT = "This model's maximum context length is 8192 tokens. However, you "


@pytest.mark.parametrize(
    "answer, sentence",
    [
        (error(400, "tools.0: no"), "the error 400. (127.0.0.1 says: tools.0: no)"),
        (error(400, "prompt is too long: 250000 tokens > 200000"), "The first request is longer"),
        *(
            (error(status, words), "The first request is longer than the model can read. Nothing")
            for status, words in (
                (400, f"{CONTEXT}sent 9000 tokens."),
                (400, "input length and `max_tokens` exceed context limit: 9 + 8 > 16"),
                (400, "Invalid request: Your request exceeded model token limit: 262144"),
                (400, "Prompt exceeds max length"),
                (400, "tokens in request more than max tokens allowed"),
                (400, "Input is too long for requested model."),
                (400, "the request exceeds the available context size. try increasing it"),
                (413, "Request Entity Too Large"),
                # The sources are in `refusals`.
                (400, "litellm.ContextWindowExceededError: litellm.BadRequestError: it failed"),
                (400, "The input token count (314175) exceeds the maximum number of tokens"),
                (400, "prompt token count of 93854 exceeds the limit of 90000"),
                (400, "This model's maximum prompt length is 131072 but the request contains 5378"),
                (400, "Prompt length (5056) exceeds maximum sequence length (2048)"),
                (400, "The sum of prompt length (9351.0), query length (0) should not exceed max"),
                (400, "Please reduce the length of the messages or completion. Current length is"),
                (400, "Input length 131393 exceeds the maximum allowed input length of 131040"),
                (400, "<400> InternalError.Algo.InvalidParameter: Range of input length should be"),
                (400, "too many tokens: total number of tokens (prompt and prediction) cannot"),
                (400, "invalid params, context window exceeds limit"),
                (400, "tokens to keep from the initial prompt is greater than the context length"),
                (400, "Prompt contains 9 tokens, too large for model with 8 max context length"),
            )
        ),
        (http(400, {"error": {"message": "It failed.", "code": "context_length_exceeded"}}),
         "The first request is longer than the model can read."),
        (error(503, "no", "x", "x-should-retry: false"), "the error 503. (127.0.0.1 says: no)"),
        (error(400, "anthropic-version: 2026-10-21 is not a valid version"),
         'ANTHROPIC_CUSTOM_HEADERS="anthropic-version: 2023-06-01"'),
        (error(400, "phi does not support tools"), "Choose a model that supports tools"),
        (error(400, "Conversation roles must alternate user/assistant/user/assistant/..."),
         "This model wants messages of the user and of the model in turn."),
        (error(401, "invalid x-api-key"), "does not accept your key, or needs one"),
        (error(422, "header x-api-key: field required"), "some gateways read only `x-api-key`."),
        (http(404, {"error": "model 'some-model' not found, pull it"}), "no model 'some-model'"),
        (http(404, HTML), "says: Sign in Welcome to the hotel."),
        (http(404, {"detail": "Not Found"}), "(127.0.0.1 says: Not Found)"),  # FastAPI, as in vLLM
        (http(400, {"errors": [{"detail": "no tool"}]}), "(127.0.0.1 says: no tool)"),
        (http(400, {"errors": [{"detail": CONTEXT}]}), "The first request is longer than the"),
        (http(422, {"detail": [{"msg": "required", "input": {}}]}), "(127.0.0.1 says: required)"),
        (http(422, {"message": "no such tool"}), "(127.0.0.1 says: no such tool)"),
        *(
            (http(status, body), f"127.0.0.1 answered with the error {status}. (127.0.0.1 says: ")
            for status, body in (
                (422, {"detail": [DETAIL], "body": {"messages": PROMPT, "file": FILE}}),  # FastAPI
                (400, {"error": {"message": SAID, "type": "BadRequestError"}}),  # vLLM #57997
                (400, {"message": "no", "request": {"messages": [{"content": FILE}]}}),
                (422, {"detail": [{"loc": ["body", "context_length"], "msg": "Extra inputs"}]}),
                *(
                    (400, {"error": {"message": "no"}, "block": {name: FILE}})
                    for name in ("text", "thinking", "arguments", "system", "tools", "prompt")
                ),
                (400, {"error": {"message": f"Unsupported: {{'type': 'text', 'text': {FILE!r}"}}),
                (400, f"<!DOCTYPE html><html><pre>{FILE}</pre></html>"),
                (400, {"error": {"message": f"<html>{FILE}"}}),
                (403, {"error": {"message": "You have no access to a context window of 1M."}}),
                (404, {"error": {"message": "There is no context window of 1M."}}),
            )
        ),
        (http(400, {"detail": [DETAIL], "code": "context_length_exceeded"}),
         "The first request is longer than the model can read."),
        (http(422, {"reason": 5}), "(127.0.0.1 says: {'reason': 5})"),
        (http(307, "", "location: https://elsewhere.example/"), "the error 307."),
    ],
)  # fmt: skip
def test_permanent_errors_are_explained_and_not_retried(answer, sentence):
    problem, lines, server = play(answer)
    assert isinstance(problem, anthropic.APIStatusError)
    assert sentence in note(problem)
    assert len(str(problem)) < 1000
    assert lines == [] and len(server.requests) == 2


def test_only_a_conversation_that_has_grown_is_said_to_have_grown_and_no_limit_of_a_minute():
    many = "Rate limit: too many tokens: reduce the length of the prompt"
    call, rejected = message(use("echo", "t")), error(400, "prompt is too long: 9 > 8")
    problem, *_ = play(call, rejected)
    assert note(problem).startswith("The conversation has grown longer than the model can read.")
    problem, *_ = play(*[error(429, many, "x", "x-should-retry: false")])
    assert note(problem).startswith("127.0.0.1 answered with the error 429. (127.0.0.1 says: Rate")
    with Server(call, rejected) as server:
        assert "has grown longer" in lesson.play("hello", model=reach(server)[0]).problem
    with Server(rejected) as server:
        problem = lesson.play("hello", model=reach(server)[0]).problem
    assert problem.startswith("The first request is longer than the model can read, so the request")
    assert "Start your own server with a larger context" in problem


@pytest.mark.parametrize(
    "answer, announced, explained",
    [
        (error(429, "slow down", "x", "retry-after: 0.03"),
         "Attempt 1 failed: 127.0.0.1 says 429: slow down. Retry-After: 0.03.", "says: slow down"),
        (error(429, "slow down", "x", "retry-after-ms: 30", "retry-after: 9"),
         "Attempt 1 failed: 127.0.0.1 says 429: slow down. Retry-After-Ms: 30.", "slow down"),
        (error(529, "Overloaded"), "Attempt 1 failed: 127.0.0.1 says 529: Overloaded.",
         "the error 529. (127.0.0.1 says: Overloaded)"),
        ([], BROKEN,
         "127.0.0.1 broke off its answer (Server disconnected without sending a response.). Run "),
        ([GOOD[:-20]], BROKEN, "Run this again. If it happens again, look at ANTHROPIC_BASE_URL"),
        ([GOOD[:-20], SILENCE], "took too long to answer (for 0.5 seconds, no part of the reply",
         'To let each request wait for longer, set model.settings["timeout"]'),
    ],
)  # fmt: skip
def test_temporary_error_is_announced_and_retried_twice_and_then_says_what_to_do(
    answer, announced, explained
):
    problem, lines, server = play(answer, GOOD, timeout=0.5)
    assert problem is None and len(lines) == 1 and announced in lines[0]
    assert len(server.requests) == 2
    problem, lines, server = play(*[answer] * 3, timeout=0.5)
    assert isinstance(problem, anthropic.APIError) and explained in note(problem)
    assert len(lines) == 3 and len(server.requests) == 4


@pytest.mark.parametrize(
    "header",
    [
        "retry-after: 3600",
        "retry-after: inf",
        "retry-after-ms: 60001",
        "retry-after: Fri, 01 Jan 2100 00:00:00 GMT",
        "retry-after: 61\r\nx-should-retry: true",
    ],
)
def test_server_that_asks_for_a_long_wait_is_not_asked_again_and_that_is_said(header):
    """The SDK would wait even an hour, while a notebook or a terminal shows nothing."""
    problem, lines, server = play(*[error(429, "slow down", "x", header)] * 3)
    assert isinstance(problem, anthropic.RateLimitError) and "slow down" in note(problem)
    assert len(server.requests) == 2  # the second is the test's own, after the error
    assert lines == [lines[0]] and "more than 60 seconds, so it is not sent again." in lines[0]
    assert header.partition(": ")[2].partition("\r")[0] in lines[0]


def test_client_for_real_models_uses_no_private_name_of_the_sdk():
    names = {name for name in dir(anthropic.Anthropic) if re.match("_[a-z]", name)}
    used = [*Path(hide_keys.__file__).parent.rglob("*.py")]
    words = set(re.findall(r"\w+", " ".join(file.read_text("utf-8") for file in used)))
    assert len(names) > 20 and not names & words


def test_ollamas_missing_input_and_content_are_repaired():
    call = {"type": "tool_use", "id": "a", "name": "echo"}
    problem, _, server = play(message(call), message(content=None))
    assert problem is None
    assert server.requests[1]["messages"][1]["content"] == [call | {"input": {}}]


@pytest.mark.parametrize("is_stream", [False, True])
def test_input_that_is_json_in_a_string_is_read_once(is_stream):
    """vLLM in September 2026, for Granite and GLM."""
    sent = reply(use("echo", "a") | {"input": '{"path": "a.txt", "n": 1}'})
    answer = http(200, sent)
    if is_stream:
        head = b"HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
        answer = [head, *map(write_event, list_events(sent))]
    problem, _, server = play(answer)
    assert problem is None
    asked, answered = server.requests[1]["messages"][1:]
    assert asked["content"][0]["input"] == {"path": "a.txt", "n": 1}
    assert answered["content"][0]["content"] == "{'path': 'a.txt', 'n': 1}"
    for no_input in ('"{}"', "no JSON", "[1]"):
        problem, *_ = play(message(use("echo", "a") | {"input": no_input}))
        assert "sent no valid message" in str(problem)


@pytest.mark.parametrize("answer", [error(400, "\x1b[2Jgone\u202e"), http(404, b"<p>\x1b[2Jgone")])
def test_control_characters_of_a_server_are_escaped(answer):
    problem, _, _ = play(answer)
    shown = f"{note(problem)}\n{problem}"
    assert "gone" in shown and "\x1b" not in shown and "\u202e" not in shown


def test_stop_reason_of_an_incomplete_reply_is_explained():
    problem, lines, _ = play(message(text("Hm"), stop_reason="max_tokens"))
    assert problem is None
    assert lines == [
        "The reply was cut off at max_tokens. Ask for smaller steps, or raise max_tokens."
    ]


@pytest.mark.parametrize("own_client", [False, True])
def test_lists_inside_lists_are_sent_back_or_are_no_message_and_the_run_is_kept(own_client):
    for depth, problem in ((250, ""), (400, "NoMessageError: The model's server sent no valid")):
        call = json.dumps(reply(use("echo", "t", x="DEEP"))).replace(
            '"DEEP"', "[" * depth + "]" * depth
        )
        with Server(http(200, call, JSON)) as server:
            own = anthropic.Anthropic(api_key=KEY, base_url=server.url)
            client = own if own_client else None
            model = connect("m", client=client, env={"ANTHROPIC_BASE_URL": server.url}, say=str)
            played = lesson.play("hello", model=model)
        assert played.problem.startswith(problem) and len(played.rounds) == (0 if problem else 2)


@pytest.mark.parametrize(
    "answer", [http(204, "", JSON), http(200, f'{{"content": {"9" * 5000}}}', JSON)]
)
def test_answer_that_python_cannot_read_is_no_message_and_changes_nothing(answer):
    problem, _, _ = play(answer)
    assert re.match(r"The model's server sent no valid message, but this: (\{|noth)", str(problem))


@pytest.mark.parametrize("kind", [AttributeError, TypeError])
def test_reply_that_the_sdk_cannot_read_is_no_message(monkeypatch, kind):
    """The SDK's parser takes a field with some names for an argument of its own."""

    def fail(reply):
        raise kind("it cannot be read")

    monkeypatch.setattr("safetylib.wire.server.anthropic_client.check_reply", fail)
    with Server(GOOD) as server, pytest.raises(ValueError, match="sent no valid message, but this"):
        send(reach(server)[0])


def repeats_the_key(words):
    """Return answers of a server with the key: an error, and an answer that is not a message."""
    sent = reply(text("Hm.")) | {"content": [{"type": "text", "text": None}], "id": words}
    yield error(400, words)
    yield http(404, f"<p>{words}</p>")
    yield http(200, f"<html>{words}</html>", "content-type: text/html")
    yield http(200, f'{{"id": "{words}", ', "content-type: application/json")
    yield http(200, sent)
    yield http(200, [f"no: {words}"])
    yield http(400, json.dumps({"error": words}).replace("-", "\\u002d"), JSON)
    yield http(200, json.dumps([words]).replace("-", "\\u002D"), JSON)
    yield error(
        400,
        "no",
        "some_error",
        f"X-Retry: {words}",
        "x-should-retry: true",
        f"retry-after: {words}",
    )
    yield f"HTTP/1.1 {words}\r\n\r\n".encode()
    yield f"HTTP/1.1 200 X\r\n{words}\r\n\r\n".encode()
    # At the place where the message is cut, the first half of the key must not stay.
    yield http(200, f"<html>{'x' * (MAX_SHOWN_CHARS - 20)} {words}</html>")


@pytest.mark.parametrize(
    "kind, secret",
    [
        *((kind, "key") for kind in range(12)),
        *((kind, one) for kind in (0, 7, 11) for one in ("token", "header", "cookie", "half")),
    ],
)
def test_key_that_a_server_repeats_is_not_shown(monkeypatch, capsys, kind, secret):
    monkeypatch.setattr(hide_keys, "_secrets", set())  # another test may have told it the key
    own, cookie = "a-secret-of-the-header", "a-cookie-with-a-secret"
    shown = {"header": own, "cookie": cookie, "half": KEY[8:]}.get(secret, KEY)
    headers = f"X-Team: it\nX-Gate: Bearer {own} prod\nCookie: session={cookie}; lang=en"
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", headers)
    [*answers] = repeats_the_key(f"it is {shown}")
    name = "ANTHROPIC_AUTH_TOKEN" if secret == "token" else "ANTHROPIC_API_KEY"
    with Server(*[answers[kind]] * 3) as server:  # some are sent again
        env = {"ANTHROPIC_BASE_URL": server.url, name: KEY}
        model = connect("m", env=env)
        with pytest.raises((anthropic.APIError, ValueError)) as raised:
            send(model)
    assert shown in server.heads[-1]
    trace = "".join(traceback.format_exception(raised.value))
    seen = f"{note(raised.value)}\n{trace}\n{capsys.readouterr().out}"
    assert "(your" in seen and ("it is" in seen or kind == 9)
    assert shown[: len(shown) // 2] not in seen


@pytest.mark.parametrize(
    "key",
    ["key+with/a=sign&that=ends==", "plain-key-of-a-provider", "first-plain-letters+key/key&key"],
)
def test_key_in_entities_or_percent_encoding_is_not_shown(monkeypatch, key):
    monkeypatch.setattr(hide_keys, "_secrets", {key})
    percent = quote(key, safe="")
    spelled = [html.escape(key), "".join(f"&#{ord(c)};" for c in key), percent, quote(percent)]
    for form in [key, *spelled, html.escape(html.escape(percent))]:
        assert "key" not in hide_keys.hide_keys(f"it is {form}!").replace("(your key)", "")
    assert hide_keys.hide_keys("50%41 &amp; more") == "50%41 &amp; more"


@pytest.mark.parametrize(
    "key, header, words, is_hidden",
    [
        ("", "X-Env: production", "The production server is down.", False),
        ("", "X-Team: Data-Platform, INTERNAL", "Data-Platform is INTERNAL here.", False),
        ("", "X-Env: production cluster", "The production cluster is down.", False),
        ("", "X-Key: production", "It is production.", True),
        ("", "X-Env: Bearer production", "It is production.", True),
        ("", "X-Env: production-4f7a", "It is production-4f7a.", True),
        ("", "X-Env: aBcDefGhIj", "It is aBcDefGhIj.", True),
        ("", "X-Env: correcthorsebatterystaple", "It is correcthorsebatterystaple.", True),
        ("", "X-Env: production s3cret0value", "It is production s3cret0value.", True),
        *(
            (word, "", f"Ask {word}, look at the tests.", word in ("sk-12345", "a" * 12))
            for word in ("k", "test", "ollama", "not-needed", "sk-12345", "a" * 12)
        ),
    ],
)
def test_a_plain_word_of_a_header_or_in_place_of_a_key_is_none(
    monkeypatch, key, header, words, is_hidden
):
    monkeypatch.setattr(hide_keys, "_secrets", set())
    hide_keys.remember_keys(key, "", header)
    shown = hide_keys.hide_keys(words)
    assert ("(your key)" in shown) == is_hidden and (is_hidden or shown == words)
    assert not (key and is_hidden) or shown == words.replace(key, "(your key)")


def test_what_all_keys_of_a_provider_begin_with_is_no_key(monkeypatch):
    start = "sk-ant-api03-"
    monkeypatch.setattr(hide_keys, "_secrets", {f"{start}4f7a9c"})
    for words in (f"KEY={start}...", f'key.startswith("{start[:-1]}")', start, f"{start}XXXX"):
        assert hide_keys.hide_keys(words) == words
    for part in (f"{start}4f7a9c", f"{start}4", f"{start[1:]}4f7a"):
        assert hide_keys.hide_keys(f"{start}… {part}") == f"{start}… (your key)"


def test_a_key_in_a_run_is_hidden_and_what_is_around_it_stays_json(monkeypatch):
    """The words around a key may contain a quote as an escape or as an entity."""
    monkeypatch.setattr(hide_keys, "_secrets", {"a-key-that-nobody-may-read"})
    code = r"print('\u0022 a-key-that-nobody-may-read &quot;')"
    other = r"\u0022 &quot; \/ stay, also beside (your key), as a document writes it"
    read = {"sent": [{"text": code, "n": 1}], "other": other}
    hidden = hide_keys.hide_keys_in(read)
    assert "may-read" not in str(hidden) and "(your key)" in hidden["sent"][0]["text"]
    assert hidden["other"] == read["other"] and json.loads(json.dumps(hidden)) == hidden


def test_key_in_an_announced_attempt_and_in_a_refused_connection_is_not_shown():
    problem, lines, _ = play(error(529, f"busy: {KEY}"), GOOD)
    assert problem is None and "busy: (your key)" in lines[0]
    with (
        Server(models=error(401, f"wrong: {KEY}")) as server,
        pytest.raises(ConnectError, match=r"wrong: \(your key\)"),
    ):
        reach(server)


@pytest.mark.parametrize("before", [120, 140, 148])
def test_of_a_key_at_a_cut_no_part_is_shown(monkeypatch, before):
    """What is no message is cut at 150 characters, a note at 300, and newest words at any place."""
    monkeypatch.setattr(hide_keys, "_secrets", {KEY})
    cut = str(no_message("x " * (before // 2) + KEY))
    note = hide_keys.clip("x " * (before // 2 + 70) + KEY)
    far = hide_keys.clip(" " * (hide_keys.MAX_READ_CHARS - 8) + KEY)  # before all of it is read
    assert KEY[:3] not in cut + note + far
    # Of a long key, little is left in the words, so that their beginning is in view.
    for key, count in ((KEY, 30), ("".join(f"k{number}_" for number in range(60)), 9)):
        monkeypatch.setattr(hide_keys, "_secrets", {key})
        words = "It is " + f"{key}, " * count + "\u6587" + key
        ends = [*range(0, len(words), count // 2), len(words)]
        shown = [hide_keys.newest_words(words[:end], before) for end in ends]
        assert not [one for one in shown if key[:3] in one or key[-3:] in one]
        assert shown[-1].endswith("(your key), (your key), \u6587")


def test_retry_that_the_server_asks_for_is_announced_whatever_the_status():
    again = error(400, "not now", "some_error", "x-should-retry: true")
    problem, lines, _ = play(again, GOOD)
    assert problem is None and "Attempt 1 failed: 127.0.0.1 says 400: not now." in lines[0]


def test_failure_of_the_free_question_is_not_told_because_nothing_depends_on_it():
    with Server(GOOD, models=error(500, "Something went wrong.")) as server:
        model, lines = reach(server)
        send(model)
    assert not [line for line in lines if "Attempt" in line]
    assert all("user-agent: anthropic/python" in head.lower() for head in server.heads)


def test_asynchronous_client_is_named():
    with pytest.raises(TypeError, match="Pass an anthropic.Anthropic"):
        connect("m", client=anthropic.AsyncAnthropic(api_key="k"))
