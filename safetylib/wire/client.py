"""What is below any loop: a client whose replies a loop may run, and whose requests can be sent."""

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
    make_history_sendable,
    newest_calls,
    no_message,
    plain_blocks,
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
# Whether the reply that comes is one of `create`: the half calls of others are only taken out.
is_checked: ContextVar[bool] = ContextVar("is_checked", default=False)


class CheckedClient:
    """A client around an `anthropic.Anthropic`, for your own loop: `rounds` makes one by itself.

    `client.messages.create` returns what any loop can run and send back:

    - A reply that the API would not accept in the history is repaired. An answer that is no message
      raises NoMessageError.
    - A call in the middle of which the reply was cut off is not in it. If it was the only one, the
      reply and the error are appended to `messages`, and the model is asked again; twice in a row
      is a CutOffError. Otherwise the model reads of it with the results of the others.
    - The calls of a refusal are not in it, so the loop ends.
    - If the server rejects a model's thinking, because something before it has changed, the request
      is sent once more without it, and `say` is called with a sentence: see `thinking`.

    What is sent has a result for each call, also for one that an interrupt has left without, no
    empty reply, and "?" for half of a character. `requests_sent` are counted, also those of
    `stream`, `beta` or a copy, but not what the SDK tries again, and at most `max_requests` of them
    are sent: then it raises RequestLimitError. All else is the other client's.

    A subclass that records, counts or shortens what goes out overrides `send`, which is called for
    each request, also for those that no loop has made.
    """

    def __init__(
        self,
        client: Any,
        max_requests: int | None = None,
        say: Callable[[str], object] = print,
    ) -> None:
        self.messages = self  # so that `client.messages.create` is `create`
        # Only the outer one of two may ask again, so that nothing is sent below its `send`.
        self._outer = client if type(client) is CheckedClient else None  # which counts as well
        self._client: Any = self._outer._client if self._outer else client
        self.requests_sent, self.max_requests = 0, max_requests
        self._left_out = dict[str, str]()  # what a model must still be told, by its calls
        self.say: Callable[[str], object] = self._outer.say if self._outer else say
        self._rejected_thinking = RejectedThinking(self.say)
        # Of the newest answer, for a subclass that records one conversation.
        self.thinking_left_out: list[Place] = []

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the client's `messages`, such as `stream`, or of itself."""
        counted = self._counted
        return getattr(counted.messages if hasattr(counted.messages, name) else counted, name)

    @cached_property
    def _counted(self) -> Any:
        """Return the other client, which counts what its other methods send."""
        is_sdk = hasattr(self._client, "with_middleware")  # or a tracing library's proxy of one
        return self._client.with_middleware(self._count) if is_sdk else self._client

    def create(self, **request: Any) -> Any:
        """Return a reply that can be run, and send as many requests as it takes."""
        if isinstance(self._client, CheckedClient):  # which does all of this
            return self.send(**request)
        messages: Any = request.get("messages") or []
        self._tell(messages)
        for _ in range(MAX_CUT_OFFS):
            reply = self.send(**request)
            half = find_half(reply, request.get("max_tokens"))
            if not half or str(newest_calls([reply])) in self._left_out:
                return reply
            end = reply.stop_reason
            said = f"Error: {CUT_OFF_CALL.format(describe(end))}"
            error = tool_result(half.id, said, ok=False)
            added = [
                {"role": "assistant", "content": plain_blocks(reply)},
                {"role": "user", "content": [error]},
            ]
            if isinstance(messages, list):
                messages.extend(added)  # in one step, so an interrupt leaves both or none
            else:
                request["messages"] = messages = [*messages, *added]
        raise CutOffError(CUT_OFF.format(MAX_CUT_OFFS, end))

    def send(self, **request: Any) -> Any:
        """Send one request and return its reply, repaired, without what must not run beside others.

        The only call of a reply stays in it if it is cut off: `create` answers it.
        """
        request["messages"] = make_history_sendable(request.get("messages") or [])
        try:  # in a copy of the context, which ends with it, whatever interrupts
            reply = copy_context().run(self._ask_checked, request)
        except (JSONDecodeError, RecursionError) as problem:
            raise no_message(getattr(problem, "doc", "lists inside lists, without end")) from None
        if not getattr(self._client, "checks_replies", False):
            check_reply(reply)
        reply.stop_reason = find_end(reply, request.get("max_tokens"))  # for whoever reads it
        hide_keys_of(reply)
        calls, half = calls_of(reply), find_half(reply, request.get("max_tokens"))
        if reply.stop_reason == "refusal":  # the same history would be refused again
            take_out(calls, reply)
        elif half and len(calls) > 1:
            take_out([half], reply)
            said = LEFT_OUT.format(half.name, describe(reply.stop_reason))
            self._left_out[str(newest_calls([reply]))] = said
        return reply

    checks_replies = True  # so another one around it does not check them again

    def _ask_checked(self, request: dict[str, Any]) -> Any:
        """Send a request whose reply `send` checks, and no middleware."""
        is_checked.set(True)
        return self._ask(request)

    def _ask(self, request: dict[str, Any]) -> Any:
        """Send a request, and once more without its thinking if the server rejects that.

        If it is refused as well, nothing is known, so the first error is raised.
        """
        messages, first = request["messages"], None
        left_out = self._rejected_thinking.find(messages)
        while True:
            try:
                self._admit()
                sent = leave_out(messages, left_out)
                reply = self._client.messages.create(**request | {"messages": sent})
                break
            except Exception as problem:
                if first:
                    if is_too_long(problem):  # so it was read
                        self._rejected_thinking.note(messages, None, is_rejected=True)
                    elif getattr(problem, "status_code", 0) in (*range(400, 429), 500):
                        raise first from None
                    raise
                places = [place for place, _ in find_thinking(messages)]
                is_inner = isinstance(self._client, CheckedClient)  # which has done it
                if is_inner or places == left_out or not rejects_thinking(problem):
                    raise
                left_out, first = places, problem
        self._rejected_thinking.note(messages, reply, is_rejected=first is not None)
        self.thinking_left_out = left_out
        return reply

    def _admit(self) -> None:
        """Count a request before it is sent. Raise RequestLimitError if it is one too many."""
        if self.max_requests is not None and self.requests_sent + 1 > self.max_requests:
            raise RequestLimitError(LIMIT.format(self.requests_sent, self.max_requests))
        if self._outer:
            self._outer._admit()
        self.requests_sent += 1

    def _count(self, request: Any, call_next: Any) -> Any:
        """Count a request that asks a model: a middleware of the SDK."""
        if asks_model(request) and not request.retries_taken:
            self._admit()
        return call_next(request)

    def _tell(self, messages: Any) -> None:
        """Add what was left out to the newest message, which was not sent yet."""
        newest = messages[-1] if messages and self._left_out else None
        if not isinstance(newest, dict) or newest.get("role") != "user":
            return
        said = self._left_out.pop(str(newest_calls(messages)), "")
        content = newest.get("content")
        if said and isinstance(content, str):
            newest["content"] = content + said
        elif said and isinstance(content, list):  # behind the results, which come first
            content.append({"type": "text", "text": said})


def describe(end: str | None) -> str:
    """Return how a reply has ended, in the words of its server."""
    return escape.for_screen(f"{end!s:.60}")


def asks_model(request: Any) -> bool:
    """Return whether a request of the SDK is one that a model answers: the others are free."""
    return request.method.lower() == "post" and not request.url.endswith("/count_tokens")


def take_out_half_calls(request: Any, call_next: Any) -> Any:
    """Take what must not run, and keys, out of a reply that comes another way: a middleware.

    The raw responses, the beta and the tool runner of the SDK do not go through `create`. Of what
    does, a request is not tried again as it is if its thinking may be what the server rejects.
    """
    response = call_next(request)
    answer = response.http_response
    if request.method.lower() != "post" or not answer.is_closed:
        return response
    body = request.json if isinstance(request.json, dict) else {}
    if is_checked.get():
        if rejects_thinking(answer) and any(find_thinking(body.get("messages"))):
            answer.headers["x-should-retry"] = "false"  # `_ask` sends it without thinking
        return response
    with suppress(Exception):  # what is no message is an error of the client
        reply = response.parse()  # the SDK keeps this object, and returns it to the caller
        is_refused = reply.stop_reason == "refusal"
        half = find_half(reply, body.get("max_tokens"))
        take_out(calls_of(reply) if is_refused else [half], reply)
        hide_keys_of(reply)
    return response
