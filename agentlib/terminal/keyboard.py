"""Read what the user types: answers, prompts, and lines for the agent while it works."""

from safetylib.guard.typed import ANSWERS, MAX_LINE, Typed, has_lines, take_typed

from . import screen

MOST = 2000  # characters that are kept for the next request
CUT = f"(A terminal cuts a line after {MAX_LINE:,} bytes: the end of yours may be missing.)"


class Keyboard:
    """The keyboard of a terminal. It keeps the lines that the user types while the agent works."""

    def __init__(self) -> None:
        self.lines: list[str] = []  # for the next request

    def keep(self, typed: Typed) -> None:
        """Keep what was typed for the model, and tell the user what is dropped."""
        size = sum(map(len, self.lines))
        for line in typed.words:
            size += len(line)
            if size > MOST:
                screen.say(f"(Not sent: more than {MOST:,} characters were typed meanwhile.)")
                break
            self.lines.append(line)
        if len(typed.words) < sum(map(bool, typed.lines)):
            screen.say(
                "(You typed y, a or n before a question was asked. It was not used as an answer.)"
            )
        if typed.rest:
            screen.say(f"(Not sent, because you did not press Enter: {typed.rest:.70})")

    def take(self) -> str:
        """Return the lines that are kept as one text, and forget them."""
        words, self.lines = " ".join(self.lines), []
        return words

    def read_line(self, question: str, is_prompt: bool = False) -> str | None:
        """Return what the user types after the question, or None if nobody can type.

        Lines that were typed before the question are kept for the model. Lines that come together
        are one text, unless the first line is an answer.
        """
        self.keep(take_typed())
        try:
            text = input(screen.mark(screen.plain(question), screen.USER))
        except KeyboardInterrupt:
            screen.say("")  # end the line of the question
            raise
        except (EOFError, RuntimeError):
            return None
        except UnicodeError:  # what was typed is not text
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
        """Return the next prompt, which can be the lines typed meanwhile, or "" at the end."""
        self.keep(take_typed())
        words = self.take()
        if words:
            screen.say(f"You typed meanwhile: {words}", screen.USER)
        empty = "these words" if words else "the end"
        screen.say("")
        typed = self.read_line(f"Your next prompt (empty: {empty}): ", is_prompt=True)
        text = words if typed == "" else typed or ""
        if text.lower() in ANSWERS:
            question = f"There is no question to answer. To send {text} as a prompt, type it again"
            text = self.read_line(f"{question}, or type another one: ", is_prompt=True) or ""
        return text
