"""A recorded session as a picture: a column for each reply, a row for each task of the list.

What is drawn is what `session` keeps: texts of tasks, states, counts and names of tools.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from safetylib.escape import for_screen

from ..common.pluralize import pluralize
from ..drawing.marks import Edge, Mark, list_marks, make_line
from ..drawing.picture import escape, legend, legend_text, tape, tape_text, timeline, timeline_text
from ..drawing.timeline import TimelineRow
from .session import CannotRead, Compaction, Prompt, Reminder, Reply, Resume, Session, Task

NEWEST = 300  # replies: with more, a column has less than three pixels
EDGE_OF = {Prompt: "prompt", Compaction: "compacted", Resume: "resumed"}
LEFT_OUT = (
    "Left out: prompts, outputs, arguments of tools, and paths. Keys, addresses and paths in the "
    "texts of tasks are hidden as far as they were found."
)
REWORDED = "This list has no ids, so a task in other words is another row."


class Row(NamedTuple):
    """A task in each reply: its state as a key of `lesson.drawing.timeline.LASTING`, or ""."""

    task: Task
    states: list[str]


class Picture:
    """A session, ready to be drawn. Raise CannotRead if there is nothing to draw, or too little."""

    def __init__(self, session: Session) -> None:
        self.session, self.replies = session, session.replies
        refuse(session)
        self.rows = list_rows(self.replies)
        self.skipped = max(0, len(self.replies) - NEWEST)
        edges, read, place = [], set(), 0
        for event in session.events:
            if isinstance(event, Reply):
                place += 1
            elif isinstance(event, Reminder):
                read.add(place)
            elif type(event) in EDGE_OF:
                edges.append((place - self.skipped, EDGE_OF[type(event)]))
        self.edges: list[Edge] = [edge for edge in dict.fromkeys(edges) if edge[0] >= 0]
        cells = "".join(map(find_letter, self.replies))
        marks = list_marks(cells, "0" * len(cells))
        self.marks: list[Mark] = [
            mark._replace(read=at in read, words=mark.words.replace("Round", "Reply"))
            for at, mark in enumerate(marks)
        ][self.skipped :]

    @property
    def timeline(self) -> list[TimelineRow]:
        """Return the rows that have a state in one of the replies that are drawn."""
        found = []
        for task, states in self.rows:
            line = make_line(task.text, {"text": task.text, "status": task.status}, is_done=False)
            place = states[-1] if states[-1] in ("gone", "lost") else ""
            note = task.status if task.status.startswith("cancel") else ""
            row = TimelineRow(line._replace(place=place, note=note), tuple(states[self.skipped :]))
            found += [row] if row.is_known else []
        return found

    def html(self) -> str:
        """Return the picture and its sentences as HTML."""
        size, rows = len(self.marks), self.timeline
        drawn = tape(self.marks, edges=self.edges, words=f"{size} replies")
        # The squares of a long session are narrow, and stay as high as those of a short one.
        drawn = drawn.replace("<svg ", "<svg preserveAspectRatio='none' ", 1)
        drawn += timeline(rows, size, self.edges)
        drawn += legend(self.marks, rows=rows, edges=self.edges)
        facts = "".join(f"<p>{escape(fact)}</p>" for fact in self.facts)
        drawn += f"<details><summary>In words</summary>{facts}</details>"
        drawn += "".join(f"<p class='lp-note'>{escape(note)}</p>" for note in self.notes)
        return f"<div style='--most:{size}'>{drawn}</div>"

    def text(self) -> str:
        """Return the picture and its sentences as text."""
        rows = self.timeline
        parts = [
            tape_text(self.marks, edges=self.edges),
            timeline_text(rows),
            legend_text(self.marks, rows=rows, edges=self.edges),
            for_screen("\n".join([*self.facts, *self.notes])),
        ]
        return "\n".join(parts)

    @property
    def facts(self) -> list[str]:
        """Return what the picture shows."""
        session, replies = self.session, self.replies
        last = [reply.tasks for reply in replies][-1]
        still_open = [task.text for task in last if task.is_open]
        lost = [at for at, reply in enumerate(replies, start=1) if is_lost(reply)]
        gone = [
            f"“{row.task.text}” (reply {at})"
            for row in self.rows
            for at, state in enumerate(row.states, start=1)
            if state == "gone" and row.states[at - 2] != "gone"
        ]
        tools = Counter(tool for reply in replies for tool in reply.tools).most_common(8)
        used = ", ".join(f"{tool} {count}" for tool, count in tools)
        said = [
            f"{session.agent} {', '.join(sorted(session.versions))}: "
            f"{count_replies(len(replies))}, of which {len(session.writes)} wrote "
            f"the list. Tools: {used}.",
            f"The newest {NEWEST} replies are drawn, and not the {self.skipped} before."
            if self.skipped
            else "",
            f"Open at the end: {join(still_open) or 'nothing'}.",
            f"Vanished while open: {join(gone)}." if gone else "",
            REWORDED if gone and not any(task.id for task in last) else "",
            f"Replies without the list in sight, with tasks open: {join_numbers(lost) or 'none'}.",
        ]
        return [fact for fact in said if fact]

    @property
    def notes(self) -> list[str]:
        """Return what the file does not say, and what was left out."""
        session = self.session
        said = [
            *session.unknown,
            session.sub_replies and f"Sub-agents made {count_replies(session.sub_replies)}.",
            session.rewinds
            and f"A prompt was taken back {pluralize(session.rewinds, 'time')}. What came before "
            "and after it is drawn in the order of the file.",
            bool(session.not_understood) and f"Not understood: {describe(session.not_understood)}.",
            LEFT_OUT,
        ]
        return [note for note in said if isinstance(note, str)]


def refuse(session: Session) -> None:
    """Raise CannotRead if a session cannot be drawn, with the reason."""
    if session.unread_lists:
        calls = pluralize(session.unread_lists, "call")
        raise CannotRead(
            f"{calls} of the list tool could not be read, so the list is not known, and nothing is "
            f"drawn. {describe(session.not_understood)}"
        )
    if not session.replies:
        raise CannotRead("This session has no reply of a model.")
    if not session.writes:
        raise CannotRead(
            f"This session of {session.agent} has {count_replies(len(session.replies))} and no "
            f"list, so there is nothing to draw. {describe(session.not_understood)}"
        )


def list_rows(replies: Iterable[Reply]) -> list[Row]:
    """Return each task of all lists, in the order of appearance."""
    rows: dict[str, Row] = {}
    for place, reply in enumerate(replies):
        now = {task.key: task for task in reply.tasks}
        for key, task in now.items():
            row = rows.setdefault(key, Row(task, [""] * place))
            rows[key] = row._replace(task=task)
        for key, row in rows.items():
            row.states.append(find_state(now.get(key), reply, row.states[-1] if place else ""))
    return list(rows.values())


def find_state(task: Task | None, reply: Reply, before: str) -> str:
    """Return the state of a task after a reply. One that was ticked may leave the list."""
    if task is None:
        return before if before in ("", "claimed", "gone") else "gone"
    if task.status == "completed":
        return "claimed"
    if not task.is_open:
        return ""
    if is_lost(reply):
        return "lost"
    if reply.in_sight is None and not reply.writes:
        return "unknown"
    return "now" if task.status == "in_progress" else "open"


def is_lost(reply: Reply) -> bool:
    """Return whether the model did not see its list, had open tasks, and did not write them."""
    is_unseen = reply.in_sight is False and not reply.writes
    return is_unseen and any(task.is_open for task in reply.tasks)


def find_letter(reply: Reply) -> str:
    """Return the letter of a reply: see `lesson.runs.record`."""
    if reply.writes:
        return "p"
    if reply.is_stop:
        return "e"
    return "l" if is_lost(reply) else "u"


def count_replies(count: int) -> str:
    return f"{count:,} {'reply' if count == 1 else 'replies'}"


def join(texts: list[str]) -> str:
    return "; ".join(texts)


def join_numbers(numbers: list[int]) -> str:
    """Return numbers with their count and as ranges: "4 (7, 9 to 11)"."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    said = (str(a) if a == b else f"{a} to {b}" for a, b in ranges)
    return f"{len(numbers)} ({', '.join(said)})" if numbers else ""


def describe(found: Counter[str]) -> str:
    """Return what a reader did not understand, with how often: "2 × a line of type x"."""
    return "; ".join(f"{count} × {what}" for what, count in found.most_common())
