"""Read a session of Codex: a rollout, JSONL, in `~/.codex/sessions`, as it was until August 2026.

Since then its default format has other lines for prompts, and a fork names the file that it begins
with. Neither is read; the sessions that are counted here are older.

What its lines do not say plainly (each was seen in a file):

- A reply is several lines, and nothing names it. It ends at a result, a prompt or a record of its
  tokens. The reply that is the summary of a compaction looks as any other one.
- A compaction replaces all messages. Newer files have its summary encrypted.
"""

import json
import re

from lines import Record, dict_of, text_in
from session import Prompt, Reader, Reply, Session

LIST_TOOL = "update_plan"
CALLS = {"function_call", "custom_tool_call", "local_shell_call"}
REJECTED = re.compile(r"failed to parse|unsupported (call|payload)|not allowed in Plan mode")


def is_codex(records: list[Record]) -> bool:
    """Return whether a file is a rollout of Codex, or the output of codex exec --json."""
    return any(
        line.get("type") == "session_meta" and "payload" in line or "thread_id" in line
        for line in records
    )


def read_codex(records: list[Record]) -> Session:
    """Return the session that these lines record."""
    reader = Codex()
    lines = [line for line in records if reader.attempt(reader.prepare, line)]
    for line in lines:
        reader.attempt(reader.read, line)
    return reader.finish()


class Codex(Reader):
    """Follows the lines of a rollout. `reply` is the reply that has not ended yet, if any."""

    def __init__(self) -> None:
        super().__init__("Codex", [LIST_TOOL])
        self.results: dict[str, str] = {}
        self.summaries: set[str] = set()  # ids of replies that are summaries
        self.has_prompts = False  # in lines of their own, which older files do not have
        self.reply: Reply | None = None
        self.id = ""

    def prepare(self, line: Record) -> None:
        """Note what comes after the lines that need it."""
        data = dict_of(line.get("payload"))
        if str(data.get("type")).endswith("_output"):
            self.results[data["call_id"]] = text_in(data.get("output"))
        elif line.get("type") == "compacted" and "compaction_response_id" in data:
            self.summaries.add(data["compaction_response_id"])
        self.has_prompts |= data.get("type") == "user_message"

    def read(self, line: Record) -> None:
        kind, data, session = line.get("type"), dict_of(line.get("payload")), self.session
        if kind == "session_meta":
            self.id = self.id or data["id"]
            session.is_subagent |= "subagent" in str(data.get("source"))
        elif kind == "response_item":
            self.read_item(str(data.get("type")), data, line.get("timestamp"))
        elif kind == "token_usage_record":
            if self.reply and data.get("response_id") in self.summaries:
                session.events.remove(self.reply)
            self.reply = None
        elif kind == "compacted":
            self.reply = None
            self.replace_history(data)
        elif data.get("type") == "user_message":
            self.add_prompt()

    def read_item(self, part: str, data: Record, time: object) -> None:
        """Add a part of a reply, a result or a message to the model."""
        text = text_in(data.get("content"))
        if part.endswith("_output"):
            self.reply = None
        elif part == "message" and data.get("role") != "assistant":
            if data.get("role") == "user" and not self.has_prompts and text[:1] not in ("<", "#"):
                self.add_prompt()
        elif part in CALLS or part in ("message", "reasoning"):
            if self.reply is None:
                key = f"{self.id}:{len(self.session.replies) + 1}"
                self.reply = self.add_reply(key, time)
            if part == "message":
                self.reply.add_text(text)
            elif part in CALLS:
                self.read_call(self.reply, data)

    def add_prompt(self) -> None:
        self.reply = None
        self.session.events.append(Prompt())

    def read_call(self, reply: Reply, data: Record) -> None:
        """Add a tool call, and the list that it writes if the program accepted it."""
        name, result = data.get("name"), self.results.get(data.get("call_id", ""))
        self.add_call(reply, name, result is not None)
        if name == LIST_TOOL and result is not None and not REJECTED.search(result[:200]):
            self.write_list(reply, json.loads(data["arguments"]).get("plan"), "step")
        elif LIST_TOOL in str(data.get("input")):  # in code, which is not run here
            self.session.unread_lists += 1

    def replace_history(self, data: Record) -> None:
        """Add a compaction: the messages of its `replacement_history` are all that is left."""
        self.compact()
        left = data.get("replacement_history") or []
        if not any(item.get("encrypted_content") for item in left):
            self.summarize(text_in(left) or text_in(data.get("message")))
