"""Measured runs: what each round did, and what the files and the list say at the end."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from agentlib.loop import Round
from agentlib.nag import AFTER, Nag
from agentlib.todo import TodoManager

from ..message_blocks import is_list_tool, read_items
from ..message_window import InView, Viewer
from ..picture_letters import CLAIMED, SHOWN, find_letter
from ..pluralize import pluralize
from ..practice.policy.next_reply import WINDOW
from ..samples.jobs import load_job
from .trial import Trial
from .why_it_ended import REASONS

THRESHOLDS = range(1, 16)  # rounds: those of the nag in a column


class Setting(NamedTuple):
    """What a run depends on. `after` is in rounds (None: no reminder), `window` in messages.

    `nag` is the class of the reminder and `todo` that of the list; without `plan` there is no list.
    """

    job: str = "ten_steps"
    after: int | None = AFTER
    window: int = WINDOW
    plan: bool = True
    nag: Callable[..., Nag] = Nag
    todo: Callable[[], TodoManager] = TodoManager

    def trial(self) -> Trial:
        """Return a new Trial with this setting, and with a list of its own."""
        return Trial(**self._asdict() | {"todo": self.todo()})

    def column(self) -> "list[Setting]":
        """Return this setting with each threshold, then without a reminder, then without a list."""
        with_list = [self._replace(after=after, plan=True) for after in (*THRESHOLDS, None)]
        return [*with_list, self._replace(after=None, plan=False)]


class Measured(NamedTuple):
    """A whole run.

    `cells` has a letter of ROUNDS for each round, and `steps` a digit: how many steps the files
    show more than before it. `done` says for each step of the job whether the files show it.
    `items` are the texts of the final list, and `claims` has a letter for each (see `find_letter`).
    `tokens` are those of all requests and replies. `lost` is the number of rounds in which the plan
    was out of the window (without a list: the beginning), and `seen` is the last round before them.
    `read` is the round in which the model read the reminder that should have prevented this, or
    else the first reminder. `seen` and `read` are 0 if there is no such round. `reason` is a key of
    REASONS.
    """

    setting: Setting
    cells: str
    steps: str
    done: tuple[bool, ...]
    items: tuple[str, ...]
    claims: str
    tokens: int
    seen: int
    read: int
    lost: int
    reason: str = ""

    @property
    def steps_done(self) -> int:
        return sum(self.done)

    @property
    def is_finished(self) -> bool:
        return all(self.done)

    @property
    def list_says(self) -> str:
        """Return the progress in the final list: "4 of 4"; "no list" if it is empty or missing."""
        ticked = self.claims.count(SHOWN) + self.claims.count(CLAIMED)
        return f"{ticked} of {len(self.claims)}" if self.claims else "no list"

    @property
    def rounds(self) -> int:
        return len(self.cells)

    @property
    def reminders(self) -> int:
        return sum(cell.isupper() for cell in self.cells)

    @property
    def outcome(self) -> str:
        """Return how the run ended: "3 of 10 steps done, its list says 4 of 4"."""
        says = f", its list says {self.list_says}" if self.claims else ""
        return f"{self.steps_done} of {len(self.done)} steps done{says}"

    def why(self, mark: str = "") -> str:
        """Return why the run ended as it did, with `mark` on both sides of the point."""
        facts = {
            "seen": self.seen,
            "read": self.read,
            "late": pluralize(self.read - self.seen, "round"),
            "rounds": self.rounds,
            "lost": pluralize(self.lost, "round"),
            "missing": pluralize(len(self.done) - self.steps_done, "step"),
            "of": len(self.done),
        }
        return REASONS[self.reason].format(**facts).replace("*", mark)


@cache
def measured(setting: Setting) -> Measured:
    """Return the run of a setting, which is played once in a process."""
    return summarize(setting, setting.trial().play())


def summarize(setting: Setting, trial: Trial) -> Measured:
    """Return the Measured run of a Trial that has ended."""
    viewer = Viewer(trial.window)
    cells, digits, lost = "", "", []
    for number, turn in enumerate(trial.rounds, 1):
        view = viewer.look(trial.model.requests[number - 1]["messages"])
        if view.is_lost:
            lost.append(number)
        finished = count_finished(trial.progress[number - 1], trial.progress[number])
        kind = find_kind(turn, view, has_progressed=finished > 0)
        cells += kind.upper() if turn.reminder else kind
        digits += str(min(finished, 9))
    seen = lost[0] - 1 if lost else 0
    steps = load_job(trial.job).steps
    shown = {step.text.casefold() for step, ok in zip(steps, trial.done, strict=True) if ok}
    run = Measured(
        setting=setting,
        cells=cells,
        steps=digits,
        done=trial.done,
        items=tuple(str(item.get("text")) for item in trial.items),
        claims="".join(find_letter(item, shown) for item in trial.items),
        tokens=trial.tokens,
        seen=seen,
        read=find_deciding_reminder(cells, seen),
        lost=len(lost),
    )
    return run._replace(reason=find_reason(run))


def count_finished(before: Sequence[bool], after: Sequence[bool]) -> int:
    """Return how many steps the files show after a round that they did not show before it."""
    return sum(now and not then for then, now in zip(before, after, strict=True))


def find_kind(turn: Round, view: InView, has_progressed: bool) -> str:
    """Return the letter of a round.

    `view` is what the model saw of its request, and `has_progressed` says whether the files show
    that the round finished a step. A list is short if it has fewer items than a plan out of view.
    """
    if not turn.calls:
        return "e"
    lists = [read_items(call.input) for call in turn.calls if call.ok and is_list_tool(call.name)]
    if lists:
        lost_plan = None if view.plan_is_seen else view.plan
        return "s" if lost_plan and len(lists[-1]) < len(lost_plan.items) else "p"
    if has_progressed:
        return "f" if view.is_lost else "d"
    return "l" if view.is_lost else "w"


def find_deciding_reminder(cells: str, seen: int) -> int:
    """Return the round in which the model read the reminder that decided the run, or 0.

    That is the first reminder after the last plan written up to round `seen`; if the model never
    lost its plan (`seen` is 0), the first of all. A reminder sent with the results of one round is
    read in the next.
    """
    plans = [n for n, cell in enumerate(cells[:seen].lower(), 1) if cell in "ps"]
    since = plans[-1] if plans else 0
    return next((n + 1 for n, cell in enumerate(cells, 1) if n > since and cell.isupper()), 0)


def count_claims(items: Sequence[Mapping[str, Any]]) -> str:
    """Return what a list says about its progress, "4 of 4"; "" without a list."""
    ticked = sum(item["status"] == "completed" for item in items)
    return f"{ticked} of {len(items)}" if items else ""


def find_reason(run: Measured) -> str:
    """Return the key in REASONS of why the run ended as it did."""
    setting = run.setting
    if run.is_finished:
        if not setting.plan:
            return "done_by_then" if run.lost else "no_list_needed"
        if run.lost:
            return "came_back" if run.reminders else "done_in_time"
        return "in_time" if run.reminders else "never_left"
    if not run.lost:
        return "otherwise"
    if not setting.plan:
        return "no_list"
    if setting.after is None:
        return "unreminded"
    if not run.read:
        return "not_due"
    if run.read <= run.seen:
        return "unheeded"
    return "too_late" if "s" in run.cells.lower() else "in_vain"
