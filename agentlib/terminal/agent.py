"""The conversation of a program in a terminal: the parts work on prompts until the user ends it."""

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

from ..defaults import AFTER
from ..list_tool import list_tool, make_nag, unfinished
from ..prompts import system_prompt
from ..signatures import call_loop, uses_remind
from ..tools import Tool
from . import screen
from .changes import UNCHANGED
from .model import STOPPED, Model, connect
from .notes import Notes, to_json
from .project import Project, explain_tool

NO_LIST = "This loop does not use `remind`, so it runs without the list and the nag."
NO_CHECK = "No check was run. `--check COMMAND` runs one each time the model stops."


class Agent:
    """One conversation: the parts of a program, the list, and the user's check.

    A learner's frame.py extends this class, and the lesson never replaces that file. So names
    without an underscore stay as they are.
    """

    after = AFTER  # rounds without a todo call before a reminder

    def __init__(
        self, project: Project, tools: Sequence[Tool | Callable[..., str]], limits: Limits
    ) -> None:
        self.project, self._program_tools, self._limits = project, tools, limits

    def write_system(self, has_list: bool) -> str:
        """Return the system prompt, which is sent with each request."""
        return system_prompt(self.project.workspace.name, plan=has_list)

    def main(self, *parts: Any, client: Any = None, window: int | None = None) -> None:
        """Work on the user's prompts, in the folder in which the program was started.

        `client` is used in place of the server's. `window` is the number of messages that are
        sent besides the prompts. If it is None, MY_AGENT_WINDOW is used, or all are sent.
        """
        options = read_command()
        protection = self.project.use_sandbox(options.sandbox)
        self.project.check_folder(options.prompt)
        window_of_user = read_window()
        self._take_parts(parts)
        if client is None:
            for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
                signal.signal(number, screen.close)
        client = connect(options.model, self._limits, client)
        options.model = options.model or "practice"
        try:
            self._assemble(options, client, window or window_of_user)
        except OSError as problem:
            sys.exit(screen.plain(f"--save {options.save}: {problem.strerror}"))
        prompt = options.prompt or self._read_prompt()
        if not prompt:
            sys.exit("Give a prompt.")
        self._converse(prompt, protection)

    def _take_parts(self, parts: Sequence[Any]) -> None:
        """Make the list and the tools. End the program if an item of TOOLS cannot be used."""
        self._loop, todo_class, self._nag, self._ask_at_the_stop, *others = parts
        self._trim_messages, read_file = others
        self.todo = todo_class()
        self._has_remind = uses_remind(self._loop)
        # Without `remind`, the package's list would have no nag, so it is left out as well.
        self._has_list = self._has_remind or not todo_class.__module__.startswith("agentlib.")
        list_tools = [self._make_list_tool()] if self._has_list else []
        self._list_name = list_tools[0].name if list_tools else ""
        tools = [self.project.make_read_file(read_file)]
        for program_tool in self._program_tools:
            taken = [tool.name for tool in (*list_tools, *tools)]
            if problem := explain_tool(program_tool, taken):
                sys.exit(screen.plain(f"TOOLS in {self.project.program}: {problem}"))
            tools.append(self.project.take_tool(program_tool))
        self._tools = [*list_tools, *map(self.project.follow, tools)]

    def _assemble(self, options: Any, client: Any, window: int | None) -> None:
        """Put the conversation together. Raise OSError if the file of --save cannot be made."""
        self._command = options.check
        self._failure: str | None = None  # None if the loop ran since the check, "" if it passes
        self._is_told = False  # that no check was run: once, after the first prompt with changes
        self.messages: list[Any] = []
        self._statuses: dict[str, str] = {}  # of each task that was listed since the prompt
        root, model = str(self.project.root), options.model
        session = {"folder": root, "program": "my_agent", "model": model, "window": window}
        self._notes = Notes(options.save, **session)
        shorten = lambda messages: self._trim_messages(messages, self.todo)  # noqa: E731
        self._model = Model(client, self.project, self._notes, window, self._limits, shorten)
        host = getattr(getattr(client, "base_url", None), "host", "")
        self._settings = make_settings(model, MAX_TOKENS, host)
        self._settings["system"] = self.write_system(self._has_list)

    def _make_list_tool(self) -> Tool:
        """Return the tool of the list, which also notes the status of each task."""
        tool = list_tool(self.todo)

        @wraps(tool.run)  # an extra field gives the usual error
        def update(**tool_input: Any) -> Any:
            try:
                return tool.run(**tool_input)
            finally:
                self._statuses |= self._read_statuses()

        return self.project.follow(replace(tool, run=update), shows_output=True)

    def _converse(self, prompt: str, protection: str) -> None:
        """Say how commands run. Work on the prompt, and on each that the user types after it.

        Ctrl-C ends a run. It ends the conversation only if the user is not at a terminal.
        """
        while prompt:
            try:
                if not self.messages:
                    screen.say(protection if self._has_list else f"{protection}\n{NO_LIST}")
                    screen.say(screen.legend())
                self._work(prompt)
            except (KeyboardInterrupt, SystemExit) as ended:
                reason = str(getattr(ended, "code", None) or STOPPED)
                if not screen.is_user_there():
                    sys.exit(screen.plain(reason))
                with suppress(KeyboardInterrupt):  # a second Ctrl-C has nothing more to stop
                    screen.say(reason)
            prompt = self._read_prompt()

    def _read_prompt(self) -> str:
        """Return the user's next prompt, or "" at the end: an empty line, "exit", or Ctrl-C."""
        typed = ""
        if screen.is_user_there():
            with suppress(KeyboardInterrupt):
                typed = self.project.keyboard.read_prompt()
        return "" if typed.lower() in ("exit", "quit") else typed

    def _work(self, prompt: str) -> None:
        """Let the model work on a prompt until it stops, and report to the user."""
        left = len(unfinished(self.todo.items))
        self._model.begin(prompt, self.messages, self._has_list, left)
        self._statuses, self._failure = self._read_statuses(), None
        before = copy_fields(self.todo)
        try:
            nag = make_nag(self._nag, self.todo, self.after) if self._has_remind else None
            self._remind = None if nag is None else self._notes.note_reminders(nag)
            missing = stop_in_vain(self._run_check, self._read_progress)
            self._ask_at_the_stop(self._run, self.messages, missing)
            if self._failure is None:  # the last run was not looked at: a limit, or another stop.py
                self._run_check()
        except EndedError as problem:
            sys.exit(f"{screen.indent_rest(self._failure or '')}\n{problem}")
        except Exception:  # raised by a learner's part
            sys.exit(f"{traceback.format_exc()}{STOPPED}")
        finally:
            self._notes.add_sent(to_json(self.messages))
            if self._model.has_declined:  # the prompt will be left out, so its list goes as well
                restore_fields(self.todo, before)
                self._statuses = self._read_statuses()
            self.report()
        if not self._model.has_asked:
            self._model.fail(NO_REQUEST)
        if self._failure:
            sys.exit(screen.indent_rest(self._failure))
        if not self._waits_for_user():
            if self._command:
                screen.say(f"{self._command}: passes")
            elif not self._is_told and self.project.describe_changes() != UNCHANGED:
                self._is_told = True
                screen.say(NO_CHECK)

    def _run(self) -> None:
        """Play the loop once, until the model calls no tool."""
        if self._failure:  # the model reads this in the question, and the user here
            screen.say(f"(check) {self._failure}", screen.PROGRAM)
        self._failure = None
        call_loop(
            self._loop, self._model, self.messages, self._tools, self._remind, **self._settings
        )

    def _run_check(self) -> list[str]:
        """Run the user's check. Return its failure, or nothing if the model waits for the user."""
        self._failure = ""
        if not self._command or self._waits_for_user():
            return []
        output, code = self.project.run_command(self._command)
        if code == 0 and re.search(r"^Ran 0 tests.*\s+OK$", output, re.MULTILINE):
            output, code = f"{output}\nNo test ran.", 5  # as Python 3.12 does
        if code:
            last_lines = "\n".join(output.splitlines()[-10:])  # they name what fails
            self._failure = f"{self._command} fails:\n{last_lines}\n(exit code {code})"
        return [self._failure] if code else []

    def _waits_for_user(self) -> bool:
        """Return whether the last reply ends with a question, and the user is there to answer."""
        if not screen.is_user_there():
            return False
        return self._model.last_words.rstrip(" *_`)\n").endswith(("?", "？", "؟"))

    def _read_progress(self) -> tuple[int, str]:
        """Return how many calls the model has made for this prompt, and its last words."""
        return len(self.project.calls), self._model.last_words

    def _read_statuses(self) -> dict[str, str]:
        """Return the status of each task in the list, by its text."""
        return {item["text"]: item["status"] for item in self.todo.items}

    def report(self) -> None:
        """Say which files have changed, which tasks are open or gone, and how long each took."""
        screen.say(self.project.describe_changes())
        now = self._read_statuses()
        if left := unfinished(self.todo.items):
            screen.say(f"Open in the list ({len(left)}): {screen.one_line('; '.join(left))}")
        open_before = [text for text, status in self._statuses.items() if status != "completed"]
        if gone := [text for text in open_before if text not in now]:
            words = f"Removed from the list before it was completed ({len(gone)})"
            screen.say(f"{words}: {screen.one_line('; '.join(gone))}")
        # Without a call of the list, they are those of an earlier prompt.
        has_listed = any(call.name == self._list_name for call in self.project.calls)
        times = self.todo.summary() if has_listed and hasattr(self.todo, "summary") else {}
        for task, seconds in times.items():
            line = f"{seconds:8.1f} s  {screen.one_line(task)}"
            if not seconds and now.get(task) == "completed":
                line += "  (ticked before it was begun)"
            screen.say(line)


def copy_fields(todo: Any) -> dict[str, Any]:
    """Return a copy of the fields of a list: its items and, in any form, their times."""
    fields = {"items": todo.items, **getattr(todo, "__dict__", {})}  # `items` may be a slot
    try:
        return deepcopy(fields)
    except Exception:  # a field cannot be copied, such as an open file: copy the items at least
        return fields | {"items": deepcopy(todo.items)}


def restore_fields(todo: Any, before: dict[str, Any]) -> None:
    """Give a list the fields that `copy_fields` returned. Its only slot may be `items`."""
    if ismemberdescriptor(getattr(type(todo), "items", None)):
        todo.items = before.pop("items")
    if hasattr(todo, "__dict__"):
        vars(todo).clear()
        vars(todo).update(before)


def read_window() -> int | None:
    """Return the number in MY_AGENT_WINDOW, or None. End the program if it is not a number."""
    size = os.environ.get("MY_AGENT_WINDOW", "")
    if not re.fullmatch(r"\d{,9}", size):
        sys.exit("MY_AGENT_WINDOW must be a number of messages, such as 12.")
    return int(size or 0) or None


def read_command() -> Any:
    """Return the options of the command line. The environment may name the model."""
    parser = argparse.ArgumentParser("my_agent", description="My agent, for the folder I am in.")
    parser.add_argument("prompt", nargs="*", help="what to do")
    parser.add_argument(
        "--model",
        default=os.environ.get("MODEL_ID"),
        help="the name of the model, in place of MODEL_ID",
    )
    check_help = "run this command each time the model stops: if it fails, the agent goes on"
    save_help = (
        "write each request and reply to this new file, which the lesson's open_run(FILE) draws"
    )
    sandbox_help = "run commands without a network and a home folder (Linux with bubblewrap)"
    parser.add_argument("--check", metavar="COMMAND", default="", help=check_help)
    parser.add_argument("--save", metavar="FILE", help=save_help)
    parser.add_argument("--sandbox", action="store_true", help=sandbox_help)
    options = parser.parse_args()
    options.prompt = " ".join(options.prompt)
    return options
