"""Runs as strips: a row for each threshold of the reminder, a cell for each round."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import traitlets

from agentlib.client.notebook import is_watched
from agentlib.nag import Nag
from agentlib.todo import TodoManager

from ..practice.policy.practice_policy import WINDOW
from ..practice.policy.tasks import load
from ..runs import prices
from ..runs.bill import pluralize
from ..runs.measured import KINDS, REASONS, WINDOWS, Measured, Setting, kept, measure, measured
from ..runs.trial import THRESHOLDS, Trial
from .background import Latest
from .base import View, make_drawable
from .player import Player
from .runs_picture import draw_picture
from .runs_text import describe_outcome, format_table, judge_bet, name_run, summarize_column

# What a trait may be, and in which unit.
RANGES = {"after": (THRESHOLDS, "rounds, or None"), "window": (WINDOWS, "messages")}
TITLE = "How soon should the reminder come?"
QUESTION = "Which is the last threshold with which all {steps} steps still get done?"


class Row(NamedTuple):
    """How one run ended. `after` is None if there was no reminder."""

    after: int | None
    steps_done: int  # as the files show
    list_done: int  # as the list says at the end
    rounds: int
    tokens: int
    reminders: int


class Runs(View):
    """A task, played with every threshold of the reminder, without a reminder, and without a list.

    `after` (in rounds; None: no reminder), `plan` (False: no list) and `window` (in messages)
    choose a run, by hand or in code, and `round` chooses one of its rounds. No run is measured
    twice in a kernel, and those that come with the package are not measured at all.
    """

    kind = "runs"
    after = traitlets.Int(3, allow_none=True).tag(sync=True)
    plan = traitlets.Bool(True).tag(sync=True)
    window = traitlets.Int(WINDOW).tag(sync=True)
    round = traitlets.Int(0).tag(sync=True)
    bets = traitlets.Dict().tag(sync=True)  # by attention, as text
    column = traitlets.Dict().tag(sync=True)  # the runs with one attention, as they are measured
    columns = traitlets.Dict().tag(sync=True)  # the runs with every attention that is complete
    is_mapping = traitlets.Bool(False).tag(sync=True)
    is_busy = traitlets.Bool(False).tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    price = traitlets.Unicode().tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)  # how often the page has asked for a player
    opened = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        task: str = "ten_steps",
        *,
        window: int = WINDOW,
        after: int | None = 3,
        bet: bool = False,
        price: str = "",
        todo: type[TodoManager] = TodoManager,
        nag: type[Nag] = Nag,
    ) -> None:
        """Measures the seventeen runs with one `window`. It takes two or three seconds where
        they do not come with the package.

        On a page they appear one by one; without a page, all are measured when this returns. With
        `bet`, the page hides them until the reader has made a bet. `price` names a model of Claude,
        to say what the chosen run would have cost with it. `todo` and `nag` may be classes of your
        own. Raises FileNotFoundError for an unknown task, and TraitError for a threshold
        or an attention that is out of range.
        """
        self._base = Setting(task, todo=todo, nag=nag)
        self._latest = Latest(self._failed)
        self._player: Player | None = None
        super().__init__(after=after, window=window, price=price, state=describe_task(task, bet))
        self.observe(self._start, "window")
        self.observe(self._start_map, "is_mapping")
        self.observe(lambda _: self.open_below(), "asked")
        if is_watched():
            self._start()
        else:
            for _ in self._measure():
                pass

    @traitlets.validate(*RANGES)
    def _require_in_range(self, proposal: Any) -> int | None:
        name, value = proposal.trait.name, proposal.value
        allowed, unit = RANGES[name]
        if value is not None and value not in allowed:
            raise traitlets.TraitError(
                f"{name} must be {allowed[0]} to {allowed[-1]} {unit}, not {value}"
            )
        return value

    @property
    def bet(self) -> int | None:
        """The last threshold that the reader expects to finish, with the chosen attention."""
        return self.bets.get(str(self.window))

    @bet.setter
    def bet(self, after: int) -> None:
        self.bets = self.bets | {str(self.window): after}

    @property
    def _is_bet_open(self) -> bool:
        return self.state["bet"] and not self.bets

    @property
    def task(self) -> str:
        """The name of the task."""
        return self._base.task

    @property
    def setting(self) -> Setting:
        """The setting of the chosen run."""
        return self._base._replace(
            after=self.after if self.plan else None, window=self.window, plan=self.plan
        )

    @property
    def chosen(self) -> Measured:
        """The chosen run."""
        return measured(self.setting)

    @property
    def rows(self) -> list[Row]:
        """How each run ended: a Row for each threshold, with the chosen attention."""
        return [make_row(run) for run in self._runs() if run.setting.after is not None]

    @property
    def without_reminder(self) -> Row:
        """How the run with a list, but without a reminder, ended."""
        return make_row(self._runs()[-2])

    @property
    def without_list(self) -> Row:
        """How the run without a list ended."""
        return make_row(self._runs()[-1])

    def wait(self) -> "Runs":
        """Return when everything that was asked for is measured."""
        self._latest.wait()
        return self

    def measure_all(self) -> "Runs":
        """Measure every threshold with every attention, then return. It takes minutes where the
        runs do not come with the package."""
        self.is_mapping = True
        return self.wait()

    @property
    def trial(self) -> Trial:
        """The chosen run as a Trial, played again."""
        trial = self.setting.trial()
        for _ in trial:
            pass
        return trial

    def open_player(self) -> Player:
        """A Player of the chosen run, at the chosen round."""
        trial = self.trial
        player = Player(trial, title=name_run(self.setting), price=self.price)
        player.at = min(self.round, len(trial.rounds))
        return player

    def open_below(self) -> None:
        """Show a Player of the chosen run below the strips, as the button does."""
        if self._player is not None:
            self._player.close()
        self._player = self.open_player()
        self.opened = f"anywidget:{self._player.model_id}"

    def _runs(self) -> list[Measured]:
        return [measured(setting) for setting in self.setting.column()]

    def _start(self, _: Any = None) -> None:
        self.is_busy = True
        self._latest.start(self._measure())

    def _start_map(self, change: Any) -> None:
        if change["new"]:
            self._start()

    def _measure(self) -> Iterator[None]:
        """Measure the chosen column, row by row; then, if asked to, the columns of the map."""
        self.problem = ""
        chosen = self.setting
        for setting in chosen.column():
            if kept(setting) is None:
                yield from measure(setting)
                self.column = {"window": chosen.window, "runs": encode_column(chosen)}
        self._add_column(chosen)
        self.is_busy = False
        if self.is_mapping:
            self.columns = self.columns | known_columns(chosen)
        # Outwards from the chosen attention, because readers look there first.
        for window in sorted(WINDOWS, key=lambda other: abs(other - chosen.window)):
            beside = chosen._replace(window=window)
            for setting in beside.column():
                if not self.is_mapping:
                    return
                yield from measure(setting)
            self._add_column(beside)
        self.is_mapping = False

    def _add_column(self, setting: Setting) -> None:
        name = str(setting.window)
        if name not in self.columns:
            self.columns = self.columns | {name: encode_column(setting)}

    def _failed(self, problem: Exception) -> None:
        with self.hold_sync():
            self.is_busy = self.is_mapping = False
            self.problem = make_drawable(f"The measurement failed: {problem}")

    def text(self) -> str:
        """The runs as a table, a conclusion, and why the chosen run ended as it did."""
        title = f"{TITLE} ({self.task}, attention {pluralize(self.window, 'message')})"
        if self._is_bet_open:
            return f"{title}\n\n{self.state['question']}"
        runs = self._runs()
        parts = [title, format_table(runs), summarize_column(runs)]
        if self.bet is not None:
            parts.append(judge_bet(self.bet, runs))
        parts.append(
            f"{name_run(self.setting)}: {describe_outcome(self.chosen)}. {self.chosen.why()}"
        )
        return "\n\n".join(parts)

    @property
    def svg(self) -> str:
        """The strips as a picture for pages without a kernel, as SVG."""
        return draw_picture(self._runs(), self.chosen, f"{TITLE} Attention: {self.window} messages")

    def __repr__(self) -> str:
        """The text; or, because a page must not wait, a note that the runs are being measured."""
        if self._is_complete:
            return super().__repr__()
        return f"{TITLE} The runs are being measured: print this again for the result."

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict, dict]:
        data, metadata = super()._repr_mimebundle_(**kwargs)
        if self._is_complete and not self._is_bet_open:
            data = data | {"image/svg+xml": self.svg}
        return data, metadata

    @property
    def _is_complete(self) -> bool:
        return all(kept(setting) is not None for setting in self.setting.column())


class NagSlider(Runs):
    """The same widget under a former name."""

    def __init__(
        self, task: str = "ten_steps", *, chart: "Chart | None" = None, **settings: Any
    ) -> None:
        """`settings` are those of Runs. A `chart` follows the newest slider that was given it."""
        super().__init__(task, **settings)
        self.chart = chart
        if chart is not None:
            chart.follow(self)


class Chart(Runs):
    """The same widget under a former name; its `rows` have their former fields."""

    class Row(NamedTuple):
        """How the run with one threshold ended."""

        after: int
        steps_done: int
        rounds: int
        tokens: int
        reminders: int

    _links: tuple[Any, ...] = ()

    @property
    def rows(self) -> list[Row]:  # type: ignore[override]  # the fields of the former widget
        """How each run ended: a Row for each threshold, without what the list says."""
        return [
            Chart.Row(row.after, row.steps_done, row.rounds, row.tokens, row.reminders)
            for row in super().rows
            if row.after is not None
        ]

    def follow(self, slider: Runs) -> None:
        """Choose the same run as `slider`, now and whenever it changes; follow no other."""
        for link in self._links:
            link.unlink()
        names = ("after", "window")
        self._links = tuple(traitlets.dlink((slider, name), (self, name)) for name in names)


def describe_task(task: str, bet: bool) -> dict[str, Any]:
    """What the page needs only once: the words, the steps, the ranges."""
    steps = [step.text for step in load(task).steps]
    return {
        "title": TITLE,
        "question": QUESTION.format(steps=len(steps)),
        "bet": bet,
        "steps": steps,
        "thresholds": list(THRESHOLDS),
        "names": [name_run(setting) for setting in Setting(task).column()],
        "windows": [WINDOWS[0], WINDOWS[-1]],
        "kinds": KINDS,
        "reasons": REASONS,
        "prices": prices.as_data(),
    }


def known_columns(setting: Setting) -> dict[str, list[Any]]:
    """The columns of the map whose runs are known, by attention, in the page's format."""
    columns = {str(a): encode_column(setting._replace(window=a)) for a in WINDOWS}
    return {window: runs for window, runs in columns.items() if None not in runs}


def encode_column(setting: Setting) -> list[list[Any] | None]:
    """The runs of a column in the page's format; None for those not measured yet."""
    runs = [kept(one) for one in setting.column()]
    return [None if run is None else run.encode() for run in runs]


def make_row(run: Measured) -> Row:
    """A run as a Row."""
    return Row(
        run.setting.after, run.steps_done, run.list_done, run.rounds, run.tokens, run.reminders
    )
