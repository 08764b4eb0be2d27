"""The errors of the Messages API."""

from typing import Any


class ApiError(Exception):
    """An error response: its HTTP `status`, the `kind` of error, and its message.

    A policy can also raise one, for example to play an overloaded API.
    """

    def __init__(
        self, status: int, kind: str, message: str, details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.status, self.kind, self.message, self.details = status, kind, message, details

    def body(self, request_id: str) -> dict[str, Any]:
        """Return the body of the error response: "Errors", error shapes."""
        error: dict[str, Any] = {"type": self.kind, "message": self.message}
        if self.details:
            error["details"] = self.details
        return {"type": "error", "error": error, "request_id": request_id}


def invalid(message: str) -> ApiError:
    """Return the most common error, a 400: the request itself is wrong."""
    return ApiError(400, "invalid_request_error", message)
