"""The errors that end a run before the model has stopped. One `except RunEndedError` catches all.

They are ValueErrors: what the server has sent cannot be used. The messages are a history that the
API accepts, so the run can go on with them.
"""

__all__ = ["CutOffError", "NoMessageError", "PausedError", "RunEndedError"]


class RunEndedError(ValueError):
    """The base of the three errors below."""


class NoMessageError(RunEndedError):
    """The answer of the server is no message."""


class CutOffError(RunEndedError):
    """Several replies in a row were cut off in a tool call."""


class PausedError(RunEndedError):
    """The server has paused a turn too often."""
