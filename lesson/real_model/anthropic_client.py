"""The SDK's client for a real model, with limits, retries, streaming and error messages."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anthropic
import httpx2
from anthropic.lib.streaming import MessageStream
from anthropic.types import Message, RawMessageStreamEvent

from agentlib import escape

from .error_messages import explain, explain_stop, server_message
from .event_stream import is_event_stream
from .limits import Limits
from .quirks import ids_in
from .redaction import StreamRedactor
from .responses import InvalidResponseError, read_message
from .retries import MAX_RETRIES, BrokenStreamError, RetryingClient
from .streaming import LISTENER, text_pieces

CallNext = Callable[[anthropic.APIRequest], anthropic.APIResponse[Any]]
RAW_RESPONSE = "X-Stainless-Raw-Response"  # the SDK's header: the caller wants the HTTP response

# The status of errors that a stream reports in an event (API docs: "Errors"); others are 500.
EVENT_STATUSES = {"rate_limit_error": 429, "timeout_error": 504, "overloaded_error": 529}


@dataclass
class Server:
    """What is known about a server so far."""

    can_stream: bool = True
    takes_cache_control: bool = True
    reports_usage: bool = True


class Client(RetryingClient):
    """An `anthropic.Anthropic` that stays within `limits`, retries, and explains its errors.

    `say` is called with a line for every retry and every reply that ended early. Errors are the
    SDK's, with a note (PEP 678) that says what to do: it is the last line of the traceback.
    Raises LimitReachedError before anything is sent.
    """

    def __init__(
        self,
        *,
        limits: Limits,
        say: Callable[[str], None],
        server: Server | None = None,
        **options: Any,
    ) -> None:
        self.limits, self.say, self.server = limits, say, server or Server()
        options.setdefault("max_retries", MAX_RETRIES)
        middleware = [self.stream_to_listener, self.leave_out_cache_control, limits.middleware]
        options.setdefault("middleware", middleware)
        options.setdefault("open_telemetry", False)
        super().__init__(**options)

    def copy(self, **changes: Any) -> "Client":
        """Return a copy like the SDK's; it shares the limits and their counts."""
        shared = {"limits": self.limits, "say": self.say, "server": self.server}
        return super().copy(**changes, _extra_kwargs=shared)

    with_options = copy

    def request(self, cast_to: Any, options: Any, **more: Any) -> Any:
        """Send a request and return its answer: every method of the SDK calls this."""
        try:
            reply = super().request(cast_to, options, **more)
        except anthropic.APIError as problem:
            body = options.json_data if isinstance(options.json_data, dict) else {}
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
        if self.server.reports_usage and not self.limits.tokens_used:
            self.server.reports_usage = False
            self.say_of_server("reports no token counts, so max_total_tokens has no effect.")

    def say_of_server(self, words: str) -> None:
        """Say something about the server."""
        self.say(f"{self.base_url.host} {words}")

    def leave_out_cache_control(self, request: anthropic.APIRequest, call_next: CallNext) -> Any:
        """Send a request, without cache_control if the server rejects it: a middleware of the SDK.

        Many gateways forward the field to a provider that rejects unknown ones.
        """
        body = request.json
        if not (isinstance(body, dict) and "cache_control" in body):
            return call_next(request)
        if self.server.takes_cache_control:
            answer = call_next(request)
            response = answer.http_response
            if response.is_success or "cache_control" not in server_message(response):
                return answer
            self.server.takes_cache_control = False
            self.say_of_server("does not accept cache_control. It is left out from now on.")
        body = {name: body[name] for name in body if name != "cache_control"}
        return call_next(request.copy(body=body))

    def stream_to_listener(self, request: anthropic.APIRequest, call_next: CallNext) -> Any:
        """Request a message as a stream if there is a LISTENER: a middleware of the SDK.

        Many gateways do not stream, or send streams in another format. Then the message is
        requested again, as a whole.
        """
        show = LISTENER.get()
        is_whole_message = (
            request.cast_to is Message
            and not request.stream
            and RAW_RESPONSE not in request.headers
        )
        if not (show and is_whole_message and self.server.can_stream):
            return call_next(request)
        body: dict[str, Any] = {**request.json, "stream": True}  # type: ignore[dict-item]
        streamed = request.copy(body=body)
        streamed.stream, streamed.stream_cls = True, anthropic.Stream[RawMessageStreamEvent]
        answer = call_next(streamed)
        response = answer.http_response
        if is_event_stream(response):
            try:
                return self.read_stream(answer, show, ids_in(body))
            except InvalidResponseError as problem:
                reason = f"sent {problem}"
        elif response.is_success:
            return Message.construct(**response.json())
        elif re.search(r"\bstream", server_message(response), re.IGNORECASE):
            reason = "does not support streaming"
        else:
            return answer
        self.server.can_stream = False
        self.say_of_server(f"{reason}. From now on, its replies are shown when they are complete.")
        return call_next(request)

    def read_stream(
        self, answer: anthropic.APIResponse[Any], show: Callable[[str], None], used_ids: set[str]
    ) -> Message:
        """Pass the text of a streamed message to `show`, and return the message.

        Raise InvalidResponseError, or an error of the SDK, which retries it unless text was shown.
        """
        redactor = self._client.redactor  # type: ignore[attr-defined]
        shown = StreamRedactor(show, redactor)
        request = answer.http_response.request
        try:
            with MessageStream(answer.parse(), output_format=anthropic.NOT_GIVEN) as stream:
                for piece in text_pieces(stream):
                    shown.add(piece)
            text = stream.get_final_message().to_json(warnings=False)
            return Message.construct(**read_message(text, redactor, used_ids))
        except httpx2.TimeoutException as problem:
            raise anthropic.APITimeoutError(request=request) from problem
        except httpx2.RequestError as problem:
            error = BrokenStreamError if shown.has_shown else anthropic.APIConnectionError
            raise error(request=request) from problem
        except anthropic.APIStatusError as problem:
            raise self.error_event(problem, is_final=shown.has_shown) from None
        finally:
            shown.end_line()

    def error_event(
        self, problem: anthropic.APIStatusError, is_final: bool
    ) -> anthropic.APIStatusError:
        """Return the error for an error event in a stream, with its HTTP status."""
        response = httpx2.Response(
            EVENT_STATUSES.get(problem.type or "", 500),
            headers={"x-should-retry": "false"} if is_final else {},
            json=problem.body,
            request=problem.request,
        )
        return self._make_status_error_from_response(response)
