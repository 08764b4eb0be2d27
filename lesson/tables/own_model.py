"""Play agents with a real model: the table of `evaluate(agents, model=…)`, and its files.

Each run is a file, and what the table shows is always read from the files. So whatever ends the
program, the next call plays only the runs that are missing. Before that, the script plays each
agent, which counts what a run sends, and the user is asked once for all runs.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from importlib import metadata
from itertools import count
from pathlib import Path
from typing import Any

from IPython.display import display

with suppress(ImportError):  # Windows, and Python in a browser
    from fcntl import LOCK_EX, LOCK_NB, flock

from safetylib.guard import approval
from safetylib.guard.bubblewrap import sandbox_works
from safetylib.guard.hide_keys import hide_keys_in
from safetylib.guard.typed import YES
from safetylib.wire.run_file import Line, to_json
from safetylib.wire.server.limits import Limits
from safetylib.wire.thinking import find_thinking

from ..common.connection import Connection
from ..common.message_blocks import WINDOW
from ..common.pluralize import pluralize
from ..common.version import __version__
from ..in_cells.open_run import OpenedRun, open_run
from ..in_cells.play_job import PlayedRun, set_up
from ..kernel.watching import name_request
from ..program.your_parts import LAST
from ..runs.run_lines import ODD, RunFileError
from ..runs.saved_run import read_run
from ..runs.settings import Settings
from ..widgets.drawn import shown_at_the_end
from .evaluation import read_result
from .own_runs import (
    LEFT_OUT,
    RUN,
    SENT,
    KeptRun,
    Offer,
    OwnRuns,
    RunName,
    describe_times,
)

MARGIN = 2  # by default, the tokens of a table are at most this multiple of what is expected
ATTEMPTS = 3  # how often the SDK sends a request at most
FEWEST_REPLIES = 3  # shorter runs may be equal by chance, so they are not called copies
# How a table names what allows the calls of its runs, and what its question says of it.
SANDBOX = "commands in the sandbox"
NO_SANDBOX = "no command runs"
OWN_ASK = "each call is asked for"
TASKS = (
    "{!r} has task tools, and the script's rounds have a list, from which it cannot go on: pass "
    "script_rounds=0."
)
ALLOWS = {
    SANDBOX: "Your yes allows all calls, each in a copy: commands run in the sandbox, and can read "
    "files outside your home folder.",
    NO_SANDBOX: "Your yes allows all calls, each in a copy: there is no sandbox here, so no "
    "command runs.",
    OWN_ASK: "The `ask` of your connection decides about each call.",
}


@dataclass
class Experiment:
    """Plays each agent some times with a model, as `evaluate` explains.

    `left` names the runs that are missing in the files: `ask` says what they would send, and `play`
    plays each into a file of its own. `table` shows what the files have.
    """

    agents: Mapping[str, Settings]
    model: Connection | None
    times: int
    script_rounds: int
    save: str | Path
    prices: Sequence[float] | None
    max_total_tokens: int | None

    def __post_init__(self) -> None:
        """Play each agent with the script, and read the runs that are there."""
        self.allowed_by = OWN_ASK
        if self.model and self.model.ask is approval.ask_at_keyboard:
            self.allowed_by = SANDBOX if sandbox_works() else NO_SANDBOX
        for agent, settings in self.agents.items():
            if self.script_rounds and hasattr(settings.todo, "tools"):
                raise ValueError(TASKS.format(agent))
        self.start = self._play_first_rounds()
        self.beginning = f"after {pluralize(self.script_rounds, 'round')} of the script"
        # By the agent: the requests of a run, and the tokens that it sends and writes; and what its
        # runs have in common.
        self.sizes, self.sets = dict[str, tuple[int, int, int]](), dict[str, Any]()
        whose: dict[str, str] = {}
        for agent in self.agents:
            # In a window, the script would lose its plan and end early.
            run = self._set_up(agent, window="all").play()
            if run.problem:
                early = f"{agent!r} ends early with the script, so nothing was sent"
                raise ValueError(f"{early}: {run.problem}")
            self.sizes[agent], whose[agent] = self._measure(run), run.whose
            self.sets[agent] = self._describe_set(agent, run)
        about = ""
        if self.model:
            model = f"{self.model.settings['model']} from {self.model.host}"
            about = f"{model}, {self.beginning}, {self.allowed_by}"
        self.table = OwnRuns(run.job, whose, self.times, about)
        self.folder = Path(self.save).expanduser().absolute()  # a part may change the folder
        self._files = dict[Path, KeptRun | None]()  # None if it is not a run of this table
        self._read()
        # The agents take turns, so a slow hour of a server hits all alike.
        names = [(number, agent) for number in range(1, self.times + 1) for agent in self.agents]
        self.left = [name for name in names if name not in self.table.runs]
        sizes = [self.sizes[agent] for _, agent in self.left]
        self.expected = [sum(numbers) for numbers in zip(*sizes, strict=True)]
        self.most = self.max_total_tokens or MARGIN * sum(self.expected[1:])  # tokens, of all runs

    def _play_first_rounds(self) -> PlayedRun | None:
        """Play the script without a nag: from these rounds each agent goes on."""
        if not self.script_rounds:
            return None
        job = next(iter(self.agents.values())).job
        start = set_up(Settings(job, loop="agentlib", todo="agentlib", nag=None)).play()
        if self.script_rounds >= len(start.rounds):
            end = f"the script plays {start.job!r} to its end in {len(start.rounds)} rounds"
            raise ValueError(f"script_rounds={self.script_rounds}, but {end}. Pass fewer, or 0.")
        done = start.records[self.script_rounds - 1].snapshot.done
        if done and all(done):
            end = f"after them, no step of {start.job!r} is left"
            raise ValueError(f"script_rounds={self.script_rounds}, but {end}. Pass fewer, or 0.")
        return start

    def _set_up(self, agent: str, **more: Any) -> PlayedRun:
        """Return a run of an agent, which begins after the script's rounds."""
        settings = self.agents[agent]
        window = WINDOW if self.start and settings.window is None else settings.window
        run = set_up(replace(settings, **{"window": window, **more}))
        if self.start and not run.problem:
            run.begin_after(self.start, self.start.lines, self.script_rounds)
        return run

    def _measure(self, run: PlayedRun) -> tuple[int, int, int]:
        """Return what a run of the script has sent, as a real model's would."""
        more = 0 if self.start else len(run.name_steps()) // 4
        usages = [round_.usage for round_ in run.rounds[self.script_rounds :]]
        written = sum(usage.output_tokens for usage in usages)
        return len(usages), sum(usage.total + more for usage in usages) - written, written

    def _describe_set(self, agent: str, run: PlayedRun) -> Any:
        """Return what an agent's runs have in common, as the user can see it.

        A part has only its name here: no hash of its code would tell what changes a run.
        """
        values = describe_settings(self.agents[agent])
        model = self.model and {"host": self.model.host, "settings": self.model.settings}
        about = {"agent": agent, "times": self.times, "script_rounds": self.script_rounds}
        about |= {"steps": run.step_texts, "whose": run.whose.replace(LAST, ""), "given": values}
        return hide_keys_in(to_json(about | {"model": model, "calls": self.allowed_by}))

    def ask(self) -> bool:
        """Show what the runs would send, ask the user, and return whether the answer is yes."""
        runs, rows = pluralize(len(self.left), "run"), self._list_numbers()
        display(Offer(f"{runs} of {self.table.job}, {self.beginning}", rows, self._explain()))
        if self.model is None:
            print('Nothing was sent. With a key, add model=connect("NAME") in an installed lesson.')
            return False
        price = f" ({rows[-1][-1]})" if self.prices else ""
        question = f"Play {runs}, for at most {self.most:,} tokens{price} and one reply more?"
        prompt = f"{ALLOWS[self.allowed_by]}\n{question}\n  y   yes\nAnything else is a no.\n"
        answer = None
        if approval.someone_can_answer():
            with suppress(EOFError, NotImplementedError):  # the latter: no input line
                answer = approval.read_line(f"{prompt}Your answer: ", "")
        if answer is None:
            print("Nothing was sent. Nobody can be asked here.")
            return False
        if answer.strip().lower() not in YES:
            print("Nothing was sent.")
            return False
        return True

    def _list_numbers(self) -> list[tuple[str, str, str]]:
        """Return what the runs are expected to send, and what they send at most."""
        requests, sent, written = self.expected
        rows = [
            ("", "expected", "at most"),
            ("requests", f"{requests:,}", f"{len(self.left) * Limits.max_requests:,}"),
            ("tokens", f"{sent + written:,}", f"{self.most:,}"),
        ]
        if self.prices:
            expected = (self.prices[0] * sent + self.prices[1] * written) / 1e6
            most = max(self.prices) * self.most / 1e6
            rows.append(("price in the unit of prices=", f"{expected:,.2f}", f"{most:,.2f}"))
        return rows

    def _explain(self) -> list[str]:
        """Return what the user should know beside the numbers, and which kept runs are used."""
        names = [agent for _, agent in self.left]
        agents = ", ".join(f"{names.count(agent)} of {agent!r}" for agent in self.agents)
        sentences = [
            f"The runs: {agents}. Each is a file in {self.save}, and is kept when it has ended.",
            "A script has counted what is expected. It is much less if an agent stops early, and "
            "more if your model thinks. The last reply can exceed the number in “at most”.",
        ]
        for agent in self.agents:
            if runs := [run for run in self.table.runs.values() if run.name[1] == agent]:
                many = pluralize(len(runs), "run")
                sentences.append(f"Kept: {many} of {agent!r}, {describe_times(runs)}, to be used.")
        if self.table.runs:
            sentences.append(
                "If you have changed an agent since then, give it another name, or pass another "
                "folder as save."
            )
        return sentences + self.table.notes + self.table.list_put_aside()

    def play(self) -> None:
        """Play what is left, and show the table. The user's own limits stay as they were."""
        self.table.shown_by = name_request()
        limits = self.model.limits if self.model else Limits()
        requests_left = limits.max_requests - limits.requests_sent
        tokens_left = limits.max_total_tokens - limits.tokens_used
        try:
            with shown_at_the_end(self.table, "Your model is doing the job …") as say:
                if self.left:
                    self._play_left(limits, say)
                else:
                    self.table.notes.append(
                        "Read from files. To play all again, pass another folder as save."
                    )
        finally:
            limits.max_requests = limits.requests_sent + requests_left
            limits.max_total_tokens = limits.tokens_used + tokens_left

    def _play_left(self, limits: Limits, say: Callable[[str], None]) -> None:
        """Play until the tokens are used, two runs in a row break off, or no file can be made."""
        limits.max_total_tokens = limits.tokens_used + self.most
        failed = 0
        try:
            with lock(self.folder):
                self._files.clear()  # another program may have written some since the question
                self.table.notes.clear()
                self._read()
                for place, name in enumerate(self.left):
                    if name in self.table.runs:
                        continue
                    self._play_run(name, pluralize(len(self.left) - place, "run"), limits, say)
                    self._read()
                    failed = 0 if name in self.table.runs else failed + 1
                    if limits.tokens_used >= limits.max_total_tokens:
                        self.table.notes.append(f"Stopped, because {self.most:,} tokens are used.")
                        break
                    if failed == 2:
                        self.table.notes.append("Stopped, because two runs in a row broke off.")
                        break
        except (OSError, RunFileError) as problem:
            self.table.notes.append(f"Stopped: {problem}")
        finally:
            self._read()  # even after Stop, because what it has ended was paid for

    def _play_run(
        self, name: RunName, left: str, limits: Limits, say: Callable[[str], None]
    ) -> None:
        """Play a run into a new file. Raise OSError or RunFileError if no file can be made."""
        limits.max_requests = limits.requests_sent + ATTEMPTS * Limits.max_requests
        model = self.model
        if model and self.allowed_by != OWN_ASK:
            model = replace(model, ask=allow)
        paths = (self.folder / self._name_file(*name, place) for place in count(1))
        path = next(path for path in paths if not path.exists())

        def show(*_: Any) -> None:
            rounds = pluralize(len(run.rounds[run.rounds_before :]), "round")
            words = f"{left} left: {name[1]!r} plays {RUN.format(name[0])}, {rounds} …"
            say(self.table.draw_playing(words))

        run = self._set_up(name[1], model=model, save=path)
        run.about = self._describe_run(name)
        run.limit_requests(Limits.max_requests)
        show()
        run.play(show)

    def _name_file(self, number: object, agent: str, place: object) -> str:
        words = re.sub(r"\W+", "_", f"{self.table.job}_{agent}")[:40]
        return f"{words}_{number}_of_{self.times}_{place}.jsonl"

    def _describe_run(self, name: RunName) -> Line:
        """Return what the first line of a run says of the table."""
        now = datetime.now().isoformat(" ")
        versions = f"lesson {__version__}, anthropic {metadata.version('anthropic')}"
        return {"set": self.sets[name[1]], "number": name[0], "began": now, "versions": versions}

    def _read(self) -> None:
        """Show the runs that the files have now. Only new files are read."""
        for agent in self.agents:
            # The names of agents can be so alike that this finds the files of others as well.
            for path in self.folder.glob(self._name_file("*", agent, "*")):
                if path in self._files:
                    continue
                try:
                    self._files[path] = read_kept(path, self.sets)
                except (OSError, *ODD) as problem:
                    self._files[path] = None
                    self.table.notes.append(f"Not used: {problem}")
        runs = [run for run in self._files.values() if run]
        self.table.show_runs(sorted(runs, key=lambda run: run.began))


@contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Let no other program play runs into a folder meanwhile: both would pay for the same ones.

    Make the folder if it is missing, for its owner alone, and unknown to git. Raise RunFileError if
    another program is playing.
    """
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True)
        (folder / ".gitignore").write_text("*\n")
    place = None
    try:
        # The folder itself: a file in it could be the user's own, or a link.
        place = os.open(folder, os.O_RDONLY)
        flock(place, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        os.close(place)  # type: ignore[arg-type]
        raise RunFileError(
            f"Another program is playing runs into {folder}. Run the cell again when it has "
            "ended, or pass another folder as save."
        ) from None
    except (NameError, OSError):
        pass  # not every system has locks
    try:
        yield
    finally:
        if place is not None:
            os.close(place)


def read_kept(path: Path, sets: Mapping[str, Any]) -> KeptRun | None:
    """Return what a table shows of the run in a file, or None if it is of another table.

    `sets` are what the runs of each agent have in common. Raise RunFileError, another of ODD or
    OSError for a file that cannot be read.
    """
    run = read_run(path, OpenedRun)
    first = run.lines[0]
    kept = first.get("set")
    if isinstance(kept, dict) and isinstance(kept.get("given"), dict):
        # A setting that `play` did not have then has its default, so what was paid stays in use.
        kept = kept | {"given": describe_settings(Settings()) | kept["given"]}
    if kept not in sets.values():
        return None
    if type(first["number"]) is not int or type(run.tokens_paid) is not int or run.tokens_paid < 0:
        raise RunFileError(f"{path.name}: a number in it was changed.")
    # Run writes "again" into the last line of a run that was broken off.
    end = next((line for line in run.lines if line["type"] == "end"), {"again": True})
    replies = [line["content"] for line in run.lines if line["type"] == "reply"]
    wrote = [
        [block | {"id": "", "signature": ""} for block in reply]
        for reply in replies[run.rounds_before :]
    ]
    requests = run.requests[run.rounds_before :]
    thinking = ""
    if any(line.get("thinking_left_out") for line in run.lines):
        thinking = LEFT_OUT
    elif any(True for request in requests for _ in find_thinking(request["messages"])):
        thinking = SENT
    return KeptRun(
        name=(first["number"], first["set"]["agent"]),
        began=str(first["began"]),
        versions=str(first["versions"]),
        has_ended=not end.get("again"),
        result=read_result(run, partial(open_run, path), thinking),
        wrote=str(wrote) if len(wrote) >= FEWEST_REPLIES else "",
        tokens_paid=run.tokens_paid,
    )


def allow(question: approval.Question) -> approval.Answer:
    """Allow a call in a copy of a project, and a command only in the sandbox."""
    if question.tool == "bash" and not sandbox_works():
        raise PermissionError(
            "Not run: there is no sandbox here, and nobody is asked. Continue without commands."
        )
    return approval.ONCE


def describe_settings(settings: Settings) -> Line:
    """Return the settings of an agent, by their names."""
    names = [field.name for field in fields(Settings) if field.name not in ("model", "save")]
    return {name: describe_setting(getattr(settings, name)) for name in names}


def describe_setting(value: Any) -> Any:
    """Return a setting of `play`: a plain value as it is, and a part by its name."""
    if isinstance(value, str | int | list | tuple | None):
        return value
    return getattr(value, "__name__", type(value).__name__)
