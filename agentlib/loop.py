"""The agent loop: ask the model, act on what it asks for, answer with the results."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol

from .history import Usage, model_turn, usage_of
from .tools import Call, Tool, call_tool, make_sendable

if TYPE_CHECKING:
    from anthropic import Anthropic

CUT_SHORT = ("max_tokens", "model_context_window_exceeded", "refusal")
NOT_RUN = "Error: not run, because the run was stopped before"
INTERRUPTED = "Error: stopped while it ran; look at what it has changed before you go on"


class Remind(Protocol):
    """What the loop asks once a round: the `calls` of the round in, a reminder or None out."""

    def __call__(self, calls: tuple[Call, ...], /) -> str | None: ...


@dataclass(frozen=True)
class Round:
    """One trip round the loop: one request, its reply, and the tool calls it asked for.

    `number` counts from 1. `text` is what the model said, `calls` what it did, `reminder` what
    `remind` put into the results. `usage` and `stop_reason` are the reply's own. `messages` are
    the turns that the round added to the history, and `is_last` says whether the run ends here.
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
        """The round in one line, for a log."""
        deeds = [str(call) for call in self.calls] or [" ".join(self.text.split())]
        reminded = ["+ reminder"] if self.reminder else []
        return "  ".join([f"{self.number:2}", *deeds, *reminded])


def never_remind(calls: tuple[Call, ...]) -> None:
    """The `remind` that never reminds."""


def rounds(
    client: "Anthropic",
    messages: list[dict[str, Any]],
    tools: Iterable[Tool] = (),
    *,
    remind: Remind = never_remind,
    **settings: Any,
) -> Iterator[Round]:
    """Run an agent, and yield each Round as it ends, until the model asks for no more tools.

    `client` is an `anthropic.Anthropic`. `messages` is your own list, with your prompt last, and
    is only ever appended to. `remind` sees the calls of every round that had any, and what it
    returns goes back to the model with their results. `settings` (model, max_tokens, system, …)
    go to `client.messages.create` untouched.

    At every yield, and after any exception, `messages` can be sent as it stands (after the last
    yield, with your next prompt): errors of the SDK pass through, and calling again goes on.
    """
    dispatch = {tool.name: tool for tool in tools}
    if dispatch:
        settings["tools"] = [tool.spec for tool in dispatch.values()]
    for number in count(1):
        # Ask: send the whole history, and put the model's turn behind it.
        reply = client.messages.create(messages=messages, **settings)  # type: ignore[arg-type]  # plain dicts
        if not hasattr(reply, "content"):
            raise ValueError(f"The endpoint sent no message, but this: {str(reply)[:80]!r}")
        uses = [block for block in reply.content if block.type == "tool_use"]
        # Each tool_use gets a result at once, so that a stop at any instant leaves none without.
        results = [tool_result(use.id, NOT_RUN, ok=False) for use in uses]
        added = model_turn(reply)
        if results:
            added.append({"role": "user", "content": results})
        messages.extend(added)

        # Act: run what the model asks for.
        calls = []
        for index, use in enumerate(uses):
            results[index] = tool_result(use.id, INTERRUPTED, ok=False)
            if use is reply.content[-1] and reply.stop_reason in CUT_SHORT:
                error = f"Error: not run, because your reply was cut off here: {reply.stop_reason}"
                call = Call(use.name, use.input, error, ok=False)
            else:
                call = call_tool(dispatch, use.name, use.input)
            results[index] = tool_result(use.id, call.output, call.ok)
            calls.append(call)

        # Answer: the results are in their turn already; a reminder may join them.
        reminder = remind(tuple(calls)) if calls else None
        if reminder and reminder.strip():
            add_reminder(results, make_sendable(reminder))
        is_paused = reply.stop_reason == "pause_turn" and bool(added)
        is_last = reply.stop_reason == "refusal" or not (uses or is_paused)
        text = "\n".join(b.text for b in reply.content if b.type == "text" and b.text)
        did = text, tuple(calls), reminder
        yield Round(number, *did, usage_of(reply), reply.stop_reason, tuple(added), is_last)
        if is_last:
            return


def run(
    client: "Anthropic", messages: list[dict[str, Any]], tools: Iterable[Tool] = (), **settings: Any
) -> list[Round]:
    """Like `rounds`, but to the end at once. Returns all the Rounds."""
    return list(rounds(client, messages, tools, **settings))


def tool_result(tool_use_id: str, output: str, ok: bool) -> dict[str, Any]:
    """The tool_result block that answers one tool_use block."""
    block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": output}
    return block if ok else block | {"is_error": True}


def add_reminder(results: list[dict[str, Any]], reminder: str) -> None:
    """Put `reminder` inside the last result, as a text block of its own.

    The API refuses text before the results; after them it is accepted, but a model then tends to
    end its turn (Messages API guide, "Handle tool calls"). In a result it is safe everywhere.
    """
    last = results[-1]
    last["content"] = [{"type": "text", "text": text} for text in (last["content"], reminder)]
