"""Interrupts at any time: what a CheckedClient sends is accepted, and has every call that ran."""

import sys
from contextlib import contextmanager

import pytest
from loopback import PROMPT, SILENCE, Server, message, reach
from support.blocks import use
from support.loop import SETTINGS, assert_every_call_is_sent, scripted
from support.play_loop import run
from support.processes import interrupt_when

from agentlib import Tool, loop, tools
from safetylib.wire import client as checked_client
from safetylib.wire.server import anthropic_client, limits
from safetylib.wire.server.anthropic_client import Anthropic, Attempts
from safetylib.wire.server.limits import Limits

pytestmark = pytest.mark.slow
SCHEMA = {"type": "object"}
CALLS = [use("work", f"toolu_{n}", n=n) for n in range(3)]


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
def test_next_request_is_accepted_after_an_interrupt_at_any_instruction(modules, step):
    instant = 1
    while True:
        ran, messages, model = [], list(PROMPT), scripted(CALLS[:1], CALLS[1:])
        client = real_client(model)
        work = Tool("work", "Work.", SCHEMA, lambda n, ran=ran: ran.append(n) or f"did {n}")
        try:
            with stop_at(instant, *modules):
                run(client, messages, [work], **SETTINGS)
            break
        except KeyboardInterrupt:
            pass
        run(client, messages, [work], **SETTINGS)
        assert_every_call_is_sent(model.requests[-1]["messages"], ran)
        instant += step
    assert instant > 300
    assert ran == [0, 1, 2]


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
