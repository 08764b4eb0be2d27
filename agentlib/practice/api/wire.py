"""The practice wire: one exchange with the Messages API, from the HTTP request to the response.

A request passes these gates from top to bottom, and the first rule that it breaks speaks, in the
real API's own words. What a learner meets here is what the rest of the world has met before.

    the door      the address, the body, the key    this module   404, 405, 413, 400, 401
    the shapes    each field by itself              request       400
    the rules     fields and models together        rules         404, 400
                  the turns of the conversation     conversation  400
    the answer    what the mind says, as a message  reply         200, or 500 if the mind fails
                  or how long the prompt is         tokens        200

Sources: pages of the API's documentation are named by their titles, in quotes; what no page says
was taken from exchanges that people recorded or quoted in public.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping

import httpx2
from pydantic_core import from_json, to_json

from .errors import Refused, invalid
from .reply import answer, mind_failed
from .rules import check, check_prompt
from .tokens import prompt_tokens

MESSAGES = "/v1/messages"
COUNT = "/v1/messages/count_tokens"
KEY = "practice-key-opens-nothing"
LARGEST_BODY = 32_000_000  # bytes: "Errors", request size limits

Mind = Callable[[dict], "list[dict] | dict"]


def respond(http: httpx2.Request, mind: Mind, requests: list[dict]) -> httpx2.Response:
    """What comes back when `http` is sent to a model with this mind.

    A body that can be read is appended to `requests`, even if it is refused then.
    """
    request_id = "req_" + secrets.token_hex(12)
    try:
        find(http.method, http.url.path)
        request = parse(http.content)
        requests.append(request)
        admit(http.headers)
        status = 200
        body = counted(request) if http.url.path == COUNT else answered(request, mind)
    except Refused as refused:
        status, body = refused.status, to_json(refused.body(request_id))
    headers = {"content-type": "application/json", "request-id": request_id}
    return httpx2.Response(status, content=body, headers=headers)


def find(method: str, path: str) -> None:
    """Is this a right address? There is one thing to do at each: "API overview"."""
    if path not in (MESSAGES, COUNT):
        raise Refused(404, "not_found_error", "Not Found")
    if method != "POST":
        raise Refused(405, "invalid_request_error", "Method Not Allowed")


def parse(body: bytes) -> dict:
    """The request as a dict; 413 when it is too large, 400 when it is not a JSON object."""
    if len(body) > LARGEST_BODY:
        raise Refused(413, "request_too_large", "Request exceeds the maximum size")
    try:
        request = from_json(body, allow_inf_nan=False)
    except ValueError as error:
        what, _, where = str(error).rpartition(" at ")
        what = "no low surrogate in string" if "hex escape" in what else what
        raise invalid(f"The request body is not valid JSON: {what}: {where}") from None
    if not isinstance(request, dict):
        raise invalid("Input should be an object")
    return request


def admit(headers: Mapping[str, str]) -> None:
    """Who asks, and for which version of the API? "API overview".

    `headers` must find their names in small letters. The key may come in either header.
    """
    keys = {headers.get("x-api-key"), headers.get("authorization", "").removeprefix("Bearer ")}
    if not keys - {None, ""}:
        raise Refused(401, "authentication_error", "x-api-key header is required")
    if KEY not in keys:
        raise Refused(401, "authentication_error", "invalid x-api-key")
    if "anthropic-version" not in headers:
        raise invalid("anthropic-version: header is required")


def answered(request: dict, mind: Mind) -> bytes:
    """The answer to a request, as JSON, if that is in order; a 500 when the mind fails at it."""
    check(request)
    try:
        return to_json(answer(request, mind(request)))
    except Refused:
        raise
    except Exception as error:
        raise mind_failed(error) from error


def counted(request: dict) -> bytes:
    """How long a prompt is, as JSON, if that is in order: "Token counting"."""
    check_prompt(request)
    return to_json({"input_tokens": prompt_tokens(request)})
