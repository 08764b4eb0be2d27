"""Answer one HTTP request as the Messages API would.

A request goes through these checks from top to bottom. The first rule that it breaks is reported,
with the real API's own error message.

    the address, the key and the version        this module   404, 401, 400
    each field by itself                        request_shape 400
    lengths, names of tools                     this module   404, 400
    the turns of the conversation               conversation  400
    what was before the model's thinking        thinking      400
    the policy's reply, as a message            reply         200, or 500 if the policy fails
    the message as a stream, if it was asked    events        200

Sources: a docstring names a page of the API's documentation by its title, in quotes; what no page
says is from exchanges that people recorded or quoted in public.
"""

from __future__ import annotations

import secrets
from collections.abc import MutableSequence
from typing import TYPE_CHECKING, Any

import httpx2
from pydantic_core import from_json, to_json

from safetylib.wire.run_file import share

from .conversation import check_conversation
from .errors import ApiError, invalid
from .events import to_events
from .reply import BLOCKS, make_message
from .request_shape import Request, parse_request
from .thinking import check_thinking, sign_thinking
from .tokens import estimate_prompt_tokens

if TYPE_CHECKING:
    from ..policy import Policy

PATH = "/v1/messages"
# The limits in tokens of older models, which are the smaller ones: "Models overview"
MAX_OUTPUT = 64_000
CONTEXT_WINDOW = 200_000


def respond(
    http: httpx2.Request,
    policy: Policy,
    requests: MutableSequence[dict[str, Any]],
    context_window: int | None = None,
) -> httpx2.Response:
    """Return the response to the request `http` from a model with this policy.

    The body is appended to `requests`, even if the request is rejected. `context_window`, in
    tokens, replaces CONTEXT_WINDOW.
    """
    request_id = "req_" + secrets.token_hex(12)
    headers = {"content-type": "application/json", "request-id": request_id}
    try:
        check_address_and_headers(http)
        # What is kept in `requests` is a copy, so that the policy cannot change it.
        requests.append(share_lists(from_json(http.content), requests[-1] if requests else {}))
        body = from_json(http.content)
        tokens = check_request(body, context_window)
        message = create_message(body, policy, tokens)
        if body.get("stream"):
            headers["content-type"] = "text/event-stream; charset=utf-8"
            message = to_events(from_json(message))
        return httpx2.Response(200, content=message, headers=headers)
    except ApiError as error:
        return httpx2.Response(error.status, json=error.body(request_id), headers=headers)


def check_address_and_headers(http: httpx2.Request) -> None:
    """Check the path, and that there are a key and a version. The SDK sends all three.

    The API's own 404 says only "Not Found".
    """
    if http.url.path != PATH:
        message = f"Not Found: {http.url.path}. The Messages API is at {PATH}."
        raise ApiError(404, "not_found_error", message)
    if not http.headers.get("x-api-key") and "authorization" not in http.headers:
        raise ApiError(401, "authentication_error", "x-api-key header is required")
    if not http.headers.get("anthropic-version"):  # each one is accepted
        raise invalid("anthropic-version: header is required")


def share_lists(request: Any, earlier: Any) -> Any:
    """Return a request whose messages and tools are the objects of the one before if they can."""
    if isinstance(request, dict) and isinstance(earlier, dict):
        for key in ("messages", "tools"):
            if isinstance(request.get(key), list) and isinstance(earlier.get(key), list):
                request[key] = share(request[key], earlier[key])
    return request


def check_request(request: dict[str, Any], context_window: int | None = None) -> int:
    """Apply all rules to a request, and return the tokens of its prompt. Raise ApiError."""
    check_threads(request)
    parsed = parse_request(request)
    check_lengths_and_names(parsed)
    check_conversation(parsed)
    check_thinking(request)
    tokens, window = estimate_prompt_tokens(request), context_window or CONTEXT_WINDOW
    if tokens > window:
        raise invalid(f"prompt is too long: {tokens} tokens > {window} maximum")
    return tokens


def create_message(request: dict[str, Any], policy: Policy, tokens: int) -> bytes:
    """Return the message that answers a request, as JSON. Raise ApiError if there is none."""
    reply = policy(request)
    try:
        message = make_message(request, reply, tokens)
        return to_json(message | {"content": sign_thinking(request, message["content"])})
    except Exception as error:
        problem = f"The model's reply cannot be sent: {error}. {BLOCKS}"
        raise ApiError(500, "api_error", problem) from error


def check_threads(request: Any) -> None:
    """Reject the beta field `thread`, with the code that makes the SDK send the whole history.

    The SDK's tool runner first tries to keep the conversation on the server: "Message threads".
    """
    if isinstance(request, dict) and "thread" in request:
        message = "thread: the practice model keeps no threads."
        details = {"error_code": "thread_unsupported_request"}
        raise ApiError(400, "invalid_request_error", message, details)


def check_lengths_and_names(request: Request) -> None:
    """Check the model's name, that max_tokens is not too large, and that tool names are unique."""
    model = request["model"]
    if model != "practice" and not model.startswith("claude-"):
        raise ApiError(404, "not_found_error", f"model: {model}")
    if request["max_tokens"] > MAX_OUTPUT:
        raise invalid(
            f"max_tokens: {request['max_tokens']} > {MAX_OUTPUT}, which is the maximum "
            f"allowed number of output tokens for {model}"
        )
    names = [tool["name"] for tool in request.get("tools", []) if tool.get("name")]
    if len(set(names)) < len(names):
        raise invalid("tools: Tool names must be unique.")
