"""`measure("model")`: does a plan help this model? Runs under several conditions, as a table."""

from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from agentlib.nag import AFTER
from safetylib import approval, bubblewrap

from ..common.file_errors import describe_file_error
from ..common.pluralize import pluralize
from ..drawing.marks import list_counts, list_marks
from ..practice.model_choice import connect
from ..real_model.connection import ConnectError, Connection
from ..real_model.limits import Limits
from ..runs.window import WINDOW
from ..samples.jobs import load_job
from ..samples.own_job import make_job
from ..widgets.compare_runs import ComparedRuns, RunRow
from .conditions import CONDITIONS, DEFAULT, SCRIPTED, MeasuredRun
from .setup import Setup, make_setup
from .stored_runs import (
    MeasureError,
    OtherRun,
    StoredRun,
    load,
    locked,
    name_file,
    name_folder,
    save,
)

SCRIPTS = {"practice": None, "starter": "Starter"}  # and what `Run` calls them
# A run that ends with one of these has ended, and would end so again: it is not played again.
ENDS = ("CutOffError", "LimitReachedError")
COST = (
    "{model} plays {runs}: at most {requests:,} requests and about {tokens:,} tokens. Its commands "
    "run in a sandbox, in copies of the job, and you are not asked about each of them. An answer "
    "now allows all of it."
)
NO_SANDBOX = (
    "A measurement runs a model's commands without asking you, so it needs the sandbox "
    "(bubblewrap, on Linux). Here, there is none: {}. Play single runs: "
    "play(job, model=connect(…))."
)
OTHERS = "Not shown, because it was measured {why}: {files}."
NOT_SAVED = (
    "{title} is in this table, but its file could not be written in {folder}: {why} Another call "
    "plays it again."
)
NOT_BEGUN = "{title} could not begin: {why} Call this again to go on."
LIMITS = (
    "{runs} of each, of one job: another job can give the opposite, and so can other runs of this "
    "one. The window is of {window}. The files show what was done; what was asked for beyond the "
    "steps, nobody has judged."
)


def measure(
    model: str,
    *,
    job: str | Iterable[Sequence[str]] = "ten_steps",
    runs: int = 4,
    conditions: Sequence[str] | None = None,
    window: int | None = WINDOW,
    after: int = AFTER,
    folder: str | Path | None = None,
) -> "Measurement":
    """Play a job with a model under several conditions, and return the results as a table.

    `model` is the name of a real model, "practice" or "Starter". `job` is that of `play`, and
    `runs` how many there are of each condition. `conditions` are names of CONDITIONS; by default no
    list, a list with reminders after `after` rounds, and the steps once in the prompt. `window` is
    how many of the last messages are sent, and None sends all.

    With a real model, it says before the first request what this can cost at most, and asks the
    user once, for all runs. Each run is saved in `folder` as soon as it has ended, so that
    another call goes on after an interrupt or an error, and plays no run twice. A run that an error
    of the server has broken off is not counted. With each run is saved what makes its result: the
    prompt, the steps, the server, the settings and a version. A run for which one of these was
    different is named with its file, and is neither shown nor deleted.

    Raise MeasureError if it cannot begin, and ConnectError if the model cannot be reached.
    """
    is_script = model.casefold() in SCRIPTS
    names = [*(conditions or (SCRIPTED if is_script else DEFAULT))]
    if unknown := [one for one in names if one not in CONDITIONS]:
        raise MeasureError(f"The conditions are {', '.join(CONDITIONS)}, not {unknown[0]!r}.")
    if type(runs) is not int or runs < 1:
        raise MeasureError(f"runs must be a whole number, 1 or more, not {runs!r}.")
    steps = job if isinstance(job, str) else [*job]
    found = load_job(steps) if isinstance(steps, str) else make_job(steps)
    setup = make_setup(model, found, window, after, is_script)
    measured = Measurement(model, names, [], runs, window)
    with ExitStack() as stack:
        place = None
        if not is_script or folder:
            job_name = steps if isinstance(steps, str) else "own_job"
            place = Path(folder) if folder else name_folder(model, job_name, window, after)
            stack.enter_context(locked(place))
            stored, measured.others = load(place, setup)
            stored = [one for one in stored if one.number <= runs]
            measured.runs += [one for one in stored if one.condition in names]
        # In turn, so that an early end leaves as many runs of each condition.
        todo = [(number, name) for number in range(1, runs + 1) for name in names]
        if place:
            todo = [one for one in todo if not name_file(place, one[1], one[0], setup).exists()]
        if todo and measured.others:
            print("\n".join(measured.list_others()))
        if todo and not is_script:
            played = allow_all(model, len(todo))
        else:
            played = SCRIPTS.get(model.casefold())
        for number, name in todo:
            if not play_one(measured, steps, number, name, played, place, setup):
                break
    measured.runs.sort(key=lambda run: (run.number, names.index(run.condition)))
    return measured


def allow_all(model: str, runs: int) -> Connection:
    """Return a connection whose calls are allowed, after the user was asked once."""
    try:
        has_sandbox = bubblewrap.sandbox_works()
    except OSError as problem:
        raise MeasureError(str(problem)) from None
    if not has_sandbox:
        raise MeasureError(NO_SANDBOX.format(bubblewrap.explain_missing()))
    connection = connect(model, ask=lambda question: "once")
    most = {"requests": runs * Limits.max_requests, "tokens": runs * Limits.max_tokens}
    print(COST.format(model=model, runs=pluralize(runs, "run"), **most))
    if not approval.confirm("Play them? [y/n] "):
        raise MeasureError("Nothing was sent, because you have not allowed it.")
    return connection


def play_one(
    measured: "Measurement",
    job: Any,
    number: int,
    name: str,
    model: Any,
    folder: Path | None,
    setup: Setup,
) -> bool:
    """Play one run and save it. Return whether the measurement can go on."""
    if isinstance(model, Connection):  # the limits of a connection hold for each run
        model.limits.max_requests = model.limits.requests_sent + Limits.max_requests
        model.limits.max_tokens = model.limits.tokens_used + Limits.max_tokens
    title = f"{name}, run {number} of {measured.planned}"
    try:
        run = MeasuredRun(
            job, CONDITIONS[name], setup.after, window=measured.window, model=model
        ).play()
    except OSError as problem:  # its files cannot be copied: the disk is full
        measured.stopped = NOT_BEGUN.format(title=title, why=describe_file_error(problem))
        print(measured.stopped)
        return False
    stored = StoredRun.of(run, name, number)
    if not (run.is_over or run.problem.startswith(ENDS)):
        measured.stopped = (
            f"{title} was broken off, and is not counted: {run.problem}\nCall this again to go on."
        )
    else:
        measured.runs.append(stored)
        try:
            if folder:
                save(folder, stored, run, setup)
        except OSError as problem:  # what was paid for is shown, and nothing more is paid
            why = describe_file_error(problem)
            measured.stopped = NOT_SAVED.format(title=title, folder=folder, why=why)
        # A run without a call ends in its first round. One of several may be an answer in words.
        if isinstance(model, Connection) and all(one.rounds < 2 for one in measured.runs):
            silent = f"{title}: the model has called no tool. {run.problem}".strip()
            measured.stopped = "\n".join(filter(None, [silent, measured.stopped]))
    print(measured.stopped or f"{title}: {describe(stored)}")
    return not measured.stopped


def describe(run: StoredRun) -> str:
    """Return the result of a run in a few words."""
    done = f"{sum(run.done)} of {len(run.done)} steps, " if run.done else ""
    done = f"the files are {run.not_judged}, " if run.not_judged else done
    return f"{done}{pluralize(run.rounds, 'round')}, {run.tokens:,} tokens. {run.problem}".strip()


class Measurement(ComparedRuns):
    """The runs of a measurement, as a table.

    `stopped` says why it has ended early, or is "", and `others` are the files that are not shown.
    """

    labels = ""

    def __init__(
        self, model: str, names: list[str], runs: list[StoredRun], planned: int, window: int | None
    ) -> None:
        self.model, self.names, self.runs = model, names, runs
        self.planned, self.window, self.stopped = planned, window, ""
        self.others: list[OtherRun] = []

    @property
    def rows(self) -> list[RunRow]:
        """Return a row for each condition that was played."""
        return [self.make_row(name) for name in self.names if self.of(name)]

    @property
    def source(self) -> str:
        """Return what the numbers do not show, and how the conditions compare."""
        window = f"{self.window} messages" if self.window else "all messages"
        limits = LIMITS.format(runs=pluralize(self.planned, "run"), window=window)
        said = [*self.compare(), limits, *self.list_others(), self.stopped]
        return "\n".join(filter(None, said))

    def list_others(self) -> list[str]:
        """Return a sentence for each way in which files of the folder are of other measurements."""
        files: dict[str, list[str]] = {}
        for other in self.others:
            files.setdefault(other.why, []).append(str(other.file))
        return [OTHERS.format(why=why, files=", ".join(names)) for why, names in files.items()]

    def of(self, name: str) -> list[StoredRun]:
        """Return the runs of a condition."""
        return [run for run in self.runs if run.condition == name]

    def make_row(self, name: str) -> RunRow:
        """Return the row of a condition: its first run, and the numbers of all."""
        runs = self.of(name)
        first = runs[0]
        marks = list_marks(first.letters, first.steps, done=first.all_done)
        rounds, tokens = median(run.rounds for run in runs), median(run.tokens for run in runs)
        done = ", ".join(filter(None, [run.result for run in runs]))
        done = f", steps done: {done}" if done else ""
        more = f"{pluralize(len(runs), 'run')}{done}; median of {rounds:g} rounds and "
        more += f"{tokens:,.0f} tokens"
        problems = "\n".join({run.problem for run in runs if run.problem})
        counts = list_counts(first.done, first.items, first.not_judged)
        return RunRow(f"{self.model}, {name}", marks, None, counts, more, problems)

    def compare(self) -> list[str]:
        """Return for each condition how many of its runs did more or fewer steps than the first.

        A run whose files are not judged is not compared.
        """
        said = []
        base = {run.number: sum(run.done) for run in self.of(self.names[0]) if run.done}
        for name in self.names[1:]:
            pairs = [
                (sum(run.done), base[run.number])
                for run in self.of(name)
                if run.done and run.number in base
            ]
            if pairs:
                more = sum(one > other for one, other in pairs)
                fewer = sum(one < other for one, other in pairs)
                said.append(
                    f"With “{name}”, {more} of {pluralize(len(pairs), 'run')} did more steps than "
                    f"with “{self.names[0]}”, {fewer} did fewer, and "
                    f"{len(pairs) - more - fewer} did as many."
                )
        return said


def main(argv: list[str]) -> int:
    """Measure a model from a terminal. Return the exit status."""
    parser = ArgumentParser("planning-agent measure", description="Does a plan help this model?")
    parser.add_argument("model", help="its name, or practice, or Starter")
    parser.add_argument("--job", default="ten_steps")
    parser.add_argument("--runs", type=int, default=4, help="runs of each condition")
    parser.add_argument("--window", type=int, default=WINDOW, help="messages that are sent")
    parser.add_argument("--condition", action="append", help=", ".join(CONDITIONS))
    given = parser.parse_args(argv)
    try:
        print(
            measure(
                given.model,
                job=given.job,
                runs=given.runs,
                window=given.window,
                conditions=given.condition,
            )
        )
    except (MeasureError, ConnectError, FileNotFoundError, ValueError) as problem:
        print(problem)
        return 1
    return 0
