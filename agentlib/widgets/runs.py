"""Runs as strips: a row for each threshold of the reminder, a cell for each round."""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import traitlets

from ..nag import Nag
from ..practice.mind.mind import ATTENTION
from ..practice.mind.tasks import load
from ..runs.measured import KINDS, REASONS, Measured, Setting, kept, measure, measured
from ..runs.trial import THRESHOLDS, Trial
from ..todo import TodoManager
from .background import Latest
from .base import View, drawable, script, style
from .player import Player
from .runs_picture import picture
from .runs_text import conclusion, name_of, outcome, table, verdict
from .todo_state import number

ATTENTIONS = range(4, 49)
TITLE = "How soon should the reminder come?"
QUESTION = "Which is the last threshold with which all {steps} steps still get done?"


class Row(NamedTuple):
    """How one run ended. `after` is None where there was no reminder."""

    after: int | None
    steps_done: int  # the files show them
    list_done: int  # the list at the end calls them completed
    rounds: int
    tokens: int
    reminders: int


class Runs(View):
    """A task, played with every threshold of the reminder, without a reminder, and without a list.

    `after` (in rounds; None: no reminder), `plan` (False: no list) and `attention` (in messages)
    choose a run, by hand or by code, and `round` one of its rounds. Each run is measured once in a
    kernel, and kept.
    """

    _esm = script("runs")
    _css = style("runs")
    after = traitlets.Int(3, allow_none=True).tag(sync=True)
    plan = traitlets.Bool(True).tag(sync=True)
    attention = traitlets.Int(ATTENTION).tag(sync=True)
    round = traitlets.Int(0).tag(sync=True)
    bets = traitlets.Dict().tag(sync=True)  # by attention, as text
    column = traitlets.Dict().tag(sync=True)  # the runs of one attention, as they come in
    columns = traitlets.Dict().tag(sync=True)  # those of every attention that is complete
    is_mapping = traitlets.Bool(False).tag(sync=True)
    is_busy = traitlets.Bool(False).tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)  # how often the page has asked for a player
    opened = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        task: str = "ten_steps",
        *,
        attention: int = ATTENTION,
        after: int | None = 3,
        bet: bool = False,
        todo: type[TodoManager] = TodoManager,
        nag: type[Nag] = Nag,
    ) -> None:
        """Measures the seventeen runs of one `attention`: two or three seconds, the first time.

        In a page they come in one by one; where nobody watches, they are there when this returns.
        With `bet` the page shows them once the reader has said what they expect. `todo` and `nag`
        may be classes of your own. Raises FileNotFoundError for an unknown task, and TraitError
        for a threshold or an attention out of range.
        """
        self._base = Setting(task, todo=todo, nag=nag)
        self._latest = Latest(self._failed)
        self._player: Player | None = None
        super().__init__(after=after, attention=attention, state=fixed(task, bet))
        self.observe(self._start, "attention")
        self.observe(self._start_map, "is_mapping")
        self.observe(lambda _: self.open_below(), "asked")
        if is_watched():
            self._start()
        else:
            for _ in self._measure():
                pass

    @traitlets.validate("after")
    def _has_row(self, proposal: Any) -> int | None:
        if proposal.value is not None and proposal.value not in THRESHOLDS:
            raise traitlets.TraitError(
                f"after must be {THRESHOLDS[0]} to {THRESHOLDS[-1]} rounds, or None, "
                f"not {proposal.value}"
            )
        return proposal.value

    @traitlets.validate("attention")
    def _has_column(self, proposal: Any) -> int:
        if proposal.value not in ATTENTIONS:
            raise traitlets.TraitError(
                f"attention must be {ATTENTIONS[0]} to {ATTENTIONS[-1]} messages, "
                f"not {proposal.value}"
            )
        return proposal.value

    @property
    def bet(self) -> int | None:
        """The last threshold that the reader expects to finish, with the attention chosen."""
        return self.bets.get(str(self.attention))

    @bet.setter
    def bet(self, after: int) -> None:
        self.bets = self.bets | {str(self.attention): after}

    @property
    def _is_bet_open(self) -> bool:
        return self.state["bet"] and not self.bets

    @property
    def task(self) -> str:
        """The name of the task."""
        return self._base.task

    @property
    def setting(self) -> Setting:
        """The setting of the run that is chosen."""
        return self._base._replace(
            after=self.after if self.plan else None, attention=self.attention, plan=self.plan
        )

    @property
    def chosen(self) -> Measured:
        """The run that is chosen."""
        return measured(self.setting)

    @property
    def rows(self) -> list[Row]:
        """How each run ended: a Row for each threshold, with the attention that is chosen."""
        return [row(run) for run in self._runs() if run.setting.after is not None]

    @property
    def without_reminder(self) -> Row:
        """How the run ended that has a list, but no reminder."""
        return row(self._runs()[-2])

    @property
    def without_list(self) -> Row:
        """How the run ended that has no list."""
        return row(self._runs()[-1])

    def wait(self) -> "Runs":
        """Return when all that was asked for is measured."""
        self._latest.wait()
        return self

    def measure_all(self) -> "Runs":
        """Measure every threshold with every attention, and return when it is done: minutes."""
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
        player = Player(trial, title=name_of(self.setting))
        player.at = min(self.round, len(trial.rounds))
        return player

    def open_below(self) -> None:
        """Show a Player of the chosen run below the strips: what the button does."""
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
        """Measure the column that is chosen, row by row; then, where asked, those of the map."""
        self.problem = ""
        chosen = self.setting
        for setting in chosen.column():
            yield from measure(setting)
            self.column = {"attention": chosen.attention, "runs": known_runs(chosen)}
        self._add_column(chosen)
        self.is_busy = False
        # From the chosen attention outwards: what is near is looked at first.
        for attention in sorted(ATTENTIONS, key=lambda other: abs(other - chosen.attention)):
            beside = chosen._replace(attention=attention)
            for setting in beside.column():
                if not self.is_mapping:
                    return
                yield from measure(setting)
            self._add_column(beside)
        self.is_mapping = False

    def _add_column(self, setting: Setting) -> None:
        name = str(setting.attention)
        if name not in self.columns:
            self.columns = self.columns | {name: known_runs(setting)}

    def _failed(self, problem: Exception) -> None:
        with self.hold_sync():
            self.is_busy = self.is_mapping = False
            self.problem = drawable(f"The measuring failed: {problem}")

    def text(self) -> str:
        """The runs as a table, what they come to, and why the chosen run ended as it did."""
        title = f"{TITLE} ({self.task}, attention {number(self.attention, 'message')})"
        if self._is_bet_open:
            return f"{title}\n\n{self.state['question']}"
        runs = self._runs()
        parts = [title, table(runs), conclusion(runs)]
        if self.bet is not None:
            parts.append(verdict(self.bet, runs))
        parts.append(f"{name_of(self.setting)}: {outcome(self.chosen)}. {self.chosen.why()}")
        return "\n\n".join(parts)

    @property
    def svg(self) -> str:
        """The strips as a picture for pages without a kernel, as SVG."""
        return picture(self._runs(), self.chosen, f"{TITLE} Attention: {self.attention} messages")

    def __repr__(self) -> str:
        """The text; while the runs come in, only what is being done: a page must not wait."""
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
    """The same widget under its former name; `chart` is moved along with it."""

    def __init__(
        self,
        task: str = "ten_steps",
        *,
        after: int = 3,
        attention: int = ATTENTION,
        chart: "Chart | None" = None,
    ) -> None:
        """Takes what it always took. A `chart` follows the slider that was made last."""
        super().__init__(task, after=after, attention=attention)
        self.chart = chart
        if chart is not None:
            chart.slider = self
            self.observe(self._move_chart, ["after", "attention"])
            self._move_chart()

    def _move_chart(self, _: Any = None) -> None:
        if self.chart is not None and self.chart.slider is self:
            self.chart.mark(self.after, self.attention)


class Chart(Runs):
    """The same widget under its former name; its `rows` are as they were."""

    class Row(NamedTuple):
        """How the run with one threshold ended."""

        after: int
        steps_done: int
        rounds: int
        tokens: int
        reminders: int

    def __init__(
        self, task: str = "ten_steps", *, attention: int = ATTENTION, after: int = 3
    ) -> None:
        """Takes what it always took."""
        self.slider: NagSlider | None = None
        super().__init__(task, attention=attention, after=after)

    @property
    def rows(self) -> list[Row]:  # type: ignore[override]  # as the former widget had it
        """How each run ended: a Row for each threshold, without what the list says."""
        return [
            Chart.Row(row.after, row.steps_done, row.rounds, row.tokens, row.reminders)
            for row in super().rows
            if row.after is not None
        ]

    def mark(self, after: int | None, attention: int) -> None:
        """Choose the run with this threshold and this attention."""
        self.after, self.attention = after, attention


def is_watched() -> bool:
    """Whether a page runs the cell under way: it names the cell in its request.

    Where nobody watches (nbclient, nbval, a console, a script), nothing can come in later.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    kernel = getattr(shell, "kernel", None)
    return kernel is not None and "cellId" in kernel.get_parent("shell").get("metadata", {})


def fixed(task: str, bet: bool) -> dict[str, Any]:
    """What the page needs to know once: the words, the steps, the ranges."""
    steps = [step.text for step in load(task).steps]
    return {
        "title": TITLE,
        "question": QUESTION.format(steps=len(steps)),
        "bet": bet,
        "steps": steps,
        "thresholds": list(THRESHOLDS),
        "attentions": [ATTENTIONS[0], ATTENTIONS[-1]],
        "kinds": KINDS,
        "reasons": REASONS,
    }


def known_runs(setting: Setting) -> list[list[Any] | None]:
    """The runs of a column as the page wants them; None for those not measured yet."""
    runs = [kept(one) for one in setting.column()]
    return [None if run is None else compact(run) for run in runs]


def compact(run: Measured) -> list[Any]:
    """A run in some eighty characters of JSON."""
    done = "".join("x" if ok else "." for ok in run.done)
    return [run.cells, done, run.claims, run.reason, run.tokens, run.seen, run.read, run.lost]


def row(run: Measured) -> Row:
    """A run as a Row."""
    return Row(
        run.setting.after, run.steps_done, run.list_done, run.rounds, run.tokens, run.reminders
    )
