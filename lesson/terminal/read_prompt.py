"""Read prompts from the user: with editing, pasted lines and a history, by prompt_toolkit."""

import sys
from functools import cache

from prompt_toolkit import PromptSession
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

try:
    import readline  # noqa: F401  # from now on, input() has line editing: answers to approvals
except ImportError:  # Windows, whose console edits lines itself
    pass

TOOLBAR = "/help shows the keys · Ctrl-D ends the program"
KEYS = KeyBindings()


@KEYS.add("c-c")
@KEYS.add("<sigint>")
def clear_or_stop(event: KeyPressEvent) -> None:
    """Clear a line that has text, and keep it in the history; else raise KeyboardInterrupt."""
    if event.current_buffer.text:
        event.current_buffer.reset(append_to_history=True)
    else:
        event.app.exit(exception=KeyboardInterrupt)


def read_prompt() -> str:
    """Return the next prompt, or "" for an empty line or the end of the input.

    Without a terminal, a prompt is one line of the input.
    """
    try:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return input().strip()
        return make_session().prompt("> ", bottom_toolbar=TOOLBAR).strip()
    except EOFError:
        return ""


@cache
def make_session() -> PromptSession[str]:
    """Return the program's only session, whose history ends with the program."""
    return PromptSession(key_bindings=KEYS)
