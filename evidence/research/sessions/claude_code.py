"""Read a session of Claude Code 2.0 or 2.1: JSONL, in `~/.claude/projects`.

What its lines do not say plainly (each was seen in a file):

- A reply is as many lines as it has blocks, with the same `message.id`. Results may come between.
  A server that counts its ids from 1 uses one again after its start: `name_replies`.
- The calls of a reply run at the same time. Their results are in the order in which they ended, so
  a `TaskList` beside updates shows the list before them.
- A reply that the connection or the user cut off is no stop. One that a safeguard took back stays
  in the file, and a later line has its uuids.
- `TodoWrite` sends the list. The task tools send one task, whose number is only in the result.
- The call is what the model asked for, and `toolUseResult` what the program did: a hook may change
  a call before it runs, and the call in the file stays as it was.
- A fork begins with the conversation of its parent, in lines with `forkedFrom`, and without tasks.
- The list of the task tools is the program's. Sub-agents change it as well, in `progress` lines,
  and it stands in each result of `TaskList` and in each reminder. An update of which no field was
  updated says that the task has this status already. After a resume, numbers can begin again.
- The order of the lines is not the conversation: that leads over `parentUuid` to the last line. A
  prompt that was taken back, with all that came after it, stays in the file.
- A user line is not always a prompt: it may be a result, a command or a background task that ended.
- Versions before 2.1.98 send reminders and do not record them.
- A sub-agent's lines may be in the same file, with `isSidechain`.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from lines import Record, dict_of, text_in
from session import Change, Notice, Prompt, Reader, Reminder, Reply, Session

from lesson.common.message_blocks import blocks_of, text_of

TASK_TOOLS = {"TaskCreate", "TaskUpdate"}
LIST_TOOLS = {"TodoWrite", *TASK_TOOLS}
# A task in a result of TaskList without `toolUseResult`: its number, status and subject.
SHOWN_TASK = re.compile(r"^#(\w+) \[(\w+)\] (.*?)(?: \[blocked by .*\])?$", re.MULTILINE)
NUMBER = re.compile(r"#(\w+)")  # of a task, in other results
NO_RESULT: tuple[Record, Record] = ({}, {})
REMINDERS = {"todo_reminder": "content", "task_reminder": "subject"}  # and where a task's text is
REMINDER = re.compile(
    r"<system-reminder>\s*The (TodoWrite tool|task tools) ha(sn|ven).t been used recently"
)
NOTICES = re.compile(r"\s*<(task-notification|teammate-message)\b")
NO_PROMPTS = re.compile(
    r"\s*(<(command-(name|message|args)|local-command|bash-|system-reminder)|Caveat:"
    r"|\[Request interrupted)"
)
COPY = "a copy of a line"  # as its type: nothing is read of it


def is_claude_code(records: Collection[Record]) -> bool:
    """Return whether a file is of Claude Code. Qwen Code's lines are like them, but have parts."""
    kinds = {"message", "attachment", "subtype"}
    if any("parts" in dict_of(line.get("message")) for line in records):
        return False
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
    return reader.finish()


class ClaudeCode(Reader):
    """Reads the lines twice: a call's result, which says if it was accepted, comes after it."""

    def __init__(self) -> None:
        super().__init__("Claude Code", LIST_TOOLS)
        self.replies: dict[str, Reply] = {}
        self.blocks: dict[str, list[Record]] = {}  # of each reply, by its key
        self.cut_off: set[str] = set()  # keys of replies
        # Block and `toolUseResult` of a result, by the key of its reply ("" for sub-agents) and the
        # id of its call, which a server may use again as well, in the order of the file.
        self.results: dict[str, dict[str, tuple[Record, Record]]] = defaultdict(dict)
        self.keys: dict[str, str] = {}  # of the replies, by the uuids of their lines
        self.lines: set[str] = set()  # their uuids, which `prepare` gives to each that has none
        self.others: set[str] = set()  # calls of sub-agents that were read
        self.used: set[str] = set()  # numbers of tasks, of the newest list
        self.is_copied = False  # the last line of the conversation is that of a fork's parent

    def prepare(self, line: Record) -> None:
        """Note a line's results, once, and what is the same in each line."""
        uuid = line["uuid"] = str(line.get("uuid") or f"line {len(self.lines)}")
        if uuid in self.lines:
            line["type"] = COPY
        self.lines.add(uuid)
        if line.get("type") == "assistant":
            find_id(line)  # so a line without a message is one of an unknown shape
        elif line.get("type") == "user":
            self.note_results(line, "")
        elif line.get("type") == "progress":
            self.note_results(message_of(line), "")

    def note_results(self, line: Record, key: str) -> None:
        for block in blocks_of(dict_of(line.get("message"))):
            if block["type"] == "tool_result":
                self.results[key][block["tool_use_id"]] = block, dict_of(line.get("toolUseResult"))

    def select(self, lines: list[Record]) -> list[Record]:
        """Return the lines of the conversation, and those of sub-agents; of their own file, all."""
        lines = [line for line in lines if line.get("type") != COPY]
        main = [line for line in lines if not line.get("isSidechain")]
        replies = {find_id(one) for one in lines if one.get("type") == "assistant"}
        own = {find_id(one) for one in main if one.get("type") == "assistant"}
        self.session.is_subagent = bool(replies) and not own
        self.name_replies(lines if self.session.is_subagent else main)
        if self.session.is_subagent:
            return lines
        lists = [line.get("retractedMessageUuids") for line in main]
        retracted = {str(uuid) for some in lists if isinstance(some, list) for uuid in some}
        chosen = {id(line) for line in self.follow(main) if line["uuid"] not in retracted}
        kept = {self.keys[one["uuid"]] for one in main if id(one) in chosen and is_reply(one)}
        self.session.left_out = len(self.blocks.keys() - kept)
        return [one for one in lines if id(one) in chosen or one.get("isSidechain")]

    def name_replies(self, lines: list[Record]) -> None:
        """Note the key of each reply and its blocks: a line continues the reply that it follows.

        It follows its parent; if that is not in the file, the line before. Between them may be
        results and what the program adds. An id that comes again behind a prompt, or behind another
        reply, is that of a new reply.
        """
        latest: dict[str, str] = {}  # of each line by its uuid: the key of the newest reply there
        ids: dict[str, str] = {}  # by the key
        before = ""
        for line in lines:
            parent = line.get("parentUuid") or line.get("logicalParentUuid")
            key = latest.get(str(parent), before)
            if line.get("type") == "assistant":
                name = find_id(line)
                if ids.get(key) != name:
                    key = name if name not in ids else f"{name} again, {len(ids)}"
                    ids[key] = name
                self.keys[line["uuid"]] = key
                if is_reply(line):
                    self.blocks.setdefault(key, []).extend(blocks_of(line["message"]))
                if line.get("isAbortedMidStream"):
                    self.cut_off.add(key)
                elif line.get("truncatedAfterOutput"):  # an error that follows what it cut off
                    self.cut_off.add(latest.get(str(parent), before))
            elif line.get("type") == "user":
                key = "" if is_prompt(line) else key
                self.note_results(line, key)
            latest[line["uuid"]] = before = key

    def follow(self, lines: list[Record]) -> list[Record]:
        """Return the lines of the conversation that the last line belongs to.

        The way back leads over `parentUuid`. Where a parent is not in the file, it goes on at the
        line before, unless a prompt says that it is the first one. Parallel calls of a reply hang
        on its several lines, so what is not on the way stays if it belongs to a reply that is.
        """
        places = {line["uuid"]: at for at, line in enumerate(lines)}
        way: set[int] = set()
        at = len(lines) - 1
        while at >= 0:
            way.add(at)
            at = find_before(lines, at, places, way)
        replies = {self.keys[lines[at]["uuid"]] for at in way if lines[at]["uuid"] in self.keys}
        kept: dict[str, Record] = {}
        for at, line in enumerate(lines):
            parent = str(line.get("parentUuid"))
            if line["uuid"] in self.keys:
                is_kept = self.keys[line["uuid"]] in replies
            else:
                hangs = parent in kept or parent not in places
                is_kept = at in way or (hangs and not is_turn(line))
            if is_kept:
                kept[line["uuid"]] = line
        return [*kept.values()]

    def read(self, line: Record) -> None:
        kind = line.get("type")
        if kind == "progress" or (line.get("isSidechain") and not self.session.is_subagent):
            self.read_other(message_of(line) if kind == "progress" else line)
        elif kind in ("assistant", "user"):
            if self.is_copied and "forkedFrom" not in line and self.used:
                self.begin_list()
            self.is_copied = "forkedFrom" in line
            self.read_assistant(line) if kind == "assistant" else self.read_user(line)
        elif kind == "system" and line.get("subtype") == "compact_boundary":
            self.compact()
        elif kind == "attachment":
            data = line["attachment"]
            if data["type"] in REMINDERS:
                self.remind_of(data)
            elif data["type"] == "queued_command":
                self.session.events.append(Notice())

    def read_assistant(self, line: Record) -> None:
        """Add a reply at its first line, with all that its calls did."""
        key = self.keys[line["uuid"]]
        if not is_made_up(line) and key not in self.replies:
            calls = {
                block["id"]: block
                for block in self.blocks[key][::-1]
                if block["type"] == "tool_use"
            }
            results = self.results[key]
            answered = [(calls[one], *results[one]) for one in results if one in calls]
            self.check_statuses(answered)
            self.replies[key] = reply = self.add_reply(key, line.get("timestamp"))
            reply.is_cut_off = key in self.cut_off
            for block in self.blocks[key]:
                if block["type"] == "text":
                    reply.add_text(block["text"])
                elif block["type"] == "tool_use" and calls.get(block["id"]) is block:
                    self.add_call(reply, block["name"], block["id"] in results)
            for block, result, told in answered:
                self.read_call(reply, block, result, told)

    def read_call(self, reply: Reply, block: Record, result: Record, told: Record) -> None:
        """Add what a call changed on the list if the program accepted it."""
        name, given = block["name"], block["input"]
        if name in LIST_TOOLS and is_refused(result, told):
            return
        if name == "TodoWrite":
            self.write_list(reply, told.get("newTodos", given.get("todos")), "content")
        elif name in TASK_TOOLS:
            change = self.find_change(name, given, result, told)
            if change:
                self.write_change(reply, change)
        else:
            self.tell_tasks(name, result, told)

    def find_change(self, name: str, given: Record, result: Record, told: Record) -> Change | None:
        """Return what an accepted call of a task tool changed. A used number begins a new list.

        The result says most of it. It has no new subject of an update.
        """
        is_new, made = name == "TaskCreate", dict_of(told.get("task"))
        changed = dict_of(told.get("statusChange"))
        was, status = changed.get("from"), changed.get("to")
        if not status and "status" in (told.get("updatedFields") or ["status"]):
            status = given.get("status")
        number = told.get("taskId") or given.get("taskId")
        if is_new:
            found = NUMBER.search(text_in(result))
            number = made.get("id") or (found and found[1])
            status = "pending"
        subject = made.get("subject") or given.get("subject") or ""
        if number is None or not isinstance(subject, str) or (is_new and not subject):
            self.session.unread_lists += 1
            return None
        if is_new and str(number) in self.used:
            self.begin_list()
        if is_new:
            self.used.add(str(number))
        task = self.tasks.get(self.number(number))
        if task and was:
            self.session.checked["agrees" if task.status == was else "differs"] += 1
        return Change(self.number(number), subject, status or "", was or "")

    def begin_list(self) -> None:
        """Begin a list without tasks, whose numbers may be those of the list before."""
        self.tell([])
        self.session.restarts += 1
        self.used.clear()

    def number(self, number: object) -> str:
        """Return what a task is known by: its number, and of a later list, which list it is."""
        restarts = self.session.restarts
        return f"{number} of list {restarts + 1}" if restarts else f"{number}"

    def check_statuses(self, answered: list[tuple[Record, Record, Record]]) -> None:
        """Take each status that an update did not change, because the task has it already.

        The calls are of one reply, in the order of their results. After the first update of a task,
        the next one says nothing of the time before the reply.
        """
        known = set()
        for block, result, told in answered:
            given = dict_of(block.get("input"))
            key, status = self.number(given.get("taskId")), given.get("status")
            if block.get("name") != "TaskUpdate" or key in known or is_refused(result, told):
                continue
            known.add(key)
            task = self.tasks.get(key)
            if task and status and told.get("updatedFields") == []:
                self.session.checked["already so" if task.status == status else "not so yet"] += 1
                self.tell({**self.tasks, task.key: task._replace(status=str(status))}.values())

    def read_other(self, line: Record) -> None:
        """Read what a sub-agent did to the list of the task tools, which it shares."""
        if line.get("type") != "assistant":
            return
        for block in blocks_of(dict_of(line.get("message"))):
            if block["type"] != "tool_use" or block["id"] in self.others:
                continue
            self.others.add(block["id"])
            name, (result, told) = block["name"], self.results[""].get(block["id"], NO_RESULT)
            if not result or is_refused(result, told):
                continue
            self.tell_tasks(name, result, told)
            if name in TASK_TOOLS:
                change = self.find_change(name, block["input"], result, told)
                if change:
                    self.tell(self.apply(change)[0].values())

    def tell_tasks(self, name: str, result: Record, told: Record) -> None:
        """Take the list that a result of TaskList shows."""
        text = text_in(result)
        if name == "TaskList" and isinstance(told.get("tasks"), list):
            self.tell_items(told["tasks"], "subject")
        elif name == "TaskList" and (text.startswith("No tasks") or SHOWN_TASK.search(text)):
            keys = ("id", "status", "subject")
            found = [dict(zip(keys, one, strict=True)) for one in SHOWN_TASK.findall(text)]
            self.tell_items(found, "subject")

    def tell_items(self, items: list[Any], field_name: str) -> None:
        """Take the list that the program shows, if all of its tasks can be read."""
        tasks = []
        for item in map(dict_of, items):
            text, number = item.get(field_name), item.get("id", "")
            if not isinstance(text, str) or (field_name == "subject" and not number):
                return
            key = self.number(number) if number else ""
            tasks.append(self.make_task(text, item.get("status"), key))
        is_same_kind = {bool(task.id) for task in self.tasks.values()} <= {field_name == "subject"}
        if is_same_kind:
            self.used |= {str(item.get("id")) for item in items}
            self.tell(tasks)

    def read_user(self, line: Record) -> None:
        """Add what a user line is: a prompt, a notice, a summary, or nothing that is kept."""
        if line.get("isCompactSummary"):
            self.summarize(join_texts(line))
            return
        if REMINDER.search(text_in(blocks_of(line["message"]))):
            self.remind(None)
        if is_prompt(line):
            self.session.events.append(Prompt())
        elif is_turn(line) and not line.get("isMeta") and NOTICES.match(join_texts(line)):
            self.session.events.append(Notice())

    def remind_of(self, data: Record) -> None:
        """Add a reminder, which has the program's list."""
        content = data.get("content")
        items = content if isinstance(content, list) else []
        size = data.get("itemCount", len(items))
        if len(items) == size:
            self.tell_items(items, REMINDERS[data["type"]])
        self.remind(size)

    def remind(self, size: int | None) -> None:
        """Add a reminder. One whose size is not known may show no list."""
        self.session.events.append(Reminder(size))


def find_id(line: Record) -> str:
    """Return what the lines of a reply have in common."""
    return str(line["message"].get("id") or line.get("requestId") or line.get("uuid"))


def find_before(
    lines: list[Record], at: int, places: Mapping[str, int], way: Collection[int]
) -> int:
    """Return the place of the line that a line of a conversation follows; -1 for the first one."""
    line = lines[at]
    parent = line.get("parentUuid") or line.get("logicalParentUuid")
    before = places.get(str(parent), -1)
    if before >= 0 and before not in way:
        return before
    if is_turn(line) and "parentUuid" in line and parent is None:
        return -1
    while at in way:
        at -= 1
    return at


def is_prompt(line: Record) -> bool:
    """Return whether a line is a prompt of the user."""
    if not is_turn(line) or line.get("isMeta") or line.get("isVisibleInTranscriptOnly"):
        return False
    text = join_texts(line)
    return not (NOTICES.match(text) or NO_PROMPTS.match(text))


def join_texts(line: Record) -> str:
    """Return the text of a user line."""
    return "".join(map(text_of, blocks_of(line["message"])))


def is_turn(line: Record) -> bool:
    """Return whether a user line is a message, and no result."""
    if line.get("type") != "user":
        return False
    return all(block["type"] != "tool_result" for block in blocks_of(line["message"]))


def is_reply(line: Record) -> bool:
    return line.get("type") == "assistant" and not is_made_up(line)


def is_refused(result: Record, told: Record) -> bool:
    """Return whether the program did not accept a call."""
    return bool(result.get("is_error")) or told.get("success") is False


def message_of(line: Record) -> Record:
    """Return the line of a sub-agent that a line of type `progress` carries."""
    return dict_of(dict_of(line.get("data")).get("message"))


def is_made_up(line: Record) -> bool:
    """Return whether no model has made a reply: an error, or what the program adds itself."""
    is_synthetic = line["message"].get("model") == "<synthetic>"
    return is_synthetic or line.get("isApiErrorMessage") or line.get("madeBy", "model") != "model"
