"""Compare the files before and after a round, as unified diffs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from safetylib.guard.diffs import diff


@dataclass(frozen=True)
class Change:
    """A file that is new, changed or deleted: its text before and after; None if it is not there.

    `name` is its path in the workspace, with slashes.
    """

    name: str
    before: str | None
    after: str | None

    @cached_property
    def diff(self) -> str:
        """Return the unified diff, with its two lines of heading."""
        if self.after is not None:
            return diff(self.name, self.before, self.after)
        return diff(self.name, self.before, "").replace(f"+++ {self.name}", "+++ /dev/null", 1)

    @property
    def lines(self) -> list[str]:
        """Return the lines of the diff without its heading."""
        return self.diff.split("\n")[2:]

    @property
    def added(self) -> int:
        """Return how many lines are new."""
        return sum(line.startswith("+") for line in self.lines)

    @property
    def removed(self) -> int:
        """Return how many lines are gone."""
        return sum(line.startswith("-") for line in self.lines)

    @property
    def kind(self) -> str:
        """Return "new", "deleted" or ""."""
        return "new" if self.before is None else "deleted" if self.after is None else ""

    def __str__(self) -> str:
        """Return the name and the counts: "hello.py +9 -2"."""
        words = [self.name, self.kind and f"({self.kind})"]
        words += [f"+{self.added}" if self.added else ""]
        words += [f"-{self.removed}" if self.removed else ""]
        return " ".join(filter(None, words))


def list_changes(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Change, ...]:
    """Return the changes between two states of a folder, each a text by the name of its file."""
    names = sorted({*before, *after})
    pairs = [(name, before.get(name), after.get(name)) for name in names]
    return tuple(Change(*pair) for pair in pairs if pair[1] != pair[2])


def join_diffs(changes: Iterable[Change], path: str | None = None) -> str:
    """Return the diffs of all changes, or that of one file by its `path`; "" without one."""
    return "\n".join(change.diff for change in changes if path in (None, change.name))
