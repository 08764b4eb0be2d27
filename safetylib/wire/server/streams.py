"""Request each reply as a stream, show its words while they come, and return the whole reply.

This is below the SDK: a caller of `messages.create` gets a whole message, as without a stream. So
the replies of any loop are streamed, counted and checked.
"""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anthropic
import httpx2

from ..refusals import own_words, rejects_thinking, server_message
from .deadline import Deadline, read_parts
from .stream_events import NoStreamError, StreamError, read_stream

# The status of an error in the middle of a stream, from "Errors" in the API's documentation.
STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "overloaded_error": 529,
}
WHOLE = "{} has answered without a stream, so from now on each reply is shown when it is complete."
LOST = "each of the last {} calls came without its arguments"
MOST_REFUSALS = 2  # of streams: llama.cpp also answers 500 if a model's call is no JSON (#22072)
MOST_LOST = 2  # calls in a row: a gateway can lose the arguments of each call in its stream
BROKEN_STREAM = "the stream ended early"


class StreamingClient(anthropic.DefaultHttpxClient):
    """The SDK's HTTP client, which streams each reply and returns the answer as a whole.

    If a server does not stream as the API documents it, an error is raised, and the SDK sends the
    request again, now without a stream. So the retry is announced and counted like any other.
    """

    def __init__(
        self, show: Callable[[str], object], say: Callable[[str], object], **settings: Any
    ) -> None:
        # Each request has its own connection, so a Deadline never ends another request.
        super().__init__(limits=httpx2.Limits(max_keepalive_connections=0), **settings)
        self.show, self.say = show, say
        self.can_stream, self.has_streamed, self.has_failed = True, False, False
        self.refusals = 0  # 500 is one, and an error that names streams is MOST_REFUSALS
        self.lost_calls, self.may_lose = 0, True  # it is asked once without a stream for them

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request. Raise the HTTP library's errors, even in the middle of a stream."""
        body = read_body(request)
        is_for_message = isinstance(body, dict)
        if options.get("stream") or (is_for_message and "stream" in body):
            return super().send(request, **options)  # the caller reads the stream
        may_stream = self.can_stream and is_for_message
        if may_stream and not self.has_failed:
            request = as_stream(request, body)
        with Deadline(request) as deadline:
            answer = super().send(request, **options | {"stream": True})
            try:
                if not may_stream or self.has_failed:
                    whole = read_whole(answer)
                    if may_stream:
                        lost, self.lost_calls = self.lost_calls, 0
                        if lost >= MOST_LOST and whole.is_success:
                            with suppress(ValueError, AttributeError):  # it is not a message
                                self.count_lost(whole.json(), body)
                        is_doubtful = 0 < self.refusals < MOST_REFUSALS or self.lost_calls > 0
                        self.can_stream = not whole.is_success or is_doubtful
                        self.has_failed = False
                        if not self.can_stream:
                            self.say(WHOLE.format(request.url.host))
                    return whole
                if answer.is_success and "event-stream" in answer.headers.get("content-type", ""):
                    self.has_streamed, self.refusals = True, 0
                    return self.join_stream(answer, deadline, body)
                whole = read_whole(answer)  # an error, or a server that ignores the field `stream`
                is_retry = request.headers.get("x-stainless-retry-count", "0") != "0"
                if may_refuse_streams(whole) and not (self.has_streamed or is_retry):
                    self.refusals += 1 if whole.status_code >= 500 else MOST_REFUSALS
                    why = f"it answered {whole.status_code}: {server_message(whole)}"
                    raise NoStreamError(why, request=request)
                return whole
            except NoStreamError:
                self.has_failed = True
                raise
            finally:
                answer.close()

    def join_stream(
        self, answer: httpx2.Response, deadline: Deadline, request: dict[str, Any]
    ) -> httpx2.Response:
        """Return the answer that the server would have sent without a stream."""
        headers = {name: answer.headers[name] for name in answer.headers if "-id" in name.lower()}
        try:
            status, body = 200, read_stream(read_parts(answer), self.show, deadline.renew)
        except StreamError as problem:
            error = problem.body.get("error")
            kind = error.get("type") if isinstance(error, dict) else error
            status, body = STATUS.get(str(kind), 500), problem.body
        finally:
            with suppress(Exception):
                self.show("")
        if body is None:
            raise httpx2.RemoteProtocolError(BROKEN_STREAM, request=answer.request)
        self.count_lost(body, request)
        # As ASCII, because a reply can contain half of an emoji.
        content, headers["content-type"] = json.dumps(body).encode(), "application/json"
        return httpx2.Response(status, content=content, headers=headers, request=answer.request)

    def count_lost(self, message: dict[str, Any], request: dict[str, Any]) -> None:
        """Count the calls in a row without any argument, of tools that need some.

        Raise NoStreamError once, at MOST_LOST, so the request is sent again without a stream. If
        these calls have no arguments either, it is the model, and the streams go on.
        """
        schemas = {tool.get("name"): tool.get("input_schema") for tool in request.get("tools", ())}
        for block in message.get("content") or ():
            if (schemas.get(block.get("name")) or {}).get("required"):
                self.lost_calls = 0 if block.get("input") else self.lost_calls + 1
        if self.may_lose and self.lost_calls >= MOST_LOST:
            self.may_lose = False
            raise NoStreamError(LOST.format(self.lost_calls))


def read_whole(answer: httpx2.Response) -> httpx2.Response:
    """Return an answer with its whole body. Raise TooLargeError for a body without an end."""
    content = b"".join(read_parts(answer))
    headers = answer.headers.copy()
    for name in ("content-encoding", "content-length", "transfer-encoding"):
        headers.pop(name, None)
    return httpx2.Response(
        answer.status_code, headers=headers, content=content, request=answer.request
    )


def may_refuse_streams(answer: httpx2.Response) -> bool:
    """Return whether a server may have rejected the stream: it names that, or gives no reason.

    Portkey's gateway 1.15.2 answers each stream with 500 and "Something went wrong".
    """
    if answer.status_code in (500, 501):
        return not rejects_thinking(answer)
    is_rejected = 400 <= answer.status_code < 500 and answer.status_code not in (401, 403, 429)
    return is_rejected and bool(re.search(r"(?i)\bstream", own_words(answer)))  # not upstream


def read_body(request: httpx2.Request) -> Any:
    """Return the body of a request for a message, or None for any other request."""
    if request.method != "POST" or not request.url.path.endswith("/v1/messages"):
        return None
    try:
        return json.loads(request.content)
    except (ValueError, RecursionError):  # such as lists that never end
        return None


def as_stream(request: httpx2.Request, body: dict[str, Any]) -> httpx2.Request:
    """Return the same request with the field `stream`."""
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
