"""Read a session of Codex: a rollout, JSONL, in `~/.codex/sessions`.

What its lines do not say plainly (each was seen in a file):

- A reply is several lines, and nothing names it. It ends at a result, a prompt or a record of its
  tokens. The reply that is the summary of a compaction looks as any other one.
- A compaction replaces all messages. Newer files have its summary encrypted.
- No line says that a session was resumed.
"""

import json
import re
from collections.abc import Iterable

from .lines import Record, dict_of, is_question, text_in
from .session import Prompt, Reply, Session, Writer

AGENT = "Codex"
CALLS = {"function_call", "custom_tool_call", "local_shell_call"}
OTHER_LINES = {"event_msg", "world_state", "inter_agent_communication_metadata"}
OTHER_PARTS = {"web_search_call", "tool_search_call", "tool_search_output", "agent_message"}
REJECTED = re.compile(r"failed to parse|unsupported call")
ENCRYPTED = (
    "Codex has encrypted the summary of a compaction, so what the model saw then is not known."
)


def is_codex(records: Iterable[Record]) -> bool:
    """Return whether a file is a rollout of Codex."""
    return any(line.get("type") == "session_meta" and "payload" in line for line in records)


def read_codex(records: list[Record]) -> Session:
    """Return the session that these lines record."""
    reader = Reader()
    parts = [(line, dict_of(line.get("payload"))) for line in records]
    for line, data in parts:
        if str(data.get("type")).endswith("_output"):
            reader.results[str(data.get("call_id"))] = text_in(data.get("output"))
        elif line.get("type") == "compacted":
            reader.summaries.add(data.get("compaction_response_id"))
        reader.has_prompts |= data.get("type") == "user_message"
    for line, data in parts:
        reader.read(line, data)
    reader.writer.session.unknown.append("Codex does not record when a session was resumed.")
    return reader.writer.finish()


class Reader:
    """Follows the lines of a rollout. `reply` is the reply that has not ended yet, if any."""

    def __init__(self) -> None:
        self.writer = Writer(AGENT)
        self.results: dict[str, str] = {}
        self.summaries: set[object] = set()  # ids of replies that are summaries
        self.has_prompts = False  # in lines of their own, which older files do not have
        self.reply: Reply | None = None
        self.model = ""

    def read(self, line: Record, data: Record) -> None:
        kind, part, session = line.get("type"), data.get("type"), self.writer.session
        time = str(line.get("timestamp") or "")
        self.writer.hider.add_place(data.get("cwd"))
        if kind == "session_meta":
            session.id = session.id or str(data.get("id") or "")
            session.versions.add(self.writer.hider.name(data.get("cli_version")))
            session.is_subagent |= "subagent" in str(data.get("source"))
        elif kind == "turn_context":
            self.model = str(data.get("model") or self.model)
        elif kind == "token_usage_record":
            if self.reply and data.get("response_id") in self.summaries - {None}:
                session.events.remove(self.reply)
            self.reply = None
        elif kind == "compacted":
            self.reply = None
            self.compact(data)
        elif kind == "event_msg" and part == "user_message":
            self.reply = None
            session.events.append(Prompt(time))
        elif kind == "response_item":
            self.read_item(str(part), data, time)
        elif kind not in OTHER_LINES:
            self.writer.count("a line of type", kind)

    def read_item(self, part: str, data: Record, time: str) -> None:
        """Add a part of a reply, a result or a message to the model."""
        if part.endswith("_output"):
            self.reply = None
        elif part == "message" and data.get("role") != "assistant":
            text = text_in(data.get("content"))
            if data.get("role") == "user" and not self.has_prompts and text[:1] not in ("<", "#"):
                self.reply = None
                self.writer.session.events.append(Prompt(time))
        elif part in CALLS or part in ("message", "reasoning"):
            reply = self.reply = self.reply or self.start_reply(time)
            if part == "message":
                reply.blocks += "t"
                reply.asks = is_question(text_in(data.get("content")))
            elif part in CALLS:
                self.read_call(reply, data)
        elif part not in OTHER_PARTS:
            self.writer.count("an item of type", part)

    def start_reply(self, time: str) -> Reply:
        session = self.writer.session
        reply = Reply(f"{session.id}:{len(session.replies) + 1}", self.model, time)
        self.writer.add_reply(reply)
        return reply

    def read_call(self, reply: Reply, data: Record) -> None:
        """Add a tool call, and the list that it writes if the program accepted it."""
        name, result = str(data.get("name")), self.results.get(str(data.get("call_id")))
        reply.tools.append(self.writer.hider.name(name))
        reply.blocks += "l" if name == "update_plan" else "c"
        reply.unanswered += result is None
        if name == "update_plan" and REJECTED.search((result or "")[:200]):
            reply.rejected += 1
        elif name == "update_plan":
            try:
                given = json.loads(data.get("arguments") or "")
            except (ValueError, TypeError, RecursionError):
                given = None
            self.writer.write_list(reply, dict_of(given).get("plan"), "step")
        elif "update_plan" in str(data.get("input")):  # in code, which is not run here
            self.writer.session.unread_lists += 1

    def compact(self, data: Record) -> None:
        """Add a compaction: the messages of its `replacement_history` are all that is left."""
        self.writer.compact("")
        left = data.get("replacement_history")
        items = [dict_of(item) for item in left] if isinstance(left, list) else []
        if any(item.get("encrypted_content") for item in items):
            self.writer.hide_sight()
            if ENCRYPTED not in self.writer.session.unknown:
                self.writer.session.unknown.append(ENCRYPTED)
        else:
            self.writer.summarize(text_in(items) or str(data.get("message") or ""))
