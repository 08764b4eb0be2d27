"""Compare a learner's part with the solution on random cases, and show the smallest difference."""

from collections.abc import Callable
from random import Random
from time import process_time
from typing import Any

from .engine import Differs

COUNT = 200
SECONDS = 2.0  # of processor time, after which the longest cases are left out; most need 0.5


def compare(
    made: Any,
    solution: Any,
    draw: Callable[[Random, int], Any],
    play: Callable[[Any, Any], Any],
    note: str | Callable[[Any, Any], str] = "",
    *,
    tell: Callable[[Any], str] = repr,
    count: int = COUNT,
    seconds: float = SECONDS,
) -> None:
    """Raise Differs for the smallest case in which `made` and `solution` do different things.

    `draw(random, size)` returns a legal case with up to `size` parts, from 1 to 8. `play(part,
    case)` plays it and returns what can be compared; it must not change the case, and it creates
    what it needs of `part`. Each case is played twice, so that state that is left over counts. The
    cases are the same each time, and the shortest in the words of `tell(case)`, which the learner
    reads, are played first: so the first that differs is the smallest. An exception of `made` is
    raised as it is, with the case in its attribute `tried`. `note` names the cause, or is a
    function of what the two have done.
    """
    random = Random(1)
    cases = [draw(random, 1 + number * 8 // count) for number in range(count)]
    end = process_time() + seconds
    for case in sorted(cases, key=lambda one: len(tell(one))):
        expected = play(solution, case)
        for _ in range(2):
            try:
                got = play(made, case)
            except Exception as problem:
                problem.tried = tell(case)  # type: ignore[attr-defined]
                raise
            if got != expected:
                said = note if isinstance(note, str) else note(got, expected)
                raise Differs(got, expected, said, tell(case))
        if process_time() > end:
            return
