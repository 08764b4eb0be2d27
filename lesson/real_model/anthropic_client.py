"""The SDK's client for a real model, with limits, redaction and error messages."""

import time
from collections.abc import Callable
from typing import Any

import anthropic
import httpx2
from anthropic.types import Message

from agentlib.replies import usage_of

from ..redaction import Keys, redact_bytes
from .limits import Limits
from .server_errors import STOP_REASONS, clip, describe_retry, explain

MAX_RETRIES = 4  # with the SDK's backoff, 0.5 to 4 s: 8 s together
FIELDS: dict[str, dict[str, Any]] = {
    "text": {"text": str},
    "thinking": {"thinking": str},
    "tool_use": {"id": str, "name": str, "input": dict | None},  # Ollama sends none
}
MAX_WAIT_SECONDS = 60  # before a retry; if the server asks for more, the user decides


class RedactingClient(anthropic.DefaultHttpxClient):
    """An HTTP client that replaces `keys` in each response, and follows no redirect.

    Set `use_proxy` to False for a server on this machine.
    """

    def __init__(self, *, keys: Keys, use_proxy: bool = True, **options: Any) -> None:
        # A redirect would send the whole conversation to another server: the user decides that.
        defaults: dict[str, Any] = {"follow_redirects": False}
        if not use_proxy:
            # The SDK reads the proxies in the environment (trust_env does not change that), unless
            # it gets a transport. A proxy would send a local server's requests to another machine.
            defaults["transport"] = httpx2.HTTPTransport()
        super().__init__(**defaults | options)
        self.keys = keys

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> Any:
        """Send one request. Return the complete response, also if a `stream` of it is wanted."""
        response = super().send(request, **options)
        headers = [
            (name, redact_bytes(value, self.keys))
            for name, value in response.headers.raw
            if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
        ]
        body = redact_bytes(response.content, self.keys)
        # Without the server's own reason phrase, which may contain anything.
        return httpx2.Response(response.status_code, headers=headers, request=request, content=body)


class Client(anthropic.Anthropic):
    """An `anthropic.Anthropic` that stays within `limits`, retries, and explains its errors.

    `say` is called with a line for every retry and every reply that ended early. Errors are the
    SDK's, with a note (PEP 678) that says what to do: it is the last line of the traceback.
    Raises LimitReachedError before anything is sent, and ValueError for a stream.
    """

    def __init__(self, *, limits: Limits, say: Callable[[str], None], **options: Any) -> None:
        self.limits, self.say = limits, say
        options.setdefault("max_retries", MAX_RETRIES)
        options.setdefault("middleware", [limits.middleware])
        options.setdefault("open_telemetry", False)
        super().__init__(**options)

    def copy(self, **changes: Any) -> "Client":
        """Return a copy like the SDK's; it shares the limits and their counts."""
        return super().copy(**changes, _extra_kwargs={"limits": self.limits, "say": self.say})

    with_options = copy

    def request(self, cast_to: Any, options: Any, **more: Any) -> Any:
        """Send a request and return its answer: every method of the SDK calls this."""
        body = options.json_data if isinstance(options.json_data, dict) else {}
        if (body | (options.extra_json or {})).get("stream"):  # its tokens would not be counted
            raise ValueError("A client of connect() returns whole messages: leave out stream=True.")
        try:
            reply = super().request(cast_to, options, **more)
        except RecursionError:
            raise ValueError(f"{self.base_url.host} sent no message, but endless JSON.") from None
        except anthropic.APIError as problem:
            problem.add_note(explain(problem, body.get("model", "this model"), self.base_url.host))
            problem.args = (clip(problem.message),)  # a traceback prints it
            raise
        self.limits.tokens_used += usage_of(reply).total
        if isinstance(reply, Message):
            self.check(reply)
        return reply

    def check(self, reply: Message) -> None:
        """Repair a reply of Ollama, and say if a reply ended early. Raise ValueError for none."""
        # Ollama sends `"content": null` in an empty reply, and a tool call without `input`.
        reply.content = reply.content or []
        if not is_message(reply):
            sent = clip(reply.to_json(warnings=False))
            raise ValueError(f"{self.base_url.host} sent no message, but {sent}")
        for block in reply.content:
            if block.type == "tool_use":
                block.input = block.input or {}
        if reply.stop_reason in STOP_REASONS:
            self.say(STOP_REASONS[reply.stop_reason])

    # The SDK calls these methods to decide whether to retry, and to wait before it.

    def _should_retry(self, response: httpx2.Response) -> bool:
        seconds = self._parse_retry_after_header(response.headers) or 0
        return seconds <= MAX_WAIT_SECONDS and super()._should_retry(response)

    def _should_retry_exception(self, err: BaseException) -> tuple[bool, httpx2.Response | None]:
        if isinstance(err, anthropic.APITimeoutError):  # the reply may have been billed
            return False, None
        return super()._should_retry_exception(err)

    def _sleep_for_retry(
        self, *, retries_taken: int, max_retries: int, options: Any, response: Any
    ) -> None:
        headers = response.headers if response is not None else None
        seconds = self._calculate_retry_timeout(max_retries - retries_taken, options, headers)
        self.say(describe_retry(response, self.base_url.host, seconds))
        time.sleep(seconds)


def is_message(reply: Message) -> bool:
    """Return whether a reply is the model's, with blocks. The SDK does not check the types."""
    if reply.role != "assistant" or not isinstance(reply.content, list):
        return False
    # Two results for one id would be a history that the API rejects.
    blocks: list[Any] = reply.content
    uses = [block for block in blocks if getattr(block, "type", None) == "tool_use"]
    return (
        isinstance(reply.stop_reason, str | None)
        and all(map(is_block, blocks))
        and len({use.id for use in uses}) == len(uses)
    )


def is_block(block: Any) -> bool:
    """Return whether the fields of a block that the loop reads have the types of the API."""
    kind = getattr(block, "type", None)
    if not isinstance(kind, str) or getattr(block, "name", None) == "":
        return False
    types = FIELDS.get(kind, {})
    return all(isinstance(getattr(block, name, None), types[name]) for name in types)
