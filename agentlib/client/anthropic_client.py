"""The SDK's client for a real model: it waits where anybody can see it, and never without end.

It stands beneath everything that asks a model, loops written by hand included. What a learner
would otherwise meet: an hour's silence, a bill, a page of HTML where a message should be.
"""

import re
from collections.abc import Callable
from typing import Any

import anthropic

from .approval import SENT
from .errors import clip, explain, explain_stop, quote, server_words
from .events import is_stream
from .limits import Limits
from .retries import RETRY_SECONDS, pause_before_retry, sleep_interruptibly, why_waiting
from .streaming import LISTENER
from .transport import BoundedClient, ListenerError


class Client(anthropic.Anthropic):
    """An `anthropic.Anthropic` that keeps to `limits`, tries again, and explains its errors.

    `say` is told, a line each, of every wait and of every reply that ended early. Errors are the
    SDK's own, with a note (PEP 678) that says what to do: it is the traceback's last line.
    Raises LimitReachedError before anything is sent.
    """

    pauses: tuple[float, ...] = RETRY_SECONDS

    def __init__(
        self, *, limits: Limits | None = None, say: Callable[[str], None] = print, **options: Any
    ) -> None:
        super().__init__(**{"max_retries": 0, "open_telemetry": False} | options)
        self.wire: BoundedClient = self._client  # type: ignore[assignment]  # connect() gives it one
        self.limits, self.say = limits or Limits(), say

    def copy(self, **changes: Any) -> "Client":
        """Like the SDK's; the copy shares the limits and their counts."""
        copy = super().copy(**changes)
        copy.limits, copy.say, copy.pauses = self.limits, self.say, self.pauses
        return copy

    with_options = copy

    def request(self, cast_to: Any, options: Any, **more: Any) -> Any:
        """What every method of the SDK ends in: one request, and its answer.

        What is spent is counted where the answer comes in: see transport.
        """
        cost = count_requests(options)
        SENT.requests += cost
        if cost and not has_only_tool_results(options.json_data):
            SENT.prompts += 1
        reply = self.ask_until_answered(cast_to, options, cost, **more)
        if cost:
            is_raw = (options.headers or {}).get("X-Stainless-Raw-Response") == "raw"
            message = reply.parse() if is_raw else reply
            early_end = explain_stop(getattr(message, "stop_reason", None))
            if early_end:
                self.say(early_end)
        return reply

    def ask_until_answered(self, cast_to: Any, options: Any, cost: int, **more: Any) -> Any:
        """Send it, and again where that makes sense; what costs nothing is sent once."""
        pauses = list(self.pauses) if cost else []
        host = self.base_url.host
        while True:
            body = body_of(options)
            if "cache_control" in body and not self.wire.takes_cache_control:
                options.json_data = {name: body[name] for name in body if name != "cache_control"}
            if cost:
                self.limits.admit(cost)
            try:
                return super().request(cast_to, options, **more)
            except ListenerError as problem:
                assert problem.__cause__
                raise problem.__cause__ from None
            except anthropic.APIError as problem:
                if self.learn_refusal(problem, options) or self.learn_to_wait(problem):
                    continue
                pause = pause_before_retry(problem, pauses)
                if pause is None:
                    problem.add_note(explain(problem, body.get("model", "this model"), host))
                    raise
                words = quote(clip(server_words(problem), 100), host)
                self.say(f"{why_waiting(problem, host)} I try again in {pause:g} s.{words}")
            sleep_interruptibly(pause)

    def learn_refusal(self, problem: anthropic.APIError, options: Any) -> bool:
        """Whether the server refused `cache_control`, which then goes to it no more.

        Many gateways pass it on to a provider that refuses fields it does not know.
        """
        # The SDK marks what is left out by an object.
        was_sent = isinstance(body_of(options).get("cache_control"), dict)
        if not (was_sent and "cache_control" in server_words(problem)):
            return False
        self.wire.takes_cache_control = False
        host = self.base_url.host
        self.say(f"{host} does not take cache_control, so it is left out from now on.")
        return True

    def learn_to_wait(self, problem: anthropic.APIError) -> bool:
        """Whether the server cannot stream; then its words come all at once from now on."""
        if not (LISTENER.get() and self.wire.can_stream):
            return False
        match problem:
            case anthropic.APIResponseValidationError() if is_stream(problem.response):
                reason = problem.message
            case _ if re.search(r"\bstream", server_words(problem), re.IGNORECASE):
                reason = f"{self.base_url.host} does not stream."
            case _:
                return False
        self.wire.can_stream = False
        self.say(f"{reason} From now on, its words come all at once.")
        return True


def body_of(options: Any) -> dict[str, Any]:
    """The body of a request; empty where it is not a JSON object."""
    return options.json_data if isinstance(options.json_data, dict) else {}


def count_requests(options: Any) -> int:
    """How many requests of a model this is: none where it is free, and all those of a batch."""
    if options.method != "post" or "count_tokens" in options.url:
        return 0
    match options.json_data:
        case {"requests": [*requests]}:
            return len(requests)
    return 1


def has_only_tool_results(body: Any) -> bool:
    """Return whether a request's last message contains tool results and no new prompt."""
    match body:
        case {"messages": [*_, {"role": "user", "content": [_, *_] as blocks}]}:
            return all(
                isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks
            )
    return False
