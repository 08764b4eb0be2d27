"""A recorded session as a picture: a column for each reply, a row for each task of the list.

What is drawn is what `session` keeps: texts of tasks, states, counts and names of tools.
"""

from collections import Counter
from collections.abc import Collection
from itertools import pairwise

from safetylib.escape import for_screen

from ..common.pluralize import pluralize
from ..drawing.marks import list_marks, make_line
from ..drawing.picture import escape, legend, legend_text, tape, tape_text, timeline, timeline_text
from ..drawing.timeline import TimelineRow
from .session import CannotRead, Compaction, Prompt, Reminder, Reply, Resume, Session, Task

NEWEST = 300  # replies: with more, a column has less than three pixels
MOST_ROWS = 100
EDGE_OF = {Prompt: "prompt", Compaction: "compacted", Resume: "resumed"}
LEFT_OUT = (
    "Left out: prompts, outputs, arguments of tools, and paths. Keys, addresses and paths in the "
    "texts of tasks are hidden as far as they were found."
)
REWORDED = "This list has no ids, so a task in other words is another row."


class Picture:
    """A session, ready to be drawn. Raise CannotRead if there is nothing to draw, or too little."""

    def __init__(self, session: Session) -> None:
        refuse(session)
        self.session, self.replies = session, session.replies
        self.skipped = max(0, len(self.replies) - NEWEST)
        self.tasks: dict[str, Task] = {}  # as they were on their last lists
        self.states: dict[str, list[tuple[int, str]]] = {}  # from which reply on a task has it
        before: dict[str, Task] = {}
        for place, reply in enumerate(self.replies):
            is_last = place == len(self.replies) - 1
            now = {task.key: task for task in (session.tasks if is_last else reply.tasks)}
            self.tasks |= now
            for key in before | now:
                known = self.states.setdefault(key, [(-1, "")])
                state = find_state(now.get(key), reply, known[-1][1])
                if state != known[-1][1]:
                    known.append((place, state))
            before = now
        edges, read, place = {}, set(), 0
        for event in session.events:
            if isinstance(event, Reminder):
                read.add(place)
            elif not isinstance(event, Reply):
                edges[place - self.skipped, EDGE_OF.get(type(event), "")] = True
            place += isinstance(event, Reply)
        self.edges = [(at, kind) for at, kind in edges if at >= 0 and kind]
        cells = "".join(map(find_letter, self.replies))
        marks = enumerate(list_marks(cells, "0" * len(cells)))
        self.marks = [
            mark._replace(read=at in read, words=mark.words.replace("Round", "Reply"))
            for at, mark in marks
            if at >= self.skipped
        ]

    @property
    def rows(self) -> list[TimelineRow]:
        """Return the newest tasks that have a state in one of the replies that are drawn."""
        found = []
        for key, task in [*self.tasks.items()][-MOST_ROWS:]:
            known, states = self.states[key], []
            for (start, state), (end, _) in pairwise([*known, (len(self.replies), "")]):
                states += [state] * (end - max(start, self.skipped))
            line = make_line(task.text, {"text": task.text, "status": task.status}, is_done=False)
            place = states[-1] if states[-1] in ("gone", "lost") else ""
            note = task.status if task.status.startswith("cancel") else ""
            found.append(TimelineRow(line._replace(place=place, note=note), tuple(states)))
        return [row for row in found if row.is_known]

    def html(self) -> str:
        """Return the picture and its sentences as HTML."""
        size, rows = len(self.marks), self.rows
        drawn = tape(self.marks, edges=self.edges, words=count_replies(size))
        # The squares of a long session are narrow, and stay as high as those of a short one.
        drawn = drawn.replace("<svg ", "<svg preserveAspectRatio='none' ", 1)
        drawn += timeline(rows, size, self.edges) if rows else ""
        drawn += legend(self.marks, rows=rows, edges=self.edges)
        facts = "".join(f"<p>{escape(fact)}</p>" for fact in self.facts)
        drawn += f"<details><summary>In words</summary>{facts}</details>"
        drawn += "".join(f"<p class='lp-note'>{escape(note)}</p>" for note in self.notes)
        return f"<div style='--most:{size}'>{drawn}</div>"

    def text(self) -> str:
        """Return the picture and its sentences as text."""
        parts = [
            tape_text(self.marks, edges=self.edges),
            *([timeline_text(self.rows)] if self.rows else []),
            legend_text(self.marks, rows=self.rows, edges=self.edges),
            for_screen("\n".join([*self.facts, *self.notes])),
        ]
        return "\n".join(parts)

    @property
    def facts(self) -> list[str]:
        """Return what the picture shows."""
        session, replies = self.session, self.replies
        still_open = [task.text for task in session.tasks if task.is_open]
        lost = [at for at, reply in enumerate(replies, start=1) if is_lost(reply)]
        gone = [
            f"“{self.tasks[key].text}” (reply {place + 1})"
            for key, known in self.states.items()
            for place, state in known
            if state == "gone"
        ]
        tools = Counter(tool for reply in replies for tool in reply.tools).most_common(8)
        facts = [
            f"{session.agent} {', '.join(sorted(session.versions))}: "
            f"{count_replies(len(replies))}, of which {len(session.writes)} wrote the list. "
            f"Tools: {', '.join(f'{tool} {count}' for tool, count in tools)}.",
        ]
        if self.skipped:
            facts.append(
                f"The newest {NEWEST} replies are drawn, and not the {self.skipped:,} before."
            )
        if len(self.tasks) > MOST_ROWS:
            facts.append(f"The newest {MOST_ROWS} tasks have rows, of {len(self.tasks):,}.")
        if not self.tasks:
            stops = [reply for reply in replies if reply.is_stop]
            facts.append(f"Stops: {len(stops)}, {sum(one.asks for one in stops)} with a question.")
            return [*facts, f"There is no list. {session.without_list}".strip()]
        facts.append(f"Open at the end: {'; '.join(still_open) or 'nothing'}.")
        facts += [f"Vanished while open: {'; '.join(gone)}."] if gone else []
        if gone and not any(task.id for task in self.tasks.values()):
            facts.append(REWORDED)
        seen = f"{join_numbers(lost) or 'none'}."
        return [*facts, f"Replies without the list in sight, with tasks open: {seen}"]

    @property
    def notes(self) -> list[str]:
        """Return what the file does not say, and what was left out."""
        session, notes = self.session, [*self.session.unknown]
        if session.goes_on_in:
            notes.insert(0, f"This session goes on in {session.goes_on_in}.")
        cut_off = sum(reply.is_cut_off for reply in session.replies)
        if cut_off:
            notes.append(f"Cut off before the end, and so no stop: {count_replies(cut_off)}.")
        if session.sub_replies:
            notes.append(f"Sub-agents made {count_replies(session.sub_replies)}.")
        if session.left_out:
            notes.append(
                f"Left out: {count_replies(session.left_out)} not in the conversation at the end, "
                "as after a prompt that was taken back, or that a safeguard took back."
            )
        if session.restarts:
            notes.append("The numbers of tasks began again, as after a resume: it is a new list.")
        if session.open_calls:
            calls = pluralize(session.open_calls, "call")
            notes.append(f"{calls} of the list tool without a result, and so without a list.")
        if session.not_understood:
            notes.append(f"Not understood: {describe(session.not_understood)}.")
        return [*notes, LEFT_OUT]


def refuse(session: Session) -> None:
    """Raise CannotRead if a session cannot be drawn, with the reason."""
    unknown = describe(session.not_understood)
    if session.not_drawn:
        raise CannotRead(session.not_drawn)
    if session.unread_lists:
        calls = pluralize(session.unread_lists, "call")
        raise CannotRead(
            f"{calls} of the list tool could not be read, so the list is not known, and nothing is "
            f"drawn. {unknown}"
        )
    if not session.replies:
        raise CannotRead(
            f"This session of {session.agent} has no reply, so nothing is drawn. {unknown}"
        )


def find_state(task: Task | None, reply: Reply, before: str) -> str:
    """Return the state of a task after a reply, as a key of `lesson.drawing.timeline.LASTING`.

    It is "" before the task is on a list, and after it was cancelled. A task that was ticked may
    leave the list.
    """
    if task is None:
        return before if before in ("", "claimed", "gone") else "gone"
    if task.status == "completed":
        return "claimed"
    if not task.is_open:
        return ""
    if is_lost(reply):
        return "lost"
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


def join_numbers(numbers: Collection[int]) -> str:
    """Return numbers with their count and as ranges: "5 (1, 3 to 5, 9)"."""
    known = set(numbers)
    ends = [one for one in numbers if one + 1 not in known]
    starts = [one for one in numbers if one - 1 not in known]
    pairs = zip(starts, ends, strict=True)
    said = ", ".join(str(a) if a == b else f"{a} to {b}" for a, b in pairs)
    return f"{len(numbers)} ({said})" if numbers else ""


def describe(found: Counter[str]) -> str:
    """Return what a reader did not understand, with how often: "2 × a line of type x"."""
    return "; ".join(f"{count} × {what}" for what, count in found.most_common())
