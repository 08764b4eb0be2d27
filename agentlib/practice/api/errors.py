"""How the Messages API turns a request down."""

from typing import Any


class ApiError(Exception):
    """A request that is turned down: HTTP `status`, `kind` of error, and a sentence.

    A mind may raise one too, to play an API that is overloaded or has lost its network.
    """

    def __init__(self, status: int, kind: str, message: str) -> None:
        super().__init__(message)
        self.status, self.kind, self.message = status, kind, message

    def body(self, request_id: str) -> dict[str, Any]:
        """The JSON that carries the error: "Errors", error shapes."""
        error = {"type": self.kind, "message": self.message}
        return {"type": "error", "error": error, "request_id": request_id}


def invalid(message: str) -> ApiError:
    """The commonest error: a 400, the request itself is at fault."""
    return ApiError(400, "invalid_request_error", message)
