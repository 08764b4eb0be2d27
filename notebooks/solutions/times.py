from priority import PriorityTodo
import time


# The clock is an argument, so that a test can pass its own one and need not wait. The times are
# stored after `super().update`, because a list that is rejected must not change them.
class TimedTodo(PriorityTodo):
    """A todo list that also knows how long each task has taken."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock = clock
        self.made = clock()
        self.begun, self.ended = {}, {}  # when each task began and ended, by its text

    def update(self, items):
        """Replace the list, and store the times of the tasks that have begun or ended."""
        shown = super().update(items)  # it raises if the list is rejected
        now = self.clock()
        for item in self.items:
            if item["status"] == "in_progress":
                self.begun.setdefault(item["text"], now)
            elif item["status"] == "completed":
                self.ended.setdefault(item["text"], now)
        return shown

    def summary(self):
        """Return the seconds of each task by its text, and those of the whole "session"."""
        now = self.clock()
        times = {"session": now - self.made}
        for item in self.items:
            end = self.ended.get(item["text"], now)
            begin = self.begun.get(item["text"], end)
            times[item["text"]] = max(0, end - begin)
        return times
