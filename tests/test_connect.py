"""connect(): which model answers, what it may cost, and what is said where it cannot."""

import json
import re

import pytest
from loopback import SILENCE, Server, error, http, message, reply, text, use

from agentlib import ConnectError, Tool, aloud, rounds, run
from agentlib.history import read_usage
from lesson import connect
from lesson.model_choice import connect_practice
from lesson.practice.api import stream
from lesson.practice.model import PracticeModel
from lesson.runs import Trace

KEY = "a-key-that-nobody-may-ever-read"
PROMPT = [{"role": "user", "content": "Go"}]
LS = Tool("bash", "Runs.", {"type": "object"}, lambda command="": "hello.py")


def reach(server, name="some-model", **options):
    """Connect to a server on this machine; what was said comes with it."""
    said = []
    env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
    model = connect(name, env=env, say=said.append, **options)
    model.client.pauses = (0.01, 0.02)
    return model, said


def test_without_a_word_it_is_the_practice_model_and_nothing_is_spent():
    said = []
    model = connect(env={"ANTHROPIC_API_KEY": KEY}, say=said.append)
    assert not model.real
    assert said == ["The practice model answers: a program on this machine. It costs nothing."]
    assert model.client.messages.create(messages=PROMPT, **model.settings).content


def test_it_says_which_model_answers_and_which_protection_is_on():
    with Server() as server:
        model, said = reach(server)
        assert said[0] == (
            "some-model answers, from a server on this machine. It costs nothing, "
            "unless that server asks a paid one."
        )
        assert said[1].startswith("Commands run ")
        assert run(model.client, list(PROMPT), **model.settings)[-1].text == "Done."


def test_the_cache_is_asked_for_only_where_the_model_is_one_that_knows_it():
    with Server() as server:
        for name in ("some-model", "anthropic/claude-haiku-4-5"):
            model, _ = reach(server, name)
            model.client.messages.create(messages=PROMPT, **model.settings)
    assert ["cache_control" in request for request in server.requests] == [False, True]


def test_the_longest_reply_can_be_made_to_fit_the_server():
    with Server() as server:
        model, _ = reach(server, max_tokens=500)
        run(model.client, list(PROMPT), **model.settings)
    assert server.requests[0]["max_tokens"] == 500
    assert connect(env={}, max_tokens=500, say=print).settings["max_tokens"] == 500


def test_model_id_names_the_model_and_an_argument_counts_more():
    with Server() as server:
        env = {"ANTHROPIC_BASE_URL": server.url, "MODEL_ID": "theirs"}
        assert connect(env=env, say=print).settings["model"] == "theirs"
        assert connect("mine", env=env, say=print).settings["model"] == "mine"
        assert not connect("practice", env=env, say=print).real


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/", "/v1/messages"])
def test_an_address_may_be_written_as_others_write_it(ending):
    with Server() as server:
        env = {"ANTHROPIC_BASE_URL": server.url + ending}
        model = connect("some-model", env=env, say=print)
        assert model.client.messages.create(messages=PROMPT, **model.settings)
    assert all(" /v1/m" in head.splitlines()[0] for head in server.heads)


@pytest.mark.parametrize(
    "model, env, part",
    [
        ("m", {}, "set ANTHROPIC_API_KEY, or ANTHROPIC_BASE_URL for a server of your own"),
        ("m", {"ANTHROPIC_API_KEY": f"{KEY}\nx"}, "copy it again"),
        ("m", {"ANTHROPIC_API_KEY": f"{KEY}é"}, "copy it again"),
        (KEY, {"ANTHROPIC_API_KEY": KEY}, "a key in MODEL_ID by mistake"),
        ("m", {"ANTHROPIC_BASE_URL": KEY}, "ANTHROPIC_BASE_URL is not an address"),
        ("m", {"ANTHROPIC_BASE_URL": f"ftp://{KEY}@x/"}, "ANTHROPIC_BASE_URL is not an address"),
        ("m", {"ANTHROPIC_BASE_URL": "http://[1"}, "ANTHROPIC_BASE_URL is not an address"),
        ("m", {"ANTHROPIC_BASE_URL": "http://192.0.2.1", "ANTHROPIC_API_KEY": KEY},
         "anybody on the way could read your key: use https://"),
        ("m", {"ANTHROPIC_BASE_URL": "http://gateway.example", "ANTHROPIC_AUTH_TOKEN": KEY},
         "anybody on the way could read your key: use https://"),
        ("m", {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_API_KEY": KEY},
         "127.0.0.1 cannot be reached: is there a network, is the server running"),
    ],
)  # fmt: skip
def test_what_cannot_work_is_said_in_a_sentence_that_shows_no_key(model, env, part):
    with pytest.raises(ConnectError, match=part) as refused:
        connect(model, env=env, say=print)
    assert KEY not in str(refused.value)


@pytest.mark.parametrize(
    "answer, part",
    [
        (error(401, f"invalid x-api-key {KEY}"), "does not accept the key in ANTHROPIC_API_KEY"),
        (error(403, "not for you"), "Your key may not use some-model: choose another model"),
        (error(401, "No api key passed in."), "(127.0.0.1 says: No api key passed in.)"),
        (http(200, "<html>Log in</html>", "content-type: text/html"), None),
        (error(404, "model: some-model"), None),
        (error(500, "oh"), None),
    ],
)
def test_the_first_question_is_free_and_only_a_clear_no_counts(answer, part):
    with Server(models=answer) as server:
        if part:
            with pytest.raises(ConnectError, match=re.escape(part)) as refused:
                reach(server)
            assert KEY not in str(refused.value)
        else:
            reach(server)
    assert {head.split()[0] for head in server.heads} == {"GET"}


def catalogue(*names):
    """The answer to the question which models a server has."""
    return http(200, {"object": "list", "data": [{"id": name} for name in names]})


def test_a_model_that_the_server_denies_is_said_to_be_missing_and_which_there_are():
    with Server(models=error(404, "model: lama"), listed=catalogue("llama3", "qwen3")) as server:
        with pytest.raises(
            ConnectError, match=r"no model 'lama'. It has: llama3, qwen3\. Name one"
        ):
            reach(server, "lama")
    assert server.requests == []


@pytest.mark.parametrize(
    "models, names",
    [
        (error(404, "Not Found"), ["llama3"]),  # it lacks the page, and may take any name
        (error(404, "model: lama"), ["llama3", "openai/*"]),
    ],
)
def test_a_model_that_a_server_only_does_not_list_is_asked_all_the_same(models, names):
    with Server(models=models, listed=catalogue(*names)) as server:
        _, said = reach(server, "lama")
    assert said[0].startswith("127.0.0.1 does not list a model 'lama', but may know it")


@pytest.mark.parametrize(
    "listed",
    [catalogue("some-model"), catalogue(), http(200, {"data": None}), http(200, {"data": [{}]}),
     http(200, ["some"]), http(200, "<html>")],
)  # fmt: skip
def test_a_list_that_says_nothing_against_the_model_is_no_matter(listed):
    with Server(models=error(404, "model: some-model"), listed=listed) as server:
        _, said = reach(server)
    assert len(said) == 2


def test_a_server_that_is_silent_at_the_first_question_is_given_up_on(monkeypatch):
    monkeypatch.setattr("agentlib.client.connection.PROBE_SECONDS", 0.3)
    with Server(models=[SILENCE]) as server:
        with pytest.raises(ConnectError, match="longer than 0.3 seconds .* is it busy"):
            reach(server)
        assert server.was_left.wait(60)


def test_a_server_that_wants_a_key_where_there_is_none_says_so():
    with Server(models=error(401, "Missing key")) as server:
        with pytest.raises(ConnectError, match="wants a key: set ANTHROPIC_API_KEY before you"):
            connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=print)


def test_the_practice_model_has_no_limits_and_no_guard():
    model = connect(env={}, say=print, max_rounds=1)
    assert [tool.run() for tool in model.guard([LS])] == ["hello.py"]
    for _ in range(3):
        model.client.messages.create(messages=PROMPT, **model.settings)


def test_a_connection_shows_no_key():
    with Server() as server:
        model, said = reach(server)
        assert not any(KEY in str(shown) for shown in (repr(model), vars(model), said))


def test_a_practice_model_of_ones_own_can_be_connected():
    model = connect_practice(PracticeModel(lambda request: [text("Mine.")]))
    assert run(model.client, list(PROMPT), **model.settings)[0].text == "Mine."


PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture
def proxy(monkeypatch):
    """A server that the environment can name as a proxy."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    with Server() as server:
        yield server


@pytest.mark.parametrize("spelling", [str.upper, str.lower])
@pytest.mark.parametrize("names", [["HTTP_PROXY"], ["ALL_PROXY"], list(PROXIES[:3])])
@pytest.mark.parametrize("no_proxy", [None, "", "example.com", "localhost"])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.1.2.3", "[::1]"])
def test_a_local_server_is_never_reached_through_a_proxy(
    proxy, monkeypatch, spelling, names, no_proxy, host
):
    for name in names:
        monkeypatch.setenv(spelling(name), proxy.url)
    if no_proxy is not None:
        monkeypatch.setenv(spelling("NO_PROXY"), no_proxy)
    with Server() as server:
        url = server.url.replace("127.0.0.1", host)
        env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY}
        try:
            model = connect("some-model", env=env, say=print)
            model.client.messages.create(messages=PROMPT, **model.settings)
        except ConnectError as problem:  # the server listens at one of these addresses only
            assert host not in ("127.0.0.1", "localhost")
            assert "cannot be reached" in str(problem)
        else:
            assert len(server.requests) == 1
    assert proxy.heads == []


def test_another_machine_is_reached_through_the_proxy(proxy, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", proxy.url)
    connect("some-model", env={"ANTHROPIC_BASE_URL": "http://192.0.2.1"}, say=print)
    assert proxy.heads[0].startswith("GET http://192.0.2.1/v1/models/some-model ")


def test_host_docker_internal_is_another_machine():
    env = {"ANTHROPIC_BASE_URL": "http://host.docker.internal:1", "ANTHROPIC_API_KEY": KEY}
    with pytest.raises(ConnectError, match="anybody on the way could read your key"):
        connect("some-model", env=env, say=print)


ODD = (True, 5, "x", [1], {"a": 1}, -3, 1.5, None)
ODD_USAGE = [
    *ODD,
    *({"input_tokens": 5, "output_tokens": 7, "cache_creation": value} for value in ODD),
    *(
        {"input_tokens": 5, "cache_creation": {"ephemeral_1h_input_tokens": value}}
        for value in (True, "x", [1], -3, None)
    ),
    *({"input_tokens": 5, "output_tokens": value} for value in (True, "x", [1], {}, -3, None)),
]


@pytest.mark.parametrize("usage", ODD_USAGE, ids=str)
@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_an_unreadable_usage_counts_as_0(usage, is_streamed):
    call = use("bash", "toolu_1")
    events = list(stream.write_message(reply(call)))
    for event in events:
        if event["type"] in ("message_start", "message_delta"):
            event.get("message", event)["usage"] = usage
    body = b"".join(stream.encode(events))
    streamed = http(200, body, f"content-type: {stream.CONTENT_TYPE}")
    with Server(streamed if is_streamed else message(call, usage=usage)) as server:
        model, _ = reach(server)
        steps = rounds(model.client, list(PROMPT), [LS], **model.settings)
        first, last = aloud(steps, lambda words: None) if is_streamed else steps
    counts = usage if isinstance(usage, dict) else {}
    expected = counts.get("input_tokens", 0)
    if type(counts.get("output_tokens")) is int:
        expected += max(0, counts["output_tokens"])
    assert first.usage.total == expected
    assert first.usage.ephemeral_1h_input_tokens == 0
    assert last.text == "Done."
    assert model.limits.tokens_used == expected + 12


@pytest.mark.parametrize("usage", ODD_USAGE, ids=str)
def test_an_unreadable_usage_in_a_session_counts_as_0(tmp_path, usage):
    answer = {"type": "assistant", "message": reply(text("Done."), usage=usage)}
    prompt = {"type": "user", "message": {"role": "user", "content": "Go"}}
    path = tmp_path / "session.jsonl"
    path.write_text(f"{json.dumps(prompt)}\n{json.dumps(answer)}\n")
    [round] = Trace.open(path).rounds
    assert round.usage.ephemeral_1h_input_tokens == 0
    assert round.usage == read_usage(usage, "some-model")
