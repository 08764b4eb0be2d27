"""The conversation of a program in a terminal: the parts at work, until the user has no prompt."""

import argparse
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import wraps
from inspect import ismemberdescriptor
from typing import Any

from safetylib.guard.circles import EndedError, stop_in_vain
from safetylib.wire.last_reply import NO_REQUEST
from safetylib.wire.server.connect import MAX_TOKENS, make_settings  # of one reply
from safetylib.wire.server.limits import Limits

from ..nag import AFTER
from ..prompts import system_prompt
from ..signatures import call_loop, uses_remind
from ..todo import list_tool, unfinished
from ..tools import Tool
from . import screen
from .model import STOPPED, Model, connect
from .notes import Notes, to_json
from .project import Project, explain_tool

NO_LIST = "This loop does not use `remind`, so it runs without the list and the nag."
NO_CHECK = "No check was run. `--check COMMAND` runs one each time the model stops."


class Agent:
    """The parts at work on one conversation, with its list and its check.

    A program's own class extends it, in a file that is never renewed: what it may use has no
    underscore, and stays.
    """

    after = AFTER  # rounds without a todo call before a reminder

    def __init__(
        self, project: Project, tools: Sequence[Tool | Callable[..., str]], limits: Limits
    ) -> None:
        self.project, self._given_tools, self._limits = project, tools, limits

    def write_system(self, has_list: bool) -> str:
        """Return the system prompt, which is sent with each request."""
        return system_prompt(self.project.workspace.name, plan=has_list)

    def main(self, *parts: Any, client: Any = None, window: int | None = None) -> None:
        """Work on the user's prompts, in the folder in which the program was started.

        `client` is used in place of the server's, and `window` is how many messages are sent,
        besides the prompts (all, if it is None).
        """
        given = read_command()
        protection = self.project.use_sandbox(given.sandbox)
        self.project.check_folder(given.prompt)
        if not re.fullmatch(r"\d{,9}", size := os.environ.get("MY_AGENT_WINDOW", "")):
            sys.exit("MY_AGENT_WINDOW must be a number of messages, such as 12.")
        window = window or int(size or 0) or None
        if client is None:
            for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
                signal.signal(number, screen.close)
        client = connect(given.model, self._limits, client)
        given.model = given.model or "practice"
        try:
            self._assemble(parts, given, client, window)
        except OSError as problem:
            sys.exit(screen.plain(f"--save {given.save}: {problem.strerror}"))
        prompt = given.prompt or self._ask_prompt() or sys.exit("Give a prompt.")
        self._converse(prompt, protection)

    def _assemble(self, parts: Sequence[Any], given: Any, client: Any, window: int | None) -> None:
        """Put the parts together. Raise OSError if the file of --save cannot be made."""
        self._loop, todo_class, self._make_nag, self._ask_at_the_stop, make_room, read_file = parts
        self.todo, self._failure, self._command = todo_class(), "", given.check
        self.messages: list[Any] = []
        root = str(self.project.root)
        first = {"folder": root, "program": "my_agent", "model": given.model, "window": window}
        self._notes = Notes(given.save, **first)
        more = (window, self._limits, lambda messages: make_room(messages, self.todo))
        self._model = Model(client, self.project, self._notes, *more)
        self._tools: list[Tool] = []
        self._note = ""
        self._seen: dict[str, str] = {}  # the status of each task that was listed since the prompt
        self._has_remind = uses_remind(self._loop)
        if not self._has_remind and todo_class.__module__.startswith("agentlib."):
            self._note = NO_LIST
        else:
            listed = list_tool(self.todo)

            @wraps(listed.run)  # so a field too much is told as for any other tool
            def update(**given: Any) -> Any:
                try:
                    return listed.run(**given)
                finally:
                    self._seen |= self._list_tasks()

            self._tools = [self.project.show(replace(listed, run=update), shows_output=True)]
        has_list = bool(self._tools)
        tools = [self.project.make_read_file(read_file)]
        for given_tool in self._given_tools:
            taken = [tool.name for tool in (*self._tools, *tools)]
            if problem := explain_tool(given_tool, taken):
                sys.exit(screen.plain(f"TOOLS in {self.project.program}: {problem}"))
            tools.append(self.project.take_tool(given_tool))
        self._tools += [self.project.show(one) for one in tools]
        host = getattr(getattr(client, "base_url", None), "host", "")
        self._settings = make_settings(given.model, MAX_TOKENS, host)
        self._settings["system"] = self.write_system(has_list)
        self._has_list = has_list

    def _converse(self, prompt: str, said: str) -> None:
        """Say this, work on the prompt, and on each that the user types, until there is none.

        Ctrl-C ends a run, and the conversation only if nobody is there to go on.
        """
        while prompt:
            try:
                if not self.messages:
                    screen.say("\n".join(filter(None, [said, self._note])))
                self._work(prompt)
            except (KeyboardInterrupt, SystemExit) as ended:
                said = str(getattr(ended, "code", None) or STOPPED)
                if not screen.is_user_there():
                    sys.exit(screen.plain(said))
                with suppress(KeyboardInterrupt):  # nothing more is stopped by a second Ctrl-C
                    screen.say(said)
            prompt = self._ask_prompt()

    def _ask_prompt(self) -> str:
        """Return the user's next prompt, or "" at the end: an empty line, "exit", or Ctrl-C."""
        typed = ""
        if screen.is_user_there():
            with suppress(KeyboardInterrupt):
                typed = self.project.keyboard.read_prompt()
        return "" if typed.lower() in ("exit", "quit") else typed

    def _work(self, prompt: str) -> None:
        """Let the model work on a prompt until it stops, and say what is open."""
        left = len(unfinished(self.todo.items))
        self._model.begin(prompt, self.messages, self._has_list, left)
        self._seen, self._failure = self._list_tasks(), ""
        before = copy_fields(self.todo)
        try:
            nag = self._make_nag(self.todo, self.after) if self._has_remind else None
            self._remind = None if nag is None else self._notes.watch(nag)
            missing = stop_in_vain(self._find_missing, self._look)
            self._ask_at_the_stop(self._run, self.messages, missing)
        except EndedError as problem:
            sys.exit(f"{self._failure}\n{problem}")
        except Exception:  # of a part
            sys.exit(f"{traceback.format_exc()}{STOPPED}")
        finally:
            self._notes.add_sent(to_json(self.messages))
            if self._model.has_declined:  # each later request with its words is declined as well
                restore_fields(self.todo, before)
                self._seen = self._list_tasks()
            self.report()
        if not self._model.has_asked:
            self._model.fail(NO_REQUEST)
        if self._failure:
            sys.exit(self._failure)
        if not self._asks_user():
            screen.say(f"{self._command}: passes" if self._command else NO_CHECK)

    def _run(self) -> None:
        """Play the loop once, until the model calls no tool."""
        if self._failure:  # the model is asked again, and the user reads why
            screen.say(f"(check) {self._failure}", screen.PROGRAM)
        given = (self._model, self.messages, self._tools, self._remind)
        call_loop(self._loop, *given, **self._settings)

    def _find_missing(self) -> list[str]:
        """Return what the user's command says against the files, unless the model asks the user."""
        self._failure = ""
        if not self._command or self._asks_user():
            return []
        output, code = self.project.run_command(self._command)
        if code == 0 and re.search(r"^Ran 0 tests.*\s+OK$", output, re.MULTILINE):
            output, code = f"{output}\nNo test ran.", 5  # as with Python 3.12
        if code:
            last = "\n".join(output.splitlines()[-10:])  # they name what fails
            self._failure = f"{self._command} fails:\n{last}\n(exit code {code})"
        return [self._failure] if code else []

    def _asks_user(self) -> bool:
        """Return whether the last reply asks the user something, who is there to answer."""
        _, said = self._look()
        return screen.is_user_there() and said.rstrip(" *_`)\n").endswith(("?", "？", "؟"))

    def _look(self) -> tuple[int, str]:
        """Return how many calls the model has made for this prompt, and its last words."""
        return len(self.project.made), self._model.said

    def _list_tasks(self) -> dict[str, str]:
        """Return the status of each task in the list, by its text."""
        return {one["text"]: one["status"] for one in self.todo.items}

    def report(self) -> None:
        """Say which files have changed, which tasks are open or gone, and how long each took."""
        screen.say(self.project.describe_changes())
        now = self._list_tasks()
        if left := unfinished(self.todo.items):
            screen.say(f"Open in the list ({len(left)}): {'; '.join(left)}")
        open_before = [text for text, status in self._seen.items() if status != "completed"]
        if gone := [text for text in open_before if text not in now]:
            words = f"Removed from the list before it was completed ({len(gone)})"
            screen.say(f"{words}: {'; '.join(gone)}")
        times = self.todo.summary() if self.todo.items and hasattr(self.todo, "summary") else {}
        for task, seconds in times.items():
            is_late = not seconds and now.get(task) == "completed"
            why = "  (ticked before it was begun)" * is_late
            screen.say(f"{seconds:8.1f} s  {task}{why}")


def copy_fields(todo: Any) -> dict[str, Any]:
    """Return a copy of what a list has: its items and, in any form, their times."""
    fields = {"items": todo.items, **getattr(todo, "__dict__", {})}  # also from `__slots__`
    try:
        return deepcopy(fields)
    except Exception:  # such as an open file of a learner's: then its items at least
        return fields | {"items": deepcopy(todo.items)}


def restore_fields(todo: Any, before: dict[str, Any]) -> None:
    """Let a list have what `copy_fields` has returned: of its slots, the items."""
    if ismemberdescriptor(getattr(type(todo), "items", None)):
        todo.items = before.pop("items")
    if hasattr(todo, "__dict__"):
        vars(todo).clear()
        vars(todo).update(before)


def read_command() -> Any:
    """Return what is given in the command and in the environment."""
    parser = argparse.ArgumentParser("my_agent", description="My agent, for the folder I am in.")
    parser.add_argument("prompt", nargs="*", help="what to do")
    parser.add_argument(
        "--model",
        default=os.environ.get("MODEL_ID"),
        help="the name of the model, in place of MODEL_ID",
    )
    said = "run this command each time the model stops: if it fails, the agent goes on"
    parser.add_argument("--check", metavar="COMMAND", default="", help=said)
    said = "write each request and reply to this new file, which the lesson's open_run(FILE) draws"
    parser.add_argument("--save", metavar="FILE", help=said)
    said = "run commands without a network and a home folder (Linux with bubblewrap)"
    parser.add_argument("--sandbox", action="store_true", help=said)
    given = parser.parse_args()
    given.prompt = " ".join(given.prompt)
    return given
