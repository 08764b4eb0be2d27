"""The project of a user in a terminal: its tools, which ask the user, and what the calls show."""

import re
import shlex
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction
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

LAZY = (iscoroutinefunction, isgeneratorfunction, isasyncgenfunction)
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")  # the names that the API accepts
OPTION = " (`--sandbox` runs them without a network and without your home folder.)"
FAILED = (
    "(This command ran in the sandbox. It has no network and no home folder, so none of your "
    "settings, keys and programs, and can write only in the project.)"
)


class Project:
    """The folder in which a program was started, and its user. A program makes one Project.

    A call has two steps: the question, and then the work (`approval.split`). `_ask_first` decides
    which tools ask, `_with_question` makes their question, and `ask` puts it to the user.
    `ask_user` is for a tool of the learner's.
    """

    def __init__(self, program: str) -> None:
        """Take the current folder. An agent never works in the folder of the file `program`."""
        try:
            self.root = Path.cwd().resolve()  # the agent works in this folder
        except FileNotFoundError:
            sys.exit("The folder in which you start this was deleted: start it in another one.")
        remember_own_keys()
        self.program, self.keyboard = Path(program).parent, Keyboard()
        self.in_sandbox = False
        self.is_told = False  # whether the user has read FAILED
        self.calls: list[Call] = []  # the calls of a prompt
        self.ran: list[Call] = []  # the calls that the user allowed, even if they failed
        self._failures = Failures()
        self._shown: list[str] = []  # the actions of the newest call that were shown to the user
        self._is_allowed = False  # whether the user has allowed the newest call
        self._asking: dict[str, Tool] = {}  # the tool behind `ask_user`, for each kind of action
        self.bash = self._offer("bash")
        self.write_file, self.edit_file = map(self._offer, ("write_file", "edit_file"))

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace of this folder. Raise ValueError if an agent must not work here."""
        return Workspace(self.root, sandbox=self.in_sandbox)

    @cached_property
    def _tools(self) -> dict[str, Tool]:
        """The package's tools by name. Each asks first, and names the file above its diff."""
        tools = {}
        for tool in self.workspace.tools():
            if tool.name == "bash":  # without a shell, the model reads the reason at once
                tool = replace(tool, run=self._run_bash, asks=has_shell())
            if tool.depends_on and tool.preview:
                tool = replace(tool, preview=partial(self._name_file, tool.preview))
            tools[tool.name] = self._ask_first(tool)
        return tools

    def _name_file(self, preview: Callable[..., str], path: str, **arguments: Any) -> str:
        """Return the preview of a change, below the name of its file."""
        name = diffs.show_name(self.find(path).relative_to(self.root).as_posix())
        return f"{name}\n{preview(path=path, **arguments)}"

    def _ask_first(self, tool: Tool) -> Tool:
        """Return a tool that asks the user before each call, unless it changes nothing."""
        if not tool.asks:
            return tool
        preview = tool.preview or approval.show_arguments
        named = replace(tool, preview=lambda **inputs: f"{tool.name}: {preview(**inputs)}")
        return self._with_question(named)

    def _with_question(self, tool: Tool) -> Tool:
        """Return a tool that shows its preview, and asks unless "a" has allowed the call."""

        def show_allowed(action: str) -> None:
            self._is_allowed = True
            # Only a diff is cut: the end of a command can undo its beginning.
            show = screen.say_first if tool.depends_on else screen.say
            show(self._draw(action), screen.CALL)

        asking_tool: Tool = approval.ask_first(tool, self.ask, show=show_allowed)
        return asking_tool

    def _offer(self, name: str) -> Tool:
        """Return a tool of the package, for the TOOLS of a program. It asks if it must.

        The program makes it before the options of the command are read, so the tool looks up the
        workspace, and with it the sandbox, only when it is called.
        """
        method = getattr(Workspace, name)
        tool = make_tool(method, getattr(Workspace, f"{name}_input"))

        def approve(**inputs: Any) -> None:
            for question in approval.split(self._tools[name])[:-1]:
                question.run(**inputs)

        def work(**inputs: Any) -> Any:
            return approval.split(self._tools[name])[-1].run(**inputs)

        work.__signature__ = signature(MethodType(method, self))  # type: ignore[attr-defined]
        return replace(tool, run=approval.TwoSteps(approve, replace(tool, run=work)))

    def find(self, path: str) -> Path:
        """Return the file of a path. Raise ValueError if the file is outside of the project."""
        return files.explain_errors(paths.find_file)(self.root, path)

    def read(self, path: str) -> str:
        """Return the text of a file. Raise ValueError or OSError, with a message for the model."""
        return self.workspace.read_file(path)

    def take_tool(self, tool: Tool | Callable[..., Any]) -> Tool:
        """Return an item of a program's TOOLS as a Tool.

        A learner's Tool gets a question before each call, and so does one of the package's with
        another `run`. A function asks by itself. The model may leave out an argument that has a
        default.
        """
        if isinstance(tool, Tool):
            return tool if isinstance(tool.run, approval.TwoSteps) else self._ask_first(tool)
        parameters = signature(tool).parameters.values()
        fields = {parameter.name: {"type": "string"} for parameter in parameters}
        required = [p.name for p in parameters if p.default is p.empty]
        return make_tool(tool, {"type": "object", "properties": fields, "required": required})

    def make_read_file(self, function: Callable[[Path, str], str]) -> Tool:
        """Return the tool `read_file` with a learner's function: see `read_by`."""

        def read_file(path: str, start_line: int | None = None, limit: int | None = None) -> str:
            text = read_by(function, self.root, path)
            return edits.show_lines(text, start_line, limit)

        read_file.__qualname__ = "read_file"  # an error about its arguments has this name
        tool = make_tool(Workspace.read_file, Workspace.read_file_input)
        return replace(tool, run=read_file, asks=False)

    def begin(self, is_retry: bool = False) -> None:
        """Forget the answers and calls of the prompt before, and note the files as they are now.

        `is_retry` is true after a prompt that the model declined: its calls and changes are then
        kept for `describe_work`.
        """
        self._before = list_files(self.root)
        if not is_retry:
            self._since = self._before
            self.ran.clear()
        approval.end_all()
        self._failures.clear()
        self.calls.clear()

    def describe_changes(self) -> str:
        """Return which files have changed since the prompt began, and where."""
        return describe_changes(self.root, self._before)

    def describe_work(self, most: int) -> str:
        """Return what was done since the last prompt that was not declined, for a model.

        These are the last `most` calls that the user allowed, and the files that have changed. It
        never names a folder outside of the project.
        """
        did = "; ".join(map(str, self.ran[-most:])) or "nothing"
        return f"{did}. {describe_changes(self.root, self._since)}"

    def follow(self, tool: Tool, shows_output: bool = False) -> Tool:
        """Return a tool that runs its steps, and records and shows its calls.

        With `shows_output`, their results are shown instead.
        """

        def run(**tool_input: Any) -> str:
            self._shown.clear()
            self._is_allowed = False
            try:
                for step in approval.split(tool):
                    output, has_failed = cut(run_tool(step, tool_input)), False
            except Exception as problem:
                output, has_failed = cut(escape.words_of(problem)), True
                screen.say(screen.indent_rest(f"(not done) {tool.name}: {output}"))
                if sys.stdin and sys.stdin.closed:  # `exit` closed it, but the user is still there
                    sys.stdin = open(0, closefd=False)
            self._record(Call(tool.name, tool_input, output, ok=not has_failed))
            output = self._failures.note(
                tool.name, tool_input, output, has_failed=has_failed, may_change=self._is_allowed
            )
            if has_failed:
                raise ValueError(output)
            if not self._shown:
                if shows_output:
                    screen.say(output, screen.PROGRAM)
                else:
                    first_field = next(iter(signature(tool.run).parameters), "")  # such as `path`
                    subject = tool_input.get(first_field, "")
                    screen.say(f"{tool.name}: {subject}", screen.CALL)
            return output if output.strip() else "(no output)"

        # With this signature, `call_tool` finds a wrong field, and names it as for any other tool.
        run.__signature__ = signature(tool.run)  # type: ignore[attr-defined]
        run.counts_failures = True  # type: ignore[attr-defined]
        return replace(tool, run=run)

    def _record(self, call: Call) -> None:
        """Record a call, and tell the user if the model goes in circles."""
        self.calls.append(call)
        if self._is_allowed:
            self.ran.append(call)
        if count_same(self.calls) == SAME_CALLS:
            screen.say(describe_circle(self.calls))

    def use_sandbox(self, wanted: bool) -> str:
        """Choose whether commands run in the sandbox. Return a sentence for the user about it."""
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
        without_sandbox = bubblewrap.FREE.format("")
        return without_sandbox + OPTION if import_guard.find_program("bwrap") else without_sandbox

    def _run_bash(self, command: str) -> str:
        """Run a command, and show the end of its output."""
        output, code = self.run_command(command)
        output = f"{output}\n(exit code {code})" if code else output
        screen.say_last(output)
        return output

    def run_command(self, command: str) -> tuple[str, int]:
        """Run a command, and end its processes. Return its output and its exit code."""
        try:
            output, code = self.workspace.run_command(command)
        except (OSError, ValueError) as problem:  # such as a timeout
            return str(problem), 1
        if code and self.in_sandbox and not self.is_told:
            self.is_told = True
            screen.say(f"(exit code {code}) {FAILED}")
            output = f"{output}\n{FAILED}"
        return output, code

    def ask_user(self, action: str, kind: str = "") -> None:
        """Show what the model wants to do, and raise PermissionError unless the user says yes.

        The answer "a" also allows the later calls of this kind, until the next prompt.
        """
        # A tool that only asks. The answer "a" is about one tool, and so about this kind.
        tool = Tool(kind, "", {}, lambda action: "", preview=lambda action: str(action))
        self._asking.setdefault(kind, self._with_question(tool)).run(action=action)

    def _draw(self, action: str) -> str:
        """Return the action of a call for the screen, and note that it is shown."""
        self._shown.append(action)
        return escape.for_approval(action, getattr(sys.stdout, "encoding", None) or "ascii")

    def ask(self, question: approval.Question) -> approval.Answer:
        """Show a question in full, and return the user's answer. This is an `approval.Ask`."""
        if approval.is_in_thread():
            raise PermissionError(approval.IN_THREAD)
        action = question.preview
        text = self._draw(action)
        codes = approval.describe_characters(question.tool, action, text)
        is_diff = question.tool in ("write_file", "edit_file")
        screen.say(text, screen.CALL, is_diff=is_diff)
        if question.why:
            screen.say(f"({question.why})")
        lines = text.split("\n")
        count = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
        size = f"{count} shown, {len(action):,} characters{codes}"  # one line can fill the screen
        if question.tool == "bash":
            size += ", in the sandbox" if self.in_sandbox else ", without a sandbox"
        all_choice = f", a (all {question.tool})" if question.tool else ""
        typed = self.keyboard.read_line(
            f"Allow {lines[0]:.70} ({size})? [y{all_choice}, n, or what instead] "
        )
        if typed is None:
            screen.say(approval.NOT_ANSWERED)
            raise PermissionError(approval.NO_ONE)
        answer = approval.parse_answer(typed)
        if answer == approval.UNTIL_NEXT_PROMPT and not question.tool:  # "a" was not offered
            raise PermissionError(approval.REFUSED)
        self._is_allowed = True
        return answer

    def check_folder(self, prompt: str) -> None:
        """End the program if an agent must not work in this folder, because its files could run."""
        places = (self.program, self.program.resolve())
        if any(place.is_relative_to(self.root) for place in places):
            line = shlex.join([sys.executable, str(self.program), prompt or "…"])
            advice = screen.plain(f"Start this in the folder of a project:\n\n    {line}")
            print(advice, file=sys.stderr)
            sys.exit(2)
        try:
            _ = self.workspace
        except (OSError, ValueError) as problem:
            sys.exit(screen.plain(f"{problem} Then start this in the folder of a project."))


def explain_tool(tool: Any, taken: Collection[str]) -> str:
    """Return what to change in an item of TOOLS, or "". `taken` has the names of other tools."""
    if isinstance(tool, Tool):
        function, name = tool.run, tool.name
    elif hasattr(tool, "__name__") and callable(tool) and not is_other_call(tool):
        function, name = tool, tool.__name__
    else:
        return f"{tool!r:.60} is not a function: write one with `def`, and its name without quotes."
    if name in taken or not TOOL_NAME.fullmatch(name):
        return f"rename {name:.60}: each name is used once, and has only a to z, 0 to 9 and _."
    if any(is_lazy(function) for is_lazy in LAZY):
        return f"{name} is async, or has `yield`, so a call would not run it: return the text."
    parameters = signature(function).parameters.values()
    wrong = [parameter for parameter in parameters if parameter.kind not in BY_NAME]
    if wrong and function is tool:
        return (
            f"{name} takes `{wrong[0]}`: write it without / and *, because it is sent by its name."
        )
    return ""


def is_other_call(tool: Any) -> bool:
    """Return whether a tool with the name and signature of a function is called in another way."""
    return isinstance(tool, partial) or hasattr(tool, "register")  # as `singledispatch` makes it


def has_shell() -> bool:
    """Return whether this computer has bash: Windows and a browser have none."""
    with suppress(FileNotFoundError):
        return bool(import_guard.find_bash())
    return False


def cut(text: str) -> str:
    """Return a text that can be sent: shortened, and without the key and half characters."""
    text, half = hide_keys_in(text), MAX_OUTPUT_CHARS // 2
    if len(text) > MAX_OUTPUT_CHARS:  # keep the end, which says whether a command has failed
        left_out = len(text) - 2 * half
        text = f"{text[:half]}\n... ({left_out} characters left out) ...\n{text[-half:]}"
    return escape.for_api(text)
