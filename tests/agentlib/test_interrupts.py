"""Interrupts at any time: the history can be sent, and it contains every call that ran."""

import sys
from contextlib import contextmanager

import pytest
from loopback import PROMPT, SILENCE, Server, message, reach
from support.blocks import use
from support.loop import SETTINGS, assert_sendable, scripted
from support.processes import interrupt_when

from agentlib import Tool, loop, run, tools
from safetylib.wire import client as checked_client
from safetylib.wire.server import anthropic_client, limits
from safetylib.wire.server.anthropic_client import Anthropic, Attempts
from safetylib.wire.server.limits import Limits

SCHEMA = {"type": "object"}
CALLS = [use("work", f"toolu_{n}", n=n) for n in range(3)]


def outputs_in(messages):
    """Return the output of each call in a history, by the call's number."""
    blocks = [block for turn in messages[1:] for block in turn["content"]]
    outputs = {b["tool_use_id"]: b["content"] for b in blocks if b["type"] == "tool_result"}
    return {b["input"]["n"]: outputs[b["id"]] for b in blocks if b["type"] == "tool_use"}


def assert_every_call_is_recorded(messages, ran):
    """Assert that the history can be sent and that it records whether each call ran."""
    assert_sendable(messages)
    assert len(ran) == len(set(ran)), "a call ran twice"
    outputs = outputs_in(messages)
    assert set(ran) <= set(outputs), "a call ran that is not in the history"
    for n, output in outputs.items():
        assert output in (f"did {n}" if n in ran else loop.NOT_RUN, loop.INTERRUPTED)


@contextmanager
def stop_at(instant, *modules):
    """Raise KeyboardInterrupt before the given instruction, counted over these modules."""
    files, count = {module.__file__ for module in modules}, 0

    def trace(frame, event, _):
        nonlocal count
        if frame.f_code.co_filename not in files:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            count += 1
            if count == instant:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # Python 3.12 needs one before settrace
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


def real_client(model):
    """Return a Client as connect() makes it, but the practice model answers its requests."""
    http_client = model.client()._client
    middleware = [Attempts(print).middleware, Limits().middleware]
    return Anthropic(api_key="a-key", http_client=http_client, middleware=middleware)


@pytest.mark.parametrize(
    "modules, step",
    [([loop], 5), ([tools, checked_client, anthropic_client, limits], 29)],
    ids=["loop", "below"],
)
def test_history_can_be_sent_after_an_interrupt_at_any_instruction_of_the_loop(modules, step):
    instant = 1
    while True:
        ran, messages, client = [], list(PROMPT), real_client(scripted(CALLS[:1], CALLS[1:]))
        work = Tool("work", "Work.", SCHEMA, lambda n, ran=ran: ran.append(n) or f"did {n}")
        try:
            with stop_at(instant, *modules):
                run(client, messages, [work], **SETTINGS)
            break
        except KeyboardInterrupt:
            assert_every_call_is_recorded(messages, ran)
        run(client, messages, [work], **SETTINGS)
        assert_every_call_is_recorded(messages, ran)
        instant += step
    assert instant > 300
    assert ran == [0, 1, 2]


def test_interrupt_inside_a_tool_is_recorded():
    def stop(n):
        if n == 1:
            raise KeyboardInterrupt
        return "done"

    messages, tool = list(PROMPT), Tool("work", "Work.", SCHEMA, stop)
    with pytest.raises(KeyboardInterrupt):
        run(scripted(CALLS).client(), messages, [tool], **SETTINGS)
    assert outputs_in(messages) == {0: "done", 1: loop.INTERRUPTED, 2: loop.NOT_RUN}


@pytest.mark.parametrize("answer", [[SILENCE], [message()[:30], SILENCE]])
def test_interrupt_during_a_wait_closes_the_connection_at_once(answer):
    with Server(answer) as server:
        model, _ = reach(server)
        messages = list(PROMPT)
        with pytest.raises(KeyboardInterrupt), interrupt_when(lambda: server.requests):
            run(model.client, messages, **model.settings)
        assert server.was_left.wait(60)
        assert messages == PROMPT
        assert run(model.client, messages, **model.settings)[-1].text == "Done."
