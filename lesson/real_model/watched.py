"""Where the words of a reply are shown while they come."""

from collections.abc import Callable
from dataclasses import dataclass


def show_nothing(words: str) -> None:
    """Show no words: nobody looks."""


@dataclass
class Watched:
    """`show` is called with the newest words of a reply while it comes, and with "" at its end."""

    show: Callable[[str], object] = show_nothing
