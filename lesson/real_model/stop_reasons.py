"""Say what the stop reason of a reply means if the model has not ended its turn with it."""

from safetylib import escape

# With these, the model has said all that it wanted to say. "stop", "tool_calls" and "function_call"
# are the names that some servers of other APIs send.
COMPLETE_ENDS = (
    *("end_turn", "tool_use", "stop_sequence"),
    *("stop", "tool_calls", "function_call"),
)
CUT_OFF = "The reply was cut off at max_tokens. Ask for smaller steps, or raise max_tokens."
# Why a reply has ended early. It may also be one before the last: a loop can go on after it.
EARLY_ENDS = {
    "max_tokens": CUT_OFF,
    "length": CUT_OFF,
    "model_context_window_exceeded": "The reply was cut off, because the conversation has filled "
    "the model's context window. Continue in a new conversation.",
    "refusal": "The model declined to answer. Remove or rephrase your last prompt.",
}
PAUSED = "The server has paused this turn, and the loop did not send it back to go on."
NO_REASON = "The reply may be cut off: the server gave no stop reason. Choose another server."
UNKNOWN = "The reply may be cut off: the server's stop reason is {}."


def describe_early_end(stop_reason: str | None) -> str:
    """Return why the last reply of a run is not a complete answer; "" if it is one.

    A stop reason that nobody knows is no sign of a complete reply.
    """
    if stop_reason in COMPLETE_ENDS:
        return ""
    if stop_reason is None:
        return NO_REASON
    if stop_reason == "pause_turn":
        return PAUSED
    return EARLY_ENDS.get(stop_reason) or UNKNOWN.format(escape.for_screen(f"{stop_reason!r:.60}"))
