"""A run of the ten steps in which somebody asks at each stop what is still missing."""

from collections.abc import Callable
from typing import Any

from agentlib.nag import Nag
from agentlib.prompts import first_message, system_prompt
from agentlib.todo import TodoManager
from agentlib.workspace import Workspace

from ..at_the_stop import find_missing
from ..practice.practice_model import PracticeModel
from ..samples import sample
from ..samples.jobs import load_job


def play_asking(
    ask: Callable[..., Any],
    look: Callable[[Workspace, TodoManager], list[str]],
    *,
    after: int | None = None,
) -> int:
    """Let the practice model do the ten steps, print how many are done, and return that number.

    `ask(client, messages, tools, workspace, missing, **settings)` is a loop around the agent loop,
    which may ask the model to go on. Its `missing(workspace)` returns what `look(workspace, todo)`
    has found. With `after`, a nag also sends reminders, after so many rounds without a list.
    """
    shop, todo, job = sample("ten_steps"), TodoManager(), load_job("ten_steps")
    settings: dict[str, Any] = {"model": "practice", "max_tokens": 8000}
    settings["system"] = system_prompt(shop.name)
    if after is not None:
        settings["remind"] = Nag(todo, after)
    tools = [*shop.tools(), todo.tool()]
    messages = [first_message(job.prompt)]
    ask(PracticeModel().client(), messages, tools, shop, lambda shop: look(shop, todo), **settings)
    ticked = sum(item["status"] == "completed" for item in todo.items)
    done = len(job.steps) - len(find_missing(shop))
    print(f"{done} of {len(job.steps)} steps done, the list says {ticked} of {len(todo.items)}.")
    return done
