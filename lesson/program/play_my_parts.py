"""Play an agent that has the loop, the list and the nag of `my_agent.py`, or the package's."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from agentlib.nag import AFTER
from agentlib.prompts import system_prompt

from ..model_choice import connect_practice
from ..practice.practice_model import PracticeModel
from ..runs.agent_arena import Limited, TooManyRequestsError
from ..runs.measured import Measured, Setting, summarize
from ..runs.trace import Trace
from ..runs.trial import Trial, list_tool
from ..time_limit import OutOfTimeError, Raised, attempt, exhaust, show
from .my_parts import MyPart, make_nag

SECONDS = 10.0  # of processor time; most runs need less than one


def play_my_parts(parts: Mapping[str, MyPart]) -> tuple[Measured, str]:
    """Play the ten steps with these parts, and return the run and what went wrong, or "".

    The run has a limit of seconds and of requests, whatever the learner's code does.
    """
    trial = Trial(todo=parts["list"].made(), nag=partial(make_nag, parts["nag"].made))
    decide = trial.model.policy
    limited = Limited(lambda request: decide(dict(request)))
    progress: list[tuple[bool, ...]] = []

    def policy(request: dict[str, Any]) -> Any:
        progress.append(trial.done)  # after the rounds before this request
        return limited(request)

    trial.model = PracticeModel(policy)
    got, _ = attempt(partial(run_loop, parts["loop"].made, trial), SECONDS)
    replies = [{"role": "assistant", "content": reply} for reply in limited.replies[-1:]]
    trial.rounds = Trace.from_messages([*limited.history, *replies], after=AFTER).rounds
    trial.progress = [*progress, trial.done]
    return summarize(Setting(), trial), describe_problem(got, limited)


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
