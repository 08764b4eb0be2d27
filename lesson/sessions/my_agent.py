"""Read a session of `my_agent.py`: JSONL, in `sessions` beside the program.

`lesson/program/frame.py` describes its lines. They have what was sent and answered, so what the
model saw is found as in a run of the lesson.
"""

from agentlib.loop import Round
from agentlib.replies import Usage

from ..common.message_blocks import find_reminders, is_list_tool, read_items
from ..runs.from_messages import call_of
from ..runs.window import Viewer, keep_last
from .lines import Record, blocks_in, dict_of, is_question
from .session import Prompt, Reminder, Reply, Resume, Session, Writer

AGENT = "my_agent.py"


def is_my_agent(records: list[Record]) -> bool:
    """Return whether a file is of the learner's program, by its first line."""
    return records[0].get("type") == "session" and "program" in records[0]


def read_my_agent(records: list[Record]) -> Session:
    """Return the session that these lines record."""
    reader = Reader(records[0])
    for line in records[1:]:
        reader.read(line)
    reader.end_round()
    return reader.writer.finish()


class Reader:
    """Follows the lines. `messages` is the conversation, and `reply` the newest reply."""

    def __init__(self, first: Record) -> None:
        self.writer, self.viewer = Writer(AGENT), Viewer()
        self.session = self.writer.session
        self.session.versions.add(self.writer.hider.name(first.get("version")))
        self.writer.hider.add_place(first.get("folder"))
        window = first.get("window")
        self.window = window if isinstance(window, int) else None
        self.messages: list[Record] = []
        self.reply: Reply | None = None
        self.place = 0  # of the newest reply in the messages

    def read(self, line: Record) -> None:
        kind, time = line.get("type"), str(line.get("time") or "")
        if kind == "prompt":
            self.session.events.append(Prompt(time))
        elif kind == "continued":
            self.session.events.append(Resume())
        elif kind == "sent":
            self.send(line)
        elif kind == "reply":
            self.end_round()
            self.start_round(line, time)
        elif kind not in ("failed", "session"):
            self.writer.count("a line of type", kind)

    def send(self, line: Record) -> None:
        """Change the conversation. It is shorter if room was made, or a reply was not used."""
        kept, new = line.get("kept"), line.get("messages")
        if not isinstance(kept, int) or not isinstance(new, list):
            self.writer.count("a line of type", "sent, without messages")
            return
        if kept <= self.place < len(self.messages) and self.reply:
            self.end_round()
            if kept < self.place:
                self.writer.compact("")
        self.messages[kept:] = [dict_of(message) for message in new]
        if any(find_reminders(message) for message in self.messages[kept:] if self.reply):
            self.session.events.append(Reminder())

    def start_round(self, line: Record, time: str) -> None:
        """Add a reply, before its results are known."""
        view = self.viewer.look(keep_last(self.messages, self.window))
        self.reply = Reply(str(len(self.session.replies) + 1), str(line.get("model") or ""), time)
        self.writer.add_reply(self.reply)
        self.reply.in_sight = not view.is_lost
        self.place = len(self.messages)
        self.messages.append({"role": "assistant", "content": blocks_in(line.get("content"))})

    def end_round(self) -> None:
        """Add the calls of the newest reply, whose results are known now."""
        reply, self.reply = self.reply, None
        if reply is None:
            return
        turn = self.messages[self.place :]
        results = {
            block.get("tool_use_id"): block
            for message in turn[1:]
            for block in blocks_in(message.get("content"))
        }
        calls = []
        for block in blocks_in(turn[0]["content"]):
            if block.get("type") == "text":
                reply.blocks += "t"
                reply.asks = is_question(str(block.get("text")))
            elif block.get("type") == "tool_use":
                calls.append(call_of(block, results.get(block.get("id"), {}), None))
                reply.unanswered += block.get("id") not in results
                reply.tools.append(self.writer.hider.name(calls[-1].name))
                reply.blocks += "l" if is_list_tool(calls[-1].name) else "c"
        for call in calls:
            if is_list_tool(call.name) and not call.ok:
                reply.rejected += 1
            elif is_list_tool(call.name):
                items = [
                    {"text": item.get("text") or item.get("content"), "status": item["status"]}
                    for item in read_items(call.input)
                ]
                self.writer.write_list(reply, items or None, "text")
        number = len(self.session.replies)
        self.viewer.add(
            Round(number, "", tuple(calls), None, Usage(), None, tuple(turn), not calls)
        )
