"""Streaming: show a model's text while it writes it."""

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar, copy_context
from typing import TYPE_CHECKING, Any, TypeVar

from . import escape
from .error_messages import clip
from .responses import InvalidResponseError

if TYPE_CHECKING:
    from anthropic.lib.streaming import MessageStream

Show = Callable[[str], None]
AnyRound = TypeVar("AnyRound")

# What shows the text of replies in the current context; the Client streams only if there is one.
LISTENER: ContextVar[Show | None] = ContextVar("LISTENER", default=None)
# What the SDK raises for an event that it does not expect. Not every Exception: pydantic may turn
# an interrupt into one while it builds the first message.
UNEXPECTED_EVENT = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
CUT_OFF = ("max_tokens", "model_context_window_exceeded", "refusal")


def print_words(words: str) -> None:
    """Print a piece of a model's text, with control characters escaped."""
    print(escape.prose(words, sys.stdout.encoding or "utf-8"), end="", flush=True)


def aloud(rounds: Iterable[AnyRound], show: Show = print_words) -> Iterator[AnyRound]:
    """Yield the Rounds; while a real model writes a reply, pass its text to `show` in pieces.

    For example, `for step in aloud(rounds(model.client, …)): print(*step.calls)`; a printed Round
    would repeat the text of its last reply. A line end follows each text block. An exception
    raised by `show` ends the request and leaves the history unchanged.

    The practice model's replies are complete at once, and so are those of a server that does not
    stream: then `show` is not called.
    """
    source = iter(rounds)
    while True:
        # In a copy of the context, LISTENER is never left set, whenever an interrupt arrives.
        context = copy_context()
        context.run(LISTENER.set, show)
        try:
            step = context.run(next, source)
        except StopIteration:
            return
        yield step


class StreamedMessage:
    """Reads a MessageStream of the SDK: iterate over its text, then call `finish`.

    Both raise InvalidResponseError if it is not a message in the API's format.
    """

    def __init__(self, stream: "MessageStream[Any]") -> None:
        self.stream = stream
        self._inputs: dict[int, str] = {}  # JSON of the tool calls, by index of the block

    def __iter__(self) -> Iterator[str]:
        """Yield the text in pieces, and a line end after each text block."""
        try:
            for event in self.stream:
                yield self._text(event)
            self._message = self.stream.get_final_message()
        except InvalidResponseError:
            raise
        except UNEXPECTED_EVENT:
            raise InvalidResponseError("a stream of events in an unknown format") from None

    def _text(self, event: Any) -> str:
        """Return the text in an event; keep the pieces of a tool call's input."""
        if event.type == "content_block_start":
            return getattr(event.content_block, "text", "")
        if event.type == "content_block_stop":
            return "\n" if getattr(event.content_block, "text", "") else ""
        if event.type == "content_block_delta" and event.delta.type == "text_delta":
            return str(event.delta.text)
        if event.type == "content_block_delta" and event.delta.type == "input_json_delta":
            before = self._inputs.get(event.index, "")
            self._inputs[event.index] = before + event.delta.partial_json
        return ""

    def finish(self) -> dict[str, Any]:
        """Return the message.

        The SDK completes half of a tool call's input by itself. Here that is an error, except in
        the last call of a reply that was cut off: the loop does not run it. It gets no input.
        """
        message = self._message
        for index, text in self._inputs.items():
            try:
                json.loads(text or "{}")
            except ValueError:
                is_last = index == len(message.content) - 1
                if not (is_last and message.stop_reason in CUT_OFF):
                    found = f"a tool call whose input is not JSON ({clip(text, 60)})"
                    raise InvalidResponseError(found) from None
                message.content[index].input = {}  # type: ignore[union-attr]
        return message.to_dict(mode="json", warnings=False)
