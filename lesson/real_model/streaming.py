"""Streaming: show a model's text while it writes it."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar, copy_context
from typing import TYPE_CHECKING, Any, TypeVar

from agentlib import escape

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
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)


def print_words(words: str) -> None:
    """Print a piece of a model's text, with control characters escaped."""
    print(escape.for_screen(words, sys.stdout.encoding or "utf-8"), end="", flush=True)


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


def text_pieces(stream: "MessageStream[Any]") -> Iterator[str]:
    """Yield the text of a reply in pieces, and a line end after each text block.

    Raise InvalidResponseError if the stream is not a message in the API's format.
    """
    try:
        for event in stream:
            piece: Any = ""
            if event.type == "content_block_start":
                piece = getattr(event.content_block, "text", "")
            elif event.type == "content_block_delta" and event.delta.type == "text_delta":
                piece = event.delta.text
            elif event.type == "content_block_stop" and event.content_block.type == "text":
                piece = "\n"
            if not isinstance(piece, str):
                raise TypeError("text that is not a string")
            yield piece
        stream.get_final_message()
    except InvalidResponseError:
        raise
    except UNEXPECTED_EVENT:
        raise InvalidResponseError("a stream of events in an unknown format") from None
