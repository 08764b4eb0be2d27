"""A call in the middle of which a reply was cut off is not run by any loop, nor asked for."""

import json
from contextlib import suppress
from threading import Thread

import anthropic
import pytest
from loopback import KEY, PROMPT, Server, message, reach
from support.blocks import result, text, use

import lesson
from agentlib import RunEndedError, TodoManager, Tool, rounds
from lesson.program.my_agent import load_solutions
from lesson.real_model.cut_off import cut_calls
from lesson.runs.adapters import call_loop, list_tool

CUT = ["max_tokens", "length", "model_context_window_exceeded", "banana", "", None, "refusal"]
HALF = use("write_file", path="a.txt", content="half of the te")
WHOLE = use("write_file", path="b.txt", content="whole")
PLAN = use("todo", items=[{"text": "Docs", "status": "pending"}])
SHAPES = {
    "call": ([HALF], []),
    "text and call": ([text("Now."), HALF], []),
    "call and whitespace": ([HALF, text(" \n")], []),
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


@pytest.mark.parametrize("own_client", [False, True], ids=["connect", "own client"])
@pytest.mark.parametrize(
    "stop_reason, shape",
    [*((reason, "call") for reason in CUT), *(("max_tokens", shape) for shape in [*SHAPES][1:])],
)
def test_a_learners_loop_runs_no_call_that_was_cut_off(stop_reason, shape, own_client):
    content, runs = SHAPES[shape]
    with Server(message(*content, stop_reason=stop_reason)) as server:
        written, asked, items, messages = play(connect_to(server, own_client))
    assert written == runs and len(asked) == len(runs) and not items
    refused = str(messages[2]["content"])
    assert ("your reply was cut off here" in refused) == (shape != "call and text")


def test_the_same_call_runs_when_it_is_sent_again_and_is_complete():
    with Server(message(HALF, stop_reason="max_tokens"), message(HALF)) as server:
        model, _ = reach(server)
        written, asked, *_ = play(model)
    assert written == ["half of the te"] and len(asked) == 1


ASKS = {
    "plain": lambda client, **sent: client.messages.create(**sent),
    "raw": lambda client, **sent: client.messages.with_raw_response.create(**sent).parse(),
    "options": lambda client, **sent: client.with_options(timeout=9).messages.create(**sent),
    "beta": lambda client, **sent: client.beta.messages.create(**sent),
    "runner": lambda client, **sent: next(iter(client.beta.messages.tool_runner(tools=[], **sent))),
}


def nothing(client, settings, run):
    pass


def count_tokens(client, settings, run):
    with suppress(anthropic.NotFoundError):  # this server does not count
        client.messages.count_tokens(model="some-model", messages=PROMPT)


def title(client, settings, run):
    client.messages.create(messages=PROMPT, **settings)


def other_thread(client, settings, run):
    thread = Thread(target=title, args=(client, settings, run))
    thread.start()
    thread.join()


def summary(client, settings, run):
    call, read = use("read_file", id="toolu_0", path="a.txt"), result("toolu_0")
    history = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [read]}]
    client.messages.create(messages=PROMPT + history, **settings)


def sub_agent(client, settings, run):
    with Server(message(WHOLE)) as server:
        other = client.with_options(base_url=server.url)
        [call] = other.messages.create(messages=PROMPT, **settings).content
    run(**call.input)


def twice(client, settings, run):
    with suppress(PermissionError):
        run(path="a.txt", content="half of the te")


# A loop: how it asks, what it does before it runs the call, and how it runs the call.
AS_IT_IS = HALF["input"]
INPUTS = {
    "other order": {"content": "half of the te", "path": "a.txt"},
    "a default": AS_IT_IS | {"mode": "w"},
    "without a field": {"content": "half of the te"},
    "line ends": AS_IT_IS | {"content": "half of the te\r\n"},
    "indented": AS_IT_IS | {"content": "\thalf of the te"},
    "path": AS_IT_IS | {"path": "/workspace/a.txt"},
    "by JSON": json.loads(json.dumps(AS_IT_IS)),
}
LOOPS = [(ask, nothing, AS_IT_IS) for ask in ASKS]
LOOPS += [
    ("plain", between, AS_IT_IS)
    for between in (count_tokens, title, other_thread, summary, sub_agent, twice)
]
LOOPS += [("plain", nothing, given) for given in INPUTS.values()]
LOOPS += [("plain", title, given) for given in [*INPUTS.values()][:4]]


@pytest.mark.parametrize("own_client", [False, True], ids=["connect", "own client"])
def test_no_kind_of_loop_runs_a_call_that_was_cut_off(own_client):
    write = Tool("write_file", "Write.", SCHEMA, lambda **more: written.append(more) or "")
    with Server() as server:
        model, older = connect_to(server, own_client), connect_to(server, own_client)
        object.__setattr__(older, "ask", lambda question: "once")
        [guarded] = older.guard([write])  # a cell can be run twice
        for number, (ask, between, given) in enumerate(LOOPS):
            name = ["write_file", "Write_File", "functions.write_file"][number % 3]
            half, written = use(name, **(AS_IT_IS | {"content": given["content"].strip()})), []
            server.answers.append(message(half, stop_reason="max_tokens"))
            cut_calls.clear()
            ASKS[ask](model.client, messages=PROMPT, **model.settings)
            between(model.client, model.settings, guarded.run)
            with pytest.raises(PermissionError, match="cut off"):
                guarded.run(**given)
            assert written == ([WHOLE["input"]] if between is sub_agent else [])


@pytest.mark.parametrize("loop", [rounds, load_solutions().agent_loop])
def test_a_reply_as_long_as_max_tokens_is_cut_off_whatever_its_stop_reason_is(loop):
    answer = message(HALF, tokens=(15, 8000))
    with Server(answer, answer) as server:
        model, _ = reach(server)
        written, asked, _, messages = play(model, loop)
    assert not written and not asked
    assert "your reply was cut off here" in str(messages[2]["content"])
    assert "max_tokens" in str(messages[2]["content"])
