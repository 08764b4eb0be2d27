"""Any request is answered, or rejected with an error message."""

import json

from hypothesis import given
from hypothesis import strategies as st
from support.practice_api import HELLO, call, result, text, thinking

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
