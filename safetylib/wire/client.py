"""The client below any loop: it repairs replies for the loop, and requests for the server."""

from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar, copy_context
from functools import cached_property
from json import JSONDecodeError
from typing import Any

from ..guard import escape
from .ends import CutOffError, RequestLimitError
from .refusals import is_too_long, rejects_thinking
from .reminders import PROGRAM_SAYS
from .replies import (
    calls_of,
    check_reply,
    find_end,
    find_half,
    hide_keys_of,
    join_prompts,
    make_history_sendable,
    newest_calls,
    no_message,
    plain_blocks,
    replace_all_halves,
    take_out,
    tool_result,
)
from .thinking import Place, RejectedThinking, find_thinking, leave_out

MAX_CUT_OFFS = 2  # replies in a row: a model may send a shorter call after the first one
CUT_OFF_CALL = (
    "not run, because your reply was cut off here: {}. If it was too long, write it in smaller "
    "parts"
)
LEFT_OUT = f"\n\n{PROGRAM_SAYS}your call of {{}} was {CUT_OFF_CALL}."
CUT_OFF = (
    "{} replies in a row were cut off in a tool call, which was not run. The server's stop reason "
    "is {!r:.60}. If it means that max_tokens was reached, raise max_tokens; otherwise choose "
    "another model or server."
)
LIMIT = (
    "Request limit reached ({} of {}). Nothing was sent. To go on, raise `max_requests` of the "
    "client."
)
# Whether `send` checks the next reply. The middleware then leaves it alone.
is_checked: ContextVar[bool] = ContextVar("is_checked", default=False)


class CheckedClient:
    """A client around an `anthropic.Anthropic`, for your own loop: `rounds` makes one by itself.

    `client.messages.create` returns what any loop can run and send back:

    - A reply that the API would not accept in the history is repaired. An answer that is not a
      message raises NoMessageError.
    - A call that was cut off is removed. If the reply has no other call, the reply and an error are
      appended to `messages`, and the model is asked again; the second time in a row, CutOffError is
      raised. If it has other calls, the model reads of the removed call with their results.
    - The calls of a refusal are removed, so the loop ends.
    - If the server rejects a model's thinking, because something before it has changed, the request
      is sent once more without it, and `say` is called with a sentence: see `thinking`.

    What is sent has a result for each call, even after an interrupt. It has no empty message, and
    no two messages of the user in a row: they become one. Half a character is "?".
    `requests_sent` counts the requests, and also those of `stream`, `beta` or a copy, but not the
    retries of the SDK. One more than `max_requests` raises RequestLimitError. All other attributes
    are those of the client inside.

    A subclass that records, counts or shortens requests overrides `send`. It is called for each
    request, and also for those that `create` adds by itself.
    """

    def __init__(
        self,
        client: Any,
        max_requests: int | None = None,
        say: Callable[[str], object] = print,
    ) -> None:
        self.messages = self  # so that `client.messages.create` is `create`
        # A CheckedClient around another one uses the SDK's client of that one directly. So only one
        # of the two asks again, and nothing is sent without the outer one's `send`.
        self._inner = client if type(client) is CheckedClient else None  # it counts as well
        self._client: Any = self._inner._client if self._inner else client
        self.requests_sent, self.max_requests = 0, max_requests
        self._notes = dict[str, str]()  # what a model must still be told, by the calls of its reply
        self.say: Callable[[str], object] = self._inner.say if self._inner else say
        self._rejected_thinking = RejectedThinking(self.say)
        # In the newest request, for a subclass that records one conversation.
        self.thinking_left_out: list[Place] = []

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the client's `messages`, such as `stream`, or of the client."""
        client = self._counting_client
        return getattr(client.messages if hasattr(client.messages, name) else client, name)

    @cached_property
    def _counting_client(self) -> Any:
        """Return the client inside, whose other methods then count their requests here."""
        # The SDK's client, or a tracing library's proxy of it.
        if hasattr(self._client, "with_middleware"):
            return self._client.with_middleware(self._count)
        return self._client

    def create(self, **request: Any) -> Any:
        """Return a reply that can be run, and send as many requests as that takes."""
        if isinstance(self._client, CheckedClient):  # a subclass, which does all of this itself
            return self.send(**request)
        messages: Any = request.get("messages") or []
        self._add_note(messages)
        for _ in range(MAX_CUT_OFFS):
            reply = self.send(**request)
            half = find_half(reply, request.get("max_tokens"))
            if not half or str(newest_calls([reply])) in self._notes:
                return reply
            end = reply.stop_reason
            error = f"Error: {CUT_OFF_CALL.format(describe(end))}"
            added = [
                {"role": "assistant", "content": plain_blocks(reply)},
                {"role": "user", "content": [tool_result(half.id, error, ok=False)]},
            ]
            if isinstance(messages, list):
                messages.extend(added)  # in one step, so an interrupt leaves both or none
            else:
                request["messages"] = messages = [*messages, *added]
        raise CutOffError(CUT_OFF.format(MAX_CUT_OFFS, end))

    def send(self, **request: Any) -> Any:
        """Send one request. Return its reply, repaired, without calls that must not run.

        If the only call of a reply was cut off, it stays: `create` answers it.
        """
        messages = make_history_sendable(request.get("messages") or [])
        return self.send_repaired(**request | {"messages": messages})

    def send_repaired(self, **request: Any) -> Any:
        """Send a request as `send` does. Its messages are from `make_history_sendable`."""
        try:
            # In a copy of the context: `is_checked` ends with it, even after an interrupt.
            reply = copy_context().run(self._request_checked, request)
        except (JSONDecodeError, RecursionError) as problem:
            raise no_message(getattr(problem, "doc", "lists inside lists, without end")) from None
        if not getattr(self._client, "checks_replies", False):
            check_reply(reply)
        reply.stop_reason = find_end(reply, request.get("max_tokens"))  # a loop may read it
        hide_keys_of(reply)
        calls, half = calls_of(reply), find_half(reply, request.get("max_tokens"))
        if reply.stop_reason == "refusal":  # the same history would be refused again
            take_out(calls, reply)
        elif half and len(calls) > 1:
            take_out([half], reply)
            note = LEFT_OUT.format(half.name, describe(reply.stop_reason))
            self._notes[str(newest_calls([reply]))] = note
        return reply

    checks_replies = True  # another CheckedClient around this one does not check them again

    def _request_checked(self, request: dict[str, Any]) -> Any:
        """Send a request whose reply `send` will check, instead of the middleware."""
        is_checked.set(True)
        return self._request(request)

    def _request(self, request: dict[str, Any]) -> Any:
        """Send a request, and once more without its thinking if the server rejects that.

        If the second request is rejected as well, the thinking may not be the cause, so the first
        error is raised.
        """
        messages, first_error = request["messages"], None
        left_out = self._rejected_thinking.find(messages)
        while True:
            try:
                self._admit()
                sent = leave_out(messages, left_out)
                reply = self._create(**request | {"messages": sent})
                break
            except Exception as problem:
                if first_error:
                    if is_too_long(problem):  # the server accepted the thinking, and read on
                        self._rejected_thinking.note(messages, None, is_rejected=True)
                    elif getattr(problem, "status_code", 0) in (*range(400, 429), 500):
                        raise first_error from None
                    raise
                places = [place for place, _ in find_thinking(messages)]
                has_retried = isinstance(self._client, CheckedClient)  # it did all of this itself
                if has_retried or places == left_out or not rejects_thinking(problem):
                    raise
                left_out, first_error = places, problem
        self._rejected_thinking.note(messages, reply, is_rejected=first_error is not None)
        self.thinking_left_out = left_out
        return reply

    def _create(self, **request: Any) -> Any:
        """Send a request as servers can read it, and as the SDK can write it.

        The SDK finds half a character when it writes a request, before it sends anything.
        """
        if isinstance(self._client, CheckedClient):  # it does both itself
            return self._client.messages.create(**request)
        request["messages"] = join_prompts(request["messages"])
        try:
            return self._client.messages.create(**request)
        except UnicodeEncodeError:
            request["messages"] = replace_all_halves(request["messages"])
            return self._client.messages.create(**request)

    def _admit(self) -> None:
        """Count a request before it is sent. Raise RequestLimitError if it is one too many."""
        if self.max_requests is not None and self.requests_sent + 1 > self.max_requests:
            raise RequestLimitError(LIMIT.format(self.requests_sent, self.max_requests))
        if self._inner:
            self._inner._admit()
        self.requests_sent += 1

    def _count(self, request: Any, call_next: Any) -> Any:
        """Count a request that a model will answer. This is a middleware of the SDK."""
        if is_for_model(request) and not request.retries_taken:
            self._admit()
        return call_next(request)

    def _add_note(self, messages: Any) -> None:
        """Add the note about a removed call to the newest message, which was not sent yet."""
        newest = messages[-1] if messages and self._notes else None
        if not isinstance(newest, dict) or newest.get("role") != "user":
            return
        note = self._notes.pop(str(newest_calls(messages)), "")
        content = newest.get("content")
        if note and isinstance(content, str):
            newest["content"] = content + note
        elif note and isinstance(content, list):  # behind the results, which come first
            content.append({"type": "text", "text": note})


def describe(end: str | None) -> str:
    """Return a stop reason as text that is safe to show."""
    return escape.for_screen(f"{end or 'no stop reason'!s:.60}")


def is_for_model(request: Any) -> bool:
    """Return whether a model answers a request of the SDK. All other requests are free."""
    return request.method.lower() == "post" and not request.url.endswith("/count_tokens")


def take_out_half_calls(request: Any, call_next: Any) -> Any:
    """Remove keys, and calls that must not run, from a reply that does not go through `create`.

    This is a middleware of the SDK, for its raw responses, its beta and its tool runner. For a
    request of `create`, it only stops the SDK's own retry if the server may have rejected the
    thinking: `_request` then sends it again without.
    """
    response = call_next(request)
    answer = response.http_response
    if request.method.lower() != "post" or not answer.is_closed:
        return response
    body = request.json if isinstance(request.json, dict) else {}
    if is_checked.get():
        if rejects_thinking(answer) and any(find_thinking(body.get("messages"))):
            answer.headers["x-should-retry"] = "false"
        return response
    with suppress(Exception):  # an answer that is not a message is an error of the client
        reply = response.parse()  # the SDK keeps this object, and returns it to the caller
        is_refused = reply.stop_reason == "refusal"
        half = find_half(reply, body.get("max_tokens"))
        take_out(calls_of(reply) if is_refused else [half], reply)
        hide_keys_of(reply)
    return response
