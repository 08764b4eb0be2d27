"""A client whose replies are checked, so that any loop can use them and send them back."""

from abc import ABC
from json import JSONDecodeError
from typing import Any

from .replies import check_reply, no_message, without_empty


class CheckedClient(ABC):  # noqa: B024 (other clients are registered as one)
    """A client around an `anthropic.Anthropic`, for your own loop: `rounds` makes one by itself.

    `client.messages.create` repairs a reply that the API would not accept in the history, leaves
    out an empty reply that a loop has kept, and raises NoMessageError for an answer that is no
    message. All else is the other client's. A client that does this by itself is registered as one
    (`abc.ABC.register`).
    """

    def __init__(self, client: Any) -> None:
        self.messages = self  # so that `client.messages.create` is `create`
        self._client = client

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the client's `messages`, such as `stream`, or of itself."""
        owner = self._client.messages if hasattr(self._client.messages, name) else self._client
        return getattr(owner, name)

    def create(self, **request: Any) -> Any:
        """Send a request and return the reply."""
        request["messages"] = without_empty(request.get("messages") or [])
        try:
            reply = self._client.messages.create(**request)
        except (JSONDecodeError, RecursionError) as problem:
            raise no_message(getattr(problem, "doc", "lists inside lists, without end")) from None
        if not isinstance(self._client, CheckedClient):
            check_reply(reply)
        return reply
