"""Play a job with several agents and several models, and show a table: `evaluate(agents)`."""

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from math import inf
from pathlib import Path
from typing import Any

from ..common.connection import Connection
from ..in_cells.open_run import OpenedRun
from ..in_cells.play_job import PlayedRun, play, set_up
from ..practice.faults import FAULTS
from ..runs.adapters import check_new_in_each_run
from ..runs.settings import Settings
from ..samples.own_job import Steps
from .evaluation import Evaluation
from .own_model import Experiment

MINE: Mapping[str, Mapping[str, Any]] = {"mine": {}, "without the nag": {"nag": None}}
SCRIPT = "the script"
MODELS = {SCRIPT: "does as it is asked, and sees twelve messages."}
MODELS |= {name: fault.says for name, fault in FAULTS.items()}
DEFAULTS = {name: argument.default for name, argument in signature(play).parameters.items()}
TIMES = 5  # how often each agent plays with a real model by default
# With 50 runs of each agent, chance is counted in a second or two.
WHOLE = {"times": (1, 50), "script_rounds": (0, 1_000), "max_total_tokens": (1, 10**9)}


def pack(run: PlayedRun) -> Callable[[], OpenedRun]:
    """Pack a run that has ended, as what its file would be. Return a function that opens it again.

    IPython keeps each value of a cell, and with it the runs of each evaluation.
    """
    packed = zlib.compress(json.dumps(run.lines).encode())

    def open_again() -> OpenedRun:
        first, *lines = json.loads(zlib.decompress(packed))
        opened = OpenedRun(first)
        opened.is_kept = True  # it is shown as a run of `play` is
        opened.read(lines)
        return opened

    return open_again


def evaluate(
    agents: Mapping[str, Mapping[str, Any]] = MINE,
    *,
    job: str | Steps = "ten_steps",
    model: Connection | None = None,
    times: int | None = None,
    script_rounds: int = 7,
    save: str | Path = "runs",
    prices: Sequence[float] | None = None,
    max_total_tokens: int | None = None,
) -> Evaluation | None:
    """Play a job with each agent and each model, and show what the files say, as a table.

    `agents` are settings of `play` by a name that you choose: {} is your agent as `play` puts it
    together. "mine" is called "agentlib" if no part of it is yours. `job` is that of `play`. The
    models are the practice model and those of `lesson/practice/faults.py`, each of which goes wrong
    in one way. Each run is shown as soon as it is played. One that an error ends says so in its
    row, and counts as not all done.

    The result has `results`, `models`, `agents` and `ended`; `evaluation["ticks", "mine"]` opens a
    run.

    With a connection to a real `model`, each agent plays `times`, by default five, and a row is a
    run, `evaluation["run 2", "mine"]`, in a file of the folder `save`. First it says what is sent,
    and asks; with `times` alone it only says it, and returns None. After a yes, only the
    connection's own `ask` is called, and commands run only in the sandbox. The script plays the
    first `script_rounds` rounds; with 0, it plays none. `prices` are of a million tokens, sent and
    written. At `max_total_tokens`, by default twice what was said, the runs stop. To go on, make
    the same call again: it uses the runs of agents with the same names and settings. After a change
    of code, choose another name or folder.

    Before anything is played, raise TypeError if `agents` is not a dict of settings by names that
    are texts, for an unknown setting, for an agent with one list, nag or loop for all runs, and if
    `model` is not a connection to a real model. Raise ValueError without an agent, for a number or
    folder that cannot be used, and if the script ends early with an agent or with `script_rounds`.
    Raise also what `play` raises.
    """
    check_agents(agents)
    check_numbers(
        prices, times=times, script_rounds=script_rounds, max_total_tokens=max_total_tokens
    )
    if not (isinstance(save, str | Path) and can_be_folder(save)):
        raise ValueError(f"save is the name of a folder, not {save!r:.60}")
    if model is not None and not (isinstance(model, Connection) and model.real):
        wrong = "the practice model" if isinstance(model, Connection) else f"{model!r:.60}"
        raise TypeError(f'model is a real one, as in model=connect("NAME"), and not {wrong}.')
    chosen: dict[str, Settings] = {}
    whose: dict[str, str] = {}
    for name, settings in agents.items():
        agent = Settings(**DEFAULTS | dict(settings) | {"job": job})
        run = set_up(agent)
        if name == "mine" and "Yours" not in run.whose and "agentlib" not in agents:
            name = "agentlib"
        chosen[name], whose[name] = agent, run.whose
    if model is not None or times:
        more = times or TIMES, script_rounds or 0, save, prices, max_total_tokens
        experiment = Experiment(chosen, model, *more)
        is_played = not experiment.left or experiment.ask()
        if is_played:
            experiment.play()
        return experiment.table if is_played or experiment.table.runs else None

    def set_up_with(model: str, agent: str) -> PlayedRun:
        return set_up(replace(chosen[agent], model=None if model == SCRIPT else model))

    evaluation = Evaluation(run.job, MODELS, whose)
    evaluation.play(set_up_with, pack)
    return evaluation


def can_be_folder(name: str | Path) -> bool:
    """Return whether this is the name of a folder, or of one that could be made."""
    if not str(name).strip() or "\0" in str(name):
        return False
    try:
        place = Path(name).expanduser().absolute()
        while not place.exists():  # raises for a name that is too long
            place = place.parent
    except (OSError, RuntimeError):  # the latter: there is no such home folder
        return False
    return place.is_dir()


def check_agents(agents: Any) -> None:
    """Raise TypeError or ValueError, with a sentence, if these are not agents by their names."""
    if not isinstance(agents, Mapping) or not all(isinstance(name, str) for name in agents):
        raise TypeError(
            f"evaluate got {agents!r:.60}. It takes agents by a name that is a text, as in "
            'evaluate({"mine": {}}), and the job as job="style".'
        )
    if not agents:
        raise ValueError('evaluate got no agent. An example: evaluate({"mine": {}})')
    allowed = [name for name in DEFAULTS if name not in ("job", "model", "save")]
    for name, settings in agents.items():
        if not isinstance(settings, Mapping):
            example = 'evaluate({"mine": {"nag": None}})'
            raise TypeError(f"{name!r} is not an agent: its settings are a dict, as in {example}.")
        if unknown := settings.keys() - allowed:
            names = ", ".join(allowed)
            raise TypeError(f"{name!r} has the setting {min(unknown)!r}. The settings are {names}.")
        check_new_in_each_run(settings)


def check_numbers(prices: Any, **wholes: Any) -> None:
    """Raise ValueError, with a sentence, for an argument that is not a number of its kind."""
    for name, value in wholes.items():
        least, most = WHOLE[name]
        if value is not None and not (type(value) is int and least <= value <= most):
            raise ValueError(
                f"{name} is a whole number from {least} to {most:,}, not {value!r:.60}"
            )
    if prices is None:
        return
    are_numbers = isinstance(prices, list | tuple) and {*map(type, prices)} <= {int, float}
    if not (are_numbers and len(prices) == 2 and all(0 <= price < inf for price in prices)):
        raise ValueError(f"prices is two numbers, as in prices=(3, 15), not {prices!r:.60}")
