"""`measure("model")`: does a plan help this model? Runs under several conditions, as a table.

Each run is a file in one folder, written as soon as it has ended, so an interrupt loses none that
was paid for, and `open_run` opens it. The folder's name has a digest of what makes a result:
another setup has another folder, and no run of one is shown as a run of the other.
"""

import hashlib
import json
import os
import re
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlsplit

from agentlib.nag import AFTER
from agentlib.todo import TodoManager
from safetylib import approval, bubblewrap
from safetylib.server.connect import ANTHROPIC_URL, ConnectError
from safetylib.server.limits import Limits

from .. import __version__
from ..common.connection import Connection, make_settings
from ..common.file_errors import describe_file_error
from ..common.message_blocks import WINDOW
from ..common.pluralize import pluralize
from ..practice.model_choice import connect
from ..runs.record import Record
from ..runs.run import Run
from ..runs.saved_run import read_run
from ..samples.jobs import load_job
from ..samples.own_job import make_job
from ..samples.project_files import read_files
from ..widgets.compare_runs import ComparedRuns, RunRow, make_row

with suppress(ImportError):  # not on Windows
    import fcntl

# What the model gets of: a todo list, reminders about it, the steps in its prompt.
CONDITIONS = {
    "no list": (),
    "list and reminders": ("list", "reminders"),
    "plan in the prompt": ("plan",),
}
STEPS_FILE = "STEPS.md"
SCRIPTS = {"practice": None, "starter": "Starter"}  # and what `Run` calls them
# A run that ends with one of these has ended, and would end so again: it is not played again.
IN_VAIN = (
    "the model has called no tool. It or its server may not support tools: see “Local models” in "
    "docs/real-models.md. Calling this again plays one more run."
)
ENDS = ("CutOffError", "LimitReachedError")
COST = (
    "{model} plays {runs}: at most {requests:,} requests and about {tokens:,} tokens. Its commands "
    "run in a sandbox, in copies of the job, and you are not asked about each of them. An answer "
    "now allows all of it. Each run is kept in {file}."
)
UNREADABLE = "{} has no runs that can be read ({!r:.200}). Move it, and they are played again."
NO_SANDBOX = (
    "A measurement runs commands without asking you, so it needs the sandbox (bubblewrap, on "
    "Linux). Here, there is none: {}. Play single runs: play(job, model=connect(…))."
)
LIMITS = (
    "{} of each, of one job: another job can give the opposite, and so can other runs of this one. "
    "The files show what was done; what was asked for beyond the steps, nobody has judged."
)


class MeasureError(Exception):
    """Raised if a measurement cannot begin. The message says why."""


class MeasuredRun(Run):
    """A run under a condition.

    The window never drops the prompt, so the steps are in it only if the condition says so.
    Otherwise a real model reads them in a file, and what it has read leaves the window.
    """

    def __init__(self, job: Any, condition: str, after: int, **more: Any) -> None:
        self.condition, self.has = condition, CONDITIONS[condition]
        todo = TodoManager if "list" in self.has else None
        super().__init__(job, todo=todo, after=after if "reminders" in self.has else None, **more)

    def _write_prompt(self) -> str:
        prompt = self._job.prompt
        if "plan" in self.has:
            return self._job.name_steps(prompt)
        if self._connection.real:
            (self.workspace.root / STEPS_FILE).write_text(self._job.name_steps(""), "utf-8")
            prompt = f"{prompt}\n\nThe steps are in {STEPS_FILE}: read it before you begin."
        return prompt


def measure(
    model: str,
    *,
    job: str | Sequence[Sequence[str]] = "ten_steps",
    runs: int = 4,
    conditions: Sequence[str] | None = None,
    window: int | None = WINDOW,
    after: int = AFTER,
) -> ComparedRuns:
    """Play a job with a model under several conditions, and return the results as a table.

    `model` is the name of a real model, "practice" or "Starter". `job` is that of `play`, and
    `runs` how many there are of each condition. `conditions` are names of CONDITIONS; by default no
    list, a list with reminders after `after` rounds, and the steps once in the prompt. `window` is
    how many of the last messages are sent, and None sends all.

    With a real model, it says before the first request what this can cost at most, and asks the
    user once, for all runs. Each run is kept in a file of the folder `measured`, as soon as it has
    ended: another call goes on after an interrupt or an error, and plays no run twice. A run that
    an error of the server has broken off is not counted.

    Raise MeasureError if it cannot begin, ConnectError if the model cannot be reached, and OSError
    if nobody knows whether there is a sandbox.
    """
    is_script = model.casefold() in SCRIPTS
    # The practice model has the steps in its script, and not from a prompt.
    names = [*(conditions or [*CONDITIONS][: 2 if is_script else None])]
    if unknown := [one for one in names if one not in CONDITIONS]:
        raise MeasureError(f"The conditions are {', '.join(CONDITIONS)}, not {unknown[0]!r}.")
    # In turn, so that an early end leaves as many runs of each condition.
    planned = [(number, name) for number in range(1, runs + 1) for name in names]
    found: dict[tuple[int, str], Record] = {}
    left, played, stopped = planned, SCRIPTS.get(model.casefold()), ""
    if not is_script:
        path = Path("measured") / name_folder(model, job, window, after)
        lock, found = open_folder(path, planned)
        left = [one for one in planned if one not in found]
        played = allow_all(model, len(left), path) if left else None
    for number, name in left:
        title = f"{name}, run {number} of {runs}"
        if isinstance(played, Connection):
            played.limits.renew()  # those of a connection hold for each run
        try:
            run = MeasuredRun(job, name, after, window=window, model=played).play()
            if not (run.is_over or run.problem.startswith(ENDS)):
                stopped = f"{title} was broken off, and is not counted: {run.problem}"
                break
            found[number, name] = run
            if not is_script:  # if what was paid for cannot be kept, nothing more is paid
                run.save(path / name_file(number, name))
        except OSError as problem:
            stopped = f"{title}, could not be kept: {describe_file_error(problem)}"
            break
        print(f"{title}: {sum(run.done)} of {len(run.done)} steps. {run.problem}".strip())
        # A run without a call ends in its first round. One of several may be an answer in words.
        if not is_script and all(len(one.letters) < 2 for one in found.values()):
            stopped = f"{title}: {IN_VAIN}"
            break
    if stopped:
        print(stopped if IN_VAIN in stopped else f"{stopped}\nCall this again to go on.")
    kept = [one for one in planned if one in found]
    rows = {name: [found[one] for one in kept if one[1] == name] for name in names}
    drawn = [draw_row(f"{model}, {name}", rows[name]) for name in names if rows[name]]
    return ComparedRuns(drawn, f"{LIMITS.format(pluralize(runs, 'run'))}\n{stopped}".strip())


def name_folder(model: str, job: Any, window: int | None, after: int) -> str:
    """Return the name of a measurement's folder, with a digest of what makes its results."""
    found = load_job(job) if isinstance(job, str) else make_job(job)
    url = os.environ.get("ANTHROPIC_BASE_URL", "").strip() or ANTHROPIC_URL
    sent = make_settings(model), urlsplit(url).netloc, found.prompt, found.name_steps("")
    files = sorted(read_files(found.folder).texts.items())
    more = Limits.max_requests, Limits.max_tokens, window, after, __version__
    setup = json.dumps([*sent, files, *more], sort_keys=True)
    words = re.sub(r"[^\w.-]", "_", f"{model}_{job if isinstance(job, str) else 'own_job'}")
    return f"{words}_{hashlib.sha256(setup.encode()).hexdigest()[:8]}"


def name_file(number: int, condition: str) -> str:
    return f"{condition.replace(' ', '_')}_{number}.jsonl"


def open_folder(
    path: Path, planned: Sequence[tuple[int, str]]
) -> tuple[FileIO, dict[tuple[int, str], Record]]:
    """Return a measurement's lock, and its runs. No other measurement can open it.

    Raise MeasureError for what cannot be used, and for a file that is no run: it could be one that
    was paid for.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = FileIO(path / "lock", "a")  # it is locked until nobody has it
        if "fcntl" in globals():
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        files = {one: path / name_file(*one) for one in planned}
        found = {one: read_run(file) for one, file in files.items() if file.exists()}
        if cut := [str(files[one]) for one, run in found.items() if run.is_cut]:
            raise ValueError(f"the end of {cut[0]} is missing")
        return lock, found
    except BlockingIOError:
        raise MeasureError(f"Another measurement is running in {path}.") from None
    except (OSError, ValueError) as problem:
        raise MeasureError(UNREADABLE.format(path, problem)) from None


def allow_all(model: str, runs: int, file: Path) -> Connection:
    """Return a connection whose calls are allowed, after the user was asked once."""
    if not bubblewrap.sandbox_works():
        raise MeasureError(NO_SANDBOX.format(bubblewrap.explain_missing()))
    connection = connect(model, ask=lambda question: "once")
    most = {"requests": runs * Limits.max_requests, "tokens": runs * Limits.max_tokens}
    print(COST.format(model=model, runs=pluralize(runs, "run"), file=file, **most))
    if not approval.confirm("Play them? [y/n] "):
        raise MeasureError("Nothing was sent, because you have not allowed it.")
    return connection


def draw_row(name: str, runs: list[Record]) -> RunRow:
    """Return the row of a condition: its first run, and the numbers of all."""
    results = [str(one.steps_done) if one.done else one.not_judged for one in runs]
    done = f", steps done: {', '.join(results)}" if any(results) else ""
    rounds = median(len(one.letters) for one in runs)
    tokens = median(one.tokens for one in runs)
    more = f"{pluralize(len(runs), 'run')}{done}; median of {rounds:g} rounds and {tokens:,} tokens"
    problems = "\n".join(dict.fromkeys(one.problem for one in runs if one.problem))
    return make_row(name, runs[0], more)._replace(note=problems)


def main(argv: list[str]) -> int:
    """Measure a model from a terminal. Return the exit status."""
    parser = ArgumentParser("planning-agent measure", description="Does a plan help this model?")
    parser.add_argument("model", help="its name, or practice, or Starter")
    parser.add_argument("--job", default="ten_steps")
    parser.add_argument("--runs", type=int, default=4, help="runs of each condition")
    parser.add_argument("--condition", dest="conditions", action="append", help="a name of one")
    try:
        print(measure(**vars(parser.parse_args(argv))))
    except (MeasureError, ConnectError, OSError, ValueError) as problem:
        print(problem)
        return 1
    return 0
