"""Some runs of each agent with a real model: what they send is said first, and the user asked."""

import hashlib
import inspect
import random
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from math import comb
from pathlib import Path
from typing import Any

from safetylib.guard import approval
from safetylib.guard.bubblewrap import sandbox_works
from safetylib.guard.escape import for_print
from safetylib.guard.typed import YES
from safetylib.wire.server.connect import PROBE_SECONDS
from safetylib.wire.server.limits import Limits

from .. import __version__
from ..common.connection import Connection
from ..common.message_blocks import WINDOW
from ..common.pluralize import pluralize
from ..program.your_parts import KINDS
from ..runs.run_lines import RunFileError
from ..runs.settings import Settings
from ..widgets.drawn import shown_at_the_end
from ..widgets.own_runs import RUN, OwnRuns
from ..widgets.run_view import name_request
from .open_run import open_run
from .play_job import PlayedRun, set_up

TIMES = 5  # runs of each agent, if a model is named
MARGIN = 2  # the table stops after so many times the tokens that were announced
MOST_RATIO = 1.3  # of a server's count to ours, or the user is asked again
SEED = 1  # of the order of the agents
PLAYS = "{} of {} to play: {}."
FIRST = "The script plays {} without a reminder, then your model, with the last {} messages."
ONE_RUN = "One run sends, counted with a script that sees all messages:"
IN_ALL = "In all: {}. Yours may send half of that or twice as much, and more if it thinks."
LATER = "With times={}: {}."
SIZE = "{:,} requests, {:,} tokens sent, {:,} written"
PRICES = "For a price, pass those on your provider's page, for a million tokens: prices=(3, 15)."
STOPS = "They stop at {}, with one request more at most, and each run at {} requests."
CHANCE = "With {} of each agent, chance alone deals the clearest difference in 2 of {:,} ways{}."
YES_TO_ALL = "Your yes allows all calls of these runs. Each works in a copy, which is deleted."
UNASKED = {
    True: f"{YES_TO_ALL} Commands run in the sandbox, and can read files outside your home folder.",
    False: f"{YES_TO_ALL} There is no sandbox here, so no command runs.",
    None: "The `ask` of your connection decides about each call.",
}
BOXED = {True: "commands in the sandbox", False: "no command runs", None: "each call is asked for"}
FILES = "Each run is a file in {}, and what has ended there is not played again."
THINKS = (
    "If your model thinks: with a window, a server may refuse what it thought before, and it goes "
    'on without. Some can be asked not to think: model.settings["thinking"] = {"type": "disabled"}.'
)
COUNTED = "\n{} counts {:,} tokens where {:,} were counted here. So:\n"
NO_COMMANDS = "Not run: there is no sandbox here, and nobody is asked. Continue without commands."
QUESTION = "Play {}, for at most {}?\n  y   yes\nAnything else is a no.\nYour answer: "
NOTHING = "Nothing was sent."
NO_ONE = f"{NOTHING} Nobody can be asked here."
NO_MODEL = f'{NOTHING} In an installed lesson, with a key, add model=connect("NAME").'
LEFT = "{} left: {!r} plays {}, {} …"
PUT_ASIDE = "{} of {!r}, put aside: {}"
IN_A_ROW = "Stopped, because two runs in a row broke off."
ENOUGH = "Stopped at {:,} tokens."
PLAYED = "{} from {}, after {} of the script, {}; seed of the order: {}; lesson {}, anthropic {}"
NO_CONNECTION = 'model is a real one, as in model=connect("NAME"), and not {}.'
ENDS_EARLY = "{!r} ends early with the script, so nothing was sent: {}"
NO_ROUND = "script_rounds={} is none: the script plays {!r} to its end in {}. Pass fewer, or 0."


@dataclass
class Trial:
    """Runs of some agents with a model: `left` are those to play. See `evaluate`."""

    given: Mapping[str, Settings]
    model: Connection | None
    times: int
    script_rounds: int
    save: str | Path
    prices: Sequence[float] | None
    max_tokens: int | None

    def __post_init__(self) -> None:
        """Play each agent with the script, and read the runs that are there."""
        model = self.model
        if model is not None and not (isinstance(model, Connection) and model.real):
            is_practice = isinstance(model, Connection)
            got = "the practice model" if is_practice else f"{model!r:.60}"
            raise TypeError(NO_CONNECTION.format(got))
        self.folder = Path(self.save).expanduser().absolute()  # a part may change the folder
        # None if the connection's own `ask` decides about each call.
        self.boxed = sandbox_works() if model and model.ask is approval.ask_user else None
        self.most = 0  # tokens, after which the table stops
        self.start: PlayedRun | None = None
        if (
            after := self.script_rounds
        ):  # each agent goes on from the script, which nobody has reminded
            job = next(iter(self.given.values())).job
            start = self.start = set_up(Settings(job, loop="ours", todo="ours", nag=None)).play()
            if not 0 < after < len(start.rounds):
                rounds = pluralize(len(start.rounds), "round")
                raise ValueError(NO_ROUND.format(after, start.job, rounds))
        # Of each agent's run: the requests, the tokens sent and written, and the mark.
        self.sizes, self.marks = dict[str, tuple[int, ...]](), dict[str, str]()
        whose, head = {}, ""
        for name in self.given:
            run = self._set_up(name, window="all").play()  # with a window, it loses its plan
            if run.problem:
                raise ValueError(ENDS_EARLY.format(name, run.problem))
            self.sizes[name], self.marks[name] = self._measure(run), self._mark(name, run)
            whose[name] = run.whose
        if model:
            begun = pluralize(self.script_rounds, "round")
            about = model.settings["model"], model.host, begun, BOXED[self.boxed], SEED
            head = PLAYED.format(*about, __version__, metadata.version("anthropic"))
        self._script = run
        self.shown = OwnRuns(run.job, self.times, whose, head, self.sizes)
        order = random.Random(SEED)
        # Rounds of all agents, so that a slow hour of a server hits all alike.
        turns = [order.sample([*self.given], len(self.given)) for _ in range(self.times)]
        self.left = [(number, name) for number, turn in enumerate(turns, 1) for name in turn]
        self._read_kept()

    def _set_up(self, name: str, **more: Any) -> PlayedRun:
        given = self.given[name]
        window = WINDOW if self.start and given.window is None else given.window
        run = set_up(replace(given, **{"window": window, **more}))
        if self.start and not run.problem:
            run.begin_after(self.start, self.start.lines, self.script_rounds)
        return run

    def _measure(self, run: PlayedRun) -> tuple[int, ...]:
        """Return what a run of the script has sent, as a real model's would."""
        more = 0 if self.start else len(run.name_steps()) // 4
        usage = [one.usage for one in run.rounds[self.script_rounds :]]
        written = sum(one.output_tokens for one in usage)
        return len(usage), sum(one.total + more for one in usage) - written, written

    def _mark(self, name: str, run: PlayedRun) -> str:
        """Return a hash of all that a run of an agent is made of, but not of how often it plays."""
        given, model = self.given[name], self.model
        parts = [*(getattr(run.chosen, kind) for kind in KINDS), given.missing]
        asked = model and (model.settings, model.host)
        about = name, run.lines, [*map(read_source, parts)], given.window, asked, self.boxed
        return hashlib.sha256(repr(about).encode()).hexdigest()[:12]

    def _read_kept(self) -> None:
        """Add the runs of the folder that have ended to the table, and note the others."""
        files = [(n, path) for n in self.marks for path in self.folder.glob(f"*_{self.marks[n]}_*")]
        for name, path in sorted(files):
            run: Any = None
            with suppress(OSError, RunFileError):  # not even its first line was written
                run = open_run(path)
            about = run.lines[0] if run else {}
            number: Any = about.get("number")
            if not run or run.is_cut or run.lines[-1].get("again"):
                self.shown.add_broken(name, run)
            elif about.get("set") == self.marks[name] and (number, name) in self.left:
                self.left.remove((number, name))
                self.shown.add_run(number, name, run, about["times"], partial(open_run, path))

    def _name_file(self, number: int, name: str) -> Path:
        """Return a new name for the file of a run: one that was broken off keeps its own."""
        words = re.sub(r"\W+", "_", f"{self.shown.job}_{name}")[:40]
        stem = f"{words}_{self.marks[name]}_{number}_of_{self.times}"
        return self.folder / f"{stem}_{len([*self.folder.glob(f'{stem}_*')]) + 1}.jsonl"

    def _add_up(self, names: Sequence[str]) -> tuple[str, int]:
        """Return what a run of each of these agents sends, in words and in tokens."""
        sizes = [self.sizes[name] for name in names]
        requests, sent, written = map(sum, zip(*sizes, strict=True))
        cost = self.prices and (self.prices[0] * sent + self.prices[1] * written) / 1e6
        said = SIZE.format(requests, sent, written) + (f", for {cost:,.2f}" if cost else "")
        return said, sent + written

    def ask(self) -> bool:
        """Say what is left to play, what it sends, and how it is played. Return the user's yes."""
        names, runs = [name for _, name in self.left], pluralize(len(self.left), "run")
        agents = [f"{names.count(name)} of {name!r}" for name in self.sizes]
        said = [PLAYS.format(runs, self.shown.job, ", ".join(agents))]
        if self.start:
            said += [FIRST.format(pluralize(self.script_rounds, "round"), WINDOW)]
        said += [ONE_RUN, *(f"  {n}: {SIZE.format(*size)}" for n, size in self.sizes.items())]
        in_all, tokens = self._add_up(names)
        said += [IN_ALL.format(in_all)]
        self.most = self.max_tokens or MARGIN * tokens
        most = f"{self.most:,} tokens"
        if self.prices:
            most += f" ({max(self.prices) * self.most / 1e6:,.2f} if all are written)"
        said += [PRICES] * (not self.prices) + [STOPS.format(most, Limits.max_requests)]
        ways, nothing = comb(2 * self.times, self.times), ": this can show nothing"
        said += [CHANCE.format(pluralize(self.times, "run"), ways, nothing * (self.times == 1))]
        if self.times < TIMES:
            said += [LATER.format(TIMES, self._add_up([*self.sizes] * TIMES)[0])]
        if self.model:
            has_window = self.start or any(one.window for one in self.given.values())
            said += [UNASKED[self.boxed], FILES.format(self.save)]
            said += [THINKS] * bool(has_window and "thinking" not in self.model.settings)
        text, answer = for_print("\n".join(said)), None
        if self.model and approval.someone_can_answer():
            with suppress(EOFError, NotImplementedError):  # the latter: no input line
                answer = approval.read_line(QUESTION.format(runs, most), f"{text}\n\n")
        is_yes = (answer or "").strip().lower() in YES
        if answer is None:
            print(f"{text}\n\n{NO_ONE if self.model else NO_MODEL}")
        elif not is_yes:
            print(NOTHING)
        return is_yes

    def is_counted_higher(self) -> bool:
        """Return whether the server, asked for free, counts so much more that ours is wrong."""
        assert self.model
        request, usage = self._script.requests[-1], self._script.rounds[-1].usage
        body = {name: request[name] for name in ("system", "tools", "messages")}
        client = self.model.client.with_options(timeout=PROBE_SECONDS, max_retries=0)
        here, there = usage.total - usage.output_tokens, 0
        with suppress(Exception):  # of many types: not every server has this address
            found = client.messages.count_tokens(model=self.model.settings["model"], **body)
            there = int(found.input_tokens)
        if there <= MOST_RATIO * here:
            return False
        print(COUNTED.format(self.model.host, there, here))
        for name, (requests, *tokens) in self.sizes.items():
            self.sizes[name] = requests, *(one * there // here for one in tokens)
        return True

    def play(self) -> None:
        """Play what is left, until its tokens are used or two runs in a row have broken off."""
        assert self.model
        model, limits, most = self.model, self.model.limits, self.most
        if self.boxed is not None:
            model = replace(model, ask=allow)
        kept = limits.max_requests - limits.requests_sent, limits.max_tokens - limits.tokens_used
        failed, begun = 0, limits.tokens_used
        if not self.folder.is_dir():
            self.folder.mkdir(mode=0o700, parents=True)
            (self.folder / ".gitignore").write_text("*\n")
        self.shown._shown_by = name_request()
        try:
            limits.max_tokens = begun + most
            with shown_at_the_end(self.shown, "Your model is doing the job …") as say:
                for place, (number, name) in enumerate(self.left):
                    path = self._name_file(number, name)
                    limits.max_requests = limits.requests_sent + Limits.max_requests
                    run = self._set_up(name, model=model, save=path)
                    run.about = {"set": self.marks[name], "number": number, "times": self.times}
                    left = pluralize(len(self.left) - place, "run")
                    show = partial(self._show, say, run, left, name, RUN.format(number))
                    show()
                    try:
                        run.play(show)
                    except BaseException:  # Stop, which is no result, and has been paid
                        self.shown.add_broken(name, run)
                        raise
                    failed = failed + 1 if run.is_broken_off else 0
                    used = limits.tokens_used - begun
                    if failed:
                        self.shown.add_broken(name, run)
                    else:
                        self.shown.add_run(number, name, run, self.times, partial(open_run, path))
                    if failed and used < most:
                        about = RUN.format(number).capitalize(), name, run.problem
                        self.shown.said.append(PUT_ASIDE.format(*about))
                    if used >= most or failed == 2:
                        self.shown.said.append(ENOUGH.format(used) if used >= most else IN_A_ROW)
                        break
        finally:
            limits.max_requests = limits.requests_sent + kept[0]
            limits.max_tokens = limits.tokens_used + kept[1]

    def _show(self, say: Callable[[str], None], run: PlayedRun, *said: Any) -> None:
        """Show the table while a run is played. After each round, `said` also has its record."""
        rounds = pluralize(len(run.rounds[run.rounds_before :]), "round")
        say(self.shown.draw_playing(LEFT.format(*said[:3], rounds)))


def allow(question: approval.Question) -> approval.Answer:
    """Allow a call in a copy of a project, and a command only in the sandbox."""
    if question.tool == "bash" and not sandbox_works():
        raise PermissionError(NO_COMMANDS)
    return approval.ONCE


def read_source(part: Any) -> list[str]:
    """Return the text of a function, or of a class and what it extends, as far as it is known."""
    found = []
    for one in getattr(part if callable(part) else type(part), "__mro__", [part]):
        for function in vars(one).values() if isinstance(one, type) else [one]:
            with suppress(OSError, TypeError):  # the latter: what is no function
                found.append(inspect.getsource(function))
    return found
