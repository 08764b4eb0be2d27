"""One request to a real model, and its answer: whole, sound, and in bounded time, or an error."""

import json
import time
from collections.abc import Callable
from contextlib import closing
from contextvars import copy_context
from threading import Event, Thread
from typing import Any

import anthropic
import httpx2

from .errors import clip

POLL_SECONDS = 0.2  # seconds in which a stop is noticed
FIRST_NOTICE_SECONDS = 30  # seconds of silence before we say that we still wait
MAX_ANSWER_BYTES = 8 * 2**20  # bytes of an answer: a hundred times what a long reply has
MAX_ERROR_BYTES, MAX_PAGE_BYTES = 10_000, 500  # bytes of an error, as JSON or not: in a traceback


class BoundedClient(anthropic.DefaultHttpxClient):
    """The HTTP client for it: an answer comes whole, in time, and without your keys, or not at all.

    `secrets` are never let in, should a server repeat them. The time limit is the request's read
    timeout, but for the whole answer: a server that sends one byte now and then gains nothing.
    """

    def __init__(
        self, *, secrets: tuple[str, ...] = (), say: Callable[[str], None] = print, **options: Any
    ) -> None:
        # Who redirects a request would be sent the whole conversation: a person decides that.
        super().__init__(**{"follow_redirects": False} | options)
        # Servers of one's own take keys like "ollama": that is a word, not a secret.
        self.secrets, self.say = [key.encode() for key in secrets if len(key) >= 16], say

    def send(self, request: httpx2.Request, *, stream: bool = False, **more: Any) -> Any:
        """Send one request. A stream is passed on as it comes."""
        if stream:
            return super().send(request, stream=True, **more)
        send, limit = super().send, request.extensions.get("timeout", {}).get("read")
        return self.in_thread(
            lambda: self.read_whole(send(request, stream=True, **more)), request, limit
        )

    def in_thread(
        self, job: Callable[[], Any], request: httpx2.Request, limit: float | None
    ) -> Any:
        """Return what `job` returns; in a thread, so that neither a stop nor the clock waits.

        Looking up a name, for one, cannot be interrupted. Raises ReadTimeout after `limit` s.
        """
        done, outcome = Event(), []

        def work() -> None:
            try:
                outcome[:] = job(), None
            except Exception as problem:
                outcome[:] = None, problem
            done.set()

        Thread(target=copy_context().run, args=[work], daemon=True).start()
        start, word = time.monotonic(), FIRST_NOTICE_SECONDS
        while not done.wait(POLL_SECONDS):
            passed = time.monotonic() - start
            if limit is not None and passed > limit:
                raise httpx2.ReadTimeout(f"no answer in {limit:g} s", request=request)
            if passed > word:
                self.say(f"Still waiting for {request.url.host}, for {word} s now.")
                word *= 2
        answer, problem = outcome
        if problem:
            raise problem
        return answer

    def read_whole(self, response: httpx2.Response) -> httpx2.Response:
        """The response with all of its body, which is a message or an error."""
        body, limit = bytearray(), MAX_ANSWER_BYTES if response.is_success else MAX_ERROR_BYTES
        with closing(response):
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > limit:
                    break
        body = self.without_keys(body)
        if not response.is_success and not body.lstrip().startswith(b"{"):
            body = body[:MAX_PAGE_BYTES]
        headers = [
            (name, self.without_keys(value))
            for name, value in response.headers.raw
            if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
        ]
        response = httpx2.Response(
            response.status_code,
            headers=headers,
            request=response.request,
            content=replace_lone_surrogates(body[:limit]),
            extensions=response.extensions,
        )
        wants_json = "json" in response.request.headers.get("accept", "")
        if response.is_success and wants_json and (flaw := find_flaw(response)):
            raise anthropic.APIResponseValidationError(
                response,
                None,
                message=f"{response.request.url.host} sent {flaw}, "
                f"which begins like this: {clip(response.text[:200])!r}.",
            )
        return response

    def without_keys(self, data: bytes) -> bytes:
        """`data` without your keys."""
        for secret in self.secrets:
            data = data.replace(secret, b"[your key]")
        return bytes(data)


def replace_lone_surrogates(body: bytes) -> bytes:
    """JSON with a "?" for half of a surrogate pair, which nobody can print or send back."""
    if rb"\ud" not in body.lower():
        return body
    try:
        return json.dumps(json.loads(body), ensure_ascii=False).encode("utf-8", "replace")
    except (ValueError, RecursionError):
        return body


def find_flaw(response: httpx2.Response) -> str | None:
    """What is wrong with the body of an answer, or None.

    Checked is what a conversation cannot go on without: one wrong turn in the history, and every
    later request would be refused.
    """
    try:
        data = json.loads(response.content)
    except (ValueError, RecursionError):
        page = "html" in response.headers.get("content-type", "")
        return "a web page in place of an answer" if page else "an answer that is no sound JSON"
    if not response.request.url.path.endswith("/v1/messages"):
        return None
    match data:
        case {"type": "error", "error": {"message": str(said)}}:
            return f"an error in place of an answer ({clip(said)})"
        case {"content": [*blocks]} if all(map(is_sound_block, blocks)):
            ids = [block["id"] for block in blocks if block["type"] == "tool_use"]
            if len(set(ids)) < len(ids):
                return "an answer with two tool calls of one id"
            named = isinstance(data.get("stop_reason"), (str, type(None)))
            return None if named else "an answer with an odd stop_reason"
    return "an answer that is no message"


def is_sound_block(block: Any) -> bool:
    """Whether a block of content can be worked with, and sent back."""
    match block:
        case {"type": "text", "text": str()}:
            return True
        case {"type": "tool_use", "id": str(id), "name": str(name), "input": dict()}:
            return bool(id and name)
        case {"type": "text" | "tool_use" | "tool_result"}:
            return False
        case {"type": str()}:
            return isinstance(block.get("text", ""), str)
    return False
