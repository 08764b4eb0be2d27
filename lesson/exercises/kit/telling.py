"""What was tried, as a learner reads it: each rule tells it, because its source says little."""

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
