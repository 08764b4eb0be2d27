"""What the program my_agent.py needs besides its parts: a workspace, a client that prints, a check.

The terminal also opens its workspace here.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentlib import escape
from agentlib.todo import TodoManager
from agentlib.tools import Call, Tool
from agentlib.workspace import Workspace

from .blocks import blocks_of, describe_result, find_reminders
from .practice.policy import jobs
from .real_model.connection import Connection
from .samples import copy_sample
from .understood import judge_reminder


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
                print(f"     {escape.for_screen(describe_result(block))}")
        for reminder in find_reminders(request["messages"][-1]):
            if not_understood := judge_reminder(reminder, self.calls):
                print(f"     {not_understood}")
        reply = self.client.messages.create(**request)
        self.number += 1
        uses = [block for block in reply.content if block.type == "tool_use"]
        text = " ".join(block.text for block in reply.content if block.type == "text")
        self.calls = [(use.name, use.input) for use in uses]
        said = [str(Call(use.name, use.input, "")) for use in uses] or [escape.for_screen(text)]
        print(f"{self.number:3}  {'  '.join(said)}", flush=True)
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

    def __init__(self, root: str | Path, model: Connection, own_tools: Iterable[Tool] = ()) -> None:
        super().__init__(root)
        guarded = model.guard(super().tools())
        for tool in guarded:  # also for code that calls workspace.bash itself
            setattr(self, tool.name, tool.run)
        self.guarded = (*guarded, *model.guard(own_tools))

    def tools(self) -> list[Tool]:
        """Return the four tools and `own_tools`, guarded by the connection."""
        return list(self.guarded)


def open_workspace(prompt: str, model: Connection, *own_tools: Tool) -> Workspace:
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
    return GuardedWorkspace(name, model, own_tools)
