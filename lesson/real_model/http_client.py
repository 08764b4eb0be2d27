"""The HTTP client below the SDK: answers of bounded size and time, checked and redacted."""

import json
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import anthropic
import httpx2

from agentlib.replies import read_usage

from .error_messages import clip
from .event_stream import EventRelay, is_event_stream
from .quirks import ids_in
from .redaction import Redactor
from .responses import InvalidResponseError, read_message, redact_error

MAX_ANSWER_BYTES = 4 * 2**20  # a hundred times the size of a long reply
MAX_ERROR_BYTES = 10_000  # a traceback prints it


class BoundedClient(anthropic.DefaultHttpxClient):
    """An HTTP client that returns a complete, valid and redacted answer, or raises.

    The request's read timeout also limits the whole answer, unless it is a stream: a server that
    sends a byte now and then does not extend it. `count` is called with the tokens that each
    answer cost. Set `use_proxy` to False for a server on this machine.
    """

    def __init__(
        self,
        *,
        redactor: Redactor,
        count: Callable[[int], None],
        use_proxy: bool = True,
        **options: Any,
    ) -> None:
        # A redirect would send the whole conversation to another server: the user decides that.
        defaults: dict[str, Any] = {"follow_redirects": False}
        if not use_proxy:
            # The SDK reads the proxies in the environment (trust_env does not change that), unless
            # it gets a transport. A proxy would send a local server's requests to another machine.
            defaults["transport"] = httpx2.HTTPTransport()
        super().__init__(**defaults | options)
        self.redactor, self.count = redactor, count

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> Any:
        """Send one request. Return a stream of events as it arrives, anything else complete."""
        start = time.monotonic()
        response = super().send(request, stream=True, **options)
        if stream and is_event_stream(response):
            relay = EventRelay(response, self.redactor, self.count)
            return self.rebuild(response, stream=relay)
        seconds = request.extensions.get("timeout", {}).get("read")
        deadline = start + seconds if seconds is not None else float("inf")
        with closing(response):
            body = read_body(response, deadline)
        return self.rebuild(response, content=self.clean(response, body))

    def clean(self, response: httpx2.Response, body: bytes) -> bytes:
        """Return the body to pass on. Raise APIResponseValidationError if it cannot be used."""
        request = response.request
        if not response.is_success:
            return redact_error(body, self.redactor)
        if len(body) > MAX_ANSWER_BYTES:
            raise invalid_response(response, f"an answer of more than {MAX_ANSWER_BYTES:,} bytes")
        if not is_for_message(request):
            return self.redactor.redact_bytes(body)
        try:
            message = read_message(body, self.redactor, ids_in(json.loads(request.content)))
        except InvalidResponseError as problem:
            is_page = "html" in response.headers.get("content-type", "")
            found = "a web page in place of an answer" if is_page else problem
            start = clip(self.redactor.redact_bytes(body)[:200].decode("utf-8", "replace"))
            raise invalid_response(response, f"{found}, which begins with {start!r}") from None
        self.count(read_usage(message.get("usage"), "").total)
        return json.dumps(message).encode()

    def rebuild(self, response: httpx2.Response, **body: Any) -> httpx2.Response:
        """Return the response with another `body`, which is decompressed, and redacted headers.

        The server's own reason phrase, which may contain anything, is left out.
        """
        headers = [
            (name, self.redactor.redact_bytes(value))
            for name, value in response.headers.raw
            if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
        ]
        return httpx2.Response(
            response.status_code,
            headers=headers,
            request=response.request,
            **body,
        )


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


def is_for_message(request: httpx2.Request) -> bool:
    """Return whether the answer to a request is a model's message."""
    return request.method == "POST" and request.url.path.endswith("/v1/messages")


def invalid_response(
    response: httpx2.Response, found: object
) -> anthropic.APIResponseValidationError:
    """Return the error for an answer that cannot be used; `found` describes it."""
    message = f"{response.request.url.host} sent {found}."
    return anthropic.APIResponseValidationError(response, None, message=message)
