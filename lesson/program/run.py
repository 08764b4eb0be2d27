"""What the program my_agent.py does besides its parts: it opens a workspace, prints, and checks.

The terminal also opens its workspace here.
"""

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Container
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from agentlib import escape
from agentlib.loop import run
from agentlib.nag import AFTER
from agentlib.prompts import system_prompt
from agentlib.todo import TodoManager
from agentlib.tools import Call, Tool
from agentlib.workspace import Workspace

from ..blocks import blocks_of, describe_result, find_reminders
from ..model_choice import connect
from ..practice.policy import jobs
from ..real_model.connection import Connection
from ..redaction import redact_text
from ..samples import MAX_QUESTIONS, copy_sample
from ..trying import exhaust
from ..understood import judge_reminder

# Names that the program defines before its parts. A cell's own definition of them is not kept.
GIVEN = ("prompt", "messages", "model", "client", "workspace")
# The lists and nags that a program can use, and how it makes a nag: the one that shows the list
# comes first.
LISTS = ("TimedTodo", "PriorityTodo", "KeptTodo")
NAGS: dict[str, Callable[[Any, Any], Any]] = {
    "MyReminder": lambda nag, todo: nag(todo, AFTER),
    "PriorityNag": lambda nag, todo: nag(todo),
    "MyNag": lambda nag, todo: nag(AFTER),
}
CHECK_LINES = 10  # of its output, at most


def start_program() -> dict[str, Any]:
    """Connect and open the workspace for the prompt in the command. Return what the parts use."""
    prompt = " ".join(parse_arguments().prompt)
    prompt = prompt or "Refactor hello.py: add type hints and docstrings."
    messages = [{"role": "user", "content": prompt}]
    model = connect()  # the practice model, or the one that MODEL_ID names
    client, workspace = print_rounds(model.client), open_workspace(prompt, model)
    return dict(zip(GIVEN, (prompt, messages, model, client, workspace), strict=True))


def parse_arguments() -> Namespace:
    parser = ArgumentParser(description="Your agent: it works on the prompt.")
    parser.add_argument("prompt", nargs="*", help="what to do")
    parser.add_argument(
        "--check",
        metavar="COMMAND",
        help='run this at each stop, such as "python -m unittest": if it fails, the agent goes on',
    )
    return parser.parse_args()


def choose_parts(parts: Container[str]) -> dict[str, list[str]]:
    """Return which of these parts a program uses: the agent, or the newest loop, list and nag."""

    def find(*names: str) -> list[str]:
        return [name for name in names if name in parts]

    tools, loops = find("my_tool"), find("agent")
    if loops:
        return {"tools": tools, "lists": [], "nags": [], "loops": loops}
    lists = find(*LISTS) or find("MyTodo")
    # PriorityNag needs the priorities, and the source of MyReminder contains that of MyNag.
    nags = [one for one in find(*NAGS) if one != "PriorityNag" or "PriorityTodo" in lists][:1]
    # The loop of s02 does not remind: with a nag, the package's runs.
    loops = find("ask_the_files", "ask_the_list")[:1] or ([] if nags else find("agent_loop"))
    return {"tools": tools, "lists": lists, "nags": nags, "loops": loops}


def run_program(names: dict[str, Any]) -> None:
    """Run the parts of `my_agent.py` that are among its global `names`.

    With `--check`, this command is run when the agent stops, and what it prints is sent back.
    Raise SystemExit, with a message, if it still fails after the last question.
    """
    command = parse_arguments().check
    failed: list[str] = []  # what it printed at each stop
    missing = partial(run_check, command, failed) if command else find_missing
    run_parts(names, missing, MAX_QUESTIONS if command else 0)
    if failed:
        raise SystemExit(f"Stopped: asked {len(failed) - 1} times, and `{command}` still fails.")


def run_parts(names: dict[str, Any], missing: Callable[[Any], list[str]], questions: int) -> None:
    """Run these parts. If the loop does not ask what is `missing`, ask, up to `questions` times."""
    used = choose_parts(names)
    client, messages, workspace = names["client"], names["messages"], names["workspace"]
    workspace.add_tools(*(names[one] for one in used["tools"]))
    [loop] = used["loops"] or ["agentlib.run"]
    has_list = loop not in ("agent_loop", "agentlib.run") or bool(used["lists"] or used["nags"])
    system = system_prompt(workspace.name, plan=has_list)
    settings = names["model"].settings | {"system": system}
    if loop == "agent":
        exhaust(names[loop](client, messages, workspace, missing=missing, **settings))
        return
    todo = make_list([names[one] for one in used["lists"]])
    more = {"ask_the_list": [todo], "ask_the_files": [workspace, missing]}.get(loop, [])
    tools = [*workspace.tools(), *([list_tool(todo)] if has_list else [])]
    for nag in used["nags"]:
        settings["remind"] = NAGS[nag](names[nag], todo)
    if loop == "ask_the_files":  # it asks by itself
        questions = 0
    for question in range(questions + 1):
        exhaust(names.get(loop, run)(client, messages, tools, *more, **settings))
        left = missing(workspace) if questions else []
        if not left or question == questions:
            break
        messages.append({"role": "user", "content": f"Not done yet: {'; '.join(left)}"})


def make_list(made: list[Any]) -> Any:
    """Return a todo list that is all of these lists in one."""
    # A class that another one extends is in that one.
    classes = [one for one in made if isinstance(one, type)]
    last = [one for one in classes if sum(issubclass(other, one) for other in classes) == 1]
    if len(last) > 1:
        return type("MyList", tuple(last), {})()
    return [TodoManager, *made, *last][-1]()


def run_check(command: str, failed: list[str], workspace: Workspace) -> list[str]:
    """Run the user's own check in the workspace. Return its last lines in a list if it fails.

    They are also added to `failed`. If it passes, `failed` is emptied.
    """
    try:
        # The method of the class: it is the user's command, so nobody has to approve it.
        output = Workspace.bash(workspace, command)
    except (OSError, ValueError) as problem:
        output = f"{problem}\n(exit code 1)"
    if re.search(r"^Ran 0 tests.*\s+OK$", output, re.MULTILINE):
        output += "\n(exit code 5)"  # as with Python 3.12: unittest of 3.11 calls this a success
    if not re.search(r"\n\(exit code -?\d+\)$", output):
        print(f"     {command}: passes", flush=True)
        failed.clear()
        return []
    last = output.splitlines()[-CHECK_LINES:]
    print(f"     {command}: fails: {escape.for_screen(last[-2])}", flush=True)
    failed.append("\n".join([f"{command} fails:", *last]))
    return failed[-1:]


def list_tool(todo: Any) -> Tool:
    """Return the todo tool of a list that may have only the method `update`."""
    tool = todo.tool() if isinstance(todo, TodoManager) else TodoManager().tool()
    return replace(tool, run=todo.update)


class print_rounds:  # noqa: N801  # a learner calls it like a function
    """A client that also prints each reply, and each error of a tool, for a loop that is silent."""

    def __init__(self, client: Any) -> None:
        self.client, self.number = client, 0
        self.calls: list[tuple[str, Any]] = []  # of the last reply
        self.messages = self  # so that `client.messages.create` is `create`

    def create(self, **request: Any) -> Any:
        """Send a request, print the reply and return it."""
        for block in blocks_of(request["messages"][-1]):
            if block.get("is_error"):
                print(f"     {escape.for_screen(redact_text(describe_result(block)))}")
        for reminder in find_reminders(request["messages"][-1]):
            if not_understood := judge_reminder(reminder, self.calls):
                print(f"     {not_understood}")
        reply = self.client.messages.create(**request)
        self.number += 1
        uses = [block for block in reply.content if block.type == "tool_use"]
        text = " ".join(block.text for block in reply.content if block.type == "text")
        self.calls = [(use.name, use.input) for use in uses]
        said = [str(Call(use.name, use.input, "")) for use in uses] or [escape.for_screen(text)]
        print(redact_text(f"{self.number:3}  {'  '.join(said)}"), flush=True)
        return reply


def find_missing(workspace: Workspace) -> list[str]:
    """Return the steps of a sample's job that the files do not show, or [] in any other folder.

    For your own job, use a check that can say no, such as one that runs your tests.
    """
    if workspace.name not in jobs.list_jobs():
        return []
    return jobs.list_missing(jobs.load_job(workspace.name).steps, workspace.root)


class GuardedWorkspace(Workspace):
    """A Workspace whose tools ask for approval when a real model is behind them."""

    def __init__(self, root: str | Path, model: Connection) -> None:
        super().__init__(root)
        self.model = model
        self.guarded = model.guard(super().tools())
        for tool in self.guarded:  # also for code that calls workspace.bash itself
            setattr(self, tool.name, tool.run)

    def add_tools(self, *own_tools: Tool) -> None:
        """Let the agent also use these tools, guarded by the connection."""
        self.guarded = [*self.guarded, *self.model.guard(own_tools)]

    def tools(self) -> list[Tool]:
        """Return the four tools and those that were added, guarded by the connection."""
        return list(self.guarded)


def open_workspace(prompt: str, model: Connection) -> GuardedWorkspace:
    """Return a workspace in a folder of the current one, which is created if it is missing.

    If `prompt` is about a sample project, the folder has the sample's name and begins as a copy of
    it. Otherwise it is `hello` for the practice model, which knows only the samples, and `project`
    for a real one. It is never the current folder: Python imports modules from there when
    `my_agent.py` or a notebook starts, so an agent could plant code that runs outside the sandbox.
    Raise ValueError if the folder is a symlink, which may lead there.
    """
    job = jobs.find_job(prompt)
    name = job.name if job else "project" if model.real else "hello"
    if Path(name).is_symlink():
        raise ValueError(
            f"{name} is a symlink, so the agent would work elsewhere: delete it first."
        )
    if not Path(name).exists():
        if name == "project":
            Path(name).mkdir()
        else:
            copy_sample(name, Path(name))
    print(f"The agent works in the folder {name}.")
    return GuardedWorkspace(name, model)
