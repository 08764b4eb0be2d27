"""Show runs of a real model: the offer to the user, and the table, in which a row is a run."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any, NamedTuple

from safetylib.guard.escape import for_print

from ..common.pluralize import pluralize
from ..drawing.picture import OWN_KEYS, draw_picture, escape
from .evaluation import UNITS, Evaluation, Result

RUN = "run {}"
LEFT_OUT, SENT = "thinking left out after errors", "thinking sent"
RunName = tuple[int, str]  # the number of a run, and its agent


class KeptRun(NamedTuple):
    """What the table shows of the run in a file. A whole run has half a megabyte.

    `began` is its time, `wrote` is all that the model has written (or "" if it is too short to
    compare), and `tokens_paid` has also those of half a round at the end.
    """

    name: RunName
    began: str
    versions: str
    has_ended: bool
    result: Result
    wrote: str
    tokens_paid: int


@dataclass
class Offer:
    """What runs would send, in numbers and sentences."""

    title: str
    rows: Sequence[Sequence[str]]  # a name, the number that is expected, and the number at most
    sentences: Sequence[str]

    def __repr__(self) -> str:
        rows = [f"  {name:30}{expected:>12}{most:>12}" for name, expected, most in self.rows]
        return for_print("\n".join([self.title, *rows, *self.sentences]))

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        title, _, rest = escape(repr(self)).partition("\n")
        folded = f"<details open><summary {OWN_KEYS}>{title}</summary><pre>{rest}</pre></details>"
        picture = draw_picture(folded, "lp-eval", "tables/evaluation")
        return {"text/html": picture, "text/plain": repr(self)}


class OwnRuns(Evaluation):
    """The runs of some agents with one real model: `table["run 3", "mine"]` opens one of them.

    `notes` are sentences about what has ended the table, and about what cannot be read.
    """

    def __init__(self, job: str, whose: Mapping[str, str], times: int, about: str) -> None:
        """Begin without a run. `about` is for the head."""
        rows = {RUN.format(number): "" for number in range(1, times + 1)}
        super().__init__(job, rows, whose)
        self.notes: list[str] = []
        self.runs: dict[RunName, KeptRun] = {}  # those that count
        self._put_aside: list[KeptRun] = []
        self._about, self.shown_by = about, ""

    def show_runs(self, runs: Sequence[KeptRun]) -> None:
        """Show these runs, in order of time: those that have ended in rows, the rest in sentences.

        A run that the server, the network or Stop has broken off has not ended.
        """
        self.runs = {}
        for run in runs:
            if run.has_ended:
                self.runs.setdefault(run.name, run)
        self._put_aside = [run for run in runs if run is not self.runs.get(run.name)]
        self.results = {(RUN.format(n), agent): run.result for (n, agent), run in self.runs.items()}

    @property
    def head(self) -> str:
        """Return how and when the runs were played."""
        runs, words = [*self.runs.values()], [self._about]
        if runs:
            words += [f"played {describe_times(runs)}", *sorted({run.versions for run in runs})]
        return "; ".join(words)

    def list_put_aside(self) -> list[str]:
        """Return for each agent how many of its runs do not count, and why not the last one."""
        sentences = []
        for agent in self.agents:
            if runs := [run for run in self._put_aside if run.name[1] == agent]:
                why = runs[-1].result.problem or "it has no end."
                if runs[-1].has_ended:
                    why = "it was played twice."
                sentences.append(
                    f"{pluralize(len(runs), 'run')} of {agent!r} put aside. The last: {why}"
                )
        return sentences

    def _compare(self, model: str, agent: str) -> int:
        return 0  # the runs of a row have nothing in common

    def _list_notes(self) -> list[str]:
        runs, results = [*self.runs.values()], [*self.results.values()]
        sent = sum(result.sent for result in results)
        written = sum(result.written for result in results)
        more = sum(run.tokens_paid for run in runs + self._put_aside) - sent - written
        missing = len(self.models) * len(self.agents) - len(runs)
        played = pluralize(len(runs), "run")
        sentences = [f"{UNITS} {played} of one job and one model: others may say otherwise."]
        if not self.playing:
            sentences += self._list_comparisons()
        sentences += self.notes
        if missing:
            sentences.append(
                f"Missing: {pluralize(missing, 'run')}. The same cell asks, and plays them."
            )
        sentences += self.list_put_aside()
        sentences.append(f"Tokens: {sent:,} sent, and {written:,} written.")
        if more:
            sentences.append(f"Paid as well, and counted nowhere above: {more:,} tokens.")
        return sentences

    def _list_comparisons(self) -> list[str]:
        """Return what the first agent and each other one have done, and how likely that is."""
        judged: dict[str, list[KeptRun]] = {}
        for (_, agent), run in self.runs.items():
            if run.result.states:
                judged.setdefault(agent, []).append(run)
        done = {name: tuple(run.result.steps_done for run in runs) for name, runs in judged.items()}
        left = {name: sum(run.result.steps_left for run in runs) for name, runs in judged.items()}
        copies = {name: describe_copies(runs) for name, runs in judged.items()}
        sentences = [f"{agent!r}: {many}" for agent, many in copies.items() if many]
        first, *others = [agent for agent in self.agents if agent in judged] or [""]
        if len(others) > 1:
            sentences.append(f"Of {len(others)} comparisons, one often looks clearer than it is.")
        has_script = any("script" in run.result.states for run in self.runs.values())
        rest = " that were left" if has_script else ""
        for other in others:
            counts = (
                f"{first!r} did {sum(done[first])} of the {left[first]} steps{rest}, "
                f"{other!r} {sum(done[other])} of {left[other]}."
            )
            if copies[first] or copies[other]:
                chance = "Copies are not evidence, so no chance is computed."
            elif {LEFT_OUT, SENT} <= {run.result.thinking for run in judged[first] + judged[other]}:
                chance = "They are not compared, because only some of the runs have sent thinking."
            else:
                chance = describe_chance(*deal(done[first], done[other]))
            sentences.append(f"{counts} {chance}")
        return sentences


def describe_times(runs: Sequence[KeptRun]) -> str:
    """Return when runs began: "2026-12-01 21:10 to 21:25"."""
    first, last = (choose(run.began[:16] for run in runs) for choose in (min, max))
    return f"{first} to {last.removeprefix(first[:11])}"


def describe_copies(runs: Sequence[KeptRun]) -> str:
    """Return how many runs differ, if some are equal in all that the model wrote, or ""."""
    different = len({run.wrote or run.name for run in runs})
    if different == len(runs):
        return ""
    alike = "all alike" if different == 1 else f"only {different} of them different"
    return f"{len(runs)} runs, {alike}: this server repeats itself."


def describe_chance(ways: int, of: int) -> str:
    """Return how often chance alone gives such a difference, in a sentence."""
    share = f"{ways / of:.1%}" if ways / of >= 0.001 else "less than 0.1%"
    return (
        "If both were the same agent, a difference of this size or more would come up by chance in "
        f"{share} of cases ({ways:,} of {of:,})."
    )


@cache  # a table is drawn several times
def deal(some: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, int]:
    """Return in how many ways these results can be dealt to two agents at least so unequally.

    The second number is that of all ways. Both are those of the exact, two-sided permutation test
    of a difference of two means.
    """
    size, results = len(some), some + others
    ways = [Counter({0: 1}), *(Counter[int]() for _ in some)]  # of so many results: by their sum
    for result in results:
        for many in range(size, 0, -1):
            for total, number in ways[many - 1].items():
                ways[many][total + result] += number

    def differ(total: int) -> int:  # from what the same share of all would be, in whole numbers
        return abs(total * len(results) - sum(results) * size)

    far = [number for total, number in ways[size].items() if differ(total) >= differ(sum(some))]
    return sum(far), comb(len(results), size)
