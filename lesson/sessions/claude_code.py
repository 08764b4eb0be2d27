"""Read a session of Claude Code 2.0 or 2.1: JSONL, in `~/.claude/projects`.

What its lines do not say plainly (each was seen in a file):

- A reply is as many lines as it has blocks, with the same `message.id`. Results may come between.
- `TodoWrite` sends the list. The task tools send one task, whose number is only in the result.
- A user line is not always a prompt: it may be a result, a command or a background task that ended.
- Versions before 2.1.98 send reminders and do not record them.
- A sub-agent's lines may be in the same file, with `isSidechain`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from .lines import Record, blocks_in, dict_of, is_question, text_in
from .session import Change, Notice, Prompt, Reminder, Reply, Resume, Session, Writer

AGENT = "Claude Code"
KNOWN_VERSIONS = ("2.0.", "2.1.")
FIRST_WITH_REMINDERS = (2, 1, 98)
LIST_TOOLS = {"TodoWrite", "TaskCreate", "TaskUpdate"}
SHOWING_TOOLS = {"TaskList", "TaskGet"}  # their results show tasks
LIKE_A_LIST = re.compile(r"todo|plan|task", re.IGNORECASE)
NO_LISTS = {"Task", "TaskOutput", "TaskStop", "EnterPlanMode", "ExitPlanMode"}
REMINDERS = {"todo_reminder", "task_reminder", "todo"}
REMINDER_TEXT = re.compile(
    r"<system-reminder>\s*The (?:TodoWrite tool|task tools) haven?.?s?n?.t been used recently"
)
NOTICES = re.compile(r"\s*<(?:task-notification|teammate-message)\b")
NO_PROMPTS = re.compile(
    r"\s*(?:<(?:command-(?:name|message|args)|local-command|bash-|system-reminder)|Caveat:"
    r"|\[Request interrupted)"
)
# Lines that say nothing of a list.
OTHER_LINES = set(
    "progress summary file-history-snapshot file-history-delta last-prompt custom-title ai-title "
    "agent-name agent-color agent-setting tag mode permission-mode pr-link frame-link "
    "queue-operation worktree-state content-replacement attribution-snapshot tools-used "
    "api-request api-request-blob api-request-shape task-summary relocated atis-latch cost-state "
    "bridge-session".split()
)


def is_claude_code(first: Iterable[Record]) -> bool:
    """Return whether a file is of Claude Code, by its first lines."""
    return any(
        "sessionId" in line
        and "uuid" in line
        and {"message", "attachment", "subtype"} & line.keys()
        for line in first
    )


def read_claude_code(records: Iterable[Record]) -> Session:
    """Return the session that these lines record.

    They are of one file, or of several copies of a session in the order of their time: a line that
    comes again is left out.
    """
    reader = Reader()
    reader.read(records)
    return reader.writer.finish()


class Reader:
    """Reads the lines twice: a call's result, which says if it was accepted, comes after it."""

    def __init__(self) -> None:
        self.writer = Writer(AGENT)
        self.session = self.writer.session
        self.replies: dict[str, Reply] = {}
        self.blocks: dict[str, list[Record]] = {}  # of each reply, by its key
        self.results: dict[str, tuple[Record, Any]] = {}  # block and `toolUseResult`, by the call
        self.listed: dict[str, set[str]] = {}  # the tasks that a line has in a list call, by uuid
        self.first_uuids: dict[str, str] = {}
        self.parents: set[str] = set()  # of prompts
        self.has_reminders = False

    def read(self, records: Iterable[Record]) -> None:
        lines = self.select(records)
        for line in lines:
            self.prepare(line)
        for line in lines:
            kind = line.get("type")
            if kind == "assistant":
                self.read_assistant(line)
            elif kind == "user":
                self.read_user(line)
            elif kind == "system":
                self.read_system(line)
            elif kind == "attachment":
                self.read_attachment(dict_of(line.get("attachment")))
            elif kind not in OTHER_LINES:
                self.writer.count("a line of type", kind)
        self.say_what_is_unknown()

    def select(self, records: Iterable[Record]) -> list[Record]:
        """Return the lines of the main agent, each once; of a sub-agent's own file, all."""
        seen: set[Any] = set()
        main, side = [], []
        for line in records:
            uuid = line.get("uuid")
            if isinstance(uuid, str):
                if uuid in seen:
                    continue
                seen.add(uuid)
            (side if line.get("isSidechain") else main).append(line)
        if side and not any(line.get("type") == "assistant" for line in main):
            self.session.is_subagent = True
            return main + side
        self.session.sub_replies = len(
            {dict_of(line.get("message")).get("id") for line in side if line["type"] == "assistant"}
        )
        return main

    def prepare(self, line: Record) -> None:
        """Note a line's blocks and results, and what is the same in each line."""
        session, message = self.session, dict_of(line.get("message"))
        if isinstance(line.get("version"), str):
            session.versions.add(self.writer.hider.name(line["version"]))
        session.id = session.id or str(line.get("sessionId") or "")
        self.writer.hider.add_place(line.get("cwd"))
        blocks = blocks_in(message.get("content"))
        if line.get("type") == "assistant" and not is_made_up(line):
            self.blocks.setdefault(find_key(line), []).extend(blocks)
            self.first_uuids.setdefault(find_key(line), str(line.get("uuid")))
        elif line.get("type") == "user":
            for block in blocks:
                if block.get("type") == "tool_result":
                    key = str(block.get("tool_use_id"))
                    self.results[key] = block, line.get("toolUseResult")

    def read_assistant(self, line: Record) -> None:
        """Add a reply at its first line."""
        message = dict_of(line.get("message"))
        if is_made_up(line):
            if text_in(message.get("content")).startswith("No response requested"):
                self.session.events.append(Resume())  # the program was killed, and continued
            return
        key = find_key(line)
        if key in self.replies:
            return
        reply = Reply(key, str(message.get("model") or ""), str(line.get("timestamp") or ""))
        self.replies[key] = reply
        self.writer.add_reply(reply)
        calls: set[str] = set()
        for block in self.blocks[key]:
            kind = block.get("type")
            if kind == "text" and str(block.get("text") or "").strip():
                reply.blocks += "t"
                reply.asks = is_question(str(block["text"]))
            elif kind == "tool_use" and str(block.get("id")) not in calls:
                calls.add(str(block.get("id")))
                self.read_call(reply, block)
            elif kind not in ("text", "tool_use", "thinking", "redacted_thinking"):
                reply.blocks += "t" if kind in ("server_tool_use",) else ""
                if kind not in ("fallback", "server_tool_use", "web_search_tool_result"):
                    self.writer.count("a block of type", kind)

    def read_call(self, reply: Reply, block: Record) -> None:
        """Add a tool call, and what it changed on the list if the program accepted it."""
        name, given = str(block.get("name")), dict_of(block.get("input"))
        reply.tools.append(self.writer.hider.name(name))
        reply.blocks += "l" if name in LIST_TOOLS else "c"
        result, told = self.results.get(str(block.get("id")), (None, None))
        if result is None:
            reply.unanswered += 1
        if name not in LIST_TOOLS:
            is_like_one = LIKE_A_LIST.search(name) and "__" not in name
            if is_like_one and name not in SHOWING_TOOLS | NO_LISTS:
                self.writer.count("a tool that may write a list:", name)
            elif name in SHOWING_TOOLS and result is not None and not result.get("is_error"):
                self.show_tasks(told, text_in(result.get("content")))
        elif result is not None and (
            result.get("is_error") or dict_of(told).get("success") is False
        ):
            reply.rejected += 1
        elif result is not None or name == "TodoWrite":
            self.write(reply, name, given, told, result)

    def write(
        self, reply: Reply, name: str, given: Record, told: Any, result: Record | None
    ) -> None:
        """Write an accepted call. The number of a new task is only in its result."""
        if name == "TodoWrite":
            self.writer.write_list(reply, given.get("todos"), "content")
            return
        if name == "TaskCreate":
            number = dict_of(dict_of(told).get("task")).get("id")
            if number is None:
                found = re.search(r"#(\w+)", text_in((result or {}).get("content")))
                number = found and found[1]
            if number is None or not isinstance(given.get("subject"), str):
                self.session.unread_lists += 1
                return
            change = Change(str(number), given["subject"], "pending", is_new=True)
        else:
            if given.get("taskId") is None:
                self.session.unread_lists += 1
                return
            was = dict_of(dict_of(told).get("statusChange")).get("from")
            change = Change(
                str(given["taskId"]),
                str(given.get("subject") or ""),
                str(given.get("status") or ""),
                str(was or ""),
            )
        self.writer.write_change(reply, change)

    def show_tasks(self, told: Any, text: str) -> None:
        """Note the tasks that the result of TaskList or TaskGet shows."""
        shown = dict_of(told).get("tasks") or [dict_of(told).get("task")]
        numbers = {str(dict_of(one).get("id")) for one in shown if isinstance(shown, list)}
        self.writer.show(numbers | set(re.findall(r"#(\w+)", text)))

    def read_user(self, line: Record) -> None:
        """Add what a user line is: a prompt, a notice, a summary, or nothing that is kept."""
        content = dict_of(line.get("message")).get("content")
        text = "".join(
            str(block.get("text") or "")
            for block in blocks_in(content)
            if block.get("type") == "text"
        )
        if line.get("isCompactSummary"):
            self.writer.summarize(text)
            return
        if REMINDER_TEXT.search(text_in(content)):
            self.remind(None)
        has_result = any(block.get("type") == "tool_result" for block in blocks_in(content))
        if has_result or line.get("isMeta") or line.get("isVisibleInTranscriptOnly"):
            return
        if NOTICES.match(text):
            self.session.events.append(Notice())
        elif not NO_PROMPTS.match(text):
            parent = line.get("parentUuid")
            self.session.rewinds += isinstance(parent, str) and parent in self.parents
            self.parents |= {parent} if isinstance(parent, str) else set()
            self.session.events.append(Prompt(str(line.get("timestamp") or "")))

    def read_system(self, line: Record) -> None:
        """Add a compaction. What it kept word for word can have a list."""
        if line.get("subtype") != "compact_boundary":
            return
        data = dict_of(line.get("compactMetadata"))
        kept = dict_of(data.get("preservedMessages"))
        uuids = kept.get("allUuids") or kept.get("uuids") or []
        self.writer.compact(data.get("trigger"))
        places = {uuid: key for key, uuid in self.first_uuids.items()}
        for uuid in uuids if isinstance(uuids, list) else ():
            reply = self.replies.get(places.get(str(uuid), ""))
            if reply and reply.lists:
                self.writer.show(task.key for task in reply.lists[-1])
            elif reply:
                self.writer.show(change.id for change in reply.changes if change.text)

    def read_attachment(self, data: Mapping[str, Any]) -> None:
        """Add a reminder, or a message that came while the model worked."""
        kind = data.get("type")
        if kind in REMINDERS:
            shown = data.get("content")
            size = data.get("itemCount", len(shown) if isinstance(shown, list) else None)
            self.remind(size if isinstance(size, int) else None)
        elif kind == "queued_command":
            self.session.events.append(Notice())

    def remind(self, size: int | None) -> None:
        """Add a reminder. One whose size is not known may show no list."""
        self.has_reminders = True
        self.session.events.append(Reminder(size))
        if size:
            self.writer.show()

    def say_what_is_unknown(self) -> None:
        """Say what the file does not record, and count versions that were not tried."""
        for version in self.session.versions:
            if not version.startswith(KNOWN_VERSIONS):
                self.writer.count("lines of version", version)
        oldest = min(map(parse_version, self.session.versions), default=(0,))
        if oldest < FIRST_WITH_REMINDERS and not self.has_reminders:
            self.session.unknown.append(
                "This version of Claude Code sends reminders and does not record them, so they are "
                "not in the picture, and the list may have been in sight more often."
            )
        self.session.unknown.append(
            "Claude Code does not record when a session was resumed, unless it was killed before."
        )


def find_key(line: Record) -> str:
    """Return what the lines of a reply have in common."""
    found = dict_of(line.get("message")).get("id") or line.get("requestId") or line.get("uuid")
    return str(found)


def is_made_up(line: Record) -> bool:
    """Return whether no model has made a reply: an error, or what the program adds itself."""
    model = dict_of(line.get("message")).get("model")
    return bool(
        model == "<synthetic>"
        or line.get("isApiErrorMessage")
        or line.get("madeBy", "model") != "model"
    )


def parse_version(version: str) -> tuple[int, ...]:
    """Return the numbers of a version."""
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
