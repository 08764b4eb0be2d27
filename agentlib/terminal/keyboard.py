"""What the user types: an answer or a prompt, and meanwhile."""

from safetylib.guard.typed import ANSWERS, MAX_LINE, Typed, has_lines, take_typed

from . import screen

MOST = 2000  # characters that are kept for the next request
CUT = f"(A terminal cuts a line after {MAX_LINE:,} bytes: the end of yours may be missing.)"


class Keyboard:
    """What the user has typed while the agent worked: whole lines, for the next request."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def keep(self, found: Typed) -> None:
        """Keep what was typed for the model, and say what is dropped."""
        size = sum(map(len, self.lines))
        for line in found.words:
            if (size := size + len(line)) > MOST:
                screen.say(f"(Not sent: more than {MOST:,} characters were typed meanwhile.)")
                break
            self.lines.append(line)
        if len(found.words) < sum(map(bool, found.lines)):
            screen.say(
                "(You typed y, a or n before a question was asked. It was not used as an answer.)"
            )
        if found.rest:
            screen.say(f"(Not sent, because you did not press Enter: {found.rest:.70})")

    def take(self) -> str:
        """Return what is kept as one text, and forget it."""
        words, self.lines = " ".join(self.lines), []
        return words

    def read_line(self, question: str, is_prompt: bool = False) -> str | None:
        """Return what is typed after the question, and not before it; None if nobody is there.

        Lines that come together are one text, unless the first one is an answer.
        """
        self.keep(take_typed())
        try:
            text = input(screen.mark(screen.plain(question), screen.USER))
        except KeyboardInterrupt:
            screen.say("")  # what comes next is not on the line of the question
            raise
        except (EOFError, RuntimeError):
            return None
        except UnicodeError:  # what was typed is no text
            return ""
        if len(text.encode("utf-8", "replace")) >= MAX_LINE and screen.is_user_there():
            screen.say(CUT)
        if is_prompt or has_lines():
            more = take_typed()
            if text.strip().lower() in (*ANSWERS, ""):
                self.keep(more)
            else:
                text = "\n".join([text, *more.lines, more.rest])
        return screen.plain(text).strip()

    def read_prompt(self) -> str:
        """Return the user's next prompt, or "" at the end. It can be what was typed meanwhile."""
        self.keep(take_typed())
        words = self.take()
        if words:
            screen.say(f"You typed meanwhile: {words}", screen.USER)
        empty = "these words" if words else "the end"
        screen.say("")
        typed = self.read_line(f"Your next prompt (empty: {empty}): ", is_prompt=True)
        text = words if typed == "" else typed or ""
        if text.lower() in ANSWERS:
            asked = f"There is no question to answer. To send {text} as a prompt, type it again"
            text = self.read_line(f"{asked}, or type another one: ", is_prompt=True) or ""
        return text
