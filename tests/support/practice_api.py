"""Changes to one small correct request to the practice API, and its answer or error to each."""

import anthropic
import pytest

from lesson.practice.api.errors import ApiError
from lesson.practice.api.thinking import check_thinking
from lesson.practice.practice_model import PracticeModel

from .blocks import text
from .loop import SETTINGS

BASH = {"name": "bash", "input_schema": {"type": "object"}}


def say_hello(request):
    """A policy."""
    return [text("Hello.")]


def user(*content):
    return {"role": "user", "content": list(content)}


def assistant(*content):
    return {"role": "assistant", "content": list(content)}


def call(id, **more):
    return {"type": "tool_use", "id": id, "name": "bash", "input": {}, **more}


ASK = user(text("Hi"))


def body(change=None):
    """Return the small correct request with this change."""
    return SETTINGS | {"messages": [ASK]} | (change or {})


def post(client, request):
    """Send a request. `messages.create` would not send a wrong one."""
    return client.post("/v1/messages", body=request, cast_to=anthropic.types.Message)


def send(change=None, policy=say_hello):
    """Send the small request with this change to a new practice model."""
    return post(PracticeModel(policy).client(), body(change))


def rejection(change=None, policy=say_hello) -> tuple[int, str, str]:
    """Return the status, the kind and the message of the error for such a request."""
    with pytest.raises(anthropic.APIStatusError) as rejected:
        send(change, policy)
    error = rejected.value.body["error"]
    return rejected.value.status_code, error["type"], error["message"]


def invalid(message):
    return 400, "invalid_request_error", message


def turns(*messages, **more):
    return {"messages": list(messages), **more}


def tool(**change):
    return {"tools": [BASH | change]}


def is_bound_elsewhere(request):
    """Return the API's error for thinking before which something has changed, or ""."""
    try:
        check_thinking(request)
    except ApiError as problem:
        return str(problem)
    return ""
