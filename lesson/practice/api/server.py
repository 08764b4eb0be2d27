"""One exchange with the Messages API, from the HTTP request to the response.

A request goes through these checks from top to bottom. The first rule that it breaks is reported,
in the real API's own words.

    the door      the address, the body, the key    this module   404, 405, 413, 400, 401
    the request   each field by itself              request       400
    the rules     fields and models together        rules         404, 400
                  the turns of the conversation     conversation  400
    the answer    what the policy says, as a message  reply         200, or 500 if the policy fails
                  what its prompt costs             cache
                  as events, if it is streamed      stream        200
                  or how long the prompt is         tokens        200

Sources: pages of the API's documentation are named by their titles, in quotes; what no page says
comes from exchanges that people recorded or quoted in public.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import httpx2
from pydantic_core import from_json, to_json

from . import stream
from .cache import Cache, lay_out
from .errors import ApiError, invalid
from .memory import Known, Memory
from .models import find_model
from .reply import answer, policy_failed
from .rules import check, check_context_window, check_prompt
from .tokens import estimate_prompt_tokens

if TYPE_CHECKING:
    from ..policy import Policy

Finish = Callable[[list[dict[str, Any]] | dict[str, Any]], dict[str, Any]]  # see `accept`
MESSAGES = "/v1/messages"
COUNT = "/v1/messages/count_tokens"
KEY = "practice-key-opens-nothing"
MAX_BODY_BYTES = 32_000_000  # "Errors", request size limits


def respond(
    http: httpx2.Request,
    policy: Policy,
    requests: list[dict[str, Any]],
    cache: Cache,
    memory: Memory,
    context_window: int | None = None,
) -> httpx2.Response:
    """The response to the request `http` from a model with this policy.

    A copy of a body that can be read is appended to `requests`, even if the request is refused.
    `cache` keeps account of the prompts that are answered.
    `context_window`, in tokens, replaces that of the model that the request names. `memory` saves
    to check again what was accepted before.
    """
    request_id = "req_" + secrets.token_hex(12)
    headers = {"content-type": "application/json", "request-id": request_id}
    status = 200
    body: bytes | Iterator[bytes]
    try:
        check_address(http.method, http.url.path)
        request = parse(http.content)
        known = memory.recall(request, http.content)
        requests.append(known.copy)
        authenticate(http.headers)
        if http.url.path == COUNT:
            body = count_body(request)
        else:
            finish = accept(request, known, cache, context_window, memory)
            if request.get("stream"):
                body = stream.encode(stream_events(request, policy, finish, request_id))
                headers["content-type"] = stream.CONTENT_TYPE
            else:
                body = answer_body(request, policy, finish)
    except ApiError as error:
        status, body = error.status, to_json(error.body(request_id))
    return httpx2.Response(status, content=body, headers=headers)


def check_address(method: str, path: str) -> None:
    """Raise ApiError, a 404 or a 405, if this is not an address of the API: "API overview"."""
    if path not in (MESSAGES, COUNT):
        raise ApiError(404, "not_found_error", "Not Found")
    if method != "POST":
        raise ApiError(405, "invalid_request_error", "Method Not Allowed")


def parse(body: bytes) -> dict[str, Any]:
    """The request as a dict. Raises ApiError: 413 for a large body, 400 if it is not an object."""
    if len(body) > MAX_BODY_BYTES:
        raise ApiError(413, "request_too_large", "Request exceeds the maximum size")
    try:
        request = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        what, _, where = str(error).rpartition(" at ")
        what = "no low surrogate in string" if "hex escape" in what else what
        raise invalid(f"The request body is not valid JSON: {what}: {where}") from None
    if not isinstance(request, dict):
        raise invalid("Input should be an object")
    return request


def authenticate(headers: Mapping[str, str]) -> None:
    """Raise ApiError if the key or the API's version is missing or wrong: "API overview".

    The names of `headers` are in lower case. The key may be in either of two headers.
    """
    keys = {headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer ")}
    if not keys - {None, ""}:
        raise ApiError(401, "authentication_error", "x-api-key header is required")
    if KEY not in keys:
        raise ApiError(401, "authentication_error", "invalid x-api-key")
    if "anthropic-version" not in headers:
        raise invalid("anthropic-version: header is required")


def accept(
    request: dict[str, Any],
    known: Known,
    cache: Cache,
    context_window: int | None,
    memory: Memory,
) -> Finish:
    """Check a request, and return what makes of a policy's reply the message that answers it.

    Raises ApiError for a broken rule.
    """
    start = cache.clock()
    asked, turns = check(request, known)
    layout = lay_out(request, known.layout)
    memory.keep(known, asked, turns, layout)
    window = context_window or find_model(request["model"]).context_window
    check_context_window(layout.end.tokens, window)

    def finish(reply: list[dict[str, Any]] | dict[str, Any]) -> dict[str, Any]:
        message = answer(request, reply, known.written)
        return message | {"usage": cache.charge(request, layout, start) | message["usage"]}

    return finish


def answer_body(request: dict[str, Any], policy: Policy, finish: Finish) -> bytes:
    """The answer to a request, as JSON. Raises ApiError if the policy fails."""
    try:
        return to_json(finish(policy(request)))
    except ApiError:
        raise
    except Exception as error:
        raise policy_failed(error) from error


def stream_events(
    request: dict[str, Any], policy: Policy, finish: Finish, request_id: str
) -> Iterator[dict[str, Any]]:
    """The same answer as events; an error in the middle of a stream is the last one."""
    try:
        return stream.write_message(from_json(answer_body(request, policy, finish)))
    except ApiError as error:
        if not error.after:
            raise
        return stream.break_off(finish(error.after), error.body(request_id))


def count_body(request: dict[str, Any]) -> bytes:
    """The tokens in a prompt, as JSON: "Token counting". Raises ApiError for a broken rule."""
    check_prompt(request)
    return to_json({"input_tokens": estimate_prompt_tokens(request)})
