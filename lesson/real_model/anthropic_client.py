"""The SDK's client for a real model, with limits, retries and error messages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anthropic
from anthropic.types import Message

from agentlib import escape

from .error_messages import explain, explain_stop, server_message
from .limits import Limits
from .retries import MAX_RETRIES, RetryingClient
from .waiting import show_wait

CallNext = Callable[[anthropic.APIRequest], anthropic.APIResponse[Any]]
NO_STREAMS = (
    "A client of connect() returns whole messages. Leave out stream=True and messages.stream(), "
    "or use a client of your own: anthropic.Anthropic()."
)


@dataclass
class CacheMiddleware:
    """A middleware of the SDK that leaves out cache_control as soon as a server rejects it.

    Many gateways forward the field to a provider that rejects unknown ones. `say` is called once.
    """

    say: Callable[[str], None]
    is_accepted: bool = True

    def send(self, request: anthropic.APIRequest, call_next: CallNext) -> Any:
        """Send a request, a second time if the server rejects it because of the field."""
        body = request.json
        if not (isinstance(body, dict) and "cache_control" in body):
            return call_next(request)
        if self.is_accepted:
            answer = call_next(request)
            response = answer.http_response
            if response.is_success or "cache_control" not in server_message(response):
                return answer
            self.is_accepted = False
            host = response.request.url.host
            self.say(f"{host} does not accept cache_control. It is left out from now on.")
        body = {name: body[name] for name in body if name != "cache_control"}
        return call_next(request.copy(body=body))


class Client(RetryingClient):
    """An `anthropic.Anthropic` that stays within `limits`, retries, and explains its errors.

    `say` is called with a line for every retry and every reply that ended early. Errors are the
    SDK's, with a note (PEP 678) that says what to do: it is the last line of the traceback.
    Raises LimitReachedError before anything is sent, and ValueError for a stream.
    """

    def __init__(
        self,
        *,
        limits: Limits,
        say: Callable[[str], None],
        **options: Any,
    ) -> None:
        self.limits, self.say = limits, say
        options.setdefault("max_retries", MAX_RETRIES)
        middleware = [CacheMiddleware(say).send, limits.middleware, show_wait]
        options.setdefault("middleware", middleware)
        options.setdefault("open_telemetry", False)
        super().__init__(**options)

    def copy(self, **changes: Any) -> "Client":
        """Return a copy like the SDK's; it shares the limits and their counts."""
        return super().copy(**changes, _extra_kwargs={"limits": self.limits, "say": self.say})

    with_options = copy

    def request(self, cast_to: Any, options: Any, **more: Any) -> Any:
        """Send a request and return its answer: every method of the SDK calls this."""
        body = options.json_data if isinstance(options.json_data, dict) else {}
        if body.get("stream"):  # its events would be neither redacted nor counted
            raise ValueError(NO_STREAMS)
        try:
            reply = super().request(cast_to, options, **more)
        except anthropic.APIError as problem:
            note = explain(problem, body.get("model", "this model"), self.base_url.host)
            problem.args = (escape.for_screen(problem.message),)  # a traceback prints it
            problem.add_note(note)
            raise
        if isinstance(reply, Message):
            self.comment(reply)
        return reply

    def comment(self, message: Message) -> None:
        """Say if a reply ended early, or if the server does not report token counts."""
        early_end = explain_stop(message.stop_reason)
        if early_end:
            self.say(early_end)
        if self.limits.requests_sent == 1 and not self.limits.tokens_used:
            host = self.base_url.host
            self.say(f"{host} reports no token counts, so max_total_tokens has no effect.")
