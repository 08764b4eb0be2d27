"""Nags for tests, besides the package's."""

from agentlib import Nag
from agentlib.nag import REMINDER


class ShowsList(Nag):
    """A nag whose reminder contains the list."""

    def reminder(self) -> str:
        return f"<reminder>{REMINDER} Your list:\n{self.todo.render()}</reminder>"


class OffThePoint(Nag):
    """A nag whose reminder has nothing to do with the list."""

    def reminder(self) -> str:
        return "<reminder>The sky is blue.</reminder>"


class Raises(Nag):
    """A nag that fails in its fourth round."""

    count = 0

    def __call__(self, calls):
        self.count += 1
        if self.count == 4:
            raise KeyError("rounds")
        return None


class NeverEnds(Nag):
    """A nag that does not end."""

    def __call__(self, calls):
        while True:
            pass
