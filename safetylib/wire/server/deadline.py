"""End a request if its reply stops coming, or an answer that does not end."""

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
    """Raise ReadTimeout in its block if it was not renewed during the timeout of the request.

    The HTTP library applies its timeout to each byte. So a server that sends a byte a second, even
    in a header, could keep it waiting for ever. A thread closes the connection, which `trace` has
    noted: it is an extension of each request, https://www.encode.io/httpcore/extensions/#trace.
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

    def trace(self, event: str, info: dict[str, Any]) -> None:
        """Note the connection of the request. The HTTP library calls this for each event."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self.connection = info["return_value"].get_extra_info("socket")

    def watch(self) -> None:
        """Close the connection when the time is over. This runs in a thread of its own."""
        left = self.seconds
        while not self.has_ended.wait(max(left, 0.1)):
            left = self.since + self.seconds - time.monotonic()
            if left <= 0 and self.connection:
                self.is_late = True
                with suppress(OSError):  # the connection may be closed already
                    # Not an SSL socket's own method: another thread may be reading from it.
                    socket.socket.shutdown(self.connection, socket.SHUT_RDWR)

    def __enter__(self) -> "Deadline":
        if self.seconds is not None:
            threading.Thread(target=self.watch, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType
    ) -> None:
        self.has_ended.set()
        # The library's own error after a silence says only "timed out". A body without a length
        # ends with its connection, and without an error.
        is_late = self.is_late and isinstance(problem, Exception | None)
        if is_late or isinstance(problem, httpx2.ReadTimeout):
            message = NO_PART.format(self.seconds)
            raise httpx2.ReadTimeout(message, request=self.request) from None


def read_parts(answer: httpx2.Response) -> Iterator[bytes]:
    """Yield the body of an answer. Raise TooLargeError when it has more than MAX_ANSWER_BYTES."""
    size = 0
    for part in answer.iter_bytes():
        size += len(part)
        if size > MAX_ANSWER_BYTES:
            raise TooLargeError(f"more than {MAX_ANSWER_BYTES:,} bytes")
        yield part
