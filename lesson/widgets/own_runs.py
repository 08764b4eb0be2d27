"""Runs of a real model as a table: a row has a run of each agent, and below it is chance."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from safetylib.wire.thinking import find_thinking

from ..common.pluralize import pluralize
from .evaluation import UNITS, Evaluation, Result

RUN = "run {}"
LEFT_OUT, SENT = "thinking left out after errors", "thinking sent"
OFF, NONE = "thinking off", "no thinking"
ONE_JOB = "{} of one job and one model: others may say otherwise."
AGAINST = (
    "{!r} did {} of {} steps, {!r} {} of {}. If they were one agent, chance would deal these runs "
    "at least so unequally in {:,} of {:,} ways."
)
SEVERAL = "comparisons: of several, one is often clearer than chance deals it."
TWO_KINDS = "{!r} and {!r} are not compared, because only some of their runs have sent thinking."
LOOKED_AT = "Looked at before with times={}, so these ways count for less."
MISSING = "Missing: {}. The same cell says what that sends, and plays it."
TOKENS = "Tokens: {:,} sent, where {:,} were announced, and {:,} written."
PAID = "Paid as well: {:,} tokens of {} that broke off, not counted above."


class OwnRuns(Evaluation):
    """The runs of some agents with one real model: `table["run 3", "mine"]` opens one of them.

    `head` says how they were played, and `said` what has broken off a run or ended the table.
    """

    def __init__(
        self, job: str, times: int, whose: Mapping[str, str], head: str, sizes: Mapping[str, Any]
    ) -> None:
        """Begin without a run. `sizes` of each agent's have the tokens to send as their second."""
        rows = {RUN.format(number): "" for number in range(1, times + 1)}
        super().__init__(job, rows, whose, lambda run: run)
        self.head, self._shown_by = head, ""
        self.said: list[str] = []
        self._sizes, self._written = sizes, 0
        self._looked_at: set[int] = set()  # other `times` of its runs
        self._broken: dict[str, list[int]] = {agent: [] for agent in whose}  # tokens of each run

    def add_run(self, number: int, agent: str, run: Any, times: int, reopen: Any) -> None:
        """Add a run that has ended. `reopen` opens its file, which was one of so many `times`."""
        name = RUN.format(number), agent
        self._pack = lambda run: reopen
        self.add(*name, run)
        self.results[name] = self.results[name]._replace(more=describe_thinking(run))
        self._written += sum(one.usage.output_tokens for one in run.rounds[run.rounds_before :])
        self._looked_at |= {times} - {len(self.models)}

    def add_broken(self, agent: str, run: Any) -> None:
        """Note a run that broke off, which is None if its file has not one whole line."""
        rounds = run.rounds[run.rounds_before :] if run else ()
        self._broken[agent].append(sum(one.usage.total for one in rounds))

    def _compare(self, model: str, agent: str) -> int:
        return 0  # the runs of a row have nothing in common

    def _count_complete(self, agent: str) -> str:
        broken = self._broken[agent]
        return super()._count_complete(agent) + f", {len(broken)} put aside" * bool(broken)

    def _list_notes(self) -> list[str]:
        played, broken = len(self.results), sum(self._broken.values(), [])
        missing = len(self.models) * len(self.agents) - played
        sent = sum(one.sent for one in self.results.values())
        announced = sum(self._sizes[agent][1] for _, agent in self.results)
        return [
            f"{UNITS} {ONE_JOB.format(pluralize(played, 'run'))}",
            *self._list_chances(),
            *self.said,
            *[MISSING.format(pluralize(missing, "run"))] * bool(missing),
            TOKENS.format(sent, announced, self._written),
            *[PAID.format(sum(broken), pluralize(len(broken), "run"))] * bool(broken),
        ]

    def _list_chances(self) -> list[str]:
        """Return how often chance alone deals what the first agent and each other one have done."""
        judged: dict[str, list[Result]] = {agent: [] for agent in self.agents}
        for (_, agent), result in self.results.items():
            judged[agent] += [result] * bool(result.states)
        first, *others = [agent for agent, results in judged.items() if results] or [""]
        said = [f"{len(others)} {SEVERAL}"] * (len(others) > 1)
        for other in others:
            pair = judged[first], judged[other]
            done = [[one.steps_done for one in results] for results in pair]
            sizes = [sum(len(one.states) for one in results) for results in pair]
            numbers = sum(done[0]), sizes[0], other, sum(done[1]), sizes[1], *deal(*done)
            is_mixed = {LEFT_OUT, SENT} <= {one.more for one in [*pair[0], *pair[1]]}
            said += [
                TWO_KINDS.format(first, other) if is_mixed else AGAINST.format(first, *numbers)
            ]
        before = ", ".join(map(str, sorted(self._looked_at)))
        return said + [LOOKED_AT.format(before)] * bool(others and before)


def describe_thinking(run: Any) -> str:
    """Return whether a run has sent its model's thinking back to it, or "" if that is not known."""
    requests, replies = run.requests[run.rounds_before :], run.rounds[run.rounds_before :]
    if any(line.get("thinking_left_out") for line in run.lines):
        return LEFT_OUT
    if any(True for one in requests for _ in find_thinking(one["messages"])):
        return SENT
    if requests and dict(requests[-1].get("thinking") or {}).get("type") == "disabled":
        return OFF
    return "" if any(True for one in replies for _ in find_thinking(one.messages)) else NONE


def deal(ones: Sequence[int], others: Sequence[int]) -> tuple[int, int]:
    """Return in how many ways these results can be dealt to two agents at least so unequally.

    The second number is that of all ways. It is the exact permutation test of the difference of two
    means, of both sides.
    """
    size, rest, whole = len(ones), len(others), sum(ones) + sum(others)
    ways = Counter({(0, 0): 1})  # how many choices of so many results have this sum
    for one in [*ones, *others]:
        ways.update({(many + 1, total + one): n for (many, total), n in ways.items()})

    def differ(total: int) -> int:  # in whole numbers
        return abs(total * rest - (whole - total) * size)

    far = [
        n
        for (many, total), n in ways.items()
        if many == size and differ(total) >= differ(sum(ones))
    ]
    return sum(far), comb(size + rest, size)
