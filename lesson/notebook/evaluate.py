"""`evaluate(agents)`: your agent in several forms, with the script and with models with a fault."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from ..practice.faults import FAULTS
from ..runs.settings import Settings
from ..samples.own_job import Steps
from ..widgets.evaluation import Evaluation
from .play_job import PlayedRun, play, set_up

MINE: Mapping[str, Mapping[str, Any]] = {"mine": {}, "without the nag": {"nag": None}}
SCRIPT = "the script"
MODELS = {SCRIPT: "does as it is asked, and sees twelve messages."}
MODELS |= {name: fault.says for name, fault in FAULTS.items()}
FIXED = ("job", "model", "save")
WORKING = "{} models do the job with {} …"
NOT_JUDGED = "Nobody judges the files of the job {!r}, so nobody can say how much of it is done."


def evaluate(
    agents: Mapping[str, Mapping[str, Any]] = MINE,
    *,
    job: str | Steps = "ten_steps",
) -> Evaluation:
    """Play a job with each agent and each model, and show what the files say, as a table.

    `agents` are settings of `play` by a name that you choose: {} is your agent as `play` puts it
    together. "mine" is called "ours" if no part of it is yours. `job` is that of `play`. The models
    are the practice model and those of `lesson/practice/faults.py`, each of which goes wrong in one
    way. A row is shown as soon as it is played, and a run that an error ends is the last one.

    The result has `runs`, `models`, `agents` and `problem`; `evaluation["ticks", "mine"]` is a run.

    Before anything is played, raise TypeError for an unknown setting, ValueError without an agent
    or for a job without a judge, and what `play` raises.
    """
    if not agents:
        raise ValueError('evaluate got no agent. An example: evaluate({"mine": {}})')
    known = [name for name in signature(play).parameters if name not in FIXED]
    for name, settings in agents.items():
        if unknown := settings.keys() - known:
            said = (
                f"{name!r} has the setting {min(unknown)!r}. The settings are {', '.join(known)}."
            )
            raise TypeError(said)
    begun = prepare(agents, job, None)
    for run in begun.values():
        if not run.start.done:
            raise ValueError(NOT_JUDGED.format(run.job))
    shown = Evaluation(next(run.job for run in begun.values()), MODELS)
    with shown.shown_at_the_end(WORKING.format(len(MODELS), len(agents))) as say:
        play_all(shown, agents, job, say)
    return shown


def prepare(
    agents: Mapping[str, Mapping[str, Any]], job: str | Steps, model: str | None
) -> dict[str, PlayedRun]:
    """Return the runs of all agents with a model, before their first round, by their names."""
    defaults = {name: one.default for name, one in signature(play).parameters.items()}
    found = {}
    for name, settings in agents.items():
        run = set_up(Settings(**{**defaults, **settings, "job": job, "model": model}))
        is_ours = name == "mine" and "Yours" not in run.whose and "ours" not in agents
        found["ours" if is_ours else name] = run
    return found


def play_all(
    shown: Evaluation,
    agents: Mapping[str, Mapping[str, Any]],
    job: str | Steps,
    say: Callable[[str], None],
) -> None:
    """Play each agent with each model, until a run ends with an error, and show each row."""
    for model in MODELS:
        for name, run in prepare(agents, job, None if model == SCRIPT else model).items():
            shown.add(model, name, run.play())
            if shown.problem:
                return
        say(shown.draw())
