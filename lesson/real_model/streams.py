"""Ask for each reply as a stream, show its words while they come, and return it whole.

This is below the SDK: whoever calls `messages.create` gets a whole message, as before, so any loop
is streamed, counted and checked. Events: "Streaming messages" of the API's documentation.
"""

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import anthropic
import httpx2
from pydantic_core import from_json

from agentlib.ends import read_end

SHOW_SECONDS = 0.1  # so often words are drawn at most: a page and a terminal take time for each
MAX_SHOWN_CHARS = 300  # of the newest words: about four lines of a terminal
# The status of an error that comes after the stream has begun: "Errors".
STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "overloaded_error": 529,
}
NO_STREAMS = "{} does not stream replies, so each is shown when it is complete."
# The field of a block that each delta continues.
CONTINUES = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}


class StreamError(Exception):
    """An error event of a stream: its body."""

    def __init__(self, body: dict[str, Any]) -> None:
        super().__init__("an error in the middle of a stream")
        self.body = body


class StreamingClient(anthropic.DefaultHttpxClient):
    """The SDK's HTTP client, which streams each reply and returns the answer as a whole."""

    def __init__(
        self, show: Callable[[str], object], say: Callable[[str], object], **settings: Any
    ) -> None:
        super().__init__(**settings)
        self.show, self.say = show, say
        self.can_stream, self.has_streamed = True, False

    def send(self, request: httpx2.Request, **more: Any) -> httpx2.Response:
        """Send a request. Raise the HTTP library's errors, also in the middle of a stream."""
        body = read_body(request)
        if not self.can_stream or not isinstance(body, dict) or "stream" in body:
            return super().send(request, **more)
        answer = super().send(as_stream(request, body), **more | {"stream": True})
        try:
            if answer.is_success and "event-stream" in answer.headers.get("content-type", ""):
                self.has_streamed = True
                return self.read_whole(answer)
            answer.read()  # an error, or a server that ignores the field `stream`
        finally:
            answer.close()
        if self.has_streamed or not may_refuse_streams(answer):
            return answer
        whole = super().send(request, **more)
        if whole.is_success:
            self.can_stream = False
            self.say(NO_STREAMS.format(request.url.host))
        return whole

    def read_whole(self, answer: httpx2.Response) -> httpx2.Response:
        """Return the answer that the server would have sent without a stream."""
        headers = {name: answer.headers[name] for name in answer.headers if "-id" in name.lower()}
        try:
            status, body = 200, join_events(read_events(answer), self.show)
        except StreamError as problem:
            error = problem.body.get("error")
            kind = error.get("type") if isinstance(error, dict) else error
            status, body = STATUS.get(str(kind), 500), problem.body
        finally:
            with suppress(Exception):
                self.show("")
        if body is None:
            raise httpx2.RemoteProtocolError(
                "the stream ended early, or a part of it cannot be read", request=answer.request
            )
        return httpx2.Response(status, json=body, headers=headers, request=answer.request)


def may_refuse_streams(answer: httpx2.Response) -> bool:
    """Return whether an error may be about the stream: it says so, or says nothing.

    Portkey's gateway answers each stream with 500 and "Something went wrong", seen in 1.15.2.
    """
    if answer.status_code in (500, 501):
        return True
    is_rejected = 400 <= answer.status_code < 500 and answer.status_code not in (401, 403, 429)
    return is_rejected and bool(re.search(rb"(?i)\bstream", answer.content))  # not upstream


def read_body(request: httpx2.Request) -> Any:
    """Return the body of a request for a message, or None for any other request."""
    if request.method != "POST" or not request.url.path.endswith("/v1/messages"):
        return None
    return from_json(request.content)


def as_stream(request: httpx2.Request, body: dict[str, Any]) -> httpx2.Request:
    """Return the same request, for a stream."""
    headers = request.headers.copy()
    del headers["content-length"]
    headers["accept"] = "text/event-stream"
    return httpx2.Request(
        request.method,
        request.url,
        headers=headers,
        content=json.dumps(body | {"stream": True}).encode(),
        extensions=request.extensions,
    )


def read_events(answer: httpx2.Response) -> Iterator[dict[str, Any]]:
    """Yield the events of a stream, to its first one that is no JSON.

    Without an event in the middle, a text would lack some words, and nobody would see it.
    """
    for line in answer.iter_lines():
        if line.startswith("data:"):
            try:
                event = from_json(line[5:].strip())
            except ValueError:  # half a line, or the mark of other APIs for the end
                return
            if isinstance(event, dict):
                yield event


def join_events(
    events: Iterable[dict[str, Any]], show: Callable[[str], object]
) -> dict[str, Any] | None:
    """Return the message of a stream, or None if the stream has ended before its reply.

    `show` is called with the newest words, and with the names of the calls, every SHOW_SECONDS at
    most. Raise StreamError for an error event.
    """
    message: dict[str, Any] | None = None
    words, last = "", 0.0
    for event in events:
        kind = event.get("type")
        if kind == "error":
            raise StreamError(event)
        if kind == "message_start":
            message = {**event.get("message", {}), "content": []}
        if message is None:
            continue
        if kind == "content_block_start":
            block = dict(event.get("content_block") or {})
            message["content"].append(block)
            if block.get("type") == "tool_use":
                words += f" {block.get('name')} …"
            words += str(block.get("text") or "")
        elif kind == "content_block_delta" and message["content"]:
            words += add_delta(message["content"], event)
        elif kind == "message_delta":
            message |= event.get("delta") or {}
            message["usage"] = (message.get("usage") or {}) | (event.get("usage") or {})
        if words and (now := time.monotonic()) - last >= SHOW_SECONDS:
            last = now
            with suppress(Exception):  # a picture that fails must not cost the reply
                show(words[-MAX_SHOWN_CHARS:])
    if message is None or not message.get("stop_reason"):
        return None
    halves = [block for block in message["content"] if not finish_block(block)]
    if halves and read_end(message["stop_reason"]).may_run:
        if halves != message["content"][-1:]:
            return None
        message["stop_reason"] = "max_tokens"  # half a call must not run, whatever the server says
    return message


def add_delta(content: list[dict[str, Any]], event: dict[str, Any]) -> str:
    """Add a delta to its block. Return the words in it, or "" if it has none for the user."""
    delta, index = event.get("delta") or {}, event.get("index")
    block = content[index if type(index) is int and 0 <= index < len(content) else -1]
    name = CONTINUES.get(delta.get("type"))
    added = str(delta.get(name, "")) if name else ""
    if name:
        block.setdefault("parts", {}).setdefault(name, []).append(added)
    return added if name == "text" else ""


def finish_block(block: dict[str, Any]) -> bool:
    """Join the parts of a block. Return whether the input of a call is complete.

    The input of a call that was cut off is what has come of it.
    """
    is_whole = True
    for name, parts in block.pop("parts", {}).items():
        added = "".join(parts)
        if name != "partial_json":
            block[name] = str(block.get(name) or "") + added
        elif added.strip():
            try:
                block["input"] = from_json(added)
            except ValueError:
                is_whole = False
                with suppress(ValueError):
                    block["input"] = from_json(added, allow_partial="trailing-strings")
    return is_whole
