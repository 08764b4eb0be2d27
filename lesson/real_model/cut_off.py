"""Refuse the call in the middle of which a reply was cut off, whatever loop runs the calls."""

from contextlib import suppress
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

from agentlib.loop import is_cut_off
from agentlib.tools import Tool
from safetylib import escape

if TYPE_CHECKING:
    from anthropic import APIRequest, APIResponse

NOT_RUN = "not run, because your reply was cut off here: {}"


class CutOff:
    """The call that the newest reply of a connection has cut off: noted, and never run.

    Half of a call can look like a whole one, such as half of the content of a file. A loop that
    looks only at the calls would run it, so the client and the tools know of it together.
    """

    def __init__(self) -> None:
        self._call: Any = None
        self._reason = ""

    def middleware(self, request: "APIRequest", call_next: Any) -> "APIResponse[Any]":
        """Send a request, and note which call its reply cuts off: a middleware of the SDK."""
        response = call_next(request)
        if request.method.lower() == "post" and not request.url.endswith("/count_tokens"):
            self._call = None
            if response.http_response.is_closed:  # it is no stream
                with suppress(Exception):  # what is no message is an error of the client
                    self.note(response.parse())
        return response

    def note(self, reply: Any) -> None:
        """Note the call of a reply that is cut off, if there is one."""
        uses = [block for block in reply.content if block.type == "tool_use"]
        self._call = next((use for use in uses if is_cut_off(use, reply)), None)
        self._reason = escape.for_screen(f"{reply.stop_reason!r:.60}")

    def guard(self, tool: Tool) -> Tool:
        """Return the same tool, whose `run` raises PermissionError for the call that is noted."""

        @wraps(tool.run)
        def run(*args: Any, **more: Any) -> str:
            if self.is_noted(tool.name, [*args, *more.values()]):
                raise PermissionError(NOT_RUN.format(self._reason))
            return tool.run(*args, **more)

        return replace(tool, run=run)

    def is_noted(self, name: str, values: list[Any]) -> bool:
        call = self._call
        return call is not None and call.name == name and [*call.input.values()] == values
