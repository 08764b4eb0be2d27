"""An end to what may be spent: it holds beneath the SDK, so for every loop."""

import threading

import anthropic
import pytest
from loopback import Server, http, message, text, use
from test_connect import LS, PROMPT, reach

from agentlib import run
from agentlib.client.limits import LimitReachedError, Limits


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


def test_an_answer_in_the_raw_is_counted_and_so_is_one_in_pieces():
    with Server(*[message(text("Hi."), tokens=(900, 100))] * 2) as server:
        model, _ = reach(server)
        messages = model.client.messages
        reply = messages.with_raw_response.create(messages=PROMPT, **model.settings).parse()
        assert reply.content[0].text == "Hi." and model.limits.tokens_used == 1000
        with messages.with_streaming_response.create(messages=PROMPT, **model.settings) as pieces:
            assert b"Hi." in b"".join(pieces.iter_bytes())
    assert (model.limits.requests_sent, model.limits.tokens_used) == (2, 2000)


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


def test_a_batch_counts_as_all_the_requests_in_it():
    batch = http(200, {"id": "msgbatch_1", "type": "message_batch"})
    with Server(batch) as server:
        model, _ = reach(server, max_rounds=3)
        requests = [{"custom_id": str(n), "params": PROMPT} for n in range(4)]
        batches = model.client.messages.batches
        with pytest.raises(LimitReachedError, match=r"4 more.*model\.limits\.max_requests = 4"):
            batches.create(requests=requests)
        assert server.requests == []
        model.limits.max_requests = 4
        batches.create(requests=requests)
    assert model.limits.requests_sent == 4


def test_a_server_that_boasts_of_its_tokens_does_not_lift_the_limit_for_good():
    with Server(*[message(text("Hi."), tokens=(10**30, 1))] * 2) as server:
        model, _ = reach(server, max_total_tokens=1000)
        model.client.messages.create(messages=PROMPT, **model.settings)
        model.limits.extend()
        model.client.messages.create(messages=PROMPT, **model.settings)
        with pytest.raises(LimitReachedError):
            model.client.messages.create(messages=PROMPT, **model.settings)


def test_a_limit_holds_for_many_threads():
    limits, let_in = Limits(max_requests=5), []

    def ask():
        try:
            let_in.append(limits.admit())
        except LimitReachedError:
            pass

    threads = [threading.Thread(target=ask) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(let_in) == limits.requests_sent == 5
