"""Any request whatever."""

import json

import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.practice_wire import ASK, BASH, HELLO, assistant, call, result, text, thinking, user

from agentlib.practice.api import errors, reply, rules, wire
from agentlib.practice.api.cache import Cache
from agentlib.practice.api.memory import Memory, write

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
blocks = st.one_of(
    st.builds(text, st.text()),
    st.builds(call, st.sampled_from("abc")),
    st.builds(result, st.sampled_from("abc"), st.text()),
    st.just(thinking()),
    anything,
)
contents = st.text() | st.lists(blocks, max_size=3)
messages = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "system"]), "content": contents}
    ),
    max_size=5,
)


@given(
    st.fixed_dictionaries(
        {"model": st.sampled_from(["practice", "claude-opus-5"]), "max_tokens": st.just(100)},
        optional={"messages": messages | anything, "tools": anything, "system": anything},
    )
)
def test_any_request_is_taken_or_refused_with_a_sentence(request):
    before = json.dumps(request)
    try:
        rules.check(request)
    except errors.ApiError as refused:
        assert refused.status == 400 and refused.message
    else:
        assert reply.answer(request, HELLO)["content"] == HELLO
    assert json.dumps(request) == before


rounds = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from(["", "Well, let me see."]),
        st.sampled_from(["", "Go on."]),
    ),
    max_size=6,
)


@given(rounds)
def test_any_history_of_calls_with_their_results_is_taken_and_none_without_one_of_them(history):
    turns, ids = [ASK], []
    for n, (calls, before, after) in enumerate(history):
        names = [f"call_{n}_{i}" for i in range(calls)]
        said = [text(before)] * bool(before) + [call(name) for name in names]
        heard = [result(name) for name in names] + [text(after)] * bool(after)
        turns += [assistant(*(said or [text("Done.")])), user(*(heard or [text("And now?")]))]
        ids += names
    asked = {"model": "practice", "max_tokens": 100, "messages": turns}
    rules.check(asked)
    for id in ids:
        lost = [
            turn | {"content": [b for b in turn["content"] if b.get("tool_use_id") != id]}
            for turn in turns
        ]
        with pytest.raises(errors.ApiError, match=id):
            rules.check(asked | {"messages": [turn for turn in lost if turn["content"]]})


TWO_RESULTS = [assistant(call("e"), call("f")), user(result("e")), user(result("f"))]
NEXT = [assistant(text("Done.")), user(text("And now?"))]
ids = st.sampled_from("abcd")
exchanges = st.one_of(
    ids.map(lambda id: [assistant(call(id)), user(result(id))]),
    ids.map(lambda id: [assistant(text("Well."), call(id)), user(result(id, is_error=True))]),
    st.just(TWO_RESULTS),
    st.just(NEXT),
    st.just([ASK]),
    st.lists(messages, max_size=1).map(lambda found: found[0] if found else []),
)
growths = st.tuples(st.integers(0, 9), st.lists(exchanges, max_size=3), st.booleans())


@given(st.lists(growths, max_size=6))
@example([(1, [TWO_RESULTS], False), (3, [NEXT], False)])  # a turn is cut in two
def test_what_was_accepted_before_changes_no_answer(history):
    memory, turns = Memory(), [ASK]
    for kept, added, is_new in history:
        turns = turns[:kept] + [turn for exchange in added for turn in exchange]
        model = "claude-opus-5" if is_new else "practice"
        asked = {"model": model, "max_tokens": 100, "messages": turns}
        assert fault(asked, memory) == fault(asked, Memory())


def fault(request, memory):
    """The words in which a request is refused; None where it is accepted."""
    try:
        rules.check(request, memory=memory)
    except errors.ApiError as refused:
        return refused.message


settings = st.sampled_from(
    [
        {},
        {"stream": True},
        {"tools": [BASH]},
        {"tools": [BASH | {"input_schema": {"type": "object", "properties": 1}}]},
        {"system": "Be brief."},
        {"max_tokens": 1},
        {"max_tokens": True},  # equal to 1 in Python, but not in JSON
        {"model": "claude-opus-5"},
        {"thinking": {"type": "enabled", "budget_tokens": 2000}, "max_tokens": 3000},
        {"system": "Be brief. " * 80},  # too long for the context window
    ]
)


@given(st.lists(st.tuples(growths, settings), min_size=2, max_size=6))
@example([((1, [TWO_RESULTS], False), {}), ((9, [NEXT], False), {})])
def test_what_came_before_changes_no_response_even_if_it_is_written_over(history):
    known, turns = (Cache(), Memory()), [ASK]
    for (kept, added, _), changed in history:
        turns = turns[:kept] + [turn for exchange in added for turn in exchange]
        asked = {"model": "practice", "max_tokens": 100, "messages": turns} | changed
        requests = []
        assert respond(asked, requests, *known) == respond(asked, [], Cache(), Memory())
        spoil(requests[0])


@given(st.lists(st.tuples(growths, settings), max_size=6))
def test_each_request_is_kept_as_it_came_whatever_the_mind_writes_into_it(history):
    requests, came, known, turns = [], [], (Cache(), Memory()), [ASK]
    for (kept, added, _), changed in history:
        turns = turns[:kept] + [turn for exchange in added for turn in exchange]
        came.append({"model": "practice", "max_tokens": 100, "messages": turns} | changed)
        respond(came[-1], requests, *known)
    assert json.dumps(requests) == json.dumps(came)


def respond(asked, requests, cache, memory):
    """The status and the body of the response, from a mind that spoils the request."""
    headers = {"x-api-key": wire.KEY, "anthropic-version": "2023-06-01"}
    url = "http://practice.invalid/v1/messages"
    http = httpx2.Request("POST", url, json=asked, headers=headers)
    response = wire.respond(http, spoil, requests, cache, memory, context_window=150)
    body = response.read().decode()
    return response.status_code, body.replace(response.headers["request-id"], "req_")


def spoil(request):
    """A mind, or a reader, that writes into a request."""
    for message in request["messages"]:
        if isinstance(message.get("content"), list):
            message["content"].clear()
        message["role"] = "nobody"
    for tool in request.get("tools", []):
        tool["input_schema"] = 1
    request["messages"].clear()
    request.pop("system", None)
    return HELLO


def test_a_request_is_checked_from_what_is_new_in_it():
    memory = Memory()
    turns = [ASK, assistant(call("a")), user(result("a"))]
    rules.check({"model": "practice", "max_tokens": 100, "messages": turns}, memory=memory)
    more = [*turns, assistant(text("Done.")), user(text("And now?"))]
    assert memory.recall(written(more)).messages == memory.last.messages
    assert len(memory.recall(written([ASK, *more])).messages) == 1
    assert memory.recall(written([user(text("Ho")), *more])).messages == []


def written(turns):
    return write({"messages": turns})
