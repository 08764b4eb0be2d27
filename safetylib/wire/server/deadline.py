"""End a request that does not go on, and an answer that does not end, whatever the server sends."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any

import httpx2

MAX_ANSWER_BYTES = 50_000_000  # the longest reply of a model has a hundredth of it
NO_PART = "for {:g} seconds, no part of the reply has come"


class TooLargeError(httpx2.RemoteProtocolError):
    """The answer of a server goes on after MAX_ANSWER_BYTES."""


class Deadline:
    """Raise ReadTimeout in its block if nothing has renewed it for so many seconds.

    The HTTP library waits so long for each byte, so a byte a second, in a header too, would be
    waited for without end. A thread closes the connection, which `trace` learns of: it is an
    extension of each request, https://www.encode.io/httpcore/extensions/#trace.
    """

    def __init__(self, request: httpx2.Request) -> None:
        self.request, self.connection = request, None
        self.seconds = request.extensions.get("timeout", {}).get("read")
        self.has_ended, self.is_late = threading.Event(), False
        self.renew()
        request.extensions = {**request.extensions, "trace": self.trace}

    def renew(self) -> None:
        """Begin to wait anew: a part of the reply has come."""
        self.since = time.monotonic()

    def trace(self, event: str, given: dict[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self.connection = given["return_value"].get_extra_info("socket")

    def watch(self) -> None:
        left = self.seconds
        while not self.has_ended.wait(max(left, 0.1)):
            left = self.since + self.seconds - time.monotonic()
            if left <= 0 and self.connection:
                self.is_late = True
                with suppress(OSError):  # it is closed already
                    # Not the method of an SSL socket, which another thread may be reading.
                    socket.socket.shutdown(self.connection, socket.SHUT_RDWR)

    def __enter__(self) -> "Deadline":
        if self.seconds is not None:
            threading.Thread(target=self.watch, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType
    ) -> None:
        self.has_ended.set()
        # The library's own error, after silence, says only "timed out". A body without a length
        # ends with its connection, and without an error.
        is_late = self.is_late and isinstance(problem, Exception | None)
        if is_late or isinstance(problem, httpx2.ReadTimeout):
            said = NO_PART.format(self.seconds)
            raise httpx2.ReadTimeout(said, request=self.request) from None


def read_parts(answer: httpx2.Response) -> Iterator[bytes]:
    """Yield the body of an answer. Raise TooLargeError when it has more than MAX_ANSWER_BYTES."""
    size = 0
    for part in answer.iter_bytes():
        size += len(part)
        if size > MAX_ANSWER_BYTES:
            raise TooLargeError(f"more than {MAX_ANSWER_BYTES:,} bytes")
        yield part
