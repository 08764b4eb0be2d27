"""What each stop reason means, and the errors that end a run before the model has stopped.

One `except RunEndedError` catches all of these errors. They are ValueErrors: what the server has
sent cannot be used. The messages are a history that the API accepts, so the run can go on with
them.
"""

from typing import NamedTuple


class End(NamedTuple):
    """The meaning of a stop reason: is the reply complete, and may its calls run?"""

    is_complete: bool
    may_run: bool


# A gateway may pass on the words of OpenAI's API, as aiproxer did in October 2025
# (https://github.com/aiproxer/aiproxer/pull/490): "tool_calls" and "function_call" mean "tool_use".
# A call next to "stop" or "stop_sequence" may be half a call. Any other stop reason means that the
# reply was cut off. Without a stop reason, nobody knows whether the reply is complete.
CALL_ENDS = ("tool_use", "tool_calls", "function_call")
ENDS = {
    **dict.fromkeys(("end_turn", *CALL_ENDS), End(is_complete=True, may_run=True)),
    "stop": End(is_complete=True, may_run=False),
    "stop_sequence": End(is_complete=True, may_run=False),
}
CUT_OFF = "The reply was cut off at max_tokens. Ask for smaller steps, or raise max_tokens."
# Why a reply ended early. It need not be the last reply, because a loop can go on after it.
EARLY_ENDS = {
    "max_tokens": CUT_OFF,
    "length": CUT_OFF,
    "model_context_window_exceeded": "The reply was cut off, because the conversation has filled "
    "the model's context window. Continue in a new conversation.",
    "refusal": "The model declined to answer. Rephrase your last prompt, or begin a new "
    "conversation.",
}


def read_end(stop_reason: str | None) -> End:
    """Return what a stop reason means."""
    return ENDS.get(stop_reason or "", End(is_complete=False, may_run=False))


class RunEndedError(ValueError):
    """The base of the errors below."""


class NoMessageError(RunEndedError):
    """The answer of the server is not a message."""


class RequestLimitError(RunEndedError):
    """A CheckedClient would send more requests than it may."""


class CutOffError(RunEndedError):
    """Several replies in a row were cut off in a tool call."""
