"""The HTTP client below the SDK: each answer is complete, checked and redacted."""

import json
from collections.abc import Callable
from typing import Any

import anthropic
import httpx2

from agentlib.replies import read_usage

from ..redaction import Keys, redact_bytes
from .error_messages import clip
from .responses import InvalidResponseError, ids_in, read_message, redact_error


class CheckedClient(anthropic.DefaultHttpxClient):
    """An HTTP client that returns a complete, valid and redacted answer, or raises.

    `keys` are redacted. `count` is called with the tokens that each answer cost. Set `use_proxy`
    to False for a server on this machine.
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
        response = super().send(request, **options)
        headers = [
            (name, redact_bytes(value, self.keys))
            for name, value in response.headers.raw
            if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
        ]
        # Without the server's own reason phrase, which may contain anything.
        return httpx2.Response(
            response.status_code, headers=headers, request=request, content=self.clean(response)
        )

    def clean(self, response: httpx2.Response) -> bytes:
        """Return the body to pass on. Raise APIResponseValidationError if it cannot be used."""
        request, body = response.request, response.content
        if not response.is_success:
            return redact_error(body, self.keys)
        if request.method != "POST" or not request.url.path.endswith("/v1/messages"):
            return redact_bytes(body, self.keys)  # not an answer of the model
        try:
            message = read_message(body, self.keys, ids_in(json.loads(request.content)))
        except InvalidResponseError as problem:
            is_page = "html" in response.headers.get("content-type", "")
            found = "a web page in place of an answer" if is_page else problem
            start = clip(redact_bytes(body, self.keys)[:200].decode("utf-8", "replace"))
            raise anthropic.APIResponseValidationError(
                response,
                None,
                message=f"{request.url.host} sent {found}, which begins with {start!r}.",
            ) from None
        self.count(read_usage(message.get("usage"), "").total)
        return json.dumps(message).encode()
