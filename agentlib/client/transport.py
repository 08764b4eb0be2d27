"""One request to a real model, and its answer: complete, sound and in bounded time, or an error."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

import anthropic
import httpx2

from . import events, responses
from .errors import clip
from .streaming import LISTENER, SecretFilter, Show

POLL_SECONDS = 0.2  # in which a stop is noticed
FIRST_NOTICE_SECONDS = 30.0  # of silence before we say that we still wait
MAX_ANSWER_BYTES = 4 * 2**20  # a hundred times what a long reply has
MAX_ERROR_BYTES, MAX_PAGE_BYTES = 10_000, 500  # of an error, as JSON or not: in a traceback

THREAD_NAME = "agentlib request"


class BrokenOffError(httpx2.TransportError):
    """An answer that broke off after some of its words were shown: it is not asked for again."""


class ListenerError(anthropic.AnthropicError):
    """What a listener raised is its cause. The SDK takes any other for a fault of the network."""


class BoundedClient(anthropic.DefaultHttpxClient):
    """The HTTP client for it: an answer comes whole, in time, and without your keys, or not at all.

    `secrets` are removed wherever a server repeats them. The time limit is the request's read
    timeout, applied to the whole answer: a server that sends a byte now and then gains nothing.
    When the time is up, or a person says stop, the connection is closed, so that the server can
    stop working, too.

    Where somebody listens (see `words`), a message is asked for as a stream while `can_stream`.
    That and `takes_cache_control` are what is known of the server so far; the Client finds out.
    `count` is told of every token that an answer cost, once. Set `use_proxy` to False for a server
    on this machine.
    """

    def __init__(
        self,
        *,
        secrets: tuple[str, ...] = (),
        say: Callable[[str], None] = print,
        count: Callable[[int], None] = lambda tokens: None,
        use_proxy: bool = True,
        **options: Any,
    ) -> None:
        defaults: dict[str, Any] = {
            # A redirect would send the whole conversation elsewhere: a person decides that.
            "follow_redirects": False,
            # Each request opens a connection of its own: that is the one to close when time is up.
            "limits": httpx2.Limits(max_keepalive_connections=0),
        }
        if not use_proxy:
            # The SDK reads the proxies in the environment (trust_env does not change that), unless
            # it gets a transport. A proxy would send a local server's requests to another machine.
            defaults["transport"] = httpx2.HTTPTransport(limits=defaults["limits"])
        super().__init__(**defaults | options)
        self.secrets = secrets
        self.say = say
        self.count = count
        self.can_stream = self.takes_cache_control = True

    def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> Any:
        """Send one request. What the caller asked for as a stream is passed on as it comes."""
        send = super().send
        if stream:
            return self.pass_on(send(request, stream=True, **options))
        listener = LISTENER.get() if self.can_stream and is_for_message(request) else None
        if listener:
            request = as_stream(request)
        limit = request.extensions.get("timeout", {}).get("read")
        wire = RequestSocket()
        request.extensions = {**request.extensions, "trace": wire.watch}

        def exchange(tell: Show) -> httpx2.Response:
            return self.read_whole(send(request, stream=True, **options), tell)

        try:
            return self.in_thread(exchange, request, limit, listener)
        except BaseException:
            wire.shut()
            raise

    def in_thread(
        self,
        job: Callable[[Show], httpx2.Response],
        request: httpx2.Request,
        limit: float | None,
        listener: Show | None,
    ) -> httpx2.Response:
        """Return what `job` returns; in a thread, so that neither a stop nor the clock waits.

        Looking up a name, for one, cannot be interrupted. The words that `job` tells go to the
        listener, in this thread. Raises ReadTimeout after `limit` seconds.
        """
        news: SimpleQueue[str | httpx2.Response | Exception] = SimpleQueue()

        def work() -> None:
            try:
                news.put(job(news.put))
            except Exception as problem:
                news.put(problem)

        Thread(target=copy_context().run, args=[work], daemon=True, name=THREAD_NAME).start()
        start = heard = time.monotonic()
        next_notice = FIRST_NOTICE_SECONDS
        while True:
            with suppress(Empty):
                item = news.get(timeout=POLL_SECONDS)
                if isinstance(item, httpx2.Response):
                    return item
                if isinstance(item, Exception):
                    raise item
                heard = time.monotonic()
                if listener:
                    tell_listener(listener, item)
            now = time.monotonic()
            if limit is not None and now - start > limit:
                raise httpx2.ReadTimeout(f"no answer in {limit:g} s", request=request)
            if now - heard > next_notice:
                self.say(f"Still waiting for {request.url.host}, for {next_notice:g} s now.")
                next_notice *= 2

    def read_whole(self, response: httpx2.Response, tell: Show) -> httpx2.Response:
        """The response with all of its body, which is a message or an error."""
        with closing(response):
            if events.is_stream(response):
                return self.read_stream(response, tell)
            body, limit = bytearray(), MAX_ANSWER_BYTES if response.is_success else MAX_ERROR_BYTES
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > limit:
                    break
        return self.rebuild(response, bytes(body), events.Tally(self.count))

    def read_stream(self, response: httpx2.Response, tell: Show) -> httpx2.Response:
        """What a stream adds up to, as it would have come without one: a message or an error.

        Its words go to `tell` as they come. Raises BrokenOffError where more should have come.
        """
        draft, tally = events.Draft(), events.Tally(self.count)
        spoken = SecretFilter(tell, self.secrets, self.without_secrets)
        try:
            for event in events.read(response):
                tally.add(event)
                spoken.add(draft.add(event))
                if event.get("type") == "message_stop":
                    break  # not every server closes the connection then
            body = draft.finish()
        except events.StreamedError as error:
            response.status_code = error.status
            if spoken.has_spoken:
                response.headers["x-should-retry"] = "false"
            body = json.dumps(error.event).encode()
        except httpx2.TransportError as problem:
            if spoken.has_spoken:
                raise BrokenOffError(str(problem), request=response.request) from problem
            raise
        except responses.UnsoundAnswerError as flaw:
            raise unsound(response, str(flaw)) from None
        finally:
            spoken.finish()
        whole = self.rebuild(response, body, tally)
        whole.headers["content-type"] = "application/json"
        return whole

    def pass_on(self, response: httpx2.Response) -> httpx2.Response:
        """The answer for a caller that reads it in pieces: a stream as it comes, others whole."""
        if not is_for_message(response.request):
            return response
        if not events.is_stream(response):
            return self.read_whole(response, tell=lambda words: None)
        tally = events.Tally(self.count)
        return self.with_body(response, stream=Relay(response, self.without_secrets, tally))

    def rebuild(
        self, response: httpx2.Response, body: bytes, tally: events.Tally
    ) -> httpx2.Response:
        """The response with a body that has been read and can be kept."""
        return self.with_body(response, content=self.make_safe(response, body, tally))

    def with_body(self, response: httpx2.Response, **body: Any) -> httpx2.Response:
        """The response with another `body`, which is unpacked, and without your keys."""
        headers = [
            (name, self.without_keys(value))
            for name, value in response.headers.raw
            if name.lower() not in (b"content-encoding", b"content-length", b"transfer-encoding")
        ]
        return httpx2.Response(
            response.status_code,
            headers=headers,
            request=response.request,
            extensions=response.extensions,
            **body,
        )

    def make_safe(self, response: httpx2.Response, body: bytes, tally: events.Tally) -> bytes:
        """The body to pass on. Raises APIResponseValidationError where it is not what was asked."""
        request = response.request
        if not response.is_success:
            error = body[:MAX_ERROR_BYTES]
            return responses.clean_error(error, self.without_secrets, MAX_PAGE_BYTES)
        try:
            if len(body) > MAX_ANSWER_BYTES:
                megabytes = MAX_ANSWER_BYTES // 2**20
                raise responses.UnsoundAnswerError(f"an answer of more than {megabytes} MiB")
            if "json" not in request.headers.get("accept", ""):
                return self.without_keys(body)
            asked = request.content if is_for_message(request) else None
            answer = responses.clean_answer(body, self.without_secrets, asked)
            if asked is not None:
                tally.add(answer)
            return responses.encode(answer)
        except responses.UnsoundAnswerError as flaw:
            is_page = "html" in response.headers.get("content-type", "")
            found = "a web page in place of an answer" if is_page else flaw
            start = clip(self.without_keys(body)[:200].decode("utf-8", "replace"))
            raise unsound(response, f"{found}, which begins like this: {start!r}") from None

    def without_keys(self, data: bytes) -> bytes:
        """`data` without your keys. Latin-1 knows every byte, and a key is ASCII."""
        return self.without_secrets(data.decode("latin-1")).encode("latin-1")

    def without_secrets(self, text: str) -> str:
        """`text` without your keys."""
        for secret in self.secrets:
            text = text.replace(secret, "[your key]")
        return text


class Relay(httpx2.SyncByteStream):
    """A stream on its way to somebody who reads it: without your keys, counted, and whole."""

    def __init__(
        self, response: httpx2.Response, change: responses.Change, tally: events.Tally
    ) -> None:
        self.response, self.change, self.tally = response, change, tally

    def __iter__(self) -> Iterator[bytes]:
        kind = None
        for event in events.read(self.response):
            self.tally.add(event)
            kind = event.get("type")
            yield events.encode(responses.change_texts(event, self.change))
        if kind not in ("message_stop", "error"):
            raise httpx2.RemoteProtocolError("the stream ended before the message did")

    def close(self) -> None:
        """End the connection."""
        self.response.close()


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


def is_for_message(request: httpx2.Request) -> bool:
    """Whether the answer to a request is a model's message."""
    return request.method == "POST" and request.url.path.endswith("/v1/messages")


def as_stream(request: httpx2.Request) -> httpx2.Request:
    """The same request for a message, but as a stream."""
    body = json.loads(request.content) | {"stream": True}
    headers = [pair for pair in request.headers.raw if pair[0].lower() != b"content-length"]
    return httpx2.Request(
        request.method,
        request.url,
        headers=headers,
        content=json.dumps(body).encode(),
        extensions=request.extensions,
    )


def tell_listener(listener: Show, words: str) -> None:
    """Let somebody hear the words. Raises ListenerError from what they raise."""
    try:
        listener(words)
    except Exception as problem:
        raise ListenerError("the words could not be shown") from problem


def unsound(response: httpx2.Response, found: str) -> anthropic.APIResponseValidationError:
    """The error for an answer that cannot be worked with; `found` says what came instead."""
    message = f"{response.request.url.host} sent {found}."
    return anthropic.APIResponseValidationError(response, None, message=message)
