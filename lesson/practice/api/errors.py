"""How the Messages API refuses a request."""

from collections.abc import Sequence
from typing import Any


class ApiError(Exception):
    """A refused request: an HTTP `status`, the `kind` of error, and a sentence.

    A policy may raise one too, for example to play an API that is overloaded. Where the reply is
    streamed, the blocks in `after` come first: the error is then one in the middle of a stream.
    """

    def __init__(
        self, status: int, kind: str, message: str, after: Sequence[dict[str, Any]] = ()
    ) -> None:
        super().__init__(message)
        self.status, self.kind, self.message = status, kind, message
        self.after = list(after)

    def body(self, request_id: str) -> dict[str, Any]:
        """The body of the error response: "Errors", error shapes."""
        error = {"type": self.kind, "message": self.message}
        return {"type": "error", "error": error, "request_id": request_id}


def invalid(message: str) -> ApiError:
    """The most common error, a 400: the request itself is wrong."""
    return ApiError(400, "invalid_request_error", message)
