"""connect(): which model answers, what it may cost, and what is said where it cannot."""

import anthropic
import pytest
from loopback import Server, error, http, message, text, use

from agentlib import ConnectError, Tool, connect, run
from agentlib.live.connect import connect_practice
from agentlib.live.limits import LimitReachedError
from agentlib.practice.model import PracticeModel

KEY = "a-key-that-nobody-may-ever-read"
PROMPT = [{"role": "user", "content": "Go"}]
LS = Tool("bash", "Runs.", {"type": "object"}, lambda command="": "hello.py")


def reach(server, name="some-model", **options):
    """Connect to a server on this machine; what was said comes with it."""
    said = options.setdefault("say", [].append).__self__
    env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
    model = connect(name, env=env, **options)
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
    assert server.requests[0]["cache_control"] == {"type": "ephemeral"}


def test_model_id_names_the_model_and_an_argument_counts_more():
    with Server() as server:
        env = {"ANTHROPIC_BASE_URL": server.url, "MODEL_ID": "theirs"}
        assert connect(env=env, say=print).settings["model"] == "theirs"
        assert connect("mine", env=env, say=print).settings["model"] == "mine"
        assert not connect("practice", env=env, say=print).real


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_an_address_may_be_written_as_others_write_it(ending):
    with Server() as server:
        env = {"ANTHROPIC_BASE_URL": server.url + ending}
        model = connect("some-model", env=env, say=print)
        assert model.client.messages.create(messages=PROMPT, **model.settings)
    assert all(" /v1/m" in head.splitlines()[0] for head in server.heads)


@pytest.mark.parametrize(
    "model, env, part",
    [
        ("m", {}, "set ANTHROPIC_API_KEY"),
        ("m", {"ANTHROPIC_API_KEY": f"{KEY}\nx"}, "copy it once more"),
        ("m", {"ANTHROPIC_API_KEY": f"{KEY}é"}, "copy it once more"),
        (KEY, {"ANTHROPIC_API_KEY": KEY}, "a key in MODEL_ID by mistake"),
        ("m", {"ANTHROPIC_BASE_URL": KEY}, "ANTHROPIC_BASE_URL is no address"),
        ("m", {"ANTHROPIC_BASE_URL": f"ftp://{KEY}@x/"}, "ANTHROPIC_BASE_URL is no address"),
        ("m", {"ANTHROPIC_BASE_URL": "http://[1"}, "ANTHROPIC_BASE_URL is no address"),
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
        (http(200, "<html>Log in</html>", "content-type: text/html"), None),
        (error(404, "model: some-model"), None),
        (error(500, "oh"), None),
    ],
)
def test_the_first_question_is_free_and_only_a_clear_no_counts(answer, part):
    with Server(models=answer) as server:
        if part:
            with pytest.raises(ConnectError, match=part) as refused:
                reach(server)
            assert KEY not in str(refused.value)
        else:
            reach(server)
    assert [head.split()[0] for head in server.heads] == ["GET"]


def test_the_limit_on_requests_holds_for_a_loop_written_by_hand():
    with Server() as server:
        model, _ = reach(server, max_rounds=2)
        for _ in range(2):
            model.client.messages.create(messages=PROMPT, **model.settings)
        with pytest.raises(LimitReachedError, match=r"spend 2 requests.*model\.limits\.extend\(\)"):
            model.client.with_options(timeout=5).messages.create(messages=PROMPT, **model.settings)
        assert len(server.requests) == 2
        model.limits.max_requests += 1
        model.client.messages.create(messages=PROMPT, **model.settings)
    assert len(server.requests) == 3


def test_at_the_limit_on_tokens_a_run_stops_before_it_asks_and_goes_on_when_it_is_raised():
    used = use("bash", "toolu_1", command="ls")
    with Server(message(used, tokens=(900, 100))) as server:
        model, _ = reach(server, max_total_tokens=1000)
        messages = list(PROMPT)
        with pytest.raises(LimitReachedError, match="spend 1,000 tokens, and has spent 1,000"):
            run(model.client, messages, [LS], **model.settings)
        assert [message["role"] for message in messages] == ["user", "assistant", "user"]
        model.limits.extend()
        assert run(model.client, messages, [LS], **model.settings)[-1].text == "Done."
    assert [len(request["messages"]) for request in server.requests] == [1, 3]
    assert model.limits.tokens_used == 1012


def test_an_answer_in_the_raw_is_counted_and_one_in_pieces_is_left_alone():
    with Server(*[message(text("Hi."), tokens=(900, 100))] * 2) as server:
        model, _ = reach(server)
        messages = model.client.messages
        reply = messages.with_raw_response.create(messages=PROMPT, **model.settings).parse()
        assert reply.content[0].text == "Hi." and model.limits.tokens_used == 1000
        with messages.with_streaming_response.create(messages=PROMPT, **model.settings) as pieces:
            assert b"Hi." in b"".join(pieces.iter_bytes())
    assert (model.limits.requests_sent, model.limits.tokens_used) == (2, 1000)


def test_odd_counts_of_tokens_do_no_harm():
    usage = {"input_tokens": "many", "output_tokens": -5, "cache_read_input_tokens": None}
    with Server(message(text("Hi."), usage=usage)) as server:
        model, _ = reach(server)
        model.client.messages.create(messages=PROMPT, **model.settings)
    assert model.limits.tokens_used == 0


def test_only_what_costs_counts():
    with Server() as server:
        model, _ = reach(server)
        with pytest.raises(anthropic.NotFoundError):
            model.client.models.retrieve("some-model")
    assert model.limits.requests_sent == 0


def test_the_practice_model_has_no_limits_and_no_guard():
    model = connect(env={}, say=print, max_rounds=1)
    assert model.guard([LS]) == [LS]
    for _ in range(3):
        model.client.messages.create(messages=PROMPT, **model.settings)


def test_a_connection_shows_no_key():
    with Server() as server:
        model, said = reach(server)
        assert not any(KEY in str(shown) for shown in (repr(model), vars(model), said))


def test_a_practice_model_of_ones_own_can_be_connected():
    model = connect_practice(PracticeModel(lambda request: [text("Mine.")]))
    assert run(model.client, list(PROMPT), **model.settings)[0].text == "Mine."
