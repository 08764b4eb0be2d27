"""What is kept of a recorded session: its replies, lists, and what happened between them.

Nothing else is kept: no output, no prompt, no path, and no argument of a tool that writes no list.
The count of public sessions is made from this.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from lines import Record

from lesson.runs.run_lines import ODD

CLOSED = {"completed", "cancelled", "canceled", "deleted"}
STATUSES = {"pending", "in_progress", *CLOSED}
MOST_TASKS = 1000  # of one list: a person reads no longer one, and each reply keeps its list
LONGEST = 300  # characters of a task


class CannotRead(ValueError):
    """Raised for a file that is no session of a known agent."""


class Task(NamedTuple):
    """A task of a list. `id` is "" if the list has no ids."""

    text: str
    status: str
    id: str = ""

    @property
    def is_open(self) -> bool:
        return self.status not in CLOSED

    @property
    def key(self) -> str:
        """Return what the task is known by on the next list."""
        return self.id or " ".join(self.text.casefold().split())


class Change(NamedTuple):
    """What one accepted call of a tool changed that sends one task, and not the list.

    `text` and `status` are "" if the call left them as they were. `was` is the status before, as
    the program says it, or "".
    """

    id: str
    text: str
    status: str
    was: str = ""


@dataclass
class Reply:
    """A reply of the model.

    `key` is unique to it, also in a copy of the session. `tools` are the names of the tools that it
    called. `asks` says if its text has a question mark in the last 200 characters. `lists` and
    `changes` are those that the program accepted. `tasks` is the list after the reply.
    `is_cut_off` says if the connection or the user ended it, and not the model.
    """

    key: str
    time: str
    tools: list[str] = field(default_factory=list)
    has_text: bool = False
    asks: bool = False
    lists: list[tuple[Task, ...]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    tasks: tuple[Task, ...] = ()
    is_cut_off: bool = False

    @property
    def writes(self) -> bool:
        """Return whether the reply wrote the list or changed one of its tasks."""
        return bool(self.lists or self.changes)

    @property
    def is_stop(self) -> bool:
        """Return whether the reply has text and no call, so the turn of the model ends."""
        return self.has_text and not self.tools and not self.is_cut_off

    def add_text(self, text: str) -> None:
        if text.strip():
            self.has_text = True
            self.asks = "?" in text.strip()[-200:]


class Prompt(NamedTuple):
    """A message of the user."""


class Notice(NamedTuple):
    """A message that no stop waited for: a background task has ended, or a team mate writes."""


class Reminder(NamedTuple):
    """A reminder of the list. `size` is how many tasks it shows; None if the file does not say."""

    size: int | None = None


class Listed(NamedTuple):
    """The list, as the program has shown it, or as another agent has changed it."""

    tasks: tuple[Task, ...]


class Compaction(NamedTuple):
    """A compaction. Of the `open` tasks, `kept` are in the summary, word for word.

    `kept` is None if the file has no summary.
    """

    open: int
    kept: int | None


Event = Reply | Prompt | Notice | Reminder | Listed | Compaction


@dataclass
class Session:
    """A session: its `events` in order, and what its reader could not say.

    If `unread_lists` is not 0, the list is not known, and the session is not counted. `checked`
    counts where the file says itself what the list was, and whether the list that was followed
    agrees.
    """

    agent: str
    events: list[Event] = field(default_factory=list)
    unread_lists: int = 0
    is_subagent: bool = False
    left_out: int = 0  # replies that are not in the conversation which the file ends with
    open_calls: int = 0  # of the list, without a result: they are not written
    restarts: int = 0  # of the numbers of the tasks, with a new list
    checked: Counter[str] = field(default_factory=Counter)

    @property
    def replies(self) -> list[Reply]:
        return [event for event in self.events if isinstance(event, Reply)]

    @property
    def writes(self) -> list[Reply]:
        return [reply for reply in self.replies if reply.writes]

    @property
    def tasks(self) -> tuple[Task, ...]:
        """Return the list at the end."""
        for event in reversed(self.events):
            if isinstance(event, Reply | Listed):
                return event.tasks
        return ()


class Reader:
    """The base of the readers: it makes a session of what they say, and follows its list.

    They say what happens in the order of the file. `list_tools` are the names of those that write
    the list.
    """

    def __init__(self, agent: str, list_tools: Collection[str]) -> None:
        self.session, self.list_tools = Session(agent), list_tools
        self.tasks: dict[str, Task] = {}

    def attempt(self, read: Callable[[Record], None], line: Record) -> bool:
        """Read a line. Return whether its shape is known; if not, it may have had a list."""
        try:
            read(line)
        except ODD:
            self.session.unread_lists += any(
                f'"{one}"' in json.dumps(line) for one in self.list_tools
            )
            return False
        return True

    def add_reply(self, key: object, time: object) -> Reply:
        """Add a reply, before its calls."""
        reply = Reply(str(key), str(time or ""))
        self.session.events.append(reply)
        return reply

    def add_call(self, reply: Reply, name: object, is_answered: bool) -> None:
        """Add a tool call, whatever it does. One without a result has written no list."""
        reply.tools.append(str(name))
        self.session.open_calls += name in self.list_tools and not is_answered

    def make_task(self, text: str, status: object, number: str = "") -> Task:
        """Return a task, its text on one line. A status that is not known is read as open."""
        name = str(status or "pending").strip().lower().replace("-", "_")
        if name not in STATUSES:
            name = "pending"
        words = " ".join(text.split())
        shown = words if len(words) <= LONGEST else f"{words[: LONGEST - 1]}…"
        return Task(shown, name, number)

    def write_list(self, reply: Reply, items: object, field_name: str) -> None:
        """Add a whole list: dicts with the text in `field_name`. Count what is no such list."""
        if not isinstance(items, list) or not all(
            isinstance(item, dict) and isinstance(item.get(field_name), str) for item in items
        ):
            self.session.unread_lists += 1
            return
        if not self.is_short(len(items)):
            return
        tasks = [self.make_task(item[field_name], item.get("status")) for item in items]
        self.tasks = {task.key: task for task in tasks}
        self.drop_listed()
        reply.tasks = tuple(tasks)
        reply.lists.append(reply.tasks)

    def write_change(self, reply: Reply, change: Change) -> None:
        """Add the change of one task by the model itself."""
        self.tasks, task = self.apply(change)
        reply.changes.append(change._replace(text=change.text and task.text))
        self.drop_listed()
        reply.tasks = tuple(self.tasks.values())

    def drop_listed(self) -> None:
        """Remove what the newest reply was shown before it wrote: the list after it has that."""
        while isinstance(self.session.events[-1], Listed):
            self.session.events.pop()

    def apply(self, change: Change) -> tuple[dict[str, Task], Task]:
        """Return the list after a change, and the task."""
        tasks, before = dict(self.tasks), self.tasks.get(change.id)
        text = change.text or (before.text if before else f"task {change.id}")
        status = change.status or (before.status if before else change.was)
        task = self.make_task(text, status, change.id)
        if task.status == "deleted":
            tasks.pop(change.id, None)
        elif before or self.is_short(len(tasks) + 1):
            tasks[change.id] = task
        return tasks, task

    def is_short(self, size: int) -> bool:
        """Return whether a list can be followed. Count one that is too long."""
        if size > MOST_TASKS:
            self.session.unread_lists += 1
        return size <= MOST_TASKS

    def tell(self, tasks: Iterable[Task]) -> None:
        """Take the list as somebody else than the model has it, and note it if it differs."""
        told = {task.key: task for task in tasks}
        if told != self.tasks and self.is_short(len(told)):
            self.tasks = told
            self.session.events.append(Listed(tuple(told.values())))

    def compact(self) -> None:
        still_open = sum(task.is_open for task in self.tasks.values())
        self.session.events.append(Compaction(still_open, None))

    def summarize(self, summary: str) -> None:
        """Add the summary of the last compaction."""
        words = " ".join(summary.split())
        found = [task for task in self.tasks.values() if task.text and task.text in words]
        last = self.session.events[-1] if self.session.events else None
        if isinstance(last, Compaction):
            count = sum(task.is_open for task in found)
            self.session.events[-1] = last._replace(kept=count)

    def finish(self) -> Session:
        """Return the session, in which each reply has the list as it was after it."""
        tasks: tuple[Task, ...] = ()
        for event in self.session.events:
            if isinstance(event, Listed):
                tasks = event.tasks
            elif isinstance(event, Reply):
                tasks = event.tasks = event.tasks if event.writes else tasks
        return self.session
