"""Redaction: remove API keys from everything that a server sends back."""

from collections.abc import Callable
from dataclasses import dataclass

REPLACEMENT = "[your key]"


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
    """Redacts text that arrives in pieces, even if a secret is split over several of them.

    Passes the text to `show`; `has_shown` is True once it has passed on any.
    """

    def __init__(self, show: Callable[[str], None], redactor: Redactor) -> None:
        self.show, self.redactor = show, redactor
        self.has_shown = self._is_within_line = False
        self._held_back = ""

    def add(self, piece: str) -> None:
        """Show the text up to the first possible start of a secret; hold back the rest."""
        text = self.redactor.redact(self._held_back + piece)
        end = self._find_safe_end(text)
        self._held_back = text[end:]
        self._show(text[:end])

    def finish(self) -> None:
        """Show what was held back, and end the line."""
        self._show(self._held_back)
        self._held_back = ""
        if self._is_within_line:
            self._show("\n")

    def _find_safe_end(self, text: str) -> int:
        longest = max(map(len, self.redactor.secrets), default=0)
        for start in range(max(0, len(text) - longest), len(text)):
            if any(secret.startswith(text[start:]) for secret in self.redactor.secrets):
                return start
        return len(text)

    def _show(self, text: str) -> None:
        if text:
            self.has_shown = True
            self._is_within_line = not text.endswith("\n")
            self.show(text)
