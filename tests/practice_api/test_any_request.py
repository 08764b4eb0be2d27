"""Any request is answered, or rejected with an error message."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.practice_api import ASK, HELLO, assistant, call, result, text, thinking, turns, user
from support.practice_api import body as make_body

from lesson.practice.api import errors, reply, rules

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
def test_any_request_is_accepted_or_rejected_with_a_message(request):
    before = json.dumps(request)
    try:
        rules.check(request)
    except errors.ApiError as error:
        assert error.status == 400 and error.message
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
def test_history_is_accepted_only_with_all_tool_results(history):
    conversation, ids = [ASK], []
    for n, (calls, before, after) in enumerate(history):
        names = [f"call_{n}_{i}" for i in range(calls)]
        said = [text(before)] * bool(before) + [call(name) for name in names]
        results = [result(name) for name in names] + [text(after)] * bool(after)
        conversation += [
            assistant(*(said or [text("Done.")])),
            user(*(results or [text("And now?")])),
        ]
        ids += names
    rules.check(make_body(turns(*conversation)))
    for id in ids:
        without = [
            turn | {"content": [b for b in turn["content"] if b.get("tool_use_id") != id]}
            for turn in conversation
        ]
        with pytest.raises(errors.ApiError, match=id):
            rules.check(make_body(turns(*[turn for turn in without if turn["content"]])))
