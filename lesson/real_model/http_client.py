"""The HTTP client below the SDK: answers of bounded size and time, checked and redacted."""

import json
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import anthropic
import httpx2

from agentlib.replies import read_usage

from ..redaction import Keys, redact_bytes
from .error_messages import clip
from .responses import InvalidResponseError, ids_in, read_message, redact_error

MAX_ANSWER_BYTES = 4 * 2**20  # a hundred times the size of a long reply
MAX_ERROR_BYTES = 10_000  # a traceback prints it


class BoundedClient(anthropic.DefaultHttpxClient):
    """An HTTP client that returns a complete, valid and redacted answer, or raises.

    The request's read timeout also limits the whole answer: a server that sends a byte now and
    then does not extend it. `keys` are redacted. `count` is called with the tokens that each answer
    cost. Set `use_proxy` to False for a server on this machine.
    """

    def __init__(
        self, *, keys: Keys, count: Callable[[int], None], use_proxy: bool = True, **options: Any
    ) -> None:
        # A redirect would send the whole conversation to another server: the user decides that.
        defaults: dict[str, Any] = {"follow_redirects": False}
        if not use_proxy:
            # The SDK reads the proxies in the environment (trust_env does not change that), unless
            # it gets a transport. A proxy would send a local server's requests to another machine.
            defaults["transport"] = httpx2.HTTPTransport()
        super().__init__(**defaults | options)
        self.keys, self.count = keys, count

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> Any:
        """Send one request. Return the complete answer, also if a `stream` of it is wanted."""
        start = time.monotonic()
        response = super().send(request, stream=True, **options)
        seconds = request.extensions.get("timeout", {}).get("read")
        deadline = start + seconds if seconds is not None else float("inf")
        with closing(response):
            body = read_body(response, deadline)
        headers = [
            (name, redact_bytes(value, self.keys))
            for name, value in response.headers.raw
            if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
        ]
        # Without the server's own reason phrase, which may contain anything.
        return httpx2.Response(
            response.status_code,
            headers=headers,
            request=request,
            content=self.clean(response, body),
        )

    def clean(self, response: httpx2.Response, body: bytes) -> bytes:
        """Return the body to pass on. Raise APIResponseValidationError if it cannot be used."""
        request = response.request
        if not response.is_success:
            return redact_error(body, self.keys)
        if len(body) > MAX_ANSWER_BYTES:
            raise invalid_response(response, f"an answer of more than {MAX_ANSWER_BYTES:,} bytes")
        if request.method != "POST" or not request.url.path.endswith("/v1/messages"):
            return redact_bytes(body, self.keys)  # not an answer of the model
        try:
            message = read_message(body, self.keys, ids_in(json.loads(request.content)))
        except InvalidResponseError as problem:
            is_page = "html" in response.headers.get("content-type", "")
            found = "a web page in place of an answer" if is_page else problem
            start = clip(redact_bytes(body, self.keys)[:200].decode("utf-8", "replace"))
            raise invalid_response(response, f"{found}, which begins with {start!r}") from None
        self.count(read_usage(message.get("usage"), "").total)
        return json.dumps(message).encode()


def read_body(response: httpx2.Response, deadline: float) -> bytes:
    """Return the body, of an error only its beginning. Raise httpx2.ReadTimeout at `deadline`.

    Stops reading as soon as a body is too large: a small compressed one may expand to gigabytes.
    """
    body, limit = bytearray(), MAX_ANSWER_BYTES if response.is_success else MAX_ERROR_BYTES
    for chunk in response.iter_bytes():
        body += chunk
        if time.monotonic() > deadline:
            raise httpx2.ReadTimeout("the answer took too long", request=response.request)
        if len(body) > limit:
            break
    return bytes(body if response.is_success else body[:limit])


def invalid_response(
    response: httpx2.Response, found: object
) -> anthropic.APIResponseValidationError:
    """Return the error for an answer that cannot be used; `found` describes it."""
    message = f"{response.request.url.host} sent {found}."
    return anthropic.APIResponseValidationError(response, None, message=message)
