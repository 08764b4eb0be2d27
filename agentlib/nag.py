"""The nag: a reminder for a model that has not updated its todo list for some rounds."""

from collections.abc import Sequence

from .todo import TodoManager
from .tools import Call

__all__ = ["AFTER", "Nag", "REMINDER"]

# The threshold in rounds if none is given. It is low, so that learners see the reminder;
# docs/what-agents-do.md lists the values of other harnesses.
AFTER = 3
# The words of the reminder. Code that shows or checks them imports them from here.
REMINDER = "Update your todos."


class Nag:
    """Remind the model after so many rounds without a todo call.

    A learner writes the same class (notebooks/solutions/nag.py) without the method `reminder`. The
    count is in the object, so each run needs its own nag. Any use of the list sets it back to 0.
    """

    def __init__(self, todo: TodoManager, after: int = AFTER) -> None:
        self.todo = todo
        self.after = after
        self.rounds = 0  # the rounds since the last todo call

    def __call__(self, calls: Sequence[Call]) -> str | None:
        """Count one round with these calls. Return the reminder if it is due, otherwise None."""
        if any(call.name == "todo" for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        # Not ==: a reminder that the model ignores is repeated in each round.
        return self.reminder() if self.rounds >= self.after else None

    def reminder(self) -> str:
        """Return the reminder's text. A subclass can use `self.todo.items` to be more specific."""
        return f"<reminder>{REMINDER}</reminder>"
