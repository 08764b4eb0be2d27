"""The errors of the Messages API."""

from dataclasses import dataclass
from typing import Any


@dataclass(eq=False)  # an exception is told from others by its identity
class ApiError(Exception):
    """An error response: its HTTP `status`, its `error_type`, and its message.

    A policy can also raise one, for example to play an overloaded API.
    """

    status: int
    error_type: str
    message: str
    details: dict[str, Any] | None = None

    def body(self, request_id: str) -> dict[str, Any]:
        """Return the body of the error response: "Errors", error shapes."""
        error: dict[str, Any] = {"type": self.error_type, "message": self.message}
        if self.details:
            error["details"] = self.details
        return {"type": "error", "error": error, "request_id": request_id}


def invalid(message: str) -> ApiError:
    """Return the most common error, a 400: the request itself is wrong."""
    return ApiError(400, "invalid_request_error", message)
