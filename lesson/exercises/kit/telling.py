"""What was tried, in plain words: for a rule whose source says little to a learner."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager


@contextmanager
def telling(lines: Sequence[str]) -> Iterator[None]:
    """Give an error inside these lines as what was tried, if it has none yet.

    They are read when the error is raised, so a rule can append to them.
    """
    try:
        yield
    except BaseException as problem:
        problem.tried = getattr(problem, "tried", "") or "\n".join(lines)  # type: ignore[attr-defined]
        raise
