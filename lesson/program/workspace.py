"""The workspace of a learner's program: a folder for the agent to work in."""

from pathlib import Path

from agentlib.workspace import Workspace

from ..practice.policy.own_work import find_unknown
from ..real_model.connection import Connection
from ..samples.copies import copy_sample
from ..samples.find_job import find_job
from ..samples.jobs import list_jobs


def open_workspace(prompt: str, model: Connection) -> Workspace:
    """Return a workspace in a folder of the current one, which is created if it is missing.

    If `prompt` is about a sample project, the folder has the sample's name and begins as a copy of
    it. Otherwise it is `project` or, for the practice model and a prompt that it does not know,
    `hello`. It is never the current folder: Python imports modules from there when
    `my_agent.py` or a notebook starts, so an agent could plant code that runs outside the sandbox.
    Raise ValueError if the folder is a symlink, which may lead there, or for the practice model if
    somebody else has worked in it: it would overwrite that.
    """
    job = find_job(prompt)
    is_sample = job is not None and job.name in list_jobs()  # not the learner's own job
    if job and is_sample:
        name = job.name
    else:
        name = "project" if model.real or job else "hello"
    if Path(name).is_symlink():
        raise ValueError(
            f"{name} is a symlink, so the agent would work elsewhere: delete it first."
        )
    is_new = not Path(name).exists()
    if is_new and name == "project":
        Path(name).mkdir()
    elif is_new:
        copy_sample(name, Path(name))
    elif job and is_sample and not model.real:
        unknown = find_unknown(job, Path(name))
        if unknown:
            raise ValueError(
                f"The practice model does not recognise {' and '.join(unknown)} in the folder "
                f"{name}: somebody else has worked there, so nothing was changed. Name a model in "
                "MODEL_ID, or delete the folder to start again."
            )
    left = ", as the last run left it; delete it to start again"
    print(f"The agent works in the folder {name}{'' if is_new or name == 'project' else left}.")
    return Workspace(name)
