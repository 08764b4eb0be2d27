"""A connection: a client, the settings of each request, its limits, and who is asked."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agentlib.tools import Tool
from safetylib.guard import approval
from safetylib.wire.server.connect import ReplyDisplay, is_local
from safetylib.wire.server.limits import Limits

if TYPE_CHECKING:
    import anthropic


@dataclass(frozen=True, repr=False)
class Connection:
    """A client and the settings of every request: `agent_loop(c.client, …, **c.settings)`.

    `client` is a CheckedClient around an `anthropic.Anthropic`. `settings` contains model,
    max_tokens (in tokens) and, for Anthropic's API, cache_control. If `real` is False, nothing
    leaves this machine. `limits` is how much a real model may spend, and `display.show` is called
    with the newest words of a reply while it comes. `str()` names the model and what it costs.
    """

    client: "anthropic.Anthropic"
    settings: dict[str, Any]
    real: bool
    host: str = ""
    limits: Limits = field(default_factory=Limits)
    ask: approval.Ask = approval.ask_at_keyboard
    needs_no_approval: approval.NeedsNoApproval | None = None
    display: ReplyDisplay = field(default_factory=ReplyDisplay)

    def guard(self, tools: Iterable[Tool]) -> list[Tool]:
        """Return tools that ask the user before each call, unless their `asks` is false.

        "Allow all" applies to one tool, until the next prompt is sent to a real model over any
        connection. The practice model's tools run only the calls that it made without asking.
        """
        return approval.with_approval(tools, self.ask, self.needs_no_approval)

    def __str__(self) -> str:
        model = self.settings["model"]
        if not self.real:
            return "The practice model answers: a program on this machine. It costs nothing."
        if is_local(self.host):
            return (
                f"Your model is {model}, at a server on this machine. It costs nothing, unless "
                "that server forwards requests to a paid model."
            )
        return (
            f"Your model is {model}, at {self.host}. Each request may cost money on your account."
        )

    __repr__ = __str__
