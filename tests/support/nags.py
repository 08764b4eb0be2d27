"""Nags for tests, besides the package's."""

from agentlib import Nag
from lesson.program.my_agent import load_plain_nag

PlainNag = load_plain_nag()  # its reminder does not show the list


class OffThePoint(Nag):
    """A nag whose reminder has nothing to do with the list."""

    def __call__(self, calls):
        return super().__call__(calls) and "<reminder>The sky is blue.</reminder>"


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
