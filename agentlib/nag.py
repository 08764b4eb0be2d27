"""The nag: a reminder for a model that has not updated its todo list for some rounds."""

from collections.abc import Sequence

from .todo import TodoManager
from .tools import Call

__all__ = ["AFTER", "Nag", "REMINDER"]

# The threshold in rounds if none is given. It is low, so that learners see the reminder;
# docs/sources.md lists the values of other harnesses.
AFTER = 3
# What the reminder says. Whoever shows or checks these words imports them from here.
REMINDER = "Update your todos."


class Nag:
    """Count the rounds without a todo call, and return a reminder once there are `after` of them.

    Pass it to the loop: `rounds(client, messages, tools, remind=Nag(todo))`. The count is its
    attribute `rounds`: any call of the todo tool, accepted or rejected, sets it back to 0. You can
    change `after` at any time.

    One nag is for one run, because its count would go on in the next. It also reminds if there is
    no list yet, or if each task is completed; a nag that is silent then is as right as this one.
    """

    def __init__(self, todo: TodoManager, after: int = AFTER) -> None:
        """Remind of `todo` after `after` rounds, a whole number of 1 or more."""
        if type(after) is not int or after < 1:  # True is also an int
            raise ValueError(f"after must be a whole number of rounds, 1 or more, not {after!r}")
        self.todo = todo
        self.after = after
        self.rounds = 0

    def __call__(self, calls: Sequence[Call]) -> str | None:
        """Count one round with these `calls`. Return the reminder if it is due, otherwise None."""
        if any(call.name == getattr(self.todo, "name", "todo") for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        # Not ==: an ignored reminder is repeated in each round until there is a todo call.
        return self.reminder() if self.rounds >= self.after else None

    def reminder(self) -> str:
        """Return the reminder's text. A subclass can use `self.todo.items` to be more specific."""
        return f"<reminder>{REMINDER}</reminder>"
