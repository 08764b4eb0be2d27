"""The nag: a reminder for a model that has not updated its todo list for some rounds.

`Nag(todo, after)` gets a list that has `render()`, and a number of rounds, 1 or more. The loop
calls it once for each round, with the tool calls of that round, which have a `name`. It returns the
reminder, a string, if `after` rounds or more in a row had no call of `todo`, and otherwise None. It
raises what `render` raises. The notebook s03b builds this. docs/what-agents-do.md has the sources
of the rule: Claude Code and the course learn-claude-code.
"""


# The count is in the object, so each run needs its own nag. Any use of the list sets it back to 0.
# The reminder contains the list, so that a plan that has left the window is in it again.
class Nag:
    """Remind the model after so many rounds without a todo call."""

    def __init__(self, todo, after=3):
        self.todo = todo
        self.after = after
        self.rounds = 0  # the rounds since the last todo call

    def __call__(self, calls):
        """Count one round with these calls. Return the reminder if it is due, otherwise None."""
        if any(call.name == "todo" for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        # Not ==: a reminder that the model ignores is repeated in each round.
        if self.rounds >= self.after:
            # The list is rendered only now: it changes during a run.
            return f"<reminder>Update your todos.\n{self.todo.render()}</reminder>"
        return None
