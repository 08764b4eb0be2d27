"""The workspace of a learner's program: a folder for the agent, whose tools ask the user first."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from agentlib.tools import Tool
from agentlib.workspace import Workspace

from ..practice.policy.own_work import find_unknown
from ..real_model.connection import Connection
from ..samples import copy_sample, jobs


class GuardedWorkspace:
    """The tools of a workspace, which ask for approval when a real model is behind them.

    An agent may look for the tool that a model calls among the attributes of its workspace, as with
    `getattr(workspace, use.name)`. So a GuardedWorkspace is no Workspace: besides the tools and
    what they add up to, it has no method that a model's input fits, and no name with `_`. It has
    neither `run_command`, which does not ask, nor an `__init__` that would choose another folder.
    """

    bash: Callable[..., str]
    read_file: Callable[..., str]
    write_file: Callable[..., str]
    edit_file: Callable[..., str]

    def __init__(self, workspace: Workspace, model: Connection) -> None:
        self.root, self.name, self.model = workspace.root, workspace.name, model
        self.guarded = model.guard(workspace.tools())
        for tool in self.guarded:  # for code that calls workspace.bash itself
            setattr(self, tool.name, tool.run)

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)  # then Python calls __getattr__
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        """Raise AttributeError with the tools that there are: `name` was not found."""
        tools = ", ".join(GuardedWorkspace.__annotations__)
        raise AttributeError(f"the workspace of an agent has no {name}, only the tools {tools}")

    def tools(self) -> list[Tool]:
        """Return the four tools, guarded by the connection."""
        return list(self.guarded)


def open_workspace(prompt: str, model: Connection) -> GuardedWorkspace:
    """Return a workspace in a folder of the current one, which is created if it is missing.

    If `prompt` is about a sample project, the folder has the sample's name and begins as a copy of
    it. Otherwise it is `hello` for the practice model, which knows only the samples, and `project`
    for a real one. It is never the current folder: Python imports modules from there when
    `my_agent.py` or a notebook starts, so an agent could plant code that runs outside the sandbox.
    Raise ValueError if the folder is a symlink, which may lead there, or for the practice model if
    somebody else has worked in it: it would overwrite that.
    """
    job = jobs.find_job(prompt)
    name = job.name if job else "project" if model.real else "hello"
    if Path(name).is_symlink():
        raise ValueError(
            f"{name} is a symlink, so the agent would work elsewhere: delete it first."
        )
    is_new = not Path(name).exists()
    if is_new and name == "project":
        Path(name).mkdir()
    elif is_new:
        copy_sample(name, Path(name))
    elif job and not model.real and (unknown := find_unknown(job, Path(name))):
        raise ValueError(
            f"The practice model does not recognise {' and '.join(unknown)} in the folder {name}: "
            "somebody else has worked there, so nothing was changed. Name a model in MODEL_ID, or "
            "delete the folder to start again."
        )
    left = ", as the last run left it; delete it to start again"
    print(f"The agent works in the folder {name}{'' if is_new or name == 'project' else left}.")
    return GuardedWorkspace(Workspace(name), model)
