"""Describe how a run ended, from its last reply. All places that show it use this function."""

from collections.abc import Sequence
from typing import Any

from ..guard import escape
from ..guard.hide_keys import clip
from .ends import CALL_ENDS, CUT_OFF, EARLY_ENDS, read_end
from .written_calls import is_written_call

NO_REASON = "The reply may be cut off: the server gave no stop reason. Choose another server."
UNKNOWN_END = "The reply may be cut off: the server's stop reason is {}."
NO_REQUEST = "The run has ended without a request to the model: does a `return` come before it?"
EMPTY = "The model's last reply was empty."
# Claude often puts its answer, or a question, beside its last list (langchain #35310).
BEFORE = "{} The one before it said: {}"
CALL_AS_TEXT = (
    "The model wrote a tool call as text, so nothing was run. If it has used tools before, begin a "
    "new conversation: in this one, it may repeat the form. If not, this model or its server may "
    "not support tool use: choose another model, or start the server with tool use."
)
LAST_CALL_AS_TEXT = (
    "The model wrote its last tool call as text, so that one was not run. Those before it were, so "
    "the server can use tools. Begin a new conversation, because in this one the model may repeat "
    "the form, or choose another model."
)
LOST_CALL = (
    "The server says that the model calls a tool, but has sent no call, so nothing was run. Run "
    "this again, or choose another model or server."
)
NO_CALL = (
    "The reply was cut off at max_tokens, and the model has called no tool. It may not support "
    "tool use, or its server may not show it the tools: then no max_tokens is enough, so choose "
    "another model or server."
)


def describe_end(
    text: str,
    stop_reason: str | None,
    tools: Sequence[str],
    *,
    has_calls: bool,
    has_called: bool,
    before: str = "",
    details: Any = None,
) -> str:
    """Return why the last reply of a run may not be a complete answer, or "".

    `text` is what a user sees of the reply. `tools` are the names of the model's tools, `has_calls`
    says whether this reply calls one, and `has_called` whether any reply of the run did. `before`
    is the text of the reply before. `details` are the `stop_details` of this reply, in which a
    server may explain a refusal.
    """
    if not has_calls and is_written_call(text, tools):  # even if the reply was cut off in the call
        return LAST_CALL_AS_TEXT if has_called else CALL_AS_TEXT
    if stop_reason in CALL_ENDS and not has_calls:
        return LOST_CALL
    if read_end(stop_reason).is_complete:
        if has_calls or text.strip():
            return ""
        return BEFORE.format(EMPTY, clip(before)) if before.strip() else EMPTY
    if stop_reason is None:
        return NO_REASON
    early = EARLY_ENDS.get(stop_reason)
    if early == CUT_OFF and tools and not has_called:
        return NO_CALL
    why = getattr(details, "explanation", None)
    if early and isinstance(why, str) and why.strip():
        return f"{early} The server says: {clip(why)}"
    return early or UNKNOWN_END.format(escape.for_screen(f"{stop_reason!r:.60}"))


def mark_end(stop_reason: str | None, has_calls: bool) -> str:
    """Return a note in brackets if a reply was cut off or refused, or ""."""
    end = read_end(stop_reason)
    if stop_reason is None or end.is_complete and (end.may_run or not has_calls):
        return ""
    return " (refused)" if stop_reason == "refusal" else f" (cut off: {stop_reason})"
