"""The SDK's client for a real model, with limits, retries, streaming and error messages."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anthropic
import httpx2
from anthropic.lib.streaming import MessageStream
from anthropic.types import Message, RawMessageStreamEvent

from .error_messages import explain, explain_stop, server_message
from .event_stream import is_event_stream
from .http_client import invalid_response
from .limits import Limits
from .redaction import StreamRedactor
from .responses import InvalidResponseError, ids_in, read_message
from .retries import MAX_RETRIES, BrokenStreamError, RetryingClient
from .streaming import LISTENER, text_pieces

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
        self, *, limits: Limits | None = None, say: Callable[[str], None] = print, **options: Any
    ) -> None:
        self.limits, self.say, self.server = limits or Limits(), say, Server()
        options.setdefault("max_retries", MAX_RETRIES)
        options.setdefault("middleware", [self.limits.middleware, self.stream_to_listener])
        options.setdefault("open_telemetry", False)
        super().__init__(**options)

    def copy(self, **changes: Any) -> "Client":
        """Return a copy like the SDK's; it shares the limits and their counts."""
        copy = super().copy(**changes)
        copy.limits, copy.say, copy.server = self.limits, self.say, self.server
        return copy

    with_options = copy

    def request(self, cast_to: Any, options: Any, **more: Any) -> Any:
        """Send a request and return its answer: every method of the SDK calls this."""
        body = options.json_data if isinstance(options.json_data, dict) else {}
        while True:
            if "cache_control" in body and not self.server.takes_cache_control:
                body = {name: body[name] for name in body if name != "cache_control"}
                options.json_data = body
            try:
                reply = super().request(cast_to, options, **more)
            except anthropic.APIError as problem:
                if self.adapt_to_server(problem, body):
                    continue
                note = explain(problem, body.get("model", "this model"), self.base_url.host)
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
            host = self.base_url.host
            self.say(f"{host} reports no token counts, so max_total_tokens has no effect.")

    def adapt_to_server(self, problem: anthropic.APIError, body: dict[str, Any]) -> bool:
        """Return whether the server rejected something that later requests can leave out.

        Many gateways forward `cache_control` to a provider that rejects unknown fields, or do not
        stream, or send streams in another format.
        """
        host, words = self.base_url.host, ""
        if isinstance(problem, anthropic.APIStatusError):
            words = server_message(problem.response)
        # The SDK marks a field that is left out by an object.
        if isinstance(body.get("cache_control"), dict) and "cache_control" in words:
            self.server.takes_cache_control = False
            self.say(f"{host} does not accept cache_control. It is left out from now on.")
            return True
        if not (LISTENER.get() and self.server.can_stream):
            return False
        if isinstance(problem, anthropic.APIResponseValidationError):
            if not is_event_stream(problem.response):
                return False
            reason = problem.message
        elif re.search(r"\bstream", words, re.IGNORECASE):
            reason = f"{host} does not support streaming."
        else:
            return False
        self.server.can_stream = False
        self.say(f"{reason} From now on, its replies are shown when they are complete.")
        return True

    def stream_to_listener(
        self,
        request: anthropic.APIRequest,
        call_next: Callable[[anthropic.APIRequest], anthropic.APIResponse[Any]],
    ) -> Any:
        """Request a message as a stream if there is a LISTENER: a middleware of the SDK.

        Returns the whole message. The SDK retries errors that are raised here before any text was
        shown, as it does for other requests.
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
        if not response.is_success:
            return answer
        if not is_event_stream(response):
            return Message.construct(**response.json())
        redactor = self._client.redactor  # type: ignore[attr-defined]
        shown = StreamRedactor(show, redactor)
        try:
            with MessageStream(answer.parse(), output_format=anthropic.NOT_GIVEN) as stream:
                for piece in text_pieces(stream):
                    shown.add(piece)
            text = stream.get_final_message().to_json(warnings=False)
            message = read_message(text, redactor, ids_in(body))
        except InvalidResponseError as problem:
            raise invalid_response(response, problem) from None
        except httpx2.TimeoutException as problem:
            raise anthropic.APITimeoutError(request=response.request) from problem
        except httpx2.RequestError as problem:
            error = BrokenStreamError if shown.has_shown else anthropic.APIConnectionError
            raise error(request=response.request) from problem
        except anthropic.APIStatusError as problem:
            raise self.error_event(problem, is_final=shown.has_shown) from None
        finally:
            shown.end_line()
        return Message.construct(**message)

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
