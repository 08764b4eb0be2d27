"""Play agents with a real model: the runs are counted with the script, and then asked for once."""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from importlib import metadata
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from IPython.display import display

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
from ..kernel.watching import is_watched
from ..program.your_parts import LAST
from ..runs.run_lines import RunFileError, is_written
from ..runs.saved_run import read_run
from ..runs.settings import Settings
from ..widgets.drawn import shown_at_the_end
from ..widgets.evaluation import read_result
from ..widgets.own_runs import LEFT_OUT, RUN, SENT, Offer, OwnRuns, describe_times
from ..widgets.run_view import name_request
from .open_run import OpenedRun, open_run
from .play_job import PlayedRun, set_up

TIMES = 5  # how often each agent plays by default
MARGIN = 2  # a table stops when it has used this multiple of the expected tokens
SEED = 1  # for the random order of the agents
ATTEMPTS = 3  # how often the SDK sends a request at most
REJECTED = (400, 422)  # the statuses with which a server rejects what a request contains
FEWEST_REPLIES = 3  # shorter runs may be equal by chance, so they are not called copies
# Whether commands run in the sandbox, and how the head and the question of a table say so. With
# None, the connection's own `ask` decides about each call.
CALLS = {True: "commands in the sandbox", False: "no command runs", None: "each call is asked for"}
ALLOWS = {
    True: "commands run in the sandbox, and can read files outside your home folder.",
    False: "there is no sandbox here, so no command runs.",
}
NO_COMMANDS = "Not run: there is no sandbox here, and nobody is asked. Continue without commands."
RunName = tuple[int, str]  # the number of a run, and its agent
# The attributes of an OwnRun that a table keeps. A whole run has half a megabyte.
KEPT = (
    *("name", "began", "versions", "has_ended", "is_rejected", "problem", "not_judged", "result"),
    *("wrote", "thinking", "has_lost_sandbox", "step_texts", "rounds_before", "tokens_paid"),
)


@dataclass
class Trial:
    """Plays each agent some times with a model, as `evaluate` explains.

    It first plays each agent with the script, which counts what a run sends, and reads the runs
    that the folder `save` has already. `left` are the runs that are missing: `ask` says what they
    would send, and `play` plays each into a file of its own. The table is always made from the
    files, so a run counts in the same way whenever it was played.
    """

    agents: Mapping[str, Settings]
    model: Connection | None
    times: int
    script_rounds: int
    save: str | Path
    prices: Sequence[float] | None
    max_tokens: int | None
    anew: bool

    def __post_init__(self) -> None:
        """Play each agent with the script, and read the runs that are there."""
        is_asked_once = self.model is not None and self.model.ask is approval.ask_user
        self.has_sandbox = sandbox_works() if is_asked_once else None  # a key of CALLS
        self.start = self._play_first_rounds()
        self.beginning = f"after {pluralize(self.script_rounds, 'round')} of the script"
        about = ""
        if self.model:
            model = f"{self.model.settings['model']} from {self.model.host}"
            about = (
                f"{model}, {self.beginning}, {CALLS[self.has_sandbox]}; seed of the order: {SEED}"
            )
        # The requests of a run, and the tokens that it sends and writes, by the agent.
        self.sizes = dict[str, tuple[int, ...]]()
        whose, sets = dict[str, str](), dict[str, Any]()
        for agent in self.agents:
            # In a window, the script would lose its plan and end early.
            run = self._set_up(agent, window="all").play()
            if run.problem:
                early = f"{agent!r} ends early with the script, so nothing was sent"
                raise ValueError(f"{early}: {run.problem}")
            self.sizes[agent], whose[agent] = self._measure(run), run.whose
            sets[agent] = self._describe_set(agent, run)
        self.table = OwnRuns(run.job, whose, self.times, about)
        folder = Path(self.save).expanduser().absolute()  # a part may change the folder
        self.kept = KeptRuns(folder, sets, self.table)
        self.kept.read()
        order = random.Random(SEED)
        # The agents take turns, so that a slow hour of a server hits all alike.
        turns = [order.sample([*self.agents], len(self.agents)) for _ in range(self.times)]
        names = [(number, agent) for number, turn in enumerate(turns, 1) for agent in turn]
        self.left = [name for name in names if self.anew or not self.kept.has(name)]

    def _play_first_rounds(self) -> PlayedRun | None:
        """Play the script without a nag: from these rounds each agent goes on."""
        if not self.script_rounds:
            return None
        job = next(iter(self.agents.values())).job
        start = set_up(Settings(job, loop="ours", todo="ours", nag=None)).play()
        if self.script_rounds >= len(start.rounds):
            end = f"the script plays {start.job!r} to its end in {len(start.rounds)} rounds"
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

    def _measure(self, run: PlayedRun) -> tuple[int, ...]:
        """Return what a run of the script has sent, as a real model's would."""
        more = 0 if self.start else len(run.name_steps()) // 4
        usages = [round_.usage for round_ in run.rounds[self.script_rounds :]]
        written = sum(usage.output_tokens for usage in usages)
        return len(usages), sum(usage.total + more for usage in usages) - written, written

    def _describe_set(self, agent: str, run: PlayedRun) -> Any:
        """Return what an agent's runs have in common, as the user can see it.

        A part has only its name here: no hash of its code would tell what changes a run.
        """
        names = [field.name for field in fields(Settings) if field.name not in ("model", "save")]
        settings = self.agents[agent]
        values = {name: describe_setting(getattr(settings, name)) for name in names}
        model = self.model and {"host": self.model.host, "settings": self.model.settings}
        about = {"agent": agent, "times": self.times, "script_rounds": self.script_rounds}
        about |= {"steps": run.step_texts, "whose": run.whose.replace(LAST, ""), "given": values}
        return hide_keys_in(to_json(about | {"model": model, "calls": CALLS[self.has_sandbox]}))

    def ask(self) -> bool:
        """Show what the runs would send, ask the user, and return whether the answer is yes."""
        runs, answer = pluralize(len(self.left), "run"), None
        title = f"{runs} of {self.table.job}, {self.beginning}"
        offer = Offer(title, self._list_numbers(), self._explain())
        shown = display(offer, display_id=is_watched() or None)
        if self.model and approval.someone_can_answer():
            allows = "The `ask` of your connection decides about each call."
            if self.has_sandbox is not None:
                allows = f"Your yes allows all calls, each in a copy: {ALLOWS[self.has_sandbox]}"
            price = f" ({self.price})" if self.prices else ""
            question = f"Play {runs}, for at most {self.most:,} tokens{price}?"
            prompt = f"{allows}\n{question}\n  y   yes\nAnything else is a no.\nYour answer: "
            with suppress(EOFError, NotImplementedError):  # the latter: no input line
                answer = approval.read_line(prompt, "")
        if shown and answer is not None:
            offer.is_answered = True
            shown.update(offer)
        is_yes = (answer or "").strip().lower() in YES
        if self.model is None:
            print('Nothing was sent. With a key, add model=connect("NAME") in an installed lesson.')
        elif answer is None:
            print("Nothing was sent. Nobody can be asked here.")
        elif not is_yes:
            print("Nothing was sent.")
        return is_yes

    def _list_numbers(self) -> list[tuple[str, str, str]]:
        """Return what the runs are expected to send, and what they send at most."""
        sizes = [self.sizes[agent] for _, agent in self.left]
        requests, sent, written = map(sum, zip(*sizes, strict=True))
        self.most = self.max_tokens or MARGIN * (sent + written)  # tokens, of all runs
        rows = [
            ("", "expected", "at most"),
            ("requests", f"{requests:,}", f"{len(self.left) * Limits.max_requests:,}"),
            ("tokens", f"{sent + written:,}", f"{self.most:,}"),
        ]
        if self.prices:
            expected = (self.prices[0] * sent + self.prices[1] * written) / 1e6
            self.price = f"{max(self.prices) * self.most / 1e6:,.2f}"
            rows.append(("price in the unit of prices=", f"{expected:,.2f}", self.price))
        return rows

    def _explain(self) -> list[str]:
        """Return what the user should know beside the numbers, and which kept runs are used."""
        names = [agent for _, agent in self.left]
        agents = ", ".join(f"{names.count(agent)} of {agent!r}" for agent in self.agents)
        sentences = [
            f"The runs: {agents}. Each is a file in {self.save}, and is kept when it has ended.",
            "A script has counted what is expected: at most about this, and much less if an agent "
            "stops early. It is more if your model thinks.",
        ]
        for agent in self.agents:
            if runs := [run for (_, name), run in self.table.runs.items() if name == agent]:
                use = "put aside in another folder" if self.anew else "used"
                many = pluralize(len(runs), "run")
                sentences.append(f"Kept: {many} of {agent!r}, {describe_times(runs)}, to be {use}.")
        if self.table.runs and not self.anew:
            sentences.append("If you have changed an agent since then, pass anew=True.")
        return sentences + self.table.notes + self.table.list_put_aside()

    def play(self) -> None:
        """Play what is left, and show the table. The user's own limits stay as they were."""
        self.table._shown_by = name_request()
        limits = self.model.limits if self.model else Limits()
        kept = limits.max_requests - limits.requests_sent, limits.max_tokens - limits.tokens_used
        try:
            with shown_at_the_end(self.table, "Your model is doing the job …") as say:
                if self.left:
                    self._play_left(limits, say)
                else:
                    self.table.notes.append("Read from files. To play all again, pass anew=True.")
        finally:
            limits.max_requests = limits.requests_sent + kept[0]
            limits.max_tokens = limits.tokens_used + kept[1]

    def _play_left(self, limits: Limits, say: Callable[[str], None]) -> None:
        """Play until the tokens are used, two runs in a row break off, or no file can be made."""
        limits.max_tokens = limits.tokens_used + self.most
        failed = 0
        try:
            self.kept.make_folder()
            if self.anew:
                self.kept.put_aside()
            for place, name in enumerate(self.left):
                self.kept.read()
                if self.kept.has(name):  # another program is playing this table
                    continue
                self._play_run(name, pluralize(len(self.left) - place, "run"), limits, say)
                self.kept.read()
                failed = 0 if self.kept.has(name) else failed + 1
                if limits.tokens_used >= limits.max_tokens:
                    self.table.notes.append(f"Stopped, because {self.most:,} tokens are used.")
                    break
                if failed == 2:
                    self.table.notes.append("Stopped, because two runs in a row broke off.")
                    break
        except (OSError, RunFileError) as problem:
            self.table.notes.append(f"Stopped: {problem}")
        finally:
            self.kept.read()  # even after Stop, because what it has ended was paid for

    def _play_run(
        self, name: RunName, left: str, limits: Limits, say: Callable[[str], None]
    ) -> None:
        """Play a run into a new file. Raise OSError or RunFileError if no file can be made."""
        limits.max_requests = limits.requests_sent + ATTEMPTS * Limits.max_requests
        model = self.model
        if model and self.has_sandbox is not None:
            model = replace(model, ask=allow)
        path = self.kept.name_new(name)

        def show(*_: Any) -> None:
            rounds = pluralize(len(run.rounds[run.rounds_before :]), "round")
            words = f"{left} left: {name[1]!r} plays {RUN.format(name[0])}, {rounds} …"
            say(self.table.draw_playing(words))

        try:
            run = self._set_up(name[1], model=model, save=path)
            run.about = self.kept.describe(name)
            run.limit_requests(Limits.max_requests)
            show()
            run.play(show)
        except RunFileError:
            if not path.exists():
                raise  # if the file is there, another program has just begun this run


class KeptRuns:
    """The files of a table's runs in a folder: `read` shows in the table what they have."""

    def __init__(self, folder: Path, sets: Mapping[str, Any], table: OwnRuns) -> None:
        """Take what the runs of each agent have in common."""
        self._folder, self._sets, self._table = folder, sets, table
        self._files: dict[Path, Any] = {}  # None if it is not a run of this table
        self._busy = set[RunName]()  # the runs that another program is playing

    def has(self, name: RunName) -> bool:
        """Return whether a run is in the table, or another program is playing it."""
        return name in self._table.runs or name in self._busy

    def read(self) -> None:
        """Show the runs that the files have now."""
        self._busy.clear()
        for agent in self._sets:
            for path in self._folder.glob(self._name_file("*", agent, "*")):
                if path not in self._files and path.is_file():
                    self._read_file(path, self._sets[agent])
        runs = [run for run in self._files.values() if run]
        self._table.busy = len(self._busy)
        self._table.show_runs(sorted(runs, key=lambda run: run.began))

    def _read_file(self, path: Path, wanted: Any) -> None:
        """Read one file: a run that ended or broke off, or one that is being played."""
        is_busy = is_written(path)
        try:
            run = read_run(path, OwnRun)
            is_busy = is_busy or is_written(path)  # it may end or begin meanwhile
        except (OSError, RunFileError) as problem:
            if not is_busy and not is_written(path) and path.exists() and path.stat().st_size:
                self._files[path] = None
                self._table.notes.append(f"Not used: {problem}")
            return
        if run.lines[0]["set"] != wanted:  # a run of another table
            self._files[path] = None
        elif is_busy:
            self._busy.add(run.name)
        else:
            kept = SimpleNamespace(**{name: getattr(run, name) for name in KEPT})
            kept.result = run.result._replace(open=partial(open_run, path))
            self._files[path] = kept

    def describe(self, name: RunName) -> Line:
        """Return what the first line of a run says of the table."""
        now = datetime.now().isoformat(" ")
        versions = f"lesson {__version__}, anthropic {metadata.version('anthropic')}"
        return {"set": self._sets[name[1]], "number": name[0], "began": now, "versions": versions}

    def _name_file(self, number: object, agent: str, place: object) -> str:
        words = re.sub(r"\W+", "_", f"{self._table.job}_{agent}")[:40]
        return f"{words}_{number}_of_{self._sets[agent]['times']}_{place}.jsonl"

    def name_new(self, name: RunName) -> Path:
        """Return the first free name for the file of a run."""
        paths = (self._folder / self._name_file(*name, place) for place in count(1))
        return next(path for path in paths if not path.exists())

    def make_folder(self) -> None:
        """Make the folder, if it is missing, for its owner alone, and unknown to git."""
        if not self._folder.is_dir():
            self._folder.mkdir(mode=0o700, parents=True)
            (self._folder / ".gitignore").write_text("*\n")

    def put_aside(self) -> None:
        """Move the files of all runs into a new folder, so that they are played again."""
        folders = (self._folder / f"aside_{number}" for number in count(1))
        aside = next(folder for folder in folders if not folder.exists())
        aside.mkdir(mode=0o700)
        for path in [path for path, run in self._files.items() if run]:
            path.rename(aside / path.name)
            del self._files[path]


class OwnRun(OpenedRun):
    """A run of a table, from its file."""

    def __init__(self, first: Line) -> None:
        """Begin with the first line. Raise one of ODD if it is not that of a table's run."""
        super().__init__(first)
        begun = first["set"]
        self.name: RunName = first["number"], begun["agent"]
        self.began, self.versions = str(first["began"]), str(first["versions"])
        datetime.fromisoformat(self.began)
        is_same = (self.step_texts, self.rounds_before) == (begun["steps"], begun["script_rounds"])
        if not is_same or first["number"] not in range(1, begun["times"] + 1):
            raise ValueError("the line was changed")

    def read(self, lines: Iterable[Line]) -> None:
        """Read the other lines, and note what the table says of them."""
        super().read(lines)
        end = next((line for line in self.lines if line["type"] == "end"), {"again": True})
        self.has_ended = not end.get("again")
        self.is_rejected = end.get("status") in REJECTED
        replies = [line["content"] for line in self.lines if line["type"] == "reply"]
        wrote = [
            [block | {"id": "", "signature": ""} for block in reply]
            for reply in replies[self.rounds_before :]
        ]
        self.wrote = str(wrote) if len(wrote) >= FEWEST_REPLIES else ""
        requests, begun = self.requests[self.rounds_before :], self.lines[0]["set"]
        had_sandbox = begun["calls"] == CALLS[True]
        self.has_lost_sandbox = had_sandbox and any(NO_COMMANDS in str(line) for line in self.lines)
        has_sent = any(True for request in requests for _ in find_thinking(request["messages"]))
        left_out = any(line.get("thinking_left_out") for line in self.lines)
        self.thinking = LEFT_OUT if left_out else SENT if has_sent else ""
        others = {str(request.get("model")) for request in requests}
        others -= {begun["model"]["settings"]["model"]}
        more = [self.thinking, *(f"asked {model}" for model in sorted(others))]
        self.result = read_result(self, lambda: self, ", ".join(filter(None, more)))


def allow(question: approval.Question) -> approval.Answer:
    """Allow a call in a copy of a project, and a command only in the sandbox."""
    if question.tool == "bash" and not sandbox_works():
        raise PermissionError(NO_COMMANDS)
    return approval.ONCE


def describe_setting(value: Any) -> Any:
    """Return a setting of `play`: a plain value as it is, and a part by its name."""
    if isinstance(value, str | int | list | tuple | None):
        return value
    return getattr(value, "__name__", type(value).__name__)
