"""Play any loop one round at a time."""

from collections.abc import Callable, Iterator
from typing import Any

from agentlib.signatures import call_loop


class RoundEnded(BaseException):  # noqa: N818  # not an error
    """Ends a loop before its next request. `except Exception` does not catch it."""


class OneRequest:
    """A client that sends one request, and ends the loop at the next one."""

    def __init__(self, client: Any) -> None:
        self.messages, self._client, self._has_sent = self, client, False

    def create(self, **request: Any) -> Any:
        """Return the reply. Raise RoundEnded for a second request."""
        if self._has_sent:
            raise RoundEnded
        self._has_sent = True
        return self._client.messages.create(**request)


def play_one_by_one(
    loop: Callable[..., Any], client: Any, messages: list[Any], *more: Any, **settings: Any
) -> Iterator[None]:
    """Play a loop and yield after each round: it may be dropped. The loop must only append."""
    while True:
        try:
            call_loop(loop, OneRequest(client), messages, *more, **settings)
            yield
            return
        except RoundEnded:
            yield
