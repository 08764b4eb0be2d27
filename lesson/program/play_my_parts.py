"""Play the agent of `my_agent.py`: with the learner's loop, list and nag, as far as they exist."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from agentlib.loop import rounds
from agentlib.nag import AFTER, Nag
from agentlib.prompts import system_prompt
from agentlib.todo import TodoManager

from ..model_choice import connect_practice
from ..practice.practice_model import PracticeModel
from ..runs.agent_arena import Limited, TooManyRequestsError
from ..runs.measured import Measured, Setting, summarize
from ..runs.trace import Trace
from ..runs.trial import Trial, list_tool
from ..time_limit import OutOfTimeError, Raised, attempt, exhaust, show

SECONDS = 10.0  # of processor time; most runs need less than one


def play_my_parts(made: Mapping[str, Any]) -> tuple[Measured, str]:
    """Play the ten steps with a learner's parts, and return the run and what went wrong, or "".

    `made` has the learner's loop, list and nag, by "loop", "list" and "nag"; for one that is
    missing, the package's is played. The run has a limit of seconds and of requests, whatever the
    learner's code does.
    """
    nag = partial(make_nag, made.get("nag", Nag))
    trial = Trial(todo=made.get("list", TodoManager)(), nag=nag)
    loop = made.get("loop", rounds)
    decide = trial.model.policy
    limited = Limited(lambda request: decide(dict(request)))
    progress: list[tuple[bool, ...]] = []

    def policy(request: dict[str, Any]) -> Any:
        progress.append(trial.done)  # after the rounds before this request
        return limited(request)

    trial.model = PracticeModel(policy)
    got, _ = attempt(partial(run_loop, loop, trial), SECONDS)
    replies = [{"role": "assistant", "content": reply} for reply in limited.replies[-1:]]
    trial.rounds = Trace.from_messages([*limited.history, *replies], after=AFTER).rounds
    trial.progress = [*progress, trial.done]
    return summarize(Setting(), trial), describe_problem(got, limited)


def make_nag(kind: Callable[..., Any], todo: Any, after: int) -> Any:
    """Return a nag. `MyNag` takes the threshold only, and the others also the list."""
    return kind(after=after) if kind.__name__ == "MyNag" else kind(todo, after=after)


def run_loop(loop: Callable[..., Any], trial: Trial) -> None:
    model = connect_practice(trial.model)
    tools = [*trial.workspace.tools(), list_tool(trial.todo)]
    settings = model.settings | {"system": system_prompt(trial.workspace.name)}
    exhaust(loop(model.client, trial.messages, tools, remind=trial.nag, **settings))


def describe_problem(got: Any, limited: Limited) -> str:
    """Return why a run has ended before its model did, as a sentence, or ""."""
    if limited.is_stopped or isinstance(getattr(got, "problem", None), TooManyRequestsError):
        return f"It was stopped after {len(limited.replies)} requests."
    if not isinstance(got, Raised):
        return ""
    if isinstance(got.problem, OutOfTimeError):
        return f"It was stopped: {got.problem}."
    return f"It raised {show(got)}."
