"""A refusal: how the Messages API turns a request down."""


class Refused(Exception):
    """A request that is turned down: HTTP `status`, kind of error `type`, and a sentence.

    A mind may raise one too, to play an API that is overloaded or has lost its network.
    """

    def __init__(self, status: int, type: str, message: str):
        super().__init__(message)
        self.status, self.type, self.message = status, type, message

    def body(self, request_id: str) -> dict:
        """The JSON that carries the error: "Errors", error shapes."""
        error = {"type": self.type, "message": self.message}
        return {"type": "error", "error": error, "request_id": request_id}


def invalid(message: str) -> Refused:
    """The commonest refusal: a 400, the request itself is at fault."""
    return Refused(400, "invalid_request_error", message)
