"""Record a run: what is known after each of its rounds, and now.

A run is kept as two strings, from which it is drawn. `letters` has a letter for each round, a
capital if a reminder was sent with its results:

    p  writes its plan             l  works without its plan, which has left the window
    w  works                       f  finishes a step without its plan
    d  finishes a step             s  writes a short plan in place of the one that it has lost
    e  stops                       u  works; its files were not checked
    n  ends its conversation, and the program begins a new one

`steps` has a digit for each round: how many steps the files show more than before it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ..common.message_blocks import (
    Message,
    blocks_of,
    is_list_tool,
    is_task_tool,
    read_plans,
    texts_of,
)
from ..common.pluralize import pluralize
from ..common.round import Round
from .changes import Change, join_diffs, list_changes
from .facts import Facts
from .request_parts import Request, find_reminded, read_request
from .window import View, Viewer


class Snapshot(NamedTuple):
    """What only the player of a run knows after a round, because no message says it.

    `items` is the todo list, `done` what the files show of each step (empty if they were not
    judged, and `not_judged` says why), `times` what the list's `summary` says of each task, by its
    text, `files` are the texts of the workspace by their names, and `reminder` is what the nag has
    returned in the round.
    """

    items: tuple[dict[str, Any], ...] = ()
    done: tuple[bool, ...] = ()
    not_judged: str = ""
    times: Mapping[str, Any] = MappingProxyType({})
    files: Mapping[str, str] = MappingProxyType({})
    reminder: str | None = None


class RoundRecord(NamedTuple):
    """A round, with the snapshot after it and what follows from both.

    `waited` is the number of rounds without a todo call, `view` what the model saw of the round's
    request, `letter` and `new` its letter and how many steps it finished, and `changes` what it
    changed in the files. `unseen` has the tasks with numbers whose text the model did not see, or
    is None for a list.
    """

    round: Round
    snapshot: Snapshot
    waited: int
    view: View
    letter: str
    new: int
    changes: tuple[Change, ...]
    unseen: frozenset[str] | None = None

    @property
    def is_lost(self) -> bool:
        """Return whether the model did not see its list in this round, and did not write one."""
        return self.view.is_lost and self.letter.lower() not in "ps"

    def lacks(self, text: str) -> bool:
        """Return whether the model did not see this text of its list in this round."""
        return self.is_lost if self.unseen is None else text in self.unseen


class Record(Facts):
    """What is known of a run, whoever plays it: it follows from the requests and the snapshots.

    Attributes, besides the Facts: `start` and `newest` (the snapshots before the first round and
    after the newest one), `requests` (all that were sent and answered), and `records` (a
    RoundRecord for each round). `todo` and `nag` are None for a run without one. `knows_files` says
    whether it is known what the files were, `shows_fields` whether a picture has more of a task
    than its text and status, and `prompts` are what the user has written, if there can be several.

    Files that are too much for the judges are not judged: `done` is empty then, and `not_judged`
    says why. What a step was before is not changed by such a round.
    """

    knows_files = True
    shows_fields = True
    prompts: Sequence[str] = ()

    def __init__(self, start: Snapshot, **facts: Any) -> None:
        """Begin with the snapshot before the first round, and with the Facts by their names."""
        super().__init__(**facts)
        self.start = self.newest = start
        self.todo: Any = None
        self.nag: Any = None
        self.requests: list[dict[str, Any]] = []
        self.records: list[RoundRecord] = []
        self._viewer = Viewer()
        self._was_done = start.done  # when it was last judged
        self._has_tasks = False

    def add_round(self, round_: Round, request: list[Message], snapshot: Snapshot) -> None:
        """Add a round that has ended, with the messages of its request and the snapshot then."""
        view = self._viewer.look(request)
        self._viewer.add(round_)
        if self.records and view.start == len(self.records):  # that reply did not end the run
            self.records[-1] = self.records[-1]._replace(letter="n")
        waited = self.records[-1].waited if self.records else 0
        if any(is_list_tool(call.name) for call in round_.calls):  # accepted or rejected
            waited = 0
        elif round_.calls:
            waited += 1
        pairs = zip(self._was_done, snapshot.done, strict=False)
        new = sum(now and not then for then, now in pairs)
        self._was_done = snapshot.done or self._was_done
        letter = find_letter(round_, view, new, is_checked=bool(snapshot.done))
        letter = letter.upper() if round_.reminder else letter
        changes = list_changes(self.newest.files, snapshot.files)
        self.newest = snapshot
        self._has_tasks |= any(is_task_tool(call.name) for call in round_.calls)
        unseen = None
        if self._has_tasks:
            unseen = find_unseen(snapshot.items, [*request, *round_.messages])
        record = RoundRecord(round_, snapshot, waited, view, letter, min(new, 9), changes, unseen)
        self.records.append(record)

    def request(self, number: int) -> Request:
        """Return the request of a round, from 1, with who wrote each part of it.

        Print it, for a line for each part; its `sent` is the dict that was sent, and its `diff()`
        returns what the round has changed. Raise IndexError, with the number of rounds, if there is
        no such round.
        """
        if not 1 <= number <= len(self.records):
            rounds = pluralize(len(self.records), "round")
            raise IndexError(f"This run has {rounds}, and no round {number!r}.")
        record = self.records[number - 1]
        reply = [block for part in record.round.messages[:1] for block in blocks_of(part)]
        sent, reminders = self.requests[number - 1], find_reminded(self.rounds[:number])
        view, prompts = record.view, self.prompts
        read = read_request(sent, view, reminders, reply, self.authors, prompts)
        return replace(read, changes=record.changes)

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
        verdicts = [record.snapshot.done for record in self.records]
        return [all(done) if done else None for done in verdicts]

    @property
    def items(self) -> list[dict[str, Any]]:
        """Return the todo list after the newest round; empty without one."""
        return [dict(item) for item in self.newest.items]

    @property
    def done(self) -> tuple[bool, ...]:
        """Return for each step whether the files show it; empty if they are not judged."""
        return self.newest.done

    @property
    def not_judged(self) -> str:
        """Return why the files are not judged, or ""."""
        return self.newest.not_judged

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
        return list_changes(self.start.files, self.newest.files)

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


def find_letter(round_: Round, view: View, new: int, *, is_checked: bool) -> str:
    """Return the letter of a round. A list is short if it has fewer items than a lost plan.

    `view` is what the model saw of its request, and `new` is how many steps the files show more.
    """
    if not round_.calls:
        return "e"
    lists = [call for call in round_.calls if call.ok and is_list_tool(call.name)]
    if any(call.name != "task_update" for call in lists):  # its result has one line
        plans, lost = read_plans(lists), view.lost_plan
        return "s" if lost and plans and len(plans[-1]) < len(lost.items) else "p"
    if new:
        return "f" if view.is_lost else "d"
    if view.is_lost:
        return "l"
    return "w" if is_checked else "u"


def find_unseen(items: Iterable[Mapping[str, Any]], messages: Iterable[Message]) -> frozenset[str]:
    """Return the texts of the tasks that none of the messages has, in a text or in a result."""
    sent = "\n".join(text for message in messages for text in texts_of(message))
    return frozenset(text for item in items if (text := str(item.get("text"))) not in sent)
