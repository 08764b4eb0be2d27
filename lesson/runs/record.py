"""What is known of a run: after each of its rounds, and now.

A run is kept as two strings, from which it is drawn. `letters` has a letter for each round, a
capital if a reminder was sent with its results:

    p  writes its plan             l  works without its plan, which has left the window
    w  works                       f  finishes a step without its plan
    d  finishes a step             s  writes a short plan in place of the one that it has lost
    e  stops                       u  works; its files were not checked

`steps` has a digit for each round: how many steps the files show more than before it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from agentlib.loop import Round
from agentlib.workspace import Workspace

from ..common.message_blocks import Message, is_list_tool, read_items
from ..samples.jobs import Job
from ..samples.project_files import NotJudgedError, ProjectFiles, read_files
from .adapters import read_times
from .changes import Change, join_diffs, list_changes
from .window import View, Viewer


class RoundRecord(NamedTuple):
    """A round, and what is known after it.

    `items` is the todo list, `done` what the files show of each step (empty if they were not
    judged, and `not_judged` says why, or "" for a job without a judge), `waited` the number of
    rounds without a todo call, `view` what the model saw of the round's request, `letter` and `new`
    its letter and how many steps it finished, `times` what the list's `summary` says of each task,
    by its text, and `changes` what it changed in the files.
    """

    round: Round
    items: tuple[dict[str, Any], ...]
    done: tuple[bool, ...]
    waited: int
    view: View
    letter: str
    new: int
    times: dict[str, Any]
    changes: tuple[Change, ...]
    not_judged: str = ""

    @property
    def is_lost(self) -> bool:
        """Return whether the model did not see its list in this round, and did not write one."""
        return self.view.is_lost and self.letter.lower() not in "ps"


class Record:
    """What is known of a run.

    Attributes: `job` (its name), `step_texts` (the steps of the job), `window` (in messages; None
    if all are sent), `workspace`, `todo` (None without one), `start_done` (what `done` was
    before the first round), and `records` (what is known after each round).

    Files that are too much for the judges are not judged: `done` is empty then, and `not_judged`
    says why. What a step was before is not changed by such a round.
    """

    def __init__(self, job: Job, workspace: Workspace, window: int | None) -> None:
        """Begin with the files as they are now."""
        self.job, self.workspace, self.window = job.name, workspace, window
        self.step_texts = [step.text for step in job.steps]
        self.todo: Any = None
        self._last_items: list[dict[str, Any]] | None = None  # when the run has ended
        self.records: list[RoundRecord] = []
        self._job, self._viewer = job, Viewer()
        self.start_done = self._was_done = self.done  # the second: when it was last judged
        self._start_files = self._files = read_files(workspace.root).texts  # now: the last round's

    def add_round(self, round_: Round, request: list[Message]) -> None:
        """Add a round that has ended, and whose request had these messages."""
        view = self._viewer.look(request)
        self._viewer.add(round_)
        waited = self.records[-1].waited if self.records else 0
        if any(is_list_tool(call.name) for call in round_.calls):  # accepted or rejected
            waited = 0
        elif round_.calls:
            waited += 1
        done, not_judged = self._judge()
        new = sum(now and not then for then, now in zip(self._was_done, done, strict=False))
        self._was_done = done or self._was_done
        letter = find_letter(round_, view, new, is_checked=bool(done))
        letter = letter.upper() if round_.reminder else letter
        before = self._files
        self._files = keep_unread(read_files(self.workspace.root), before)
        changes = list_changes(before, self._files)
        times = read_times(self.todo)
        self.records.append(
            RoundRecord(
                round_,
                tuple(self.items),
                done,
                waited,
                view,
                letter,
                min(new, 9),
                times,
                changes,
                not_judged,
            )
        )

    @property
    def rounds(self) -> list[Round]:
        return [record.round for record in self.records]

    @property
    def letters(self) -> str:
        return "".join(record.letter for record in self.records)

    @property
    def steps(self) -> str:
        return "".join(str(record.new) for record in self.records)

    @property
    def all_done(self) -> list[bool | None]:
        """Return for each round whether the files showed all steps after it.

        It is None for a round after which they were not judged.
        """
        return [all(record.done) if record.done else None for record in self.records]

    @property
    def items(self) -> list[dict[str, Any]]:
        """Return the todo list, as it is now or was at the end of the run; empty without one."""
        if self._last_items is not None:  # the list itself may go on, in the learner's cell
            return [dict(item) for item in self._last_items]
        items = getattr(self.todo, "items", None)
        given = items if isinstance(items, list) else []
        return [dict(item) for item in given if isinstance(item, Mapping)]

    @property
    def done(self) -> tuple[bool, ...]:
        """Return for each step whether the files show it; empty if they are not judged."""
        return self._judge()[0]

    @property
    def not_judged(self) -> str:
        """Return why the files are not judged, or "". It is also "" for a job without a judge."""
        return self._judge()[1]

    def _judge(self) -> tuple[tuple[bool, ...], str]:
        """Return what the files show of each step now, and why they are not judged."""
        try:
            return self._job.find_done(self.workspace.root), ""
        except NotJudgedError as problem:
            return (), str(problem)

    @property
    def steps_done(self) -> int:
        return sum(self.done)

    @property
    def changed(self) -> list[str]:
        """Return the names of the files that the rounds up to now have made or changed."""
        return [change.name for change in self.changes if change.kind != "deleted"]

    @property
    def changes(self) -> tuple[Change, ...]:
        """Return what the rounds up to now have changed in the files."""
        return list_changes(self._start_files, self._files)

    def diff(self, path: str | None = None) -> str:
        """Return what the run has changed, as a unified diff of all files, or of one at `path`.

        It is "" if nothing has changed there. `run.request(4).diff()` has the changes of one round.
        """
        return join_diffs(self.changes, path)

    @property
    def tokens(self) -> int:
        """Return the tokens of all requests and replies: the amount that a real model bills."""
        return sum(round_.usage.total for round_ in self.rounds)

    @property
    def is_over(self) -> bool:
        return bool(self.records) and self.records[-1].round.is_last


def keep_unread(files: ProjectFiles, before: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of files, with those `before` in place of what is over a limit now.

    Such a file has not been deleted, and what has changed in it is not known.
    """
    is_kept = before.keys() if files.is_cut else files.unread
    return {name: text for name, text in before.items() if name in is_kept} | files.texts


def find_letter(round_: Round, view: View, new: int, *, is_checked: bool) -> str:
    """Return the letter of a round; a list is short if it has fewer items than a lost plan.

    `view` is what the model saw of its request, and `new` is how many steps the files show more.
    """
    if not round_.calls:
        return "e"
    lists = [read_items(call.input) for call in round_.calls if call.ok and is_list_tool(call.name)]
    if lists:
        lost = view.lost_plan
        return "s" if lost and len(lists[-1]) < len(lost.items) else "p"
    if new:
        return "f" if view.is_lost else "d"
    if view.is_lost:
        return "l"
    return "w" if is_checked else "u"
