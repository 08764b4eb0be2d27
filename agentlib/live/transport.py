"""One request to a real model, and its answer: whole, sound, and in bounded time, or an error."""

import socket
import time
from collections.abc import Callable
from contextlib import closing, suppress
from contextvars import copy_context
from threading import Event, Thread
from typing import Any

import anthropic
import httpx2

from . import answers
from .errors import clip

POLL_SECONDS = 0.2  # in which a stop is noticed
FIRST_NOTICE_SECONDS = 30.0  # of silence before we say that we still wait
MAX_ANSWER_BYTES = 4 * 2**20  # a hundred times what a long reply has
MAX_ERROR_BYTES, MAX_PAGE_BYTES = 10_000, 500  # of an error, as JSON or not: in a traceback

THREAD_NAME = "agentlib request"


class BoundedClient(anthropic.DefaultHttpxClient):
    """The HTTP client for it: an answer comes whole, in time, and without your keys, or not at all.

    `secrets` are never let in, should a server repeat them. The time limit is the request's read
    timeout, applied to the whole answer: a server that sends a byte now and then gains nothing.
    When the time is up, or a person says stop, the connection is closed, so that the server can
    stop working, too.
    """

    def __init__(
        self, *, secrets: tuple[str, ...] = (), say: Callable[[str], None] = print, **options: Any
    ) -> None:
        defaults: dict[str, Any] = {
            # A redirect would send the whole conversation elsewhere: a person decides that.
            "follow_redirects": False,
            # Each request opens a connection of its own: that is the one to close when time is up.
            "limits": httpx2.Limits(max_keepalive_connections=0),
        }
        super().__init__(**defaults | options)
        self.secrets = secrets
        self.say = say

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> Any:
        """Send one request. A stream is passed on as it comes."""
        send = super().send
        if stream:
            return send(request, stream=True, **options)
        limit = request.extensions.get("timeout", {}).get("read")
        wire = RequestSocket()
        request.extensions = {**request.extensions, "trace": wire.watch}

        def exchange() -> httpx2.Response:
            return self.read_whole(send(request, stream=True, **options))

        try:
            return self.in_thread(exchange, request, limit)
        except BaseException:
            wire.shut()
            raise

    def in_thread(
        self, job: Callable[[], httpx2.Response], request: httpx2.Request, limit: float | None
    ) -> httpx2.Response:
        """Return what `job` returns; in a thread, so that neither a stop nor the clock waits.

        Looking up a name, for one, cannot be interrupted. Raises ReadTimeout after `limit` seconds.
        """
        done = Event()
        outcome: list[httpx2.Response | Exception] = []

        def work() -> None:
            try:
                outcome.append(job())
            except Exception as problem:
                outcome.append(problem)
            done.set()

        Thread(target=copy_context().run, args=[work], daemon=True, name=THREAD_NAME).start()
        start, next_notice = time.monotonic(), FIRST_NOTICE_SECONDS
        while not done.wait(POLL_SECONDS):
            passed = time.monotonic() - start
            if limit is not None and passed > limit:
                raise httpx2.ReadTimeout(f"no answer in {limit:g} s", request=request)
            if passed > next_notice:
                self.say(f"Still waiting for {request.url.host}, for {next_notice:g} s now.")
                next_notice *= 2
        if isinstance(outcome[0], Exception):
            raise outcome[0]
        return outcome[0]

    def read_whole(self, response: httpx2.Response) -> httpx2.Response:
        """The response with all of its body, which is a message or an error."""
        body, limit = bytearray(), MAX_ANSWER_BYTES if response.is_success else MAX_ERROR_BYTES
        with closing(response):
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > limit:
                    break
        headers = [
            (name, self.without_keys(value))
            for name, value in response.headers.raw
            if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
        ]
        return httpx2.Response(
            response.status_code,
            headers=headers,
            request=response.request,
            content=self.make_safe(response, bytes(body)),
            extensions=response.extensions,
        )

    def make_safe(self, response: httpx2.Response, body: bytes) -> bytes:
        """The body to pass on. Raises APIResponseValidationError where it is not what was asked."""
        request = response.request
        if not response.is_success:
            error = body[:MAX_ERROR_BYTES]
            return answers.clean_error(error, self.without_secrets, MAX_PAGE_BYTES)
        try:
            if len(body) > MAX_ANSWER_BYTES:
                megabytes = MAX_ANSWER_BYTES // 2**20
                raise answers.UnsoundAnswerError(f"an answer of more than {megabytes} MiB")
            if "json" not in request.headers.get("accept", ""):
                return self.without_keys(body)
            asked = request.content if request.url.path.endswith("/v1/messages") else None
            return answers.clean_answer(body, self.without_secrets, asked)
        except answers.UnsoundAnswerError as flaw:
            is_page = "html" in response.headers.get("content-type", "")
            found = "a web page in place of an answer" if is_page else flaw
            start = clip(self.without_keys(body)[:200].decode("utf-8", "replace"))
            raise anthropic.APIResponseValidationError(
                response,
                None,
                message=f"{request.url.host} sent {found}, which begins like this: {start!r}.",
            ) from None

    def without_keys(self, data: bytes) -> bytes:
        """`data` without your keys. Latin-1 knows every byte, and a key is ASCII."""
        return self.without_secrets(data.decode("latin-1")).encode("latin-1")

    def without_secrets(self, text: str) -> str:
        """`text` without your keys."""
        for secret in self.secrets:
            text = text.replace(secret, "[your key]")
        return text


class RequestSocket:
    """The socket under one request, which another thread can shut: what waits on it then ends.

    `watch` is the request's "trace" extension: httpcore calls it as it connects.
    """

    def __init__(self) -> None:
        self.stream: Any = None  # a stream of httpcore's, which has no public type
        self.is_shut = False

    def watch(self, event: str, info: dict[str, Any]) -> None:
        """Remember the newest connection; one that comes after the end is shut at once."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self.stream = info["return_value"]
            if self.is_shut:
                self.shut()

    def shut(self) -> None:
        """End the connection, now or as soon as there is one. Never fails."""
        self.is_shut = True
        if self.stream is None:
            return
        with suppress(OSError):  # it may have ended by itself
            # The method of a TLS socket would change it under the thread that reads from it.
            socket.socket.shutdown(self.stream.get_extra_info("socket"), socket.SHUT_RDWR)
