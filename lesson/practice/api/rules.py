"""Rules that involve several fields: lengths, names of tools, cache marks.

`check` applies all rules to a request, in the order in which the API reports errors. `request`
comes first, with each field by itself; the rules of a conversation are in `conversation`.
"""

from __future__ import annotations

from typing import Any

from .conversation import check_conversation
from .errors import ApiError, invalid
from .models import Model
from .request import Request, parse_request

MAX_CACHE_MARKS = 4  # "Prompt caching"


def check(request: dict[str, Any]) -> None:
    """Raise ApiError with the first rule that the body of a request breaks.

    The length of the prompt is checked later, when it is known.
    """
    check_threads(request)
    asked = parse_request(request)
    if asked.get("stream"):
        raise invalid("stream: the practice model sends whole messages only. Leave it out.")
    model = Model(asked["model"])
    if asked["max_tokens"] > model.max_output_tokens:
        raise invalid(
            f"max_tokens: {asked['max_tokens']} > {model.max_output_tokens}, which is the maximum "
            f"allowed number of output tokens for {asked['model']}"
        )
    check_tool_names(asked)
    check_conversation(asked, model)
    check_cache_marks(asked)


def check_threads(request: Any) -> None:
    """Reject the beta field `thread`, with the code that makes the SDK send the whole history.

    The SDK's tool runner first tries to keep the conversation on the server: "Message threads".
    """
    if isinstance(request, dict) and "thread" in request:
        message = "thread: the practice model keeps no threads."
        details = {"error_code": "thread_unsupported_request"}
        raise ApiError(400, "invalid_request_error", message, details)


def check_tool_names(asked: Request) -> None:
    """Check that each tool has a unique name: "Define tools"."""
    names = [tool["name"] for tool in asked.get("tools", []) if tool.get("name")]
    if len(set(names)) < len(names):
        raise invalid("tools: Tool names must be unique.")


def check_cache_marks(asked: Request) -> None:
    """Check the number of cache marks: "Prompt caching". That of the request itself counts."""
    content = [block for message in asked["messages"] for block in message["content"]]
    marked = [asked, *asked.get("tools", []), *asked.get("system", []), *content]
    number = sum(bool(each.get("cache_control")) for each in marked)
    if number > MAX_CACHE_MARKS:
        raise invalid(
            f"A maximum of {MAX_CACHE_MARKS} blocks with cache_control may be provided. "
            f"Found {number}."
        )
