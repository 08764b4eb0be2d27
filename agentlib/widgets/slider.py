"""The nag slider: move the threshold, and the same task is played again with it."""

from collections.abc import Iterator
from typing import Any

import traitlets

from ..practice.mind.mind import ATTENTION
from ..practice.mind.tasks import load
from ..runs.trial import THRESHOLDS, Trial
from .background import Latest
from .base import View, script, style
from .chart import Chart
from .summaries import difference
from .todo_state import number, plan

ATTENTIONS = range(4, 31)


class NagSlider(View):
    """Plays a practice task with a threshold for the reminder, and shows how it ends.

    `after` and `attention` may be set, by hand or by code: then the task is played again, from
    the start, on fresh files. `trial` is the Trial that is shown.
    """

    _esm = script("slider")
    _css = style("slider")
    after = traitlets.Int().tag(sync=True)
    attention = traitlets.Int().tag(sync=True)
    busy = traitlets.Bool(False).tag(sync=True)

    def __init__(
        self,
        task: str = "ten_steps",
        *,
        after: int = 3,
        attention: int = ATTENTION,
        chart: Chart | None = None,
    ) -> None:
        """`after` is in rounds, `attention` in messages. A `chart` follows the newest slider."""
        super().__init__(after=after, attention=attention)
        self.task, self.chart, self.trial = task, chart, None
        self._latest = Latest(self._failed)
        if chart is not None:
            chart.slider = self
        for _ in self._play():
            pass
        self.observe(self._moved, ["after", "attention"])

    def wait(self) -> "NagSlider":
        """Return when what is shown belongs to the sliders as they stand."""
        self._latest.wait()
        return self

    def _moved(self, change: Any) -> None:
        self.busy = True
        self._latest.start(self._play())

    def _play(self) -> Iterator[None]:
        trial = Trial(self.task, after=self.after, attention=self.attention)
        for _ in trial:
            yield
        self._show(trial)

    def _show(self, trial: Trial) -> None:
        before, self.trial = self.trial, trial
        with self.hold_sync():
            self.busy = False
            self.state = outcome(trial, before)
        if self.chart is not None and self.chart.slider is self:
            self.chart.mark(trial.after, trial.attention)

    def _failed(self, problem: Exception) -> None:
        with self.hold_sync():
            self.busy = False
            self.state = self.state | {"of": {"after": self.after, "attention": self.attention},
                                       "status": "", "changed": f"The run failed: {problem}"}

    def text(self) -> str:
        """The outcome in words, and the list at the end."""
        state = self.state
        steps = [f"[{'x' if step['done'] else ' '}] {step['text']}" for step in state["steps"]]
        return "\n".join([
            state["status"],
            *([state["changed"]] if state["changed"] else []),
            "",
            "What the files show:",
            *steps,
            "",
            "The list at the end:",
            self.trial.todo.render(),
        ])


def outcome(trial: Trial, before: Trial | None) -> dict[str, Any]:
    """What the browser draws of a Trial, and of what differs from the one `before`."""
    steps = load(trial.task).steps
    done = trial.done
    facts = {
        "steps done": f"{sum(done)} of {len(done)}",
        "rounds": f"{len(trial.rounds):,}",
        "tokens": f"{trial.tokens:,}",
        "reminders": f"{trial.reminders:,}",
    }
    return {
        "of": {"after": trial.after, "attention": trial.attention},
        "range": {"after": [THRESHOLDS[0], THRESHOLDS[-1]],
                  "attention": [ATTENTIONS[0], ATTENTIONS[-1]]},
        "facts": facts,
        "steps": [{"text": s.text, "done": ok} for s, ok in zip(steps, done, strict=True)],
        "plan": plan(trial.items, "The list at the end", "There is no list."),
        "status": f"Reminder after {number(trial.after, 'round')}, attention "
                  f"{number(trial.attention, 'message')}: {facts['steps done']} steps done, "
                  f"{number(len(trial.rounds), 'round')}, {number(trial.tokens, 'token')}, "
                  f"{number(trial.reminders, 'reminder')}.",
        "changed": difference(before.rounds, trial.rounds) if before else "",
    }
