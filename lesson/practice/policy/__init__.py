"""Decide the practice model's replies, from the request alone.

`next_reply` has the rules. What they ask has a module each: `history`, what the request shows;
`plan`, the items and todo calls; `steps`, what is done of a step and its next action;
`parse_reminder` and `recognize`, what a text says of the steps; `own_work`, whether somebody else
has changed a file.
"""

from collections.abc import Callable
from typing import Any

# A function that takes a request as JSON and returns the content blocks of the reply. A block is
# {"type": "text", "text": …} or {"type": "tool_use", "name": …, "input": {…}}; ids are added later.
# A dict with "content" is a complete message, for example with a stop_reason. To reject a request,
# raise `practice.api.errors.ApiError`. A policy should be stateless, so that a conversation can be
# interrupted and resumed anywhere.
Policy = Callable[[dict[str, Any]], list[dict[str, Any]] | dict[str, Any]]
