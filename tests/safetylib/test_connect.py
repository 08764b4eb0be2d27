"""connect(): settings, the first request, spending limits, and a wrong environment."""

import os
import re
import shutil
import ssl
import subprocess
from pathlib import Path

import anthropic
import pytest
from loopback import KEY, PROMPT, SILENCE, Server, error, http, message, reach, send
from support.blocks import text, use
from support.play_loop import run

from agentlib import Tool
from lesson import connect, play
from lesson.practice.model_choice import WRAPPED, connect_practice
from lesson.practice.practice_model import PracticeModel
from safetylib.guard import approval
from safetylib.wire.server.connect import ConnectError
from safetylib.wire.server.limits import LimitReachedError

NOT_HERE = http(200, {"error": "Unexpected endpoint or method. (GET /models/m)"})  # LM Studio
LS = Tool("bash", "Runs.", {"type": "object"}, lambda command="": "hello.py")


def refusal(model, env):
    """Return the message of the ConnectError, which never contains the key."""
    with pytest.raises(ConnectError) as refused:
        connect(model, env=env, say=print)
    assert KEY not in str(refused.value)
    return str(refused.value)


def test_an_api_key_alone_connects_to_the_practice_model():
    lines = []
    model = connect(env={"ANTHROPIC_API_KEY": KEY}, say=lines.append, max_requests=1)
    assert not model.real
    assert lines == ["The practice model answers: a program on this machine. It costs nothing."]
    for _ in range(2):  # without a limit
        assert send(model).content
    own = connect_practice(PracticeModel(lambda request: [text("Mine.")]))
    assert run(own.client, list(PROMPT), **own.settings)[0].text == "Mine."


def test_connect_prints_the_model_and_the_sandbox():
    with Server() as server:
        model, lines = reach(server, max_tokens=500)
        assert lines[0].startswith("Your model is some-model, at a server on this machine.")
        assert lines[1].startswith("Commands run ")
        assert not any(KEY in str(shown) for shown in (repr(model), vars(model), lines))
        assert run(model.client, list(PROMPT), **model.settings)[-1].text == "Done."
    assert server.requests[0]["max_tokens"] == 500
    assert "cache_control" not in server.requests[0]
    assert connect(env={}, max_tokens=500, say=print).settings["max_tokens"] == 500


def test_error_with_the_status_200_is_told_when_the_name_is_tried():
    for models, is_told in ((NOT_HERE, True), (http(200, {"id": "m"}), False), (None, False)):
        with Server(models=models) as server:
            _, lines = reach(server)
        told = "127.0.0.1 does not know the question for a model's name. It says: Unexpected"
        assert lines[0].startswith(told) is is_told
        assert ("look at ANTHROPIC_BASE_URL" in lines[0]) is is_told


@pytest.mark.parametrize("ending", ["/v1", "/v1/messages"])
def test_base_url_may_end_in_v1_or_messages(ending):
    with Server() as server:
        env = {"ANTHROPIC_BASE_URL": server.url + ending}
        model = connect("theirs", env=env, say=print)
        assert send(model)
    assert all(" /v1/m" in head.splitlines()[0] for head in server.heads)
    assert server.requests[0]["model"] == "theirs"


def test_only_a_name_in_the_call_reaches_a_real_model(monkeypatch):
    """MODEL_ID is for the terminal: a notebook, or its test, must not pay because it is set."""
    with Server() as server:
        env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY, "MODEL_ID": "theirs"}
        assert connect("mine", env=env, say=print).settings["model"] == "mine"
        asked = len(server.heads)
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        for model in [connect(), connect(env=env, say=print), connect("practice", env=env)]:
            assert not model.real and send(model).content
        assert play("hello", todo=None).rounds
        assert len(server.heads) == asked


KEYED = {"ANTHROPIC_API_KEY": KEY}


@pytest.mark.parametrize(
    "name, value, env, part",
    [
        ("X", "", {}, "before you start, or ANTHROPIC_BASE_URL for your own server"),
        ("X", "", {"ANTHROPIC_API_KEY": f"{KEY}\nx"}, "Copy it again"),
        ("X", "", {"ANTHROPIC_BASE_URL": KEY}, "ANTHROPIC_BASE_URL is not an address"),
        ("X", "", {"ANTHROPIC_BASE_URL": f"https://me:{KEY}@x"}, "without a password"),
        ("X", "", {"ANTHROPIC_BASE_URL": "http://gateway.example", "ANTHROPIC_AUTH_TOKEN": KEY},
         "others on the network could read your key. Use https://"),
        ("X", "", {"ANTHROPIC_BASE_URL": "http://127.0.0.2:9", "ANTHROPIC_API_KEY": "sk-1234"},
         "others on the network"),
        ("X", "", {"ANTHROPIC_BASE_URL": "http://127.0.0.2:9", "ANTHROPIC_API_KEY": "ollama"},
         "cannot be reached"),  # a plain word is not hidden
        ("X", "", {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_API_KEY": KEY},
         r"cannot be reached \([^)]*refused[^)]*\)\. Is the server running"),
        ("X", "", {"ANTHROPIC_BASE_URL": "http://no-such-host.invalid"},
         r"no-such-host.invalid cannot be reached \(.+\)\. Is the server running"),
        ("ALL_PROXY", "socks5://127.0.0.1:9", KEYED, "ALL_PROXY"),
        ("ALL_PROXY", "socks://127.0.0.1:9", KEYED, "ALL_PROXY"),
        ("HTTPS_PROXY", "http://127.0.0.1:x", KEYED, "HTTPS_PROXY"),
        ("SSL_CERT_FILE", "/nowhere/x.pem", KEYED, "SSL_CERT_FILE"),
        *(("HTTPS_PROXY", f"http://me:{KEY}{mark}1@proxy.invalid:3128", KEYED, "write # as %23")
          for mark in "#/?"),
        *(("ANTHROPIC_CUSTOM_HEADERS", line, KEYED, "is not one header in each line")
          for line in (KEY, f"x key: {KEY}", f"x-api-key: {KEY}\x01", f"x-k: é{KEY}")),
    ],
)  # fmt: skip
def test_invalid_settings_and_variables_raise_connect_error_without_the_key(
    monkeypatch, name, value, env, part
):
    monkeypatch.setenv(name, value)
    assert re.search(part, refusal("m", env))


def test_key_in_place_of_the_models_name_is_named_without_the_key():
    assert "Is there a key in MODEL_ID" in refusal(KEY, KEYED)


@pytest.mark.parametrize(
    "answer, part",
    [
        (error(401, "invalid x-api-key"), "does not accept your key, or needs one"),
        (error(403, "not for you"), "the error 403. (127.0.0.1 says: not for you)"),
        (error(404, "model: some-model"), None),
        (error(500, "oh"), None),
    ],
)
def test_only_a_rejected_key_in_the_first_request_is_an_error(answer, part):
    with Server(models=answer) as server:
        env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
        if part:
            assert part in refusal("some-model", env)
        else:
            connect("some-model", env=env, say=print)
    assert {head.split()[0] for head in server.heads} == {"GET"}


def test_answer_about_a_model_that_is_no_json_is_no_error():
    broken = http(200, '{"id": "m', "content-type: application/json")
    with Server(models=broken) as server:
        assert send(connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=print))


def test_the_sdk_sends_the_version_that_the_page_names():
    page = Path(__file__).parents[2] / "docs" / "real-models.md"
    version = anthropic.Anthropic(api_key="none").default_headers["anthropic-version"]
    assert f"The SDK sends the version {version} of the API." in page.read_text(encoding="utf-8")


def test_cache_control_is_sent_to_anthropic():
    own = anthropic.Anthropic(api_key=KEY)
    assert "cache_control" in connect("m", client=own, env={}, say=print).settings


def test_longer_reply_than_the_sdk_sends_without_a_stream_is_refused_in_a_sentence():
    with Server() as server:
        own = anthropic.Anthropic(api_key=KEY, base_url=server.url)
        with pytest.raises(ValueError, match="max_tokens is 64,000, but at most 21,333 tokens"):
            connect("m", max_tokens=64_000, client=own, env={}, say=print)
        assert server.heads == []
        assert send(connect("m", max_tokens=21_333, client=own, env={}, say=print))
    # A plain client rejects one more as well, so the limit is the SDK's own.
    with pytest.raises(ValueError, match="Streaming is required"):
        own.messages.create(messages=PROMPT, model="m", max_tokens=21_334)


def test_your_own_client_is_limited_and_needs_approval():
    with Server(message(use("bash", "toolu_1"))) as server:
        own = anthropic.Anthropic(api_key=KEY, base_url=server.url)
        asked = []

        def ask(question):
            asked.append(question)
            raise PermissionError("no")

        model = connect("m", client=own, max_requests=1, ask=ask, env={}, say=print)
        with pytest.raises(LimitReachedError):
            run(model.client, list(PROMPT), model.guard([LS]), **model.settings)
    assert asked == [approval.Question("bash", "")] and len(server.requests) == 1


def test_client_that_a_library_has_wrapped_is_named_and_no_door_has_less_of_the_sdks_spans():
    own, replaced = anthropic.Anthropic(api_key=KEY), anthropic.Anthropic(api_key=KEY)
    replaced.messages.create = print
    other = type("Anthropic", (anthropic.Anthropic,), {})(api_key=KEY)
    for client, count in ((own, 0), (replaced, 1), (other, 1)):
        lines = []
        model = connect("m", client=client, env={}, say=lines.append)
        assert lines.count(WRAPPED) == count
    with Server() as server:
        clients = reach(server)[0].client, PracticeModel().client(), model.client
    assert all(one.open_telemetry == own.open_telemetry for one in clients)


# Spending limits, below every loop


def test_request_limit_applies_to_your_own_loop():
    with Server() as server:
        model, _ = reach(server, max_requests=2)
        for _ in range(2):
            send(model)
        reached = r"Request limit reached \(2 of 2\).*limits\.extend\(\)"
        with pytest.raises(LimitReachedError, match=reached):
            model.client.with_options(timeout=5).messages.create(messages=PROMPT, **model.settings)
        assert len(server.requests) == 2
        model.limits.max_requests += 1
        send(model)
    assert len(server.requests) == 3


BY_TIME = {"ephemeral_5m_input_tokens": 600.0, "ephemeral_1h_input_tokens": "100"}
COUNTS = {
    "whole": {"input_tokens": 900, "output_tokens": 100},
    "float": {"input_tokens": 900.0, "output_tokens": 1e2, "cache_read_input_tokens": "nan"},
    "text": {"input_tokens": "900", "output_tokens": "100.0", "cache_read_input_tokens": True},
    "cached": {"input_tokens": 200, "output_tokens": 100, "cache_creation": BY_TIME},
    "cached, told twice": {
        **{"input_tokens": 200, "output_tokens": 100, "cache_creation": BY_TIME},
        "cache_creation_input_tokens": 700,
    },
}


@pytest.mark.parametrize("counts", COUNTS.values(), ids=COUNTS)
def test_token_limit_stops_a_run_that_can_be_continued(counts):
    used = use("bash", "toolu_1", command="ls")
    with Server(message(used, usage=counts)) as server:
        model, _ = reach(server, max_total_tokens=1000)
        messages = list(PROMPT)
        with pytest.raises(LimitReachedError, match=r"Token limit reached \(1,000 of 1,000\)"):
            run(model.client, messages, [LS], **model.settings)
        assert [message["role"] for message in messages] == ["user", "assistant", "user"]
        model.limits.extend()
        assert run(model.client, messages, [LS], **model.settings)[-1].text == "Done."
    assert [len(request["messages"]) for request in server.requests] == [1, 3]
    assert model.limits.tokens_used == 1022


def test_tokens_of_raw_responses_and_of_your_own_client_are_counted():
    with Server() as server:
        model, _ = reach(server)
        model.client.messages.with_raw_response.create(messages=PROMPT, **model.settings)
        body = {"messages": PROMPT, **model.settings}
        model.client.post("/v1/messages", body=body, cast_to=object)
        assert model.limits.tokens_used == 44
        client = anthropic.Anthropic(api_key=KEY, base_url=server.url)
        own = connect("m", client=client, env={}, say=print)
        send(own)
        assert own.limits.tokens_used == 22


def test_each_retry_counts_as_a_request():
    with Server(*[error(529, "Overloaded")] * 9) as server:
        model, _ = reach(server, max_requests=4)
        client = model.client.with_options(max_retries=6)
        with pytest.raises(LimitReachedError):
            client.messages.create(messages=PROMPT, **model.settings)
    assert len(server.requests) == 4


STREAMED = {"X-Stainless-Raw-Response": "stream"}  # of the SDK's with_streaming_response


@pytest.mark.parametrize(
    "more", [{"stream": True}, {"extra_body": {"stream": True}}, {"extra_headers": STREAMED}]
)
def test_streams_are_refused_because_their_tokens_could_not_be_counted(more):
    with Server() as server:
        model, _ = reach(server)
        with pytest.raises(ValueError, match=r"returns whole messages: leave out stream=True"):
            model.client.messages.create(messages=PROMPT, **more, **model.settings)
    assert server.requests == []


# Variables, certificates and keys


class SecureServer(Server):
    """A Server that speaks TLS, with a certificate that only its file makes trusted."""

    def __init__(self, folder):
        super().__init__()
        self.file = folder / "certificate.pem"
        key, names = folder / "key.pem", "subjectAltName=DNS:localhost,IP:127.0.0.1"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        files = ["-keyout", key, "-out", self.file]
        subprocess.run(
            [*command, *files, "-subj", "/CN=localhost", "-addext", names],
            check=True,
            capture_output=True,
        )
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.file, key)
        self.url = self.url.replace("http:", "https:")

    def get_request(self):
        connection, address = super().get_request()
        return self.context.wrap_socket(connection, server_side=True), address

    def handle_error(self, *_):
        pass


def test_certificate_of_a_firm_is_named_as_the_cause_with_the_variable_that_helps(
    monkeypatch, tmp_path
):
    if not shutil.which("openssl"):
        (pytest.fail if os.environ.get("CI") else pytest.skip)("openssl is not installed")
    with SecureServer(tmp_path) as server:
        env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
        message = refusal("m", env)
        assert message.startswith("The certificate of 127.0.0.1 is not trusted (")
        assert "certificate verify failed" in message and "set SSL_CERT_FILE to the file" in message
        monkeypatch.setenv("SSL_CERT_FILE", str(server.file))
        assert send(connect("m", env=env, say=print))


@pytest.mark.parametrize(
    "answer, part",
    [
        ([], r"broke off its answer \(Server disconnected without sending a response\.\)"),
        ([SILENCE], r"took too long to answer \(for 0.5 seconds, no part"),
        (b"no HTTP at all\r\n\r\n", r"broke off its answer \(.+\)"),
    ],
)
def test_every_failure_of_the_first_request_names_its_cause(monkeypatch, answer, part):
    monkeypatch.setattr("safetylib.wire.server.connect.PROBE_SECONDS", 0.5)
    with Server() as server:
        server.models = answer
        assert re.search(part, refusal("m", {"ANTHROPIC_BASE_URL": server.url}))


def test_key_in_a_custom_header_is_not_sent_over_http_to_another_machine(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", f"X-Team: mine\nx-api-key: {KEY}")
    env = {"ANTHROPIC_BASE_URL": "http://127.0.0.2:9"}
    assert "and ANTHROPIC_CUSTOM_HEADERS." in refusal("m", env)
    with Server() as server:
        assert send(connect("m", env={"ANTHROPIC_BASE_URL": server.url}, say=print))
    assert f"x-api-key: {KEY}" in server.heads[-1]


def test_rejected_key_is_told_the_setting_that_sends_it_as_x_api_key(monkeypatch):
    """The SDK sends `Authorization: Bearer`, and a gateway may read the other header alone."""
    with Server(models=error(401, "no key")) as server:
        env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
        setting = re.search('ANTHROPIC_CUSTOM_HEADERS="(.+?)"', refusal("m", env))[1]
        assert "x-api-key" not in server.heads[-1].lower()
        monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", setting.replace("YOUR_KEY", KEY))
        refusal("m", env)
        assert f"x-api-key: {KEY}" in server.heads[-1]


@pytest.mark.parametrize("name", ["HTTP_PROXY", "ALL_PROXY"])
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_proxy_gets_no_request_for_a_server_on_this_machine(monkeypatch, name, host):
    with Server() as proxy, Server() as server:
        for variable in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(variable, raising=False)
        monkeypatch.setenv(name, proxy.url)
        url = server.url.replace("127.0.0.1", host)
        env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": KEY}
        assert send(connect("m", env=env, say=print))
    assert proxy.heads == [] and len(server.heads) == 2


@pytest.mark.parametrize(
    "counts, is_told",
    [
        ((40, 40), True),
        ((40, 90), False),
        ((40,), False),
        ((), False),
        ((0, 0), False),
        ((None, None), False),
        ((True, True), False),
    ],
)
def test_server_that_may_drop_tools_without_a_sign_is_named_before_a_request(counts, is_told):
    with Server(counts=[http(200, {"input_tokens": one}) for one in counts]) as server:
        _, lines = reach(server)
    assert any("may not see any tool" in line for line in lines) is is_told
    assert server.requests == [] and not any("Attempt" in line for line in lines)
