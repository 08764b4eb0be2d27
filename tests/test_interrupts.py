"""Interrupts at any time: the history can be sent, and it contains every call that ran."""

import sys
from contextlib import contextmanager

import pytest
from loopback import PROMPT, SILENCE, Server, message, reach
from support.loop import SETTINGS, assert_sendable
from support.processes import interrupt_when

from agentlib import Tool, loop, run, tools
from lesson import PracticeModel
from lesson.practice.api import server
from lesson.real_model import anthropic_client, limits
from lesson.real_model.anthropic_client import Client, RedactingClient
from lesson.real_model.limits import Limits


class Work:
    """A tool that records which of its calls began and which finished."""

    def __init__(self):
        self.begun, self.finished = [], []
        self.tool = Tool("work", "Work.", {"type": "object"}, self.run)

    def run(self, n):
        self.begun.append(n)
        self.finished.append(n)
        return f"did {n}"


def calls_in(messages):
    """Return each call in a history as (number, output)."""
    asked, outputs = {}, {}
    for turn in messages:
        for block in turn["content"] if isinstance(turn["content"], list) else []:
            if block["type"] == "tool_use":
                asked[block["id"]] = block["input"]["n"]
            elif block["type"] == "tool_result":
                content = block["content"]
                outputs[block["tool_use_id"]] = (
                    content if isinstance(content, str) else content[0]["text"]
                )
    return [(n, outputs[id]) for id, n in asked.items()]


def assert_every_call_is_recorded(messages, work):
    """Assert that the history can be sent and that it records whether each call ran."""
    assert_sendable(messages)
    assert len(work.begun) == len(set(work.begun)), "a call ran twice"
    outputs = dict(calls_in(messages))
    assert set(work.begun) <= set(outputs), "a call ran that is not in the history"
    for n, output in outputs.items():
        if output == f"did {n}":
            assert n in work.finished
        elif n in work.begun:
            assert output == loop.INTERRUPTED
        else:
            assert output in (loop.NOT_RUN, loop.INTERRUPTED)


def working(total):
    """Return a model that makes `total` numbered calls of work, one to three per reply."""

    def policy(request):
        asked = sum(block["type"] == "tool_use" for turn in request["messages"]
                    for block in turn["content"] if isinstance(turn["content"], list))  # fmt: skip
        more = min(total - asked, 1 + asked % 3)
        uses = [{"type": "tool_use", "name": "work", "input": {"n": asked + n}}
                for n in range(more)]  # fmt: skip
        return [{"type": "text", "text": "Hm." if more else "Done."}, *uses]

    return PracticeModel(policy)


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
    http_client = RedactingClient(keys=[], transport=model.client()._client._transport)
    return Client(api_key=server.KEY, http_client=http_client, limits=Limits(), say=print)


def test_history_can_be_sent_after_an_interrupt_at_any_instruction_of_the_loop():
    instant, step = 1, 29
    while True:
        work, messages, client = Work(), list(PROMPT), real_client(working(3))
        try:
            with stop_at(instant, loop, tools, anthropic_client, limits):
                run(client, messages, [work.tool], **SETTINGS)
            break
        except KeyboardInterrupt:
            assert_every_call_is_recorded(messages, work)
        run(client, messages, [work.tool], **SETTINGS)
        assert_every_call_is_recorded(messages, work)
        instant += step
    assert instant > 300
    assert work.finished == [0, 1, 2]


def test_interrupt_inside_a_tool_is_recorded():
    def stop(n):
        raise KeyboardInterrupt

    messages, tool = list(PROMPT), Tool("work", "Work.", {"type": "object"}, stop)
    with pytest.raises(KeyboardInterrupt):
        run(working(3).client(), messages, [tool], **SETTINGS)
    assert calls_in(messages) == [(0, loop.INTERRUPTED)]


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
