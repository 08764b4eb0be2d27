"""Refuse the call in the middle of which a reply was cut off, whatever loop runs the calls.

Half of a call can look like a whole one, such as half of the content of a file. A loop that looks
only at the calls would run it, so the clients and the tools of this process know of it together.
"""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

from agentlib.loop import CUT_OFF_CALL
from agentlib.tools import Tool
from safetylib import escape
from safetylib.replies import find_end, is_cut_off

from ..common.message_blocks import blocks_of

if TYPE_CHECKING:
    from anthropic import APIRequest, APIResponse


class CutCall(NamedTuple):
    """A call that was cut off: its id, name and input, and how its reply ended."""

    id: str
    name: str
    input: Mapping[str, Any]
    reason: str

    def is_run_by(self, tool: str, values: list[Any]) -> bool:
        """Return whether running `tool` with these `values` would run this call.

        A loop may change what it runs: a default, the order, whitespace, the tool's name. The reply
        ended in the last value of the input, so this value identifies the call.
        """
        if not squeeze(self.name).endswith(squeeze(tool)):
            return False
        last = [*self.input.values()][-1:]
        return not last or squeeze(last[0]) in map(squeeze, values)


# Those whose result was not sent yet. Of this process, because a loop can send other requests
# before it runs a call, and tools often outlive a connection.
cut_calls: list[CutCall] = []


def squeeze(value: Any) -> str:
    """Return a value as lower-case letters, digits and signs that no loop would change."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return re.sub(r"[\s_]", "", text).casefold()


def watch_cut_off(request: "APIRequest", call_next: Any) -> "APIResponse[Any]":
    """Send a request, and note which call its reply cuts off: a middleware of the SDK."""
    response = call_next(request)
    if request.method.lower() == "post" and not request.url.endswith("/count_tokens"):
        body = request.json if isinstance(request.json, dict) else {}
        forget_answered(body.get("messages") or ())
        if response.http_response.is_closed:  # it is no stream
            with suppress(Exception):  # what is no message is an error of the client
                note(response.parse(), body.get("max_tokens"))
    return response


def forget_answered(messages: Any) -> None:
    """Forget each call that is in a request that was sent, with its result."""
    blocks = [block for message in messages for block in blocks_of(message)]
    answered = {block.get("tool_use_id") for block in blocks}
    # By name and input as well, because servers that number the calls of a reply repeat their ids.
    calls = [(one.get("id"), one.get("name"), one.get("input")) for one in blocks]
    for cut in [*cut_calls]:
        if cut.id in answered and (cut.id, cut.name, cut.input) in calls:
            cut_calls.remove(cut)


def note(reply: Any, max_tokens: Any) -> None:
    """Note the call of a reply that is cut off, and forget those that the reply has in full."""
    end = find_end(reply, max_tokens)
    for use in [block for block in reply.content if block.type == "tool_use"]:
        if is_cut_off(use, reply, end):
            shown = escape.for_screen(f"{end!r:.60}")
            cut_calls.append(CutCall(use.id, use.name, use.input, shown))
        else:
            sent = [*use.input.values()]
            cut_calls[:] = [cut for cut in cut_calls if not cut.is_run_by(use.name, sent)]


def refuse_cut_off(tool: Tool) -> Tool:
    """Return the same tool, whose `run` raises PermissionError for a call that was cut off."""

    @wraps(tool.run)
    def run(*args: Any, **more: Any) -> str:
        for cut in cut_calls:
            if cut.is_run_by(tool.name, [*args, *more.values()]):
                raise PermissionError(CUT_OFF_CALL.format(cut.reason))
        return tool.run(*args, **more)

    return replace(tool, run=run)
