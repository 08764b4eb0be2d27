"""One exchange with the Messages API, from the HTTP request to the response.

A request goes through these checks from top to bottom. The first rule that it breaks is reported,
with the real API's own error message.

    the address, the key                        this module   404, 401
    each field by itself                        request       400
    lengths, names of tools, cache marks        rules         404, 400
    the turns of the conversation               conversation  400
    the policy's reply, as a message            reply         200, or 500 if the policy fails
    what the prompt costs                       cache

Sources: a docstring names a page of the API's documentation by its title, in quotes; what no page
says is from exchanges that people recorded or quoted in public.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx2
from pydantic_core import from_json, to_json

from .cache import Cache, lay_out
from .errors import ApiError, invalid
from .models import Model
from .reply import answer, policy_failed
from .rules import check

if TYPE_CHECKING:
    from ..policy import Policy

PATH = "/v1/messages"
KEY = "practice-key-opens-nothing"


def respond(
    http: httpx2.Request,
    policy: Policy,
    requests: list[dict[str, Any]],
    cache: Cache,
    context_window: int | None = None,
) -> httpx2.Response:
    """Return the response to the request `http` from a model with this policy.

    The body is appended to `requests`, even if the request is rejected. `cache` is updated for
    requests that are answered. `context_window`, in tokens, replaces that of the requested model.
    """
    request_id = "req_" + secrets.token_hex(12)
    headers = {"content-type": "application/json", "request-id": request_id}
    status = 200
    try:
        if http.url.path != PATH:
            raise ApiError(404, "not_found_error", "Not Found")
        request = from_json(http.content)
        requests.append(request)
        keys = (http.headers.get("x-api-key"), http.headers.get("authorization"))
        if KEY not in keys and f"Bearer {KEY}" not in keys:
            raise ApiError(401, "authentication_error", "invalid x-api-key")
        # The policy gets a copy, so that it cannot change what `requests` keeps.
        ask = partial(policy, from_json(http.content))
        body = create_message(request, ask, cache, context_window)
    except ApiError as error:
        status, body = error.status, to_json(error.body(request_id))
    return httpx2.Response(status, content=body, headers=headers)


def create_message(
    request: dict[str, Any], ask: Callable[[], Any], cache: Cache, context_window: int | None
) -> bytes:
    """Return the message that answers a request, as JSON. `ask` returns the policy's reply to it.

    Raise ApiError if the request breaks a rule or the policy fails.
    """
    check(request)
    prefixes = lay_out(request)
    tokens, window = prefixes[-1].tokens, context_window or Model(request["model"]).context_window
    if tokens > window:
        raise invalid(f"prompt is too long: {tokens} tokens > {window} maximum")
    try:
        message = answer(request, ask())
        usage = cache.charge(request, prefixes) | message["usage"]
        return to_json(message | {"usage": usage})
    except ApiError:
        raise
    except Exception as error:
        raise policy_failed(error) from error
