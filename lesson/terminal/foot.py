"""What prompt_toolkit does: read prompts, and draw the plan below the output."""

import re
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from textwrap import indent

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import create_output
from prompt_toolkit.utils import get_cwidth

from agentlib.client import escape

from .screen import BOLD, DIM, is_screen, shorten

try:
    import readline  # noqa: F401  # from now on, input() has line editing: answers to approvals
except ImportError:  # Windows, whose console edits lines itself
    pass

TICK_SECONDS = 1
KEYS = KeyBindings()


@KEYS.add("c-c")
@KEYS.add("<sigint>")
def clear_or_stop(event: KeyPressEvent) -> None:
    """Clear a line that has text, and keep it in the history; else raise KeyboardInterrupt."""
    if event.current_buffer.text:
        event.current_buffer.reset(append_to_history=True)
    else:
        event.app.exit(exception=KeyboardInterrupt)


class Prompts:
    """Reads prompts, with editing, pasted lines and a history that ends with the program."""

    def __init__(self) -> None:
        self._session: PromptSession[str] | None = None

    def read(self, toolbar: str) -> str:
        """Return the next prompt, or "" for an empty line or the end of the input.

        `toolbar` is shown below it. Without a terminal, it is one line of the input.
        """
        try:
            if not (sys.stdin.isatty() and sys.stdout.isatty()):
                return input().strip()
            self._session = self._session or PromptSession(key_bindings=KEYS)
            return self._session.prompt("> ", bottom_toolbar=toolbar).strip()
        except EOFError:
            return ""


class Foot:
    """Shows the plan, and what the program waits for, below the output.

    It is removed before anything else is printed. The wait is shown after a second. Without a
    terminal nothing is shown.
    """

    def __init__(self) -> None:
        self.plan = self.spent = ""
        self.is_drawn_here = is_screen(sys.stdout)
        self._lock = threading.Lock()
        self._reason, self._since = "", 0.0
        self._is_drawn = False
        self._held, self._column = "", 0  # the word that is not complete yet; cells in the line
        if self.is_drawn_here:
            window = Window(FormattedTextControl(self._fragments), dont_extend_height=True)
            output = create_output(sys.stdout)
            # The renderer is called directly: the application never runs, and reads no input.
            self._app: Application[None] = Application(
                Layout(window), input=DummyInput(), output=output
            )
            threading.Thread(target=self._run, daemon=True).start()

    @contextmanager
    def shown(self, reason: str) -> Iterator[None]:
        """Show `reason` during the block."""
        before = self._reason
        self._change(reason)
        try:
            yield
        finally:
            self._change(before)

    def hidden(self) -> AbstractContextManager[None]:
        """Remove the foot during the block."""
        return self.shown("")

    def say_words(self, words: str) -> None:
        """Print a piece of what the model says, wrapped between words.

        The foot is drawn again when the line ends. A word is printed when it is complete.
        """
        with self._lock:
            self._clear()
            self._since = time.monotonic()
            *ready, self._held = re.findall(r"\s+|\S+", self._held + words) or [""]
            if self._held.isspace():
                ready, self._held = [*ready, self._held], ""
            self._print(ready)

    def _print(self, words: list[str]) -> None:
        """Print words and the whitespace between them; the caller has the lock."""
        columns = shutil.get_terminal_size().columns - 1 if self.is_drawn_here else sys.maxsize
        for word in words:
            width = get_cwidth(word.rpartition("\n")[2])
            if word.isspace():
                self._column = width if "\n" in word else self._column + width
            elif self._column and self._column + width > columns:
                word, self._column = f"\n{word}", width
            else:
                self._column += width
            print(escape.prose(word, sys.stdout.encoding or "utf-8"), end="")
        sys.stdout.flush()

    def _change(self, reason: str) -> None:
        with self._lock:
            self._reason, self._since = reason, time.monotonic()
            if self._column or self._held:
                self._print([self._held, "\n"] if self._held else ["\n"])
                self._held = ""
            self._clear()
            self._draw()

    def _run(self) -> None:
        while True:
            time.sleep(TICK_SECONDS)
            with self._lock:
                self._draw()

    def _draw(self) -> None:
        """Draw the foot, unless a line of text is not complete; the caller has the lock."""
        if self.is_drawn_here and self._reason and not (self._column or self._held):
            self._app.render_counter += 1  # the control calls _fragments once for each count
            with set_app(self._app):
                self._app.renderer.render(self._app, self._app.layout)
            self._is_drawn = True

    def _clear(self) -> None:
        """Remove the foot; the caller has the lock."""
        if self._is_drawn:
            self._app.renderer.erase()
            self._is_drawn = False

    def _fragments(self) -> StyleAndTextTuples:
        """Return the styled text of the foot."""
        rows = max(shutil.get_terminal_size().lines // 2, 3)
        plan = [line for line in shorten(self.plan.splitlines(), rows) if line]
        seconds = int(time.monotonic() - self._since)
        spent = f" · {self.spent}" if self.spent else ""
        waiting = f"  {self._reason}, {seconds} s{spent} (Ctrl-C stops it)" if seconds else ""
        return [(BOLD, indent("\n".join([*plan, ""]), "    ")), (DIM, waiting)]
