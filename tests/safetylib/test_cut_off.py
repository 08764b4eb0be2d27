"""A call in the middle of which a reply was cut off is not run by any loop, nor asked for."""

from contextlib import suppress

import anthropic
import pytest
from loopback import KEY, PROMPT, Server, message, reach
from support.blocks import THINKING, result, text, use
from support.loop import assert_sendable
from support.play_loop import rounds

import lesson
from agentlib import RunEndedError, TodoManager, Tool
from agentlib.list_tool import list_tool
from agentlib.signatures import call_loop
from lesson.program.my_agent import load_solutions

CUT = ["max_tokens", "length", "model_context_window_exceeded", "banana", "", None]
HALF = use("write_file", path="a.txt", content="half of the te")
WHOLE = use("write_file", path="b.txt", content="whole")
PLAN = use("todo", items=[{"text": "Docs", "status": "pending"}])
SHAPES = {
    "call": ([HALF], []),
    "text and call": ([text("Now."), HALF], []),
    "call and whitespace": ([HALF, text(" \n")], []),
    "call and thinking": ([HALF, THINKING], []),
    "two calls": ([WHOLE, HALF], ["whole"]),
    "call and text": ([WHOLE, text("And then I shall")], ["whole"]),
    "list": ([PLAN], []),
}
SCHEMA = {"type": "object", "properties": {"path": {}, "content": {}}}


def connect_to(server, own_client):
    """Connect to a Server, with your own client of the SDK or without one."""
    if not own_client:
        return reach(server)[0]
    client = anthropic.Anthropic(api_key=KEY, base_url=server.url)
    return lesson.connect("some-model", client=client, say=lambda line: None)


def play(model, loop=None):
    """Play the learner's own loop. Return what was written, what was asked, and the list."""
    written, asked, todo = [], [], TodoManager()
    write = Tool("write_file", "Write.", SCHEMA, lambda path, content: written.append(content))
    object.__setattr__(model, "ask", lambda question: asked.append(question) or "run")
    loop, messages = loop or load_solutions().agent_loop, list(PROMPT)
    tools = model.guard([write, list_tool(todo)])
    with suppress(RunEndedError):
        call_loop(loop, model.client, messages, tools, **model.settings)
    return written, asked, todo.items, messages


# By connect, with a client of one's own, and with the package's loop.
WAYS = {"connect": (False, None), "own client": (True, None), "package": (False, rounds)}
ways = pytest.mark.parametrize("own_client, loop", WAYS.values(), ids=WAYS)


@ways
@pytest.mark.parametrize(
    "stop_reason, shape",
    [*((reason, "call") for reason in CUT), *(("max_tokens", shape) for shape in [*SHAPES][1:])],
)
def test_a_loop_runs_no_call_that_was_cut_off(stop_reason, shape, own_client, loop):
    content, runs = SHAPES[shape]
    with Server(message(*content, stop_reason=stop_reason)) as server:
        written, asked, items, messages = play(connect_to(server, own_client), loop)
    assert written == runs and len(asked) == len(runs) and not items
    told = str(messages[2]["content"])
    assert ("your reply was cut off here" in told) == (shape != "call and text")
    assert_sendable(messages)


def test_the_same_call_runs_when_it_is_sent_again_and_is_complete():
    with Server(message(HALF, stop_reason="max_tokens"), message(HALF)) as server:
        model, _ = reach(server)
        written, asked, *_ = play(model)
    assert written == ["half of the te"] and len(asked) == 1


@ways
def test_no_call_of_a_refusal_reaches_a_loop(own_client, loop):
    with Server(message(text("No."), WHOLE, stop_reason="refusal")) as server:
        written, asked, _, messages = play(connect_to(server, own_client), loop)
    assert written == asked == [] and len(server.requests) == 1 and len(messages) == 2


ASKS = {
    "plain": lambda client, **sent: client.messages.create(**sent),
    "raw": lambda client, **sent: client.messages.with_raw_response.create(**sent).parse(),
    "options": lambda client, **sent: client.with_options(timeout=9).messages.create(**sent),
    "beta": lambda client, **sent: client.beta.messages.create(**sent),
    "runner": lambda client, **sent: next(iter(client.beta.messages.tool_runner(tools=[], **sent))),
}


@pytest.mark.parametrize("own_client", [False, True], ids=["connect", "own client"])
@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("reason", ["max_tokens", None, "refusal"])
def test_half_a_call_or_a_key_comes_by_no_way_of_the_sdk(ask, reason, own_client):
    with Server(message(text(f"Now {KEY}."), HALF, stop_reason=reason)) as server:
        model = connect_to(server, own_client)
        got = ASKS[ask](model.client, messages=list(PROMPT), **model.settings)
        assert [block.type for block in got.content] == ["text"]
        assert own_client or KEY not in str(got.content)
        server.answers.append(message(HALF))
        whole = ASKS[ask](model.client, messages=list(PROMPT), **model.settings)
        assert [block.type for block in whole.content] == ["tool_use"]


def test_each_request_is_drawn_saved_and_counted_and_the_history_has_what_was_said():
    cut = message(HALF, stop_reason="max_tokens", tokens=(100, 7))
    both = message(use("read_file", "r", path="hello.py"), HALF, stop_reason="max_tokens")
    with Server(cut, both) as server:
        model = reach(server)[0]
        run = lesson.play("hello", model=model, loop=load_solutions().agent_loop)
    assert len(server.requests) == len(run.rounds) == model.limits.requests_sent == 3
    assert run.tokens == model.limits.tokens_used
    assert [[call.ok for call in one.calls] for one in run.rounds] == [[False], [True], []]
    assert "not run, because your reply was cut off here" in run.rounds[0].calls[0].output
    assert "your call of write_file was not run" in str(run.request(3).sent["messages"][-1])
    assert "your call of write_file was not run" in str(run.messages[-2])
    assert [one["role"] for one in run.messages] == ["user", "assistant"] * 3
    assert_sendable(run.messages)


def test_only_the_conversation_whose_call_was_left_out_is_told():
    """Kimi's models count their ids from 0 in each conversation."""
    with Server(message(PLAN, HALF, stop_reason="max_tokens"), message(WHOLE, HALF)) as server:
        client = reach(server)[0].client
        both = [list(PROMPT), list(PROMPT)]
        for _ in range(2):
            for messages in both:
                reply = client.messages.create(messages=messages, model="m", max_tokens=9)
                results = [result(one.id) for one in reply.content if one.type == "tool_use"]
                messages += [{"role": "assistant", "content": reply.content}]
                messages += [{"role": "user", "content": results or "Go on"}]
    told = ["your call of write_file was not run" in str(one) for one in server.requests]
    assert told == [False, False, True, False]


@pytest.mark.parametrize("count", [8000, 8000.0, "8000"], ids=repr)
@pytest.mark.parametrize("loop", [rounds, load_solutions().agent_loop])
def test_a_reply_as_long_as_max_tokens_is_cut_off_whatever_its_stop_reason_is(loop, count):
    answer = message(HALF, tokens=(15, count))
    with Server(answer, answer) as server:
        model, _ = reach(server)
        written, asked, _, messages = play(model, loop)
    assert not written and not asked
    assert "your reply was cut off here" in str(messages[2]["content"])
    assert "max_tokens" in str(messages[2]["content"])
