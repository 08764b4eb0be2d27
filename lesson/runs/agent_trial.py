"""A trial of a learner's own agent: the same measurements as for the package's loop."""

from collections.abc import Callable
from typing import Any

from agentlib.todo import TodoManager

from ..model_choice import connect_practice
from ..practice.model import PracticeModel
from ..practice.policy.jobs import load_job
from ..trying import exhaust
from .trace import Trace
from .trial import Trial


def try_agent(agent: Callable[..., Any]) -> Trial:
    """Return a Trial of the ten steps that `agent` has played to its end.

    `agent(client, messages, workspace, after=3, **settings)` is a function. It does not have to
    yield, so its Rounds are read from its messages, and the files are looked at before each reply.
    """
    todo = TodoManager()
    trial = Trial(todo=todo)
    trial.messages = [{"role": "user", "content": load_job(trial.job).prompt}]
    policy = trial.model.policy
    done: list[tuple[bool, ...]] = []  # before each reply

    def look_and_reply(request: dict[str, Any]) -> Any:
        done.append(trial.done)
        return policy(request)

    trial.model = PracticeModel(look_and_reply)
    model = connect_practice(trial.model)
    given = model.client, trial.messages, trial.workspace
    exhaust(agent(*given, after=trial.after, **model.settings))  # also an agent that yields
    trace = Trace.from_messages(trial.messages)
    trial.rounds = trace.rounds
    trial.progress += [*done[1:], trial.done]
    todo.items = [{**item} for item in trace.frames[-1].items]
    return trial
