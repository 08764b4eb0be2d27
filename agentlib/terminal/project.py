"""What is between the model and the user of a terminal: questions, commands, files, and calls."""

import re
import shlex
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from inspect import iscoroutinefunction, isgeneratorfunction
from pathlib import Path
from types import MethodType
from typing import Any

from safetylib.guard import (
    approval,
    bubblewrap,
    diffs,
    edits,
    escape,
    files,
    import_guard,
    paths,
)
from safetylib.guard.circles import SAME_CALLS, Failures, count_same, describe_circle
from safetylib.guard.hide_keys import hide_keys_in, remember_own_keys
from safetylib.guard.read_by import read_by
from safetylib.guard.shell import MAX_OUTPUT_CHARS
from safetylib.guard.signatures import signature

from ..signatures import BY_NAME
from ..tools import Call, Tool, run_tool
from ..workspace import Workspace, make_tool
from . import screen
from .changes import describe_changes, list_files
from .keyboard import Keyboard

NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")  # of a tool, as the API accepts it
OPTION = " (`--sandbox` runs them without a network and without your home folder.)"
FAILED = (
    "(This command ran in the sandbox. It has no network and no home folder, so none of your "
    "settings, keys and programs, and can write only in the project.)"
)


class Project:
    """The folder in which a program was started, and the user there: one object for a program."""

    def __init__(self, program: str) -> None:
        """Take the name of a file of the program: no agent works in its folder."""
        try:
            self.root = Path.cwd().resolve()  # the agent works in this folder
        except FileNotFoundError:
            sys.exit("The folder in which you start this was deleted: start it in another one.")
        remember_own_keys()
        self.program, self.keyboard = Path(program).parent, Keyboard()
        self.in_sandbox = self.is_told = False
        self.made: list[Call] = []  # the calls of a prompt
        self.ran: list[Call] = []  # those that the user has allowed, also if they have failed
        self._failures = Failures()
        self._shown: list[str] = []  # what a call does, by a question, or because "a" allowed it
        self._is_allowed = False
        self._asking: dict[str, Tool] = {}
        self.bash = self._offer("bash")
        self.write_file, self.edit_file = map(self._offer, ("write_file", "edit_file"))

    # What is between the model and the files.
    @cached_property
    def workspace(self) -> Workspace:
        """The package's tools for this folder. Raise ValueError where no agent must work."""
        return Workspace(self.root, sandbox=self.in_sandbox)

    @cached_property
    def _tools(self) -> dict[str, Tool]:
        """The package's tools by name. Each asks first, and names the file above its diff."""
        tools = {one.name: one for one in self.workspace.tools()}
        tools["bash"] = replace(tools["bash"], run=self._run_bash)
        return {
            name: self._ask_first(self._name_file(one) if one.depends_on else one)
            for name, one in tools.items()
        }

    def _name_file(self, tool: Tool) -> Tool:
        def preview(path: str, **more: Any) -> str:
            assert tool.preview
            name = diffs.show_name(self.find(path).relative_to(self.root).as_posix())
            return f"{name}\n{tool.preview(path=path, **more)}"

        return replace(tool, preview=preview)

    def _ask_first(self, tool: Tool) -> Tool:
        """Return a tool that asks the user before each call, unless it changes nothing."""
        if not tool.asks:
            return tool
        preview = tool.preview or approval.show_arguments
        return self._asks(replace(tool, preview=lambda **given: f"{tool.name}: {preview(**given)}"))

    def _asks(self, tool: Tool) -> Tool:
        def show(action: str) -> None:  # of what "a" has allowed, only a diff is cut
            self._is_allowed = True
            shows = screen.say_first if tool.depends_on else screen.say
            shows(self._draw(action), screen.MODEL)

        asked: Tool = approval.ask_first(tool, self.ask, show=show)
        return asked

    def _offer(self, name: str) -> Tool:
        """Return a tool of the package, for the TOOLS of a program: it asks by itself.

        Whether there is a sandbox is known only when it is called.
        """
        method = getattr(Workspace, name)

        def run(*args: Any, **given: Any) -> str:
            if name == "bash" and not has_shell():  # nobody is asked, and the model reads why
                return self._run_bash(*args, **given)
            return self._tools[name].run(*args, **given)

        run.__signature__ = signature(MethodType(method, self))  # type: ignore[attr-defined]
        return replace(make_tool(method, getattr(Workspace, f"{name}_input")), run=run)

    def find(self, path: str) -> Path:
        """Return the file of a path. Raise ValueError if it is outside of the project."""
        return files.explain_errors(paths.find_file)(self.root, path)

    def read(self, path: str) -> str:
        """Return the text of a file. Raise ValueError or OSError, with a message for the model."""
        return self.workspace.read_file(path)

    def take_tool(self, one: Tool | Callable[..., Any]) -> Tool:
        """Return one of a program's TOOLS as a Tool. A function, and ours, ask by themselves.

        The model may leave out an argument that has a default.
        """
        if isinstance(one, Tool):
            ours = (self.bash, self.write_file, self.edit_file)
            return one if one.run in [tool.run for tool in ours] else self._ask_first(one)
        asked = signature(one).parameters
        fields = {name: {"type": "string"} for name in asked}
        required = [name for name, it in asked.items() if it.default is it.empty]
        return make_tool(one, {"type": "object", "properties": fields, "required": required})

    def make_read_file(self, function: Callable[[Path, str], str]) -> Tool:
        """Return the tool of a part's `read_file`. What is refused, it is called for its words."""

        def read_file(path: str, start_line: int | None = None, limit: int | None = None) -> str:
            text = read_by(function, self.root, path)
            return edits.show_lines(text, start_line, limit)

        read_file.__qualname__ = "read_file"  # as an error about its arguments names it
        tool = make_tool(Workspace.read_file, Workspace.read_file_input)
        return replace(tool, run=read_file, asks=False)

    def begin(self, is_retry: bool = False) -> None:
        """Forget what was answered and called for the prompt before, and look at the files.

        After a prompt that was refused, what has run and changed for it is kept.
        """
        self._before = list_files(self.root)
        if not is_retry:
            self._since = self._before
            self.ran.clear()
        approval.end_all()
        self._failures.clear()
        self.made.clear()

    def describe_changes(self) -> str:
        """Return which files have changed since the prompt began, and where."""
        return describe_changes(self.root, self._before)

    def describe_work(self, most: int) -> str:
        """Return what the user has allowed since the last prompt that was not refused, for a model.

        These are the last `most` calls and the files that have changed. It names no other folder.
        """
        did = "; ".join(map(str, self.ran[-most:])) or "nothing"
        return f"{did}. {describe_changes(self.root, self._since)}"

    def show(self, tool: Tool, shows_output: bool = False) -> Tool:
        """Return a tool that shows its calls, or what it returns, and returns text."""
        name, first = tool.name, next(iter(signature(tool.run).parameters), "")  # such as the path

        def run(**given: Any) -> str:
            self._shown.clear()
            self._is_allowed = False
            try:
                output, failed = cut(run_tool(tool, given)), False
            except Exception as problem:
                output, failed = cut(str(problem) or type(problem).__name__), True
                screen.say(f"(not done) {name}: {output}")
                if sys.stdin and sys.stdin.closed:  # by `exit`, but the user is still there
                    sys.stdin = open(0, closefd=False)
            self.made.append(call := Call(name, given, output, not failed))
            if self._is_allowed:
                self.ran.append(call)
            if count_same(self.made) == SAME_CALLS:
                screen.say(describe_circle(self.made))
            now = {"has_failed": failed, "may_change": self._is_allowed}
            output = self._failures.note(name, given, output, **now)
            if failed:
                raise ValueError(output)
            if not self._shown:
                if shows_output:
                    screen.say(output, screen.PROGRAM)
                else:
                    screen.say(f"{name}: {given.get(first, '')}", screen.MODEL)
            return output if output.strip() else "(no output)"

        # So a wrong field is told in the package's words.
        run.__signature__ = signature(tool.run)  # type: ignore[attr-defined]
        return replace(tool, run=run)

    def use_sandbox(self, wanted: bool) -> str:
        """Let commands run in the sandbox, or as the user does. Return a sentence that says it."""
        self.in_sandbox = wanted
        try:
            import_guard.find_bash()
            if wanted and not bubblewrap.sandbox_works():
                sys.exit(
                    f"--sandbox: this computer has no sandbox ({bubblewrap.explain_missing()})."
                )
        except FileNotFoundError as problem:
            return str(problem)
        except OSError as problem:
            sys.exit(f"--sandbox: {problem}")
        if wanted:
            return bubblewrap.BOXED
        return bubblewrap.FREE.format("") + (OPTION if import_guard.find_program("bwrap") else "")

    def _run_bash(self, command: str) -> str:
        """Run a command, and show the end of what it prints."""
        output, code = self.run_command(command)
        output = f"{output}\n(exit code {code})" if code else output
        screen.say_last(output)
        return output

    def run_command(self, command: str) -> tuple[str, int]:
        """Return the output and the exit code of a command, and end all that it has started."""
        try:
            output, code = self.workspace.run_command(command)
        except (OSError, ValueError) as problem:  # such as its time limit, or no sandbox now
            return str(problem), 1
        if code and self.in_sandbox and not self.is_told:
            self.is_told = True
            screen.say(f"(exit code {code}) {FAILED}")
            output = f"{output}\n{FAILED}"
        return output, code

    # What is between the model and the user.
    def ask_user(self, action: str, kind: str = "") -> None:
        """Show what the model wants to do, and raise PermissionError unless the user says yes.

        The answer "a" also allows the later calls of this kind, until the next prompt.
        """
        if kind not in self._asking:  # a tool that does nothing but ask: "a" is about its kind only
            asked = Tool(kind, "", {}, lambda action: "", preview=lambda action: str(action))
            self._asking[kind] = self._asks(asked)
        self._asking[kind].run(action=action)

    def _draw(self, action: str) -> str:
        """Return what a call does, for the screen, and note that it is shown."""
        self._shown.append(action)
        return escape.for_approval(action, getattr(sys.stdout, "encoding", None) or "ascii")

    def ask(self, question: approval.Question) -> approval.Answer:
        """Show a question in full, and return the user's answer: an `approval.Ask`."""
        action = question.preview
        text = self._draw(action)
        codes = approval.describe_characters(question.tool, action, text)
        is_diff = question.tool in ("write_file", "edit_file")
        screen.say(text, screen.MODEL, is_diff=is_diff)
        if question.why:
            screen.say(f"({question.why})")
        lines = text.split("\n")
        many = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
        size = f"{many} shown, {len(action):,} characters{codes}"  # one line can fill the screen
        if question.tool == "bash":
            size += ", in the sandbox" if self.in_sandbox else ", without a sandbox"
        all_of = f", a (all {question.tool})" if question.tool else ""
        asked = f"Allow {lines[0]:.70} ({size})? [y{all_of}, n, or what instead] "
        said = self.keyboard.read_line(asked)
        if said is None:
            screen.say(approval.NOT_ANSWERED)
            raise PermissionError(approval.NO_ONE)
        answer = approval.parse_answer(said)
        if answer == approval.ALL_IN_THIS_RUN and not question.tool:  # there is no "all" of it
            raise PermissionError(approval.REFUSED)
        self._is_allowed = True
        return answer

    def check_folder(self, prompt: str) -> None:
        """End the program where an agent must not work: what it writes there could run."""
        places = (self.program, self.program.resolve())
        if any(place.is_relative_to(self.root) for place in places):
            line = shlex.join([sys.executable, str(self.program), prompt or "…"])
            said = screen.plain(f"Start this in the folder of a project:\n\n    {line}")
            print(said, file=sys.stderr)
            sys.exit(2)
        try:
            _ = self.workspace
        except (OSError, ValueError) as problem:
            sys.exit(screen.plain(f"{problem} Then start this in the folder of a project."))


def explain_tool(one: Any, taken: Collection[str]) -> str:
    """Return what to change in one of TOOLS, or "". `taken` are the names of other tools."""
    if not (isinstance(one, Tool) or callable(one) and hasattr(one, "__name__")):
        return f"{one!r:.60} is not a function: write one with `def`, and its name without quotes."
    function, name = (one.run, one.name) if isinstance(one, Tool) else (one, one.__name__)
    if name in taken or not NAME.fullmatch(name):
        return f"rename {name:.60}: each name is used once, and has only a to z, 0 to 9 and _."
    if iscoroutinefunction(function) or isgeneratorfunction(function):
        return f"{name} is async, or has `yield`, so a call would not run it: return the text."
    wrong = [each for each in signature(function).parameters.values() if each.kind not in BY_NAME]
    if wrong and function is one:
        return (
            f"{name} takes `{wrong[0]}`: write it without / and *, because it is sent by its name."
        )
    return ""


def has_shell() -> bool:
    """Return whether this computer has bash: Windows and a browser have none."""
    with suppress(FileNotFoundError):
        return bool(import_guard.find_bash())
    return False


def cut(text: str) -> str:
    """Return text that can be sent: not too long, and without half a character or the key."""
    text, half = hide_keys_in(text), MAX_OUTPUT_CHARS // 2
    if len(text) > MAX_OUTPUT_CHARS:  # the end of an output says whether it has failed
        left_out = len(text) - 2 * half
        text = f"{text[:half]}\n... ({left_out} characters left out) ...\n{text[-half:]}"
    return escape.for_api(text)
