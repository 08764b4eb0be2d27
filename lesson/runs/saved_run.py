"""Open the file of a run, by playing it once more with a client that has its replies."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentlib.window import is_prompt, is_reply, keep_last
from safetylib.guard.typed import MEANWHILE
from safetylib.wire.replies import is_empty, make_history_sendable
from safetylib.wire.run_file import SNAPSHOT, VERSION, Line, begins_with

from ..common.message_blocks import blocks_of, is_list_tool, read_items
from .facts import read_facts
from .record import Record, Snapshot
from .run_lines import MAX_BYTES, ODD, RunFileError, count_tokens, parse_lines
from .watch import WatchedClient

if TYPE_CHECKING:
    from anthropic.types import Message

NO_FILE = "There is no file {}."
NO_RUN = (
    "{} is no run. open_run opens what run.save(…), play(…, save=…) and my_agent's --save have "
    "written."
)
TOO_BIG = "{} has {:,} bytes, and a run of at most {:,} is opened."
OTHER = "{} is of another version of the lesson: its format has the number {!r}, not {}."
ODD_LINE = "{}, line {}: this is no line of a run, so the run is not opened."
CUT_OFF = "The end of this file is missing, so the run is shown up to its last whole round."


def read_lines(path: Path) -> tuple[list[Line], bool]:
    """Return the lines of a run, and whether the end of the file is missing.

    Raise RunFileError with a sentence if it is not a run, and OSError if it cannot be read.
    """
    if not path.is_file():
        raise RunFileError(NO_FILE.format(path))
    if (size := path.stat().st_size) > MAX_BYTES:
        raise RunFileError(TOO_BIG.format(path.name, size, MAX_BYTES))
    lines, rest = parse_lines(path.read_bytes())
    first = lines[0] if lines and isinstance(lines[0], dict) else {}
    version, has_job = first.get("version"), "job" in first or "program" in first
    if first.get("type") != "session" or type(version) is not int or not has_job:
        raise RunFileError(NO_RUN.format(path.name))
    if version != VERSION:
        raise RunFileError(OTHER.format(path.name, version, VERSION))
    return lines, bool(rest)  # as of a program that was killed


def require(values: Iterable[Any], kind: Any) -> None:
    """Raise TypeError if a value is not of a kind, as in a file that was changed by hand.

    Otherwise the error would come when the value is drawn, long after the file was opened.
    """
    if not all(isinstance(value, kind) for value in values):
        raise TypeError(f"not all of these are {kind}")


def leave_out_half_a_round(lines: Sequence[Line], is_cut: bool) -> tuple[list[Line], bool]:
    """Return the lines without a last reply whose round is not whole, and whether the end is cut.

    A run of the lesson has a snapshot after each round, and a line `end`.
    """
    is_of_lesson = "job" in lines[0]
    kinds = [line["type"] for line in lines]
    is_cut = is_cut or is_of_lesson and "end" not in kinds
    if "reply" not in kinds:
        return [*lines], is_cut
    last = len(kinds) - 1 - kinds[::-1].index("reply")
    calls = any(block["type"] == "tool_use" for block in blocks_of(lines[last]))
    has_results = not calls or "sent" in kinds[last:]
    has_snapshot = not is_of_lesson or SNAPSHOT in kinds[last:]
    if has_results and has_snapshot:
        return [*lines], is_cut
    return [*lines[:last]], True


class Replay(WatchedClient):
    """Watches recorded replies, which were made usable when they came and are not changed again."""

    reply: Any = None  # to the next request

    def send_repaired(self, **request: Any) -> Any:
        return self.reply

    # The conversation of the newest request, all that could be sent of it, and the prompts that are
    # kept of its messages from the second up to `_edge`.
    _whole: tuple[list[Any], list[Any]] = [], []
    _prompts: list[Any] = []
    _edge = 1

    def _find_sent(self, messages: Any) -> Any:
        """Return what was sent of messages, which are those of the lines: none of them changes.

        Only what a conversation has gained since a turn of the user is looked at. Otherwise the
        time to open a run would grow with the square of its rounds.
        """
        before, sent = self._whole
        new = messages[len(before) :]
        is_longer = before and begins_with(messages, before) and not is_reply(before[-1])
        if not is_longer or new and (not is_reply(new[0]) or is_empty(new[0])):
            new, sent, self._prompts, self._edge = messages, [], [], 1
        sent = [*sent, *make_history_sendable(new)]
        self._whole = [*messages], sent
        edge = len(sent) - 1 - (self._window or len(sent))
        if edge < 1:  # all is sent
            return sent
        self._prompts = [*self._prompts, *filter(is_prompt, sent[self._edge : edge])]
        self._edge = edge
        older = [sent[0], *self._prompts, *sent[edge:]]
        kept = keep_last(older, self._window)
        return sent if kept is older else kept

    def _copy(self, messages: Sequence[Any]) -> list[Any]:
        return [*messages]  # nothing changes a message of the lines

    def _note_sent(self, messages: list[Any], settings: Line | None) -> None:
        """Note nothing: the lines are there."""


class SavedRun(Record):
    """A run from the lines of its file.

    It is read as if it were played again, so there is no second way to read a run. `messages` is
    the whole conversation, `prompts` are what the user has typed, and `reply_times` when each reply
    came, or "".
    """

    is_cut = False  # whether the end of its file is missing
    tokens_paid = 0  # by its own rounds, with half a round at the end of the file

    def __init__(self, first: Line) -> None:
        """Begin with the first line of a file."""
        self._files: dict[str, str] = {}
        self.is_of_lesson = self.knows_files = "job" in first
        start = self._read_snapshot(first.get("start", {}))
        super().__init__(start, **read_facts(first))
        require([self.window], int | None)
        self.todo, self.nag = self.has_todo or None, self.has_nag or None
        self.lines: list[Line] = [first]
        self.messages: list[Line] = []
        self.prompts: list[str] = []
        self.reply_times: list[str] = []
        self._watched = Replay(None, self._add, self.window)
        self.requests = self._watched.requests
        self._settings: Line = {}
        self._reply: Line | None = None  # the newest one, until its Snapshot is read
        self._snapshot: Snapshot | None = None

    def read_line(self, line: Line) -> None:
        """Read the next line. Raise one of ODD if it is not part of a run."""
        kind = line["type"]
        if kind == SNAPSHOT:
            self._snapshot = self._read_snapshot(line)
        else:
            self.play_reply()
        if kind == "sent":
            self.messages[line["kept"] :] = line["messages"]
            self._settings = line.get("settings", self._settings)
            tools = self._settings.get("tools") or []
            require([*line["messages"], *tools], dict)
            require([tool["name"] for tool in tools], str)
            json.dumps(line["messages"], allow_nan=False)  # as no request can contain it
            self._finish()
        elif kind == "reply":
            require([line.get("stop_reason")], str | None)
            json.dumps(line["content"], allow_nan=False)
            self._finish()
            self._reply, self._snapshot, self.problem = line, None, ""
        elif kind == "prompt":
            self.prompts.append(str(line["text"]))
        elif kind == "typed":
            self.prompts.append(f"{MEANWHILE}{line['text']}")
        elif kind == "failed":
            self.problem = str(line["error"])
        elif kind == "end":
            self.problem, self.note = str(line["problem"]), str(line["note"])
        self.lines.append(line)

    def read(self, lines: Iterable[Line]) -> None:
        """Read the other lines, and add the last round even if its results are missing."""
        for line in lines:
            self.read_line(line)
        self.play_reply()
        self._finish()

    def play_reply(self) -> None:
        """Play the round of the reply that was read, with the snapshot after it, if it has one."""
        line, self._reply = self._reply, None
        if line is None:
            return
        self._watched.reminder = self._snapshot.reminder if self._snapshot else None
        require([self.messages[0]], dict)
        self._watched.reply = read_reply(line)
        self._watched.thinking_left_out = line.get("thinking_left_out", [])
        self.reply_times.append(str(line.get("time", "")))
        self._watched.send(messages=self.messages, **self._settings)
        self.messages.append({"role": "assistant", "content": line["content"]})

    def _finish(self) -> None:
        """Add the round of the newest reply, if its results are known now."""
        self._watched.finish(self.messages)

    def _read_snapshot(self, line: Line) -> Snapshot:
        """Return the snapshot of a line, with the files that it does not name."""
        fields: Line = {name: line[name] for name in Snapshot._fields if name in line}
        require(fields.get("items", ()), dict)
        require(fields.get("done", ()), bool)
        require([fields.get("times", {})], dict)
        require([fields.get("reminder")], str | None)
        require(fields.get("files", {}).values(), str | None)
        now = self._files | fields.get("files", {})
        self._files = {name: text for name, text in now.items() if text is not None}
        lists: Line = {name: tuple(fields[name]) for name in ("items", "done") if name in fields}
        return Snapshot(**fields | lists | {"files": self._files})

    def _add(self, round_: Any) -> None:
        """Add a round with what the file or, in that of my_agent, the newest list says."""
        require([self.after], int | None)  # another one has ended its run before a round
        snapshot = self._snapshot or Snapshot(files=self._files)
        if not self.is_of_lesson:
            lists = [call.input for call in round_.calls if call.ok and is_list_tool(call.name)]
            items = tuple(read_items(lists[-1])) if lists else self.newest.items
            snapshot = snapshot._replace(items=items)
        self.add_round(round_, self._watched.request, snapshot)


def read_run(path: str | Path, run: type["SavedRun"] = SavedRun) -> Any:
    """Return the run in a file. Raise RunFileError for a file that is not a run, and OSError."""
    path = Path(path).expanduser()
    lines, is_cut = read_lines(path)
    opened: Any = None
    try:
        paid = count_tokens(lines)
        lines, is_cut = leave_out_half_a_round(lines, is_cut)
        opened = run(lines[0])
        opened.read(lines[1:])
        script = sum(round_.usage.total for round_ in opened.rounds[: opened.rounds_before])
        opened.tokens_paid = paid - script
    except RunFileError:
        raise
    except ODD:
        number = min(len(opened.lines) + 1, len(lines)) if opened else 1
        raise RunFileError(ODD_LINE.format(path.name, number)) from None
    opened.is_cut = is_cut
    if is_cut:
        opened.note = f"{opened.note} {CUT_OFF}".strip()
    return opened


def read_reply(line: Line) -> "Message":
    """Return a reply of a file as one of the SDK."""
    from anthropic.types import Message

    usage = {"input_tokens": 0, "output_tokens": 0} | (line.get("usage") or {})
    return Message.construct(
        id="",
        type="message",
        role="assistant",
        model="",
        stop_sequence=None,
        content=line.get("content"),
        stop_reason=line.get("stop_reason"),
        usage=usage,
    )
