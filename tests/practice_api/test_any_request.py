"""Any request whatever."""

import json
import operator

import anthropic
import httpx2
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.practice_wire import (
    ASK,
    BASH,
    CACHED,
    HELLO,
    PDF,
    PNG,
    assistant,
    call,
    document,
    image,
    result,
    text,
    thinking,
    user,
)

from lesson.practice.api import errors, reply, rules, server
from lesson.practice.api.cache import Cache
from lesson.practice.api.memory import Memory

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
THOUGHT = [assistant(thinking(), call("t"), text("?")), user(result("t"))]
SHOWN = [user(image(**PNG))]
ids = st.sampled_from("abcd")
exchanges = st.one_of(
    ids.map(lambda id: [assistant(call(id)), user(result(id))]),
    ids.map(lambda id: [assistant(text("Well."), call(id)), user(result(id, is_error=True))]),
    st.just(TWO_RESULTS),
    st.just(NEXT),
    st.just([ASK]),
    st.just(THOUGHT),
    st.just(SHOWN),
    st.just([user(document(**PDF) | {"citations": {"enabled": True}})]),
    st.lists(messages, max_size=1).map(lambda found: found[0] if found else []),
)
growths = st.tuples(st.integers(0, 9), st.lists(exchanges, max_size=3))


LONG = CACHED | {"system": "Be brief. " * 500}  # enough for the cache
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
        LONG,
        {"system": [text("Be brief. " * 500, **CACHED)]},
        {"system": "Be brief. " * 5000},  # too long for the context window
    ]
)


@given(st.lists(st.tuples(growths, settings), min_size=2, max_size=6))
@example([((1, [TWO_RESULTS]), {}), ((9, [NEXT]), {})])
@example([((1, [TWO_RESULTS]), {}), ((3, [NEXT]), {})])  # a turn is cut in two
@example([((1, [THOUGHT]), LONG), ((9, [NEXT]), LONG)])  # the thinking is forgotten
@example([((1, []), LONG), ((9, [NEXT, SHOWN]), LONG)])  # the first picture changes what is cached
def test_what_came_before_changes_no_response_even_if_it_is_written_over(history):
    known, cache, turns = (Cache(), Memory()), Cache(), [ASK]
    for (kept, added), changed in history:
        turns = turns[:kept] + [turn for exchange in added for turn in exchange]
        asked = {"model": "practice", "max_tokens": 100, "messages": turns} | changed
        requests = []
        assert respond(asked, requests, *known) == respond(asked, [], cache, Memory())
        spoil(requests[0])


@given(st.lists(st.tuples(growths, settings), max_size=6))
def test_each_request_is_kept_as_it_came_whatever_the_policy_writes_into_it(history):
    requests, came, known, turns = [], [], (Cache(), Memory()), [ASK]
    for (kept, added), changed in history:
        turns = turns[:kept] + [turn for exchange in added for turn in exchange]
        came.append({"model": "practice", "max_tokens": 100, "messages": turns} | changed)
        respond(came[-1], requests, *known)
    assert json.dumps(requests) == json.dumps(came)


def test_a_kept_request_is_whole_even_if_the_list_of_an_earlier_one_is_cleared():
    requests, known = [], (Cache(), Memory())
    for turns in ([ASK], [ASK, *NEXT], [ASK, *NEXT, *NEXT]):
        asked = {"model": "practice", "max_tokens": 100, "messages": turns}
        respond(asked, requests, *known)
        assert requests[-1] == asked
        requests[-1]["messages"].clear()


def respond(asked, requests, cache, memory):
    """The status and the body of the response, from a policy that spoils the request."""
    headers = {"x-api-key": server.KEY, "anthropic-version": "2023-06-01"}
    url = "http://practice.invalid/v1/messages"
    http = httpx2.Request("POST", url, json=asked, headers=headers)
    response = server.respond(http, spoil, requests, cache, memory, context_window=9_000)
    body = response.read().decode()
    return response.status_code, body.replace(response.headers["request-id"], "req_")


def spoil(request):
    """A policy, or a reader, that writes into a request."""
    for message in request["messages"]:
        if isinstance(message.get("content"), list):
            message["content"].clear()
        message["role"] = "nobody"
    for tool in request.get("tools", []):
        tool["input_schema"] = 1
    request["messages"].clear()
    request.pop("system", None)
    return HELLO


def test_a_request_of_the_sdk_is_checked_from_what_is_new_in_it():
    memory = Memory()
    transport = httpx2.MockTransport(
        lambda http: server.respond(http, lambda _: HELLO, [], Cache(), memory)
    )
    client = anthropic.Anthropic(api_key=server.KEY, http_client=httpx2.Client(transport=transport))
    words = 'Grüße 🐍 \u2028 \x00 \x1f \x7f "\\ </script>'
    said, messages = call("a", input={words: [1.5, 10**30, -0.0, True, None]}), [user(text(words))]
    client.messages.create(model="practice", max_tokens=100, system=words, messages=messages)
    for _ in range(3):
        known = memory.last.asked.messages
        messages += [assistant(said), user(result(said["id"], words))]
        said = said | {"id": said["id"] + "a"}
        client.messages.create(model="practice", max_tokens=100, system=words, messages=messages)
        assert len(memory.last.asked.messages) == len(known) + 2
        assert all(map(operator.is_, memory.last.asked.messages, known))
