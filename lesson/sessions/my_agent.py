"""Read a session of the learner's program: JSONL, which its option `--save` writes.

`Notes` in `lesson/program/outside/guards.py` describes its lines. They have what was sent and
answered, so what the model saw is found as in a run of the lesson.
"""

from agentlib.loop import Round
from safetylib.replies import Usage

from ..common.message_blocks import blocks_of, find_reminders, is_list_tool, read_items
from ..runs.from_messages import call_of
from ..runs.window import Viewer, keep_last
from .lines import Record
from .session import Prompt, Reader, Reminder, Reply, Session


def is_my_agent(records: list[Record]) -> bool:
    """Return whether a file is of the learner's program, by its first line."""
    return records[0].get("type") == "session" and "program" in records[0]


def read_my_agent(records: list[Record]) -> Session:
    """Return the session that these lines record."""
    reader = MyAgent()
    for line in records:
        reader.attempt(reader.read, line)
    reader.attempt(reader.end_round, {})
    return reader.finish()


class MyAgent(Reader):
    """Follows the lines. `messages` is the conversation, and `reply` the newest reply."""

    def __init__(self) -> None:
        super().__init__("my_agent", ["todo"])
        self.viewer = Viewer()
        self.window: int | None = None
        self.messages: list[Record] = []
        self.reply: Reply | None = None
        self.place = 0  # of the newest reply in the messages

    def read(self, line: Record) -> None:
        kind = line.get("type")
        if kind == "session":
            self.session.versions.add(self.hider.name(line["version"]))
            self.hider.add_place(line.get("folder"))
            self.window = line["window"]
        elif kind == "prompt":
            self.session.events.append(Prompt())
        elif kind == "sent":
            self.send(line["kept"], [dict(message) for message in line["messages"]])
        elif kind == "reply":
            self.end_round()
            view = self.viewer.look(keep_last(self.messages, self.window))
            number = len(self.session.replies) + 1
            self.reply = self.add_reply(number, line.get("time"))
            self.reply.in_sight = not view.is_lost
            self.place = len(self.messages)
            self.messages.append({"role": "assistant", "content": line["content"]})
        elif kind != "failed":
            self.count("a line of type", kind)

    def send(self, kept: int, new: list[Record]) -> None:
        """Change the conversation. It is shorter if room was made, or a reply was not used."""
        if kept <= self.place < len(self.messages) and self.reply:
            self.end_round()
            if kept < self.place:
                self.compact()
        self.messages[kept:] = new
        if self.session.replies and any(map(find_reminders, new)):
            self.session.events.append(Reminder())

    def end_round(self, _: object = None) -> None:
        """Add the calls of the newest reply, whose results are known now."""
        reply, self.reply = self.reply, None
        if reply is None:
            return
        turn, calls = self.messages[self.place :], []
        answers = [block for message in turn[1:] for block in blocks_of(message)]
        results = {block.get("tool_use_id"): block for block in answers}
        for block in blocks_of(turn[0]):
            if block["type"] == "text":
                reply.add_text(block["text"])
            elif block["type"] == "tool_use":
                call = call_of(block, results.get(block["id"], {}), None)
                calls.append(call)
                is_list = is_list_tool(call.name)
                self.add_call(reply, "todo" if is_list else call.name, block["id"] in results)
                if is_list and call.ok and block["id"] in results:
                    items = [
                        {"text": item.get("text") or item.get("content"), "status": item["status"]}
                        for item in read_items(call.input)
                    ]
                    self.write_list(reply, items or None, "text")
        number = len(self.session.replies)
        round_ = Round(number, "", tuple(calls), None, Usage(), None, tuple(turn), not calls)
        self.viewer.add(round_)
