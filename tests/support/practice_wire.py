"""Small requests to the practice API, and what it says to each.

A chapter of the tests names changes to one small correct request, and for each change the words in
which it is refused (`each_refusal`), or what it shows where it is accepted (`each_accepted`).
"""

import anthropic
import pytest

from lesson.practice.model import PracticeModel

HELLO = [{"type": "text", "text": "Hello."}]
CACHED = {"cache_control": {"type": "ephemeral"}}
CACHED_LONG = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
BASH = {"name": "bash", "input_schema": {"type": "object"}}


def user(*content):
    return {"role": "user", "content": list(content)}


def assistant(*content):
    return {"role": "assistant", "content": list(content)}


def system(*content):
    return {"role": "system", "content": list(content)}


def text(words, **more):
    return {"type": "text", "text": words, **more}


def call(id, **more):
    return {"type": "tool_use", "id": id, "name": "bash", "input": {}, **more}


def result(id, content="done", **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def thinking(words="Hm.", **more):
    return {"type": "thinking", "thinking": words, "signature": "c2ln", **more}


def image(**source):
    return {"type": "image", "source": source}


def document(**source):
    return {"type": "document", "source": source}


ASK = user(text("Hi"))
PNG = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
PDF = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
LINK = {"type": "url", "url": "https://example.com/cat.png"}
SAID = assistant(text("Hello"))


def send(change=None, policy=lambda request: HELLO, without=(), **client):
    """What a small correct request gets as its answer, once `change` is made to it."""
    body = {"model": "practice", "max_tokens": 100, "messages": [ASK]} | (change or {})
    for name in without:
        del body[name]
    http = PracticeModel(policy).client(**client)
    return http.post("/v1/messages", body=body, cast_to=anthropic.types.Message)


def refusal(*args, **kwargs) -> tuple[int, str, str]:
    """The status, the kind and the words with which such a request is refused."""
    with pytest.raises(anthropic.APIStatusError) as refused:
        send(*args, **kwargs)
    error = refused.value.body["error"]
    return refused.value.status_code, error["type"], error["message"]


def invalid(message):
    return 400, "invalid_request_error", message


def turns(*messages, **more):
    return {"messages": list(messages), **more}


def tool(**change):
    return {"tools": [BASH | change]}


def each_refusal(changes):
    """The test for each change to the small request, by the words in which that is refused."""
    ids = [f"{n} {message:.60}" for n, message in enumerate(changes)]
    return pytest.mark.parametrize(("message", "change"), changes.items(), ids=ids)


def each_accepted(changes):
    """The test for each change to the small request that is in order, by what it shows."""
    return pytest.mark.parametrize("change", changes.values(), ids=changes.keys())
