"""What is around the parts: the tools, the conversation, and what is said at its end.

`__main__.py` calls `main` with the parts of this folder. All of this file is yours to change.

**A tool** is a function below `bash`, with a docstring, which the model reads, and with arguments
that are text. Add its name to TOOLS. If it changes something, let it call `guards.ask_user` first.
A path is `guards.find(path)`, which refuses what is outside of the project.

**What you do not change** is in guards.py: it protects your files, your key and your answers. If
you have changed nothing here, the lesson renews both files together.
"""

import argparse
import os
import re
import signal
import sys
import traceback
from contextlib import suppress
from functools import wraps

import guards

from agentlib import Tool, system_prompt
from agentlib.nag import AFTER  # rounds without a todo call before a reminder
from agentlib.signatures import call_loop, uses_remind
from agentlib.todo import list_tool, unfinished
from safetylib.guard.circles import EndedError, stop_in_vain
from safetylib.guard.signatures import signature
from safetylib.wire.last_reply import NO_REQUEST
from safetylib.wire.server.connect import MAX_TOKENS, make_settings  # of one reply
from safetylib.wire.server.limits import Limits

ROOT = guards.ROOT  # the folder in which the program was started: the agent works in it
LIMITS = Limits()  # of one prompt: Limits(90, 900_000) are 90 requests and 900,000 tokens


def write_system(has_list):
    """Return the system prompt, which is sent with each request. Add your own sentences."""
    return system_prompt(guards.workspace().name, plan=has_list)


# The tools. An exception tells the model what was wrong.
def bash(command):
    """Run a bash command in the project's folder."""
    if guards.has_shell():
        guards.ask_user(f"bash: {command}", "bash")
    output, code = guards.run_command(command)
    output = f"{output}\n(exit code {code})" if code else output
    guards.show_output(output)
    return output


def write_file(path, content):
    """Create or overwrite a file."""
    return guards.change("write_file", path, content=content)


def edit_file(path, old_text, new_text):
    """Replace old_text, which must occur exactly once in the file, by new_text."""
    return guards.change("edit_file", path, old_text=old_text, new_text=new_text)


TOOLS = [bash, write_file, edit_file]  # and read_file, which is a part


class Agent:
    """The parts at work on one conversation, with its list and its check."""

    def __init__(self, parts, given, client, window):
        self.loop, todo_class, self.make_nag, self.ask_at_the_stop, make_room, read_file = parts
        self.todo, self.messages, self.failure = todo_class(), [], ""
        self.command = given.check
        first = {"folder": str(ROOT), "program": "my_agent", "model": given.model, "window": window}
        self.notes = guards.Notes(given.save, **first)
        self.model = guards.Model(
            client, self.notes, window, LIMITS, lambda messages: make_room(messages, self.todo)
        )
        self.tools, self.note = [], ""
        self.seen = {}  # the status of each task that was in the list since the prompt
        self.has_remind = uses_remind(self.loop)
        if not self.has_remind and todo_class.__module__.startswith("agentlib."):
            self.note = "This loop does not use `remind`, so it runs without the list and the nag."
        else:
            listed = list_tool(self.todo)

            @wraps(listed.run)  # so a field too much is told as for any other tool
            def update(**given):
                try:
                    return listed.run(**given)
                finally:
                    self.seen |= self.list_tasks()

            self.tools = [Tool(run=guards.show("todo", update), **listed.spec)]
        self.has_list = bool(self.tools)
        for tool in (guards.guard(read_file), *TOOLS):
            fields = {one: {"type": "string"} for one in signature(tool).parameters}
            schema = {"type": "object", "properties": fields, "required": [*fields]}
            run = guards.show(name := tool.__name__, tool)
            self.tools.append(Tool(name, tool.__doc__, schema, run))
        host = getattr(getattr(client, "base_url", None), "host", "")
        self.settings = make_settings(given.model, MAX_TOKENS, host)
        self.settings["system"] = write_system(self.has_list)

    def converse(self, prompt, said):
        """Say this, work on the prompt, and on each that the user types, until there is none.

        Ctrl-C ends a run, and the conversation only if nobody is there to go on.
        """
        while prompt:
            try:
                if not self.messages:
                    guards.say("\n".join(filter(None, [said, self.note])))
                self.work(prompt)
            except (KeyboardInterrupt, SystemExit) as ended:
                said = getattr(ended, "code", None) or guards.STOPPED
                if not guards.is_user_there():
                    sys.exit(guards.plain(said))
                guards.say(said)
            prompt = ask_prompt()

    def work(self, prompt):
        """Let the model work on a prompt until it stops, and say what is open."""
        left = len(unfinished(self.todo.items))
        self.model.begin(prompt, self.messages, self.has_list, left)
        self.seen, self.failure = self.list_tasks(), ""
        try:
            nag = self.make_nag(self.todo, AFTER) if self.has_remind else None
            self.remind = None if nag is None else self.notes.watch(nag)
            missing = stop_in_vain(self.find_missing, self.look)
            self.ask_at_the_stop(self.run, self.messages, missing)
        except EndedError as problem:
            sys.exit(f"{self.failure}\n{problem}")
        except Exception:  # of a part
            sys.exit(f"{traceback.format_exc()}{guards.STOPPED}")
        finally:
            self.notes.add_sent(guards.to_json(self.messages))
            self.report()
        if self.model.limits.requests_sent == self.model.before[0]:
            self.model.fail(NO_REQUEST)
        if self.failure:
            sys.exit(self.failure)
        if not self.asks_user():
            said = "No check of yours: `--check COMMAND` runs one at each stop."
            guards.say(f"{self.command}: passes" if self.command else said)

    def run(self):
        """Play the loop once, until the model calls no tool."""
        if self.failure:  # the model is asked again, and the user reads why
            guards.say(f"(check) {self.failure}")
        given = (self.model, self.messages, self.tools, self.remind)
        call_loop(self.loop, *given, **self.settings)

    def find_missing(self):
        """Return what the user's command says against the files, unless the model asks the user."""
        self.failure = ""
        if not self.command or self.asks_user():
            return []
        output, code = guards.run_command(self.command)
        if code == 0 and re.search(r"^Ran 0 tests.*\s+OK$", output, re.MULTILINE):
            output, code = f"{output}\nNo test ran.", 5  # as with Python 3.12
        if code:
            last = "\n".join(output.splitlines()[-10:])  # they name what fails
            self.failure = f"{self.command} fails:\n{last}\n(exit code {code})"
        return [self.failure] if code else []

    def asks_user(self):
        """Return whether the last reply asks the user something, who is there to answer."""
        _, said = self.look()
        return guards.is_user_there() and said.rstrip(" *_`)\n").endswith(("?", "？", "؟"))

    def look(self):
        """Return how many calls the model has made for this prompt, and its last words."""
        return len(guards.made), self.model.said

    def list_tasks(self):
        """Return the status of each task in the list, by its text."""
        return {one["text"]: one["status"] for one in self.todo.items}

    def report(self):
        """Say which files have changed, which tasks are open or gone, and how long each took."""
        guards.say(guards.describe_changes(self.model.files))
        now = self.list_tasks()
        if left := unfinished(self.todo.items):
            guards.say(f"Open in the list ({len(left)}): {'; '.join(left)}")
        open_before = [text for text, status in self.seen.items() if status != "completed"]
        if gone := [text for text in open_before if text not in now]:
            guards.say(f"Left the list and was not completed ({len(gone)}): {'; '.join(gone)}")
        times = self.todo.summary() if self.todo.items and hasattr(self.todo, "summary") else {}
        for task, seconds in times.items():
            guards.say(f"{seconds:8.1f} s  {task}")


def read_command():
    """Return what is given in the command and in the environment."""
    parser = argparse.ArgumentParser("my_agent", description="My agent, for the folder I am in.")
    parser.add_argument("prompt", nargs="*", help="what to do")
    parser.add_argument("--model", default=os.environ.get("MODEL_ID"), help="instead of MODEL_ID")
    said = "run this at each stop, such as 'make test': if it fails, the agent goes on"
    parser.add_argument("--check", metavar="COMMAND", default="", help=said)
    said = "write what is sent and answered to this new file: open_run(FILE) of the lesson draws it"
    parser.add_argument("--save", metavar="FILE", help=said)
    said = "run commands without network and home folder (Linux with bubblewrap)"
    parser.add_argument("--sandbox", action="store_true", help=said)
    given = parser.parse_args()
    given.prompt = " ".join(given.prompt)
    return given


def main(*parts, client=None, window=None):
    """Work on the user's prompts, in the folder in which the program was started.

    `client` is used in place of the server's, and `window` is how many messages are sent, besides
    the prompts (all, if it is None).
    """
    given = read_command()
    protection = guards.use_sandbox(given.sandbox)
    guards.check_folder(given.prompt)
    if not re.fullmatch(r"\d{,9}", size := os.environ.get("MY_AGENT_WINDOW", "")):
        sys.exit("MY_AGENT_WINDOW must be a number of messages, such as 12.")
    window = window or int(size or 0) or None
    if client is None:
        for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
            signal.signal(number, guards.close)
    client = guards.connect(given.model, LIMITS, client)
    given.model = given.model or "practice"
    try:
        agent = Agent(parts, given, client, window)
    except OSError as problem:
        sys.exit(guards.plain(f"--save {given.save}: {problem.strerror}"))
    prompt = given.prompt or ask_prompt() or sys.exit("Give a prompt.")
    agent.converse(prompt, protection)


def ask_prompt():
    """Return the user's next prompt, or "" at the end: an empty line, "exit", or Ctrl-C."""
    typed = ""
    if guards.is_user_there():
        with suppress(KeyboardInterrupt):
            typed = guards.read_prompt()
    return "" if typed.lower() in ("exit", "quit") else typed
