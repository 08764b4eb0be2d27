"""Read a session of Claude Code 2.0 or 2.1: JSONL, in `~/.claude/projects`.

What its lines do not say plainly (each was seen in a file):

- A reply is as many lines as it has blocks, with the same `message.id`. Results may come between.
- `TodoWrite` sends the list. The task tools send one task, whose number is only in the result.
- A user line is not always a prompt: it may be a result, a command or a background task that ended.
- Versions before 2.1.98 send reminders and do not record them.
- A sub-agent's lines may be in the same file, with `isSidechain`.
"""

import re
from collections.abc import Iterable
from typing import Any

from ..common.message_blocks import blocks_of
from .lines import Record, dict_of, text_in
from .session import Change, Notice, Prompt, Reader, Reminder, Reply, Resume, Session

KNOWN_VERSIONS = ("2.0.", "2.1.")
FIRST_WITH_REMINDERS = [2, 1, 98]
LIST_TOOLS = {"TodoWrite", "TaskCreate", "TaskUpdate"}
SHOWING_TOOLS = {"TaskList", "TaskGet"}  # their results show tasks
# Other tools that may write a list, and those that do not. The names of MCP's tools have two lines.
LIKE_A_LIST = re.compile(r"(?!.*__).*(todo|plan|task)", re.IGNORECASE)
NO_LISTS = {"Task", "TaskOutput", "TaskStop", "EnterPlanMode", "ExitPlanMode", *SHOWING_TOOLS}
REMINDER = re.compile(
    r"<system-reminder>\s*The (TodoWrite tool|task tools) ha(sn|ven).t been used recently"
)
NOTICES = re.compile(r"\s*<(task-notification|teammate-message)\b")
NO_PROMPTS = re.compile(
    r"\s*(<(command-(name|message|args)|local-command|bash-|system-reminder)|Caveat:"
    r"|\[Request interrupted)"
)
OTHER_BLOCKS = set(
    "thinking redacted_thinking fallback server_tool_use web_search_tool_result".split()
)
# Lines that say nothing of a list.
OTHER_LINES = set(
    "progress summary file-history-snapshot file-history-delta last-prompt custom-title ai-title "
    "agent-name agent-color agent-setting tag mode permission-mode pr-link frame-link cost-state "
    "queue-operation worktree-state content-replacement attribution-snapshot tools-used atis-latch "
    "api-request api-request-blob api-request-shape task-summary relocated bridge-session".split()
)
UNRECORDED = (
    "This version of Claude Code sends reminders and does not record them, so they are not in the "
    "picture, and the list may have been in sight more often."
)
RESUMED = "Claude Code does not record when a session was resumed, unless it was killed before."


def is_claude_code(records: Iterable[Record]) -> bool:
    """Return whether a file is of Claude Code."""
    kinds = {"message", "attachment", "subtype"}
    return any("sessionId" in line and "uuid" in line and kinds & line.keys() for line in records)


def read_claude_code(records: Iterable[Record]) -> Session:
    """Return the session that these lines record.

    They are of one file, or of several copies of a session in the order of their time: a line that
    comes again is left out.
    """
    reader = ClaudeCode()
    lines = [line for line in records if reader.attempt(reader.prepare, line)]
    for line in reader.select(lines):
        reader.attempt(reader.read, line)
    return reader.finish(*reader.list_unknown())


class ClaudeCode(Reader):
    """Reads the lines twice: a call's result, which says if it was accepted, comes after it."""

    def __init__(self) -> None:
        super().__init__("Claude Code", LIST_TOOLS)
        self.replies: dict[str, Reply] = {}
        self.blocks: dict[str, list[Record]] = {}  # of each reply, by its key
        self.results: dict[str, tuple[Record, Any]] = {}  # block and `toolUseResult`, by the call
        self.keys: dict[str, str] = {}  # of the replies, by the uuids of their lines
        self.lines: set[str] = set()  # their uuids
        self.parents: set[str] = set()  # of prompts

    def prepare(self, line: Record) -> None:
        """Note a line's blocks and results, once, and what is the same in each line."""
        uuid = line.get("uuid")
        if uuid in self.lines:
            line["type"] = "summary"  # a copy, of which nothing is read
        elif uuid:
            self.lines.add(uuid)
        if "version" in line:
            self.session.versions.add(self.hider.name(line["version"]))
        self.session.id = self.session.id or str(line.get("sessionId") or "")
        self.hider.add_place(line.get("cwd"))
        if line.get("type") == "assistant" and not is_made_up(line):
            self.keys[str(uuid)] = key = find_key(line)
            self.blocks.setdefault(key, []).extend(blocks_of(line["message"]))
        elif line.get("type") == "user":
            for block in blocks_of(line["message"]):
                if block["type"] == "tool_result":
                    self.results[block["tool_use_id"]] = block, line.get("toolUseResult")

    def select(self, lines: list[Record]) -> list[Record]:
        """Return the lines of the main agent; of a sub-agent's own file, all."""
        main = [line for line in lines if not line.get("isSidechain")]
        replies = {find_key(one) for one in lines if one.get("type") == "assistant"}
        own = {find_key(one) for one in main if one.get("type") == "assistant"}
        self.session.is_subagent = bool(replies) and not own
        self.session.sub_replies = len(replies - own) if own else 0
        return lines if self.session.is_subagent else main

    def read(self, line: Record) -> None:
        kind = line.get("type")
        if kind == "assistant":
            self.read_assistant(line)
        elif kind == "user":
            self.read_user(line)
        elif kind == "system":
            self.read_system(line)
        elif kind == "attachment":
            data = line["attachment"]
            if data["type"] in ("todo_reminder", "task_reminder"):
                self.remind(data.get("itemCount", len(data.get("content") or [])))
            elif data["type"] == "queued_command":
                self.session.events.append(Notice())
        elif kind not in OTHER_LINES:
            self.count("a line of type", kind)

    def read_assistant(self, line: Record) -> None:
        """Add a reply at its first line."""
        key = find_key(line)
        if is_made_up(line):
            if text_in(line["message"]["content"]).startswith("No response requested"):
                self.session.events.append(Resume())  # the program was killed, and continued
        elif key not in self.replies:
            model, time = line["message"].get("model"), line.get("timestamp")
            self.replies[key] = reply = self.add_reply(key, model, time)
            calls = set()
            for block in self.blocks[key]:
                if block["type"] == "text":
                    reply.add_text(block["text"])
                elif block["type"] == "tool_use" and block["id"] not in calls:
                    calls.add(block["id"])
                    self.read_call(reply, block)
                elif block["type"] not in OTHER_BLOCKS | {"tool_use"}:
                    self.count("a block of type", block["type"])

    def read_call(self, reply: Reply, block: Record) -> None:
        """Add a tool call, and what it changed on the list if the program accepted it."""
        name, given = block["name"], block["input"]
        result, told = self.results.get(block["id"], (None, None))
        told = dict_of(told)
        self.add_call(reply, name, result is not None)
        is_rejected = bool(result and result.get("is_error")) or told.get("success") is False
        if name in LIST_TOOLS and is_rejected:
            reply.rejected += 1
        elif name == "TodoWrite":
            self.write_list(reply, given.get("todos"), "content")
        elif name in LIST_TOOLS and result:
            self.change_task(reply, name, given, told, text_in(result.get("content")))
        elif name in SHOWING_TOOLS and result:
            shown = told.get("tasks") or [told.get("task")]
            numbers = {str(dict_of(one).get("id")) for one in shown}
            self.show(numbers | set(re.findall(r"#(\w+)", text_in(result.get("content")))))
        elif LIKE_A_LIST.match(name) and name not in LIST_TOOLS | NO_LISTS:
            self.count("a tool that may write a list:", name)

    def change_task(self, reply: Reply, name: str, given: Record, told: Record, text: str) -> None:
        """Add an accepted call of a task tool."""
        number, was = given.get("taskId"), dict_of(told.get("statusChange")).get("from")
        if name == "TaskCreate":
            found = re.search(r"#(\w+)", text)
            number = dict_of(told.get("task")).get("id") or (found and found[1])
        subject, status = given.get("subject") or "", given.get("status") or ""
        if number is None or not isinstance(subject, str) or (name == "TaskCreate" and not subject):
            self.session.unread_lists += 1
            return
        is_new = name == "TaskCreate"
        change = Change(str(number), subject, "pending" if is_new else status, was or "", is_new)
        self.write_change(reply, change)

    def read_user(self, line: Record) -> None:
        """Add what a user line is: a prompt, a notice, a summary, or nothing that is kept."""
        blocks = blocks_of(line["message"])
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        if line.get("isCompactSummary"):
            self.summarize(text)
            return
        if REMINDER.search(text_in(blocks)):
            self.remind(None)
        if any(block["type"] == "tool_result" for block in blocks) or line.get("isMeta"):
            return
        if NOTICES.match(text):
            self.session.events.append(Notice())
        elif not NO_PROMPTS.match(text) and not line.get("isVisibleInTranscriptOnly"):
            parent = line.get("parentUuid")
            self.session.rewinds += parent in self.parents
            self.parents |= {parent} if parent else set()
            self.session.events.append(Prompt(str(line.get("timestamp") or "")))

    def read_system(self, line: Record) -> None:
        """Add a compaction. What it kept word for word can have a list."""
        if line.get("subtype") != "compact_boundary":
            return
        data = line.get("compactMetadata") or {}
        kept = data.get("preservedMessages") or {}
        self.compact(data.get("trigger"))
        for uuid in kept.get("allUuids") or kept.get("uuids") or []:
            reply = self.replies.get(self.keys.get(uuid, ""))
            if reply and reply.lists:
                self.show(task.key for task in reply.lists[-1])
            elif reply:
                self.show(change.id for change in reply.changes if change.text)

    def remind(self, size: int | None) -> None:
        """Add a reminder. One whose size is not known may show no list."""
        self.session.events.append(Reminder(size))
        if size:
            self.show(self.tasks)

    def list_unknown(self) -> list[str]:
        """Return what the file does not record. Count versions that were not tried."""
        for version in self.session.versions:
            if not version.startswith(KNOWN_VERSIONS):
                self.count("lines of version", version)
        oldest = min(map(parse_version, self.session.versions), default=[])
        has_reminders = any(isinstance(event, Reminder) for event in self.session.events)
        is_unrecorded = oldest < FIRST_WITH_REMINDERS and not has_reminders
        return [UNRECORDED, RESUMED] if is_unrecorded else [RESUMED]


def find_key(line: Record) -> str:
    """Return what the lines of a reply have in common."""
    return str(line["message"].get("id") or line.get("requestId") or line.get("uuid"))


def is_made_up(line: Record) -> bool:
    """Return whether no model has made a reply: an error, or what the program adds itself."""
    is_synthetic = line["message"].get("model") == "<synthetic>"
    return is_synthetic or line.get("isApiErrorMessage") or line.get("madeBy", "model") != "model"


def parse_version(version: str) -> list[int]:
    """Return the numbers of a version."""
    return [int(part) for part in re.findall(r"\d+", version)[:3]]
