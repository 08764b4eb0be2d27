"""The agent loop: ask the model, run the tools that it calls, answer with their results."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from safetylib.guard import escape
from safetylib.wire.client import CheckedClient
from safetylib.wire.ends import RequestLimitError
from safetylib.wire.replies import Usage, calls_of, plain_blocks, shown_text, usage_of

from .tools import Call, Tool, call_tool

if TYPE_CHECKING:  # the import takes a second, and only the type of `client` needs it
    from anthropic import Anthropic

__all__ = ["Round", "rounds", "run"]

Message = dict[str, Any]  # {"role": …, "content": …}, as the API takes it
Block = dict[str, Any]  # a part of the content: text, a tool call or its result
Remind = Callable[[list[Call]], str | None]  # gets the calls of a round, returns a reminder

# The results of calls that did not finish. The model reads them if the run continues.
NOT_RUN = "Error: not run, because the run was stopped before"
INTERRUPTED = "Error: stopped while it ran; look at what it has changed before you go on"


@dataclass(frozen=True)
class Round:
    """One round of the loop (others say step or turn): a request, its reply, and its tool calls.

    `number` counts from 1. `text` is the reply's text, `calls` its tool calls with their output,
    `reminder` what was sent with the results. `usage` and `stop_reason` are the reply's. `messages`
    are the messages that the round appended. `is_last` is true if the run has ended with it, and
    false if only `max_iterations` ends the loop here.
    """

    number: int
    text: str
    calls: tuple[Call, ...]
    reminder: str | None
    usage: Usage
    stop_reason: str | None
    messages: tuple[Message, ...] = ()
    is_last: bool = False

    def __str__(self) -> str:
        """Return the round as one line for a log."""
        text = " ".join(self.text.split())
        parts = [str(call) for call in self.calls] or [escape.for_print(text) or "(empty)"]
        if self.reminder:
            parts.append("+ reminder")
        return "  ".join([f"{self.number:2}", *parts])


def rounds(
    client: "Anthropic | CheckedClient",
    messages: list[Message],
    tools: Iterable[Tool] = (),
    remind: Remind | None = None,
    *,
    max_iterations: int | None = None,
    **settings: Any,
) -> Iterator[Round]:
    """Run an agent and yield each Round, until the model stops calling tools.

    This is what a learner writes (notebooks/solutions/loop.py), with a history that can be sent
    after any interrupt, results that say which call has failed, and what each round was.

    `client` is an `anthropic.Anthropic`. `messages` is your list, with your prompt last; the loop
    only appends to it. `remind` is called once for each round with tool calls, and the string
    that it returns goes to the model with the results. `max_iterations` is how many requests are
    sent at most, with those after a reply that was cut off; there is no limit by default.
    `settings` (model, max_tokens, system, …) go to `client.messages.create` unchanged.

    At every yield, and after any exception or interrupt, `messages` is a history that the API
    accepts; after the last yield, append your next prompt. The SDK's errors pass through. A
    RunEndedError says that the run cannot go on like this: NoMessageError for an answer that is no
    message, CutOffError for several replies in a row that are cut off in a tool call. To continue
    after `max_iterations`, an error or an interrupt, call `rounds` again with the same `messages`.
    """
    if not isinstance(messages, list):  # before a request is paid for
        given = type(messages).__name__
        raise TypeError(f"messages must be a list, because the loop appends to it, not a {given}")
    if max_iterations is not None and (type(max_iterations) is not int or max_iterations < 1):
        raise ValueError(
            f"max_iterations must be a whole number, 1 or more, not {max_iterations!r}"
        )
    if not isinstance(client, CheckedClient):
        client = CheckedClient(client)
    tools = list(tools)
    dispatch = {tool.name: tool for tool in tools}
    if tools:
        settings["tools"] = [tool.spec for tool in tools]

    most, before = client.max_requests, client.requests_sent
    for number in count(1):
        if max_iterations:  # the client may send a second request for a reply
            last = before + max_iterations
            client.max_requests = last if most is None else min(most, last)
        try:
            reply: Any = client.messages.create(messages=messages, **settings)
        except RequestLimitError:
            if most is not None and client.requests_sent + 1 > most:
                raise
            return
        finally:
            client.max_requests = most
        uses = calls_of(reply)

        # An interrupt can come at any instant, and the API accepts no call without its result. So
        # both are appended in one step, the results as "not run", and `act` replaces each of them.
        results = [tool_result(use.id, NOT_RUN, ok=False) for use in uses]
        blocks = plain_blocks(reply)
        added = [{"role": "assistant", "content": blocks}] if blocks else []  # or it is rejected
        added += [{"role": "user", "content": results}] if uses else []
        messages.extend(added)

        calls = act(uses, results, dispatch)
        reminder = answer(results, calls, remind)

        is_last = not uses
        yield Round(
            number=number,
            text=shown_text(blocks),
            calls=calls,
            reminder=reminder,
            usage=usage_of(reply),
            stop_reason=reply.stop_reason,
            messages=tuple(added),
            is_last=is_last,
        )
        if is_last or max_iterations and client.requests_sent - before >= max_iterations:
            return


def run(
    client: "Anthropic | CheckedClient",
    messages: list[Message],
    tools: Iterable[Tool] = (),
    remind: Remind | None = None,
    *,
    max_iterations: int | None = None,
    **settings: Any,
) -> list[Round]:
    """Run `rounds` to its end and return all Rounds."""
    return list(rounds(client, messages, tools, remind, max_iterations=max_iterations, **settings))


def act(uses: list[Any], results: list[Block], dispatch: Mapping[str, Tool]) -> tuple[Call, ...]:
    """Run the tools in the order of the calls, and put each result in its place in `results`."""
    calls = []
    for index, use in enumerate(uses):
        results[index] = tool_result(use.id, INTERRUPTED, ok=False)
        call = call_tool(dispatch, use.name, use.input)
        results[index] = tool_result(use.id, call.output, call.ok)
        calls.append(call)
    return tuple(calls)


def answer(results: list[Block], calls: tuple[Call, ...], remind: Remind | None) -> str | None:
    """Add the reminder that `remind` returns to the last result. Return it, or None."""
    # The results are in the history already, so only the reminder is missing.
    # It is a list, as of a loop that a learner writes, and a new one: a nag may change it.
    reminder = remind([*calls]) if remind and calls else None
    if reminder and not isinstance(reminder, str):
        raise TypeError(f"remind must return a string or None, not {reminder!r:.60}")
    if not reminder or not reminder.strip():
        return None
    # The API rejects text before the results. It accepts text after them, but a model then tends
    # to end its turn (Messages API guide, "Handle tool calls"). Inside a result it always works.
    # It is in the same string, because gateways join a second block, or make JSON of both.
    results[-1]["content"] += f"\n\n{escape.for_api(reminder)}"
    return reminder


def tool_result(tool_use_id: str, output: str, ok: bool) -> Block:
    """Return the tool_result block that answers the tool_use block `tool_use_id`."""
    block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": output}
    return block if ok else block | {"is_error": True}
