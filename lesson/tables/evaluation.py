"""Show an evaluation as a table: models are rows, agents are columns, and steps are squares."""

import gc
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from IPython.display import display

from safetylib.guard.escape import for_print

from ..common.pluralize import pluralize
from ..drawing.cost import shorten_number
from ..drawing.marks import CHECK
from ..drawing.picture import SQUARE, draw_picture, escape
from ..kernel.watching import name_request
from ..runs.explain import list_false
from ..runs.record import Record
from ..widgets.drawn import WORKING, DrawnOutput, shown_at_the_end

# The states of a step: its sign in a text, and what the sign means.
STATES = {
    "done": ("■", "the files show it"),
    "claimed": ("✓", "only the list says so"),
    "open": ("·", "not done"),
    "script": ("□", "done by the script before"),
    "undone": ("×", "done by the script and undone since"),
}
UNITS = "Below each number: rounds, tokens sent, reminders ▼."
BESIDE = "+ and - are steps more or fewer than {!r} has done."
LIMIT = (
    "We made these faults up, and a script has each one every time: the table finds what can go "
    "wrong with an agent, and says nothing about a real model."
)
LEFT = "{} left: {!r} plays with {!r} …"
AGAIN = "not played, because it has ended in the same way with two models"
ALIKE = "Each agent does all steps with each model, so this job tells nothing apart: try another."


class Result(NamedTuple):
    """What the table shows of a run. There are no `states` if the files were not judged."""

    states: list[str]  # one for each step
    problem: str  # why the run has ended early, or why its files are not judged, or ""
    rounds: int
    sent: int  # tokens
    written: int
    reminders: int
    open: Callable[[], Any]  # it returns the run, read again
    thinking: str = ""  # of a real model: LEFT_OUT or SENT of `own_runs`, or ""

    @property
    def steps_done(self) -> int:
        return self.states.count("done")

    @property
    def steps_left(self) -> int:
        """Return how many steps were left to the agent: all that no script has done before it."""
        return sum(state in ("done", "claimed", "open") for state in self.states)

    @property
    def is_complete(self) -> bool:
        return "done" in self.states and {*self.states} <= {"done", "script"} and not self.problem


class Evaluation:
    """The runs of some agents with some models. `evaluation["ticks", "mine"]` opens one of them.

    `job` is the name of the job, `models` has a sentence for each model, and `results` are by the
    names of a model and an agent. An agent that has ended early in the same way with two models is
    not played again.
    """

    css_class = "lp-eval"

    def __init__(self, job: str, models: Mapping[str, str], whose: Mapping[str, str]) -> None:
        """Begin without a run. `whose` says by the name of an agent whose its parts are."""
        self.job, self.models, self.whose = job, models, whose
        self.results: dict[tuple[str, str], Result] = {}
        self._skipped: dict[tuple[str, str], str] = {}  # why these runs are not played
        self.playing, self.shown_by = "", name_request()

    def play(
        self, set_up: Callable[[str, str], Any], pack: Callable[[Any], Callable[[], Any]]
    ) -> None:
        """Play all runs, and show the table meanwhile.

        `set_up` returns a run, by model and agent, and `pack` a function that opens it again.
        """
        names = [(model, agent) for model in self.models for agent in self.agents]
        with shown_at_the_end(self, WORKING) as say:
            for number, (model, agent) in enumerate(names):
                left = pluralize(len(names) - number, "run")
                say(self.draw_playing(LEFT.format(left, agent, model)))
                problems = [why for (_, name), why in self.ended.items() if name == agent]
                if len(problems) > len({*problems}):
                    self._skipped[model, agent] = AGAIN
                else:
                    run = set_up(model, agent).play()
                    self.results[model, agent] = read_result(run, pack(run))
            gc.collect()  # a run refers to itself, and each has half a megabyte

    def draw_playing(self, words: str) -> str:
        """Return the table with these words in its head, and without them the next time."""
        self.playing = words
        drawn = self.draw()
        self.playing = ""
        return drawn

    @property
    def head(self) -> str:
        """Return a line to show below the job, or ""."""
        return ""

    @property
    def agents(self) -> list[str]:
        return [*self.whose]

    @property
    def ended(self) -> dict[tuple[str, str], str]:
        """Return why runs have ended early, are not judged or not played."""
        problems = {names: result.problem for names, result in self.results.items()}
        return {names: why for names, why in problems.items() if why} | self._skipped

    def __getitem__(self, names: tuple[str, str]) -> Any:
        if names in self.results:
            return self.results[names].open()
        renamed = names[0], "agentlib"  # as "mine" is called if no part of it is the learner's
        if names[1:] == ("mine",) and renamed in self.results:
            return self.results[renamed].open()
        choices = f"models are {', '.join(self.models)}; the agents are {', '.join(self.agents)}."
        raise KeyError(f"There is no run of {names!r}: name a model and an agent. The {choices}")

    def __repr__(self) -> str:
        """Return the whole table as text, with a line for each run."""
        signs = ", ".join(" ".join(STATES[state]) for state in self._list_signs())
        lines = [f"{self.job}: {signs}"]
        if self.head:
            lines.append(self.head)
        wide = max(map(len, self.agents), default=0)
        lines += [f"{agent:{wide}}  {whose}" for agent, whose in self.whose.items()]
        for model, says in self.models.items():
            lines.append(f"\n{model}: {says}".removesuffix(": "))
            for agent in self.agents:
                if result := self.results.get((model, agent)):
                    signs = "".join(STATES[state][0] for state in result.states)
                    words = describe_result(result, self._compare(model, agent))
                    lines.append(f"  {agent:{wide}}  {signs}  {words}")
            lines += [f"  {sentence}" for sentence in self._list_ended(model)]
        lines.append("\nall steps done")
        lines += [f"  {agent:{wide}}  {self._count_complete(agent)}" for agent in self.agents]
        return for_print("\n".join([*lines, "", *self._list_notes()]))

    def draw(self) -> str:
        """Return the table as HTML."""
        heads = "".join(
            f"<th scope='col'>{escape(agent)}<small>{escape(whose)}</small>"
            for agent, whose in self.whose.items()
        )
        rows = "".join(
            f"<tr><th scope='row'>{escape(model)}<small>{escape(says)}</small>"
            f"{''.join(self._draw_cell(model, agent) for agent in self.agents)}"
            + "".join(
                f"<tr><td colspan='{len(self.agents) + 1}'><p class='lp-problem'>{escape(why)}</p>"
                for why in self._list_ended(model)
            )
            for model, says in self.models.items()
        )
        counts = "".join(f"<th>{self._count_complete(agent)}" for agent in self.agents)
        signs = "".join(
            f"<span>{draw_strip([state])} {STATES[state][1]}</span>" for state in self._list_signs()
        )
        notes = "".join(f"<p class='lp-note'>{escape(note)}</p>" for note in self._list_notes())
        return (
            f"<table><tr><th>{escape(self.job)}<small>{escape(self.playing or self.head)}</small>"
            f"{heads}{rows}<tr><th scope='row'>all steps done{counts}</table>"
            f"<p class='lp-legend'>{signs}</p>{notes}"
        )

    def _list_signs(self) -> list[str]:
        """Return the states of steps that occur in this table."""
        seen = {state for result in self.results.values() for state in result.states}
        return [state for state in STATES if state in seen]

    def _draw_cell(self, model: str, agent: str) -> str:
        """Return the cell of a run as HTML, or an empty one."""
        result, beside = self.results.get((model, agent)), self._compare(model, agent)
        if result is None:
            return "<td>"
        strip = draw_strip(result.states, describe_result(result, beside))
        state = "good" if result.is_complete else "bad"
        number = result.steps_done if result.states else "?"
        change = f" <em class='lp-{'bad' if beside < 0 else 'good'}'>{beside:+}</em>"
        if not beside:
            change = ""
        size = f"<small>{describe_size(result)}</small>"
        return f"<td><div>{strip}<b class='lp-{state}'>{number}</b>{change}</div>{size}"

    def _compare(self, model: str, agent: str) -> int:
        """Return how many steps more an agent has done with a model than the first agent."""
        first, own = [self.results.get((model, name)) for name in (self.agents[0], agent)]
        if first is None or own is None or not (first.states and own.states):
            return 0
        return own.steps_done - first.steps_done

    def _list_ended(self, model: str) -> list[str]:
        """Return what has ended the runs with a model early."""
        return [f"{agent}: {why}" for (name, agent), why in self.ended.items() if name == model]

    def _count_complete(self, agent: str) -> str:
        results = [result for (_, name), result in self.results.items() if name == agent]
        skipped = sum(name == agent for _, name in self._skipped)
        return f"{sum(result.is_complete for result in results)} of {len(results) + skipped}"

    def _list_notes(self) -> list[str]:
        """Return the notes below the table."""
        beside = f"{BESIDE.format(self.agents[0])} " if len(self.agents) > 1 else ""
        notes = [f"{UNITS} {beside}{LIMIT}"]
        complete = [result for result in self.results.values() if result.is_complete]
        if len(complete) == len(self.models) * len(self.agents):
            notes.append(ALIKE)
        return notes

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        parts = "drawing/legend", "tables/evaluation"
        drawn = draw_picture(self.draw(), self.css_class, *parts)
        return {"text/html": drawn, "text/plain": repr(self)}

    def _ipython_display_(self) -> None:
        if self.shown_by != name_request():  # its own cell has shown it already
            display(DrawnOutput(self))


def read_result(run: Record, open_again: Callable[[], Any], thinking: str = "") -> Result:
    """Return what a table shows of a run. Rounds of the run that it goes on from do not count."""
    rounds, letters = run.rounds[run.rounds_before :], run.letters[run.rounds_before :]
    written = sum(round_.usage.output_tokens for round_ in rounds)
    sent = sum(round_.usage.total for round_ in rounds) - written
    numbers = len(rounds), sent, written, sum(map(str.isupper, letters))
    return Result(list_states(run), run.problem or run.not_judged, *numbers, open_again, thinking)


def list_states(run: Record) -> list[str]:
    """Return the state of each step; none if the files were not judged."""
    claimed = list_false(run, run.newest)
    before = run.records[run.rounds_before - 1].snapshot.done if run.rounds_before else ()
    states = []
    for step, done, was_done in zip_longest(run.step_texts, run.done, before):
        if was_done:  # by the run from which this one goes on
            states.append("script" if done else "undone")
        else:
            states.append("done" if done else "claimed" if step in claimed else "open")
    return states if run.done else []


def describe_result(result: Result, beside: int = 0) -> str:
    change = f" ({beside:+})" if beside else ""
    done = f"{result.steps_done} of {result.steps_left}{change}" if result.states else "not judged"
    return f"{done}, {describe_size(result)}"


def describe_size(result: Result) -> str:
    rounds, sent = pluralize(result.rounds, "round"), shorten_number(result.sent)
    return ", ".join(filter(None, [rounds, sent, f"{result.reminders} ▼", result.thinking]))


def draw_strip(states: Sequence[str], words: str = "") -> str:
    """Return a square for each step as SVG. `words` say the same."""
    inside = "".join(
        f"<g class='lp-{state}' transform='translate({place})'>{SQUARE}<path d='{CHECK}'/></g>"
        for place, state in enumerate(states)
    )
    hidden = f"role='img' aria-label='{escape(words)}'" if words else "aria-hidden='true'"
    size = len(states)
    return f"<svg {hidden} viewBox='0 0 {size} 1' style='width:{size * 13}px'>{inside}</svg>"
