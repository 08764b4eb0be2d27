"""An evaluation as a table: models are rows, agents are columns, and steps are squares."""

from collections.abc import Mapping, Sequence
from typing import Any

from IPython.display import display
from ipywidgets import HTML

from ..common.pluralize import pluralize
from ..drawing.cost import shorten_number
from ..drawing.marks import CHECK
from ..drawing.picture import SQUARE, escape
from ..drawing.run_picture import count_sent
from ..runs.record import Record
from .drawn import Drawn, DrawnOutput
from .run_view import name_request

# The states of a step: its sign in a text, and what the sign means.
STATES = {
    "done": ("■", "the files show it"),
    "claimed": ("✓", "only the list says so"),
    "open": ("·", "not done"),
}
UNITS = "Below each number: rounds, tokens sent, reminders ▼."
LIMIT = (
    "We made these faults up, and a script has each one every time: the table finds what can go "
    "wrong with an agent, and says nothing about a real model."
)
ENDED = "The evaluation ended with this run of {!r} and {!r}, because each one would end so: {}"


class Evaluation(Drawn):
    """The runs of some agents with some models. `evaluation["ticks", "mine"]` is one of them.

    `job` is the name of the job, `models` has a sentence for each model, `runs` are by the names of
    a model and an agent, and `problem` says what has ended the evaluation early, or is "".
    """

    def __init__(self, job: str, models: Mapping[str, str]) -> None:
        """Begin without a run."""
        self.job, self.models, self.problem = job, models, ""
        self.runs: dict[tuple[str, str], Any] = {}
        self._picture, self._shown_by = HTML(), name_request()
        super().__init__(self._picture, css_class="lp-eval")

    def add(self, model: str, agent: str, run: Record) -> None:
        """Add a run that has ended."""
        self.runs[model, agent] = run
        if said := run.problem or run.not_judged:
            self.problem = ENDED.format(model, agent, said)
        self._picture.value = self.draw()

    @property
    def agents(self) -> list[str]:
        return [*dict.fromkeys(agent for _, agent in self.runs)]

    def __getitem__(self, names: tuple[str, str]) -> Any:
        mine = {(model, "mine"): run for (model, name), run in self.runs.items() if name == "ours"}
        if names in (runs := mine | self.runs):  # whose it is, its head says
            return runs[names]
        known = f"The models are {', '.join(self.models)}; the agents are {', '.join(self.agents)}."
        raise KeyError(f"There is no run of {names!r}: name a model and an agent. {known}")

    def text(self) -> str:
        """Return the whole table as text, with a line for each run."""
        lines = [f"{self.job}: {', '.join(f'{sign} {means}' for sign, means in STATES.values())}"]
        wide = max(map(len, self.agents), default=0)
        lines += [f"{agent:{wide}}  {self._describe_parts(agent)}" for agent in self.agents]
        for model, says in self.models.items():
            lines.append(f"\n{model}: {says}")
            for (name, agent), run in self.runs.items():
                if name == model:
                    signs = "".join(STATES[state][0] for state in list_states(run))
                    lines.append(f"  {agent:{wide}}  {signs}  {describe_run(run)}")
        lines.append("\nall steps done with")
        lines += [f"  {agent:{wide}}  {self._count_complete(agent)}" for agent in self.agents]
        return "\n".join([*lines, "", *filter(None, [self.problem, LIMIT])])

    def draw(self) -> str:
        """Return the table as HTML."""
        heads = "".join(
            f"<th scope='col'>{escape(agent)}<small>{escape(self._describe_parts(agent))}</small>"
            for agent in self.agents
        )
        rows = "".join(
            f"<tr><th scope='row'>{escape(model)}<small>{escape(says)}</small>"
            f"{''.join(draw_cell(self.runs.get((model, agent))) for agent in self.agents)}"
            for model, says in self.models.items()
        )
        counts = "".join(f"<th>{self._count_complete(agent)}" for agent in self.agents)
        signs = "".join(f"<span>{draw_strip([one])} {STATES[one][1]}</span>" for one in STATES)
        problem = f"<p class='lp-problem'>{escape(self.problem)}</p>" if self.problem else ""
        return (
            f"<table><tr><th>{escape(self.job)}{heads}</tr>{rows}"
            f"<tr><th scope='row'>all steps done with{counts}</tr></table>{problem}"
            f"<p class='lp-legend'>{signs}</p><p class='lp-note'>{UNITS} {LIMIT}</p>"
        )

    def _describe_parts(self, agent: str) -> str:
        """Return whose the parts of an agent are: "Yours: loop, list. Ours: nag (E4)."."""
        return next(str(run.whose) for (_, name), run in self.runs.items() if name == agent)

    def _count_complete(self, agent: str) -> str:
        runs = [run for (_, name), run in self.runs.items() if name == agent]
        return f"{sum(map(is_complete, runs))} of {len(runs)}"

    def _ipython_display_(self) -> None:
        if self._shown_by != name_request():  # its own cell has shown it already
            display(DrawnOutput(self))


def is_complete(run: Record) -> bool:
    return bool(run.done) and all(run.done)


def list_states(run: Record) -> list[str]:
    """Return the state of each step; none if the files were not judged."""
    ticked = [str(one.get("text")) for one in run.items if one.get("status") == "completed"]
    return [
        "done" if done else "claimed" if step in ticked else "open"
        for step, done in zip(run.step_texts, run.done, strict=False)
    ]


def describe_run(run: Record) -> str:
    done = f"{run.steps_done} of {len(run.done)}" if run.done else "not judged"
    return f"{done}, {describe_size(run)}"


def describe_size(run: Record) -> str:
    rounds, sent = pluralize(len(run.letters), "round"), shorten_number(count_sent(run))
    return f"{rounds}, {sent}, {sum(letter.isupper() for letter in run.letters)} ▼"


def draw_cell(run: Record | None) -> str:
    """Return the cell of a run as HTML, or an empty one."""
    if run is None:
        return "<td>"
    strip = draw_strip(list_states(run), describe_run(run))
    state = "good" if is_complete(run) else "bad"
    number = run.steps_done if run.done else "?"
    size = f"<small>{describe_size(run)}</small>"
    return f"<td><div>{strip}<b class='lp-{state}'>{number}</b></div>{size}"


def draw_strip(states: Sequence[str], words: str = "") -> str:
    """Return a square for each step as SVG. `words` say the same."""
    inside = "".join(
        f"<g class='lp-{state}' transform='translate({place})'>{SQUARE}<path d='{CHECK}'/></g>"
        for place, state in enumerate(states)
    )
    hidden = f"role='img' aria-label='{escape(words)}'" if words else "aria-hidden='true'"
    size = len(states)
    return f"<svg {hidden} viewBox='0 0 {size} 1' style='width:{size * 13}px'>{inside}</svg>"
