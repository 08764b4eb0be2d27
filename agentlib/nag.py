"""The reminder: notices that the model has not touched its plan for a while, and says so."""

from collections.abc import Sequence

from .todo import TodoManager
from .tools import Call


class Nag:
    """Counts rounds without a todo call. From `after` such rounds on, it reminds.

    Give it to the loop: `rounds(client, messages, tools, remind=Nag(todo))`. `rounds` is the
    count; a use of the todo tool, accepted or refused, sets it back to 0. `after` may be changed
    at any time: 3 is low, so that one can watch; agents at work use 10 and more.
    """

    def __init__(self, todo: TodoManager, after: int = 3) -> None:
        """`todo` is the list to remind of, `after` a whole number of rounds from 1."""
        if not isinstance(after, int) or isinstance(after, bool) or after < 1:
            raise ValueError(f"after must be a whole number of rounds, 1 or more, not {after!r}")
        self.todo = todo
        self.after = after
        self.rounds = 0

    def __call__(self, calls: Sequence[Call]) -> str | None:
        """Count one round with these `calls`. Returns the reminder when it is due, else None."""
        if any(call.name == self.todo.name for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        return self.reminder() if self.rounds >= self.after else None

    def reminder(self) -> str:
        """What to say. A subclass may look at `self.todo.items` and say more."""
        return "<reminder>Update your todos.</reminder>"
