"""What is around a run: the conversation, the plan, the check, the session and the folder.

`my_agent.py` runs this module, and `take_away` writes its code into `agent.py`, below the tools of
`whole_agent.py` and the learner's parts. So it imports nothing but the standard library.

A **session** is a file, `sessions/DATE_TIME_PROCESS.jsonl`, with a JSON object in each line, which
has a `type` and a `time` (UTC):

- "session" is the first line: `version` (1), `folder`, the absolute path of the folder in which the
  program was started, `program` (a file's name), `model` (its name, or "practice") and `window`:
  null, or how many of the newest messages the program sent, besides the prompts.
- "prompt": `text`, what the user has typed.
- "sent": `kept` and `messages`. The conversation is now its first `kept` messages so far, and after
  them these. So `kept` is smaller than their number if room was made, or a reply was not used.
- "reply": `content`, `stop_reason`, `usage` and `model`, as the server sent them. The next message
  of the conversation has this `content`, and the role "assistant".
- "failed": `error`. There was no reply to what was sent.
- "continued": another process goes on with the conversation.

A process that was killed may leave half a line at the end. The key of the connection is replaced by
"(your key)"; what the model has read from files and commands is in the messages.
"""

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

KEPT_SESSIONS = 20  # the newest ones


class Session:
    """The file of a conversation: what was sent, and what was answered."""

    def __init__(self, path, hide, **first):
        self.path, self.hide, self.sent = path, hide, []
        try:
            if path:
                path.parent.mkdir(exist_ok=True)
                path.with_name(".gitignore").write_text("*\n")  # what was read is in a session
                os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
                for old in sorted(path.parent.glob("*.jsonl"))[:-KEPT_SESSIONS]:
                    old.unlink()
                print(f"This session is in {path}.")
        except OSError as problem:
            self.give_up(problem)
        self.write("session", version=1, **first)

    def give_up(self, problem):
        """Say that the session is not stored, and go on without it."""
        print(f"This session is not stored: {problem.strerror} ({self.path}).")
        self.path = None

    def write(self, kind, **fields):
        """Append a line."""
        line = json.dumps({"type": kind, "time": time.strftime("%FT%TZ", time.gmtime())} | fields)
        try:
            if self.path:
                with open(self.path, "a", encoding="ascii") as file:
                    file.write(self.hide(line) + "\n")
        except OSError as problem:
            self.give_up(problem)

    def note(self, messages):
        """Write what is new in the messages of a request, if there is anything."""
        new, kept = make_plain(messages), 0
        while kept < min(len(new), len(self.sent)) and new[kept] == self.sent[kept]:
            kept += 1
        if new != self.sent:
            self.write("sent", kept=kept, messages=new[kept:])
        self.sent = new

    def watch(self, create, messages, **settings):
        """Send a request with `create`, and write what was sent and answered."""
        self.note(messages)
        try:
            reply = create(messages=messages, **settings)
        except BaseException as problem:
            self.write("failed", error=repr(problem))
            raise
        self.note(messages)  # room may have been made
        names = ("content", "stop_reason", "usage", "model")
        fields = make_plain({name: getattr(reply, name, None) for name in names})
        self.write("reply", **fields)
        self.sent = [*self.sent, {"role": "assistant", "content": fields["content"]}]
        return reply


def make_plain(value):
    """Return messages as JSON has them, also if they contain the SDK's objects."""
    return json.loads(json.dumps(value, default=lambda one: one.to_dict()))


def read_session(path):
    """Return the first line of a session, its prompts, and its conversation up to the end."""
    first, prompts, messages = {}, [], []
    for line in path.read_text(encoding="ascii").split("\n"):
        with suppress(ValueError):  # half a line
            entry = json.loads(line)
            first = first or entry
            if entry["type"] == "prompt":
                prompts.append(entry["text"])
            elif entry["type"] == "sent":
                messages[entry["kept"] :] = entry["messages"]
            elif entry["type"] == "reply":
                messages.append({"role": "assistant", "content": entry["content"]})
    return first, prompts, messages


def name_session():
    """Return a path for the session of this program, next to it."""
    name = time.strftime(f"%Y-%m-%d_%H-%M-%S_{os.getpid()}.jsonl")
    return Path(sys.argv[0]).resolve().parent / "sessions" / name
