"""A model's words, shown as it writes them: who listens, and what they hear.

A real model's reply takes many seconds. Where somebody listens, it is asked for as a stream, and
its words are passed on as they come; the reply itself is the same.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar, copy_context
from typing import TypeVar

from . import escape

Show = Callable[[str], None]
AnyRound = TypeVar("AnyRound")

LISTENER: ContextVar[Show | None] = ContextVar("LISTENER", default=None)


def print_words(words: str) -> None:
    """Print a piece of what a model says; nothing in it steers the screen."""
    print(escape.prose(words, sys.stdout.encoding or "utf-8"), end="", flush=True)


def aloud(rounds: Iterable[AnyRound], show: Show = print_words) -> Iterator[AnyRound]:
    """Pass the Rounds on; while a real model speaks, its words go to `show`, piece by piece.

    As in `for step in aloud(rounds(model.client, …)): print(*step.calls)`; a printed Round would
    say its last words again. After each text, whole or broken off, a line end follows. `show` is
    called in the thread that asked; what it raises ends the request, and the history stays as it
    was before it.

    The practice model's replies are there at once, and so are those of a server that cannot
    stream: then nothing is shown ahead of its Round.
    """
    source = iter(rounds)
    while True:
        # In a context of its own, nobody goes on listening, whenever a stop comes.
        context = copy_context()
        context.run(LISTENER.set, show)
        try:
            step = context.run(next, source)
        except StopIteration:
            return
        yield step


class SecretFilter:
    """Passes pieces of a text on to `tell`, but none of `secrets`, whole or in pieces.

    `has_spoken` is whether anything was passed on.
    """

    def __init__(self, tell: Show, secrets: tuple[str, ...], replace: Callable[[str], str]) -> None:
        self.tell, self.secrets, self.replace = tell, secrets, replace
        self.has_spoken = self._is_within_line = False
        self._held_back = ""

    def add(self, piece: str) -> None:
        """Pass on what can be: the end waits where it may be the beginning of a secret."""
        text = self.replace(self._held_back + piece)
        end = self._find_end(text)
        self._held_back = text[end:]
        self._pass_on(text[:end])

    def finish(self) -> None:
        """Pass on what was held back, and end the line."""
        self._pass_on(self._held_back)
        self._held_back = ""
        if self._is_within_line:
            self._pass_on("\n")

    def _find_end(self, text: str) -> int:
        longest = max(map(len, self.secrets), default=0)
        for start in range(max(0, len(text) - longest), len(text)):
            if any(secret.startswith(text[start:]) for secret in self.secrets):
                return start
        return len(text)

    def _pass_on(self, text: str) -> None:
        if text:
            self.has_spoken = True
            self._is_within_line = not text.endswith("\n")
            self.tell(text)
