"""A call in the middle of which a reply was cut off is not run by any loop, nor asked for."""

import anthropic
import pytest
from loopback import KEY, PROMPT, Server, http, reach
from support.blocks import reply, text, use

import lesson
from agentlib import TodoManager, Tool
from lesson.notebook.check_part import load_solutions
from lesson.runs.adapt import call_loop, list_tool

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


def play(model, *replies):
    """Play the learner's own loop. Return what was written, what was asked, and the list."""
    written, asked, todo = [], [], TodoManager()
    write = Tool("write_file", "Write.", SCHEMA, lambda path, content: written.append(content))
    object.__setattr__(model, "ask", lambda question: asked.append(question) or "run")
    call_loop(
        load_solutions().agent_loop,
        model.client,
        messages := list(PROMPT),
        model.guard([write, list_tool(todo)]),
        **model.settings,
    )
    return written, asked, todo.items, messages


@pytest.mark.parametrize("own_client", [False, True], ids=["connect", "own client"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("stop_reason", CUT, ids=repr)
def test_a_learners_loop_runs_no_call_that_was_cut_off(stop_reason, shape, own_client):
    content, runs = SHAPES[shape]
    answer = http(200, reply(*content) | {"stop_reason": stop_reason})
    with Server(answer) as server:
        if own_client:
            client = anthropic.Anthropic(api_key=KEY, base_url=server.url)
            model = lesson.connect("some-model", client=client, say=lambda line: None)
        else:
            model, _ = reach(server)
        written, asked, items, messages = play(model)
    assert written == runs and len(asked) == len(runs) and not items
    refused = str(messages[2]["content"])
    assert ("your reply was cut off here" in refused) == (shape != "call and text")


def test_the_same_call_runs_when_it_is_sent_again_and_is_complete():
    with Server(
        http(200, reply(HALF) | {"stop_reason": "max_tokens"}), http(200, reply(HALF))
    ) as server:
        model, _ = reach(server)
        written, asked, *_ = play(model)
    assert written == ["half of the te"] and len(asked) == 1
