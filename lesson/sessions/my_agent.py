"""Make a session of a run of the learner's program: of its list, and of none of its texts.

The lines of its option `--save` are read as those of any run: see `lesson/runs/saved_run.py`.
"""

from agentlib.room import is_reply
from safetylib.run_file import KINDS

from ..common.message_blocks import blocks_of, find_reminders, is_list_tool, read_items
from ..runs.saved_run import SavedRun
from .lines import Record
from .session import Prompt, Reader, Reminder, Session


def is_my_agent(records: list[Record]) -> bool:
    """Return whether a file is of the learner's program, by its first line."""
    return records[0].get("type") == "session" and "program" in records[0]


def read_my_agent(records: list[Record]) -> Session:
    """Return the session that these lines record."""
    reader = MyAgent()
    for line in records:
        reader.attempt(reader.read, line)
    reader.attempt(reader.end, {})
    return reader.finish()


class MyAgent(Reader):
    """Follows the lines, with the run that they are of."""

    run: SavedRun

    def __init__(self) -> None:
        super().__init__("my_agent", ["todo"])

    def read(self, line: Record) -> None:
        kind = line.get("type")
        if kind == "session":
            self.session.versions.add(self.hider.name(line["version"]))
            self.hider.add_place(line.get("folder"))
            self.run = SavedRun(line)
        elif kind not in KINDS:
            self.count("a line of type", kind)
        else:
            if kind != "known":
                self.run.play_reply()
            newest = max((n for n, one in enumerate(self.run.messages) if is_reply(one)), default=0)
            self.run.read_line(line)
            self.add_rounds()
            if kind == "prompt":
                self.session.events.append(Prompt())
            elif kind == "sent":
                if line["kept"] < newest:  # room was made
                    self.compact()
                if self.session.replies and any(map(find_reminders, line["messages"])):
                    self.session.events.append(Reminder())

    def end(self, _: object = None) -> None:
        """Add the last round, also if its calls have no results."""
        self.run.end()
        self.add_rounds()

    def add_rounds(self) -> None:
        """Add the rounds that the run has, and the session has not."""
        for number in range(len(self.session.replies), len(self.run.records)):
            record = self.run.records[number]
            reply = self.add_reply(number + 1, self.run.reply_times[number])
            reply.in_sight = not record.view.is_lost
            said, *after = record.round.messages
            answered = {
                block.get("tool_use_id") for message in after for block in blocks_of(message)
            }
            for block in blocks_of(said):
                if block["type"] == "text":
                    reply.add_text(block["text"])
            for call, block in zip(
                record.round.calls,
                (block for block in blocks_of(said) if block["type"] == "tool_use"),
                strict=True,
            ):
                is_list, has_result = is_list_tool(call.name), block["id"] in answered
                self.add_call(reply, "todo" if is_list else call.name, has_result)
                if is_list and call.ok and has_result:
                    items = [
                        {"text": item.get("text") or item.get("content"), "status": item["status"]}
                        for item in read_items(call.input)
                    ]
                    self.write_list(reply, items or None, "text")
