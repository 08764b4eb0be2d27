"""The agent loop: ask the model, run the tools that it calls, answer with their results."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from inspect import iscoroutine
from itertools import count
from typing import TYPE_CHECKING, Any

from . import escape
from .replies import Usage, model_turn, usage_of
from .tools import Call, Tool, call_tool, make_sendable

if TYPE_CHECKING:  # the import takes a second, and only the type of `client` needs it
    from anthropic import Anthropic

# `remind` gets the calls of a round and returns a reminder for the model, or None.
Remind = Callable[[tuple[Call, ...]], str | None]

NOT_RUN = "Error: not run, because the run was stopped before"
INTERRUPTED = "Error: stopped while it ran; look at what it has changed before you go on"

# Stop reasons of a reply that is not complete. If it ends with a tool call, the call is cut off.
CUT_SHORT = ("max_tokens", "model_context_window_exceeded", "refusal")


@dataclass(frozen=True)
class Round:
    """One round of the loop (others say step or turn): a request, its reply, and its tool calls.

    `number` counts from 1. `text` is the reply's text, `calls` its tool calls with their output,
    `reminder` what `remind` returned. `usage` and `stop_reason` are the reply's. `messages` are
    the messages that the round appended. `is_last` is true if the loop ends here.
    """

    number: int
    text: str
    calls: tuple[Call, ...]
    reminder: str | None
    usage: Usage
    stop_reason: str | None
    messages: tuple[dict[str, Any], ...] = ()
    is_last: bool = False

    def __str__(self) -> str:
        """Return the round as one line for a log."""
        parts = [str(call) for call in self.calls] or [
            escape.for_screen(" ".join(self.text.split()))
        ]
        if self.reminder:
            parts.append("+ reminder")
        return "  ".join([f"{self.number:2}", *parts])


def never_remind(calls: tuple[Call, ...]) -> None:
    """Return None: the `remind` of an agent without reminders."""


def rounds(
    client: "Anthropic",
    messages: list[dict[str, Any]],
    tools: Iterable[Tool] = (),
    *,
    remind: Remind = never_remind,
    **settings: Any,
) -> Iterator[Round]:
    """Run an agent and yield each Round, until the model stops calling tools.

    `client` is an `anthropic.Anthropic`. `messages` is your list, with your prompt last; the loop
    only appends to it. `remind` is called once for each round with tool calls, and the string
    that it returns goes to the model with the results. `settings` (model, max_tokens, system, …)
    go to `client.messages.create` unchanged.

    At every yield, and after any exception or interrupt, `messages` is a history that the API
    accepts; after the last yield, append your next prompt. The SDK's errors pass through: to
    continue after an error or an interrupt, call `rounds` again with the same `messages`.
    """
    dispatch = {tool.name: tool for tool in tools}
    if dispatch:
        settings["tools"] = [tool.spec for tool in dispatch.values()]

    for number in count(1):
        # Ask: send the whole history.
        reply = client.messages.create(messages=messages, **settings)  # type: ignore[arg-type]  # plain dicts
        require_message(reply)
        uses = [block for block in reply.content if block.type == "tool_use"]

        # The results go into `messages` together with the calls, first as "not run", and each is
        # replaced in place when its tool has run. So at any instant every tool_use in `messages`
        # has its tool_result, which the API requires, and an interrupt cannot separate them.
        results = [tool_result(use.id, NOT_RUN, ok=False) for use in uses]
        added = model_turn(reply)  # the reply as a message, or [] if the reply is empty
        if results:
            added.append({"role": "user", "content": results})
        messages.extend(added)

        # Act: run the tools, in the order of the calls.
        calls = []
        for index, use in enumerate(uses):
            results[index] = tool_result(use.id, INTERRUPTED, ok=False)
            if is_cut_off(use, reply):
                error = f"Error: not run, because your reply was cut off here: {reply.stop_reason}"
                call = Call(use.name, use.input, error, ok=False)
            else:
                call = call_tool(dispatch, use.name, use.input)
            results[index] = tool_result(use.id, call.output, call.ok)
            calls.append(call)

        # Answer: the results are in `messages` already; a reminder may be added to the last one.
        reminder = remind(tuple(calls)) if calls else None
        if reminder and reminder.strip():
            add_reminder(results, make_sendable(reminder))

        # The API pauses a long turn of a server tool (web search): sent back, it continues. An
        # empty paused turn cannot be sent back, so the loop would repeat the request forever.
        # A refusal ends the loop, even with calls: the same history would be refused again.
        is_paused = reply.stop_reason == "pause_turn" and bool(added)
        is_last = reply.stop_reason == "refusal" or not (uses or is_paused)
        yield Round(
            number=number,
            text="\n".join(b.text for b in reply.content if b.type == "text" and b.text),
            calls=tuple(calls),
            reminder=reminder,
            usage=usage_of(reply),
            stop_reason=reply.stop_reason,
            messages=tuple(added),
            is_last=is_last,
        )
        if is_last:
            return


def run(
    client: "Anthropic", messages: list[dict[str, Any]], tools: Iterable[Tool] = (), **settings: Any
) -> list[Round]:
    """Run `rounds` to its end and return all Rounds."""
    return list(rounds(client, messages, tools, **settings))


def require_message(reply: Any) -> None:
    """Raise TypeError or ValueError if `reply` is not a message of the API."""
    if iscoroutine(reply):
        reply.close()  # Python warns about a coroutine that nothing awaits.
        raise TypeError("rounds() cannot use AsyncAnthropic: pass an anthropic.Anthropic().")
    # The SDK returns a web page, such as the login page of a proxy, as a string.
    if not hasattr(reply, "content"):
        raise ValueError(f"The endpoint sent no message, but this: {str(reply)[:80]!r}")


def is_cut_off(use: Any, reply: Any) -> bool:
    """Return whether `reply` ended in the middle of the call `use`, its last block."""
    # Half a call must not run, though its input can look valid: half of the content for write_file
    # is a string. The model gets an error instead and can send the call again.
    return reply.stop_reason in CUT_SHORT and use is reply.content[-1]


def tool_result(tool_use_id: str, output: str, ok: bool) -> dict[str, Any]:
    """Return the tool_result block that answers the tool_use block `tool_use_id`."""
    block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": output}
    return block if ok else block | {"is_error": True}


def add_reminder(results: list[dict[str, Any]], reminder: str) -> None:
    """Put `reminder` into the last result, as a second text block of its content."""
    # The API rejects text before the results. It accepts text after them, but a model then tends
    # to end its turn (Messages API guide, "Handle tool calls"). Inside a result it always works.
    last = results[-1]
    last["content"] = [
        {"type": "text", "text": last["content"]},
        {"type": "text", "text": reminder},
    ]
