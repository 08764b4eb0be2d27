"""Redaction: remove API keys from everything that a server sends back."""

from collections.abc import Callable
from dataclasses import dataclass

REPLACEMENT = "[your key]"
KEY_CHARACTERS = "".join(map(chr, range(0x21, 0x7F)))  # ASCII without whitespace


@dataclass(frozen=True)
class Redactor:
    """Replaces every occurrence of `secrets`."""

    secrets: tuple[str, ...] = ()

    def redact(self, text: str) -> str:
        """Return `text` without the secrets."""
        for secret in self.secrets:
            text = text.replace(secret, REPLACEMENT)
        return text

    def redact_bytes(self, data: bytes) -> bytes:
        """Return `data` without the secrets, which are ASCII. Latin-1 decodes every byte."""
        return self.redact(data.decode("latin-1")).encode("latin-1")


class StreamRedactor:
    """Passes streamed text to `show` in whole words, because a key may be split over pieces.

    `has_shown` is True once it has passed on any.
    """

    def __init__(self, show: Callable[[str], None], redactor: Redactor) -> None:
        self.show, self.redactor = show, redactor
        self.has_shown = self._is_within_line = False
        self._word = ""

    def add(self, piece: str) -> None:
        """Show the text up to its last word, which the next piece may continue."""
        text = self._word + piece
        words = text.rstrip(KEY_CHARACTERS)
        self._word = text[len(words) :]
        if words:
            self.has_shown = True
            self._is_within_line = not text.endswith("\n")
            self.show(self.redactor.redact(words))

    def end_line(self) -> None:
        """Show the last word and a line end, if the text stops in the middle of a line."""
        if self._is_within_line:
            self.add("\n")
