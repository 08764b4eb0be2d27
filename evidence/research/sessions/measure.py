"""Measure one session. What is kept are numbers: no text of a task."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from session import (
    Compaction,
    Listed,
    Notice,
    Prompt,
    Reminder,
    Reply,
    Session,
    Task,
)

HELPERS = {"Task", "Agent", "TeamCreate", "SendMessage"}  # tools that let other agents work
FAR = 4  # replies after a write: from here on replies with and without a reminder are compared
ALIKE = 0.6  # of two texts: one task in other words


def open_of(tasks: Iterable[Task]) -> list[Task]:
    return [task for task in tasks if task.is_open]


class Measured:
    """The numbers of a session: `of` counts what `count.py` adds up.

    `gaps` are the replies from one write to the next.
    """

    def __init__(self, session: Session, repository: str, person: str, kind: str) -> None:
        self.repository, self.person, self.kind = repository, person, kind
        self.agent = session.agent
        self.of: Counter[str] = Counter(sessions=1)
        self.gaps: list[int] = []
        self._tasks: tuple[Task, ...] = ()  # before the next reply
        self._replies = self._last_write = 0  # the number of the reply; 0 if there was none yet
        self._is_turn_of_write = self._is_prompted = False
        self._is_reminded = ""  # what the list was at the reminder before the next reply
        self._stop: Reply | None = None  # the last reply, if the turn may end with it
        for event in session.events:
            self._add(event)
        self._add_stop("stops")
        self.of.update({f"status, {key}": number for key, number in session.checked.items()})
        self.of.update({"left out": session.left_out, "restarts": session.restarts})
        self.of["open list calls"] = session.open_calls
        writes = session.writes
        self.group = session.agent if writes else "no list"
        if self.group == "Claude Code":
            self.group = "task tools" if writes[0].changes else f"TodoWrite, {kind}"
        self.of["helpers"] = any(HELPERS & set(reply.tools) for reply in session.replies)
        self.of["once"] = len(writes) == 1
        self.of["two"] = self.of["writes, two"] > 0
        self.of["silent"] = self.of["tasks, silent"] > 0
        self.of["listed"] = bool(writes)
        if writes and session.replies[-1].is_stop:
            self.of["ended"] = 1
            self.of["ended, ticked"] = not open_of(self._tasks)

    def _add(self, event: object) -> None:
        if isinstance(event, Reply):
            self._add_reply(event)
        elif isinstance(event, Listed):
            self._tasks = event.tasks
        elif isinstance(event, Prompt):
            self._add_stop("stops")
            self._is_turn_of_write, self._is_prompted = False, True
        elif isinstance(event, Notice):
            self._add_stop("waits")
        elif isinstance(event, Reminder) and event.size is not None:  # else words in some text
            state = "open" if open_of(self._tasks) else "ticked" if self._last_write else "no list"
            self.of.update(["reminders", f"reminders, {state}"])
            self.of["reminders, empty list"] += event.size == 0
            self._is_reminded = state
        elif isinstance(event, Compaction) and event.open:
            self.of["compactions"] += 1
            if event.kept is not None:
                self.of["tasks with a summary"] += event.open
                self.of["tasks in the summary"] += event.kept

    def _add_reply(self, reply: Reply) -> None:
        self._replies += 1
        distance = self._replies - self._last_write if self._last_write else 0
        if open_of(self._tasks):
            kind = "reminded" if self._is_reminded else "other"
            for name in [kind, f"far, {kind}"] if distance >= FAR else [kind]:
                self.of[name] += 1
                self.of[f"{name}, writes"] += reply.writes
        if reply.writes:
            self.of["writes"] += 1
            self.of["writes, two"] += sum(one.status == "in_progress" for one in reply.tasks) > 1
            self.gaps += [distance] if distance else []
            if reply.lists:
                self._compare(reply.lists[-1])
            self._last_write = self._replies
            self._is_turn_of_write, self._is_prompted = True, False
        if self._is_reminded:
            self.of[f"after a reminder, {self._is_reminded}, writes"] += reply.writes
        self._is_reminded, self._tasks = "", reply.tasks
        self._stop = reply if reply.is_stop and self._last_write else None

    def _compare(self, new: Sequence[Task]) -> None:
        """Count open tasks that the next list does not have."""
        gone = find_gone(self._tasks, new)
        is_shorter = {words_of(one) for one in new} <= {words_of(one) for one in self._tasks}
        if gone and is_shorter and new and not self._is_prompted:
            self.of["tasks, silent"] += len(gone)

    def _add_stop(self, kind: str) -> None:
        """Count a reply that ended a turn. If a notice has followed, the agent was waiting."""
        if self._stop:
            state = "open" if open_of(self._tasks) else "closed"
            for name in [kind, "turn"] if self._is_turn_of_write and kind == "stops" else [kind]:
                self.of.update([name, f"{name}, {state}"])
                self.of[f"{name}, {state}, asks"] += self._stop.asks
        self._stop = None


def words_of(task: Task) -> str:
    return re.sub(r"\W+", " ", task.text.casefold()).strip()


def find_gone(old: Sequence[Task], new: Sequence[Task]) -> list[Task]:
    """Return the open tasks of `old` that are not in `new`, not even in other words."""
    before, after = ({words_of(one) for one in tasks} for tasks in (old, new))
    return [
        task
        for task in open_of(old)
        if words_of(task) not in after
        and not get_close_matches(words_of(task), after - before, 1, ALIKE)
    ]
