"""The conditions of a measurement: what a model gets besides the job, and a run under one."""

from dataclasses import dataclass
from typing import Any

from agentlib.todo import TodoManager

from ..runs.run import Run

STEPS_FILE = "STEPS.md"


@dataclass(frozen=True)
class Condition:
    """What the model gets: a todo list, reminders about it, the steps in its prompt."""

    has_list: bool = False
    has_reminders: bool = False
    has_plan: bool = False


CONDITIONS = {
    "no list": Condition(),
    "list and reminders": Condition(has_list=True, has_reminders=True),
    "plan in the prompt": Condition(has_plan=True),
    "list without reminders": Condition(has_list=True),
}
DEFAULT = ("no list", "list and reminders", "plan in the prompt")
SCRIPTED = DEFAULT[:2]  # the practice model has the steps in its script, and not from a prompt


class MeasuredRun(Run):
    """A run under a condition.

    The window never drops the prompt, so the steps are in it only if the condition says so.
    Otherwise a real model reads them in a file, and what it has read leaves the window.
    """

    def __init__(self, job: Any, condition: Condition, after: int, **more: Any) -> None:
        """Set up a run. `more` are arguments of Run."""
        self.condition = condition
        todo = TodoManager if condition.has_list else None
        super().__init__(job, todo=todo, after=after if condition.has_reminders else None, **more)

    def _write_prompt(self) -> str:
        prompt = self._job.prompt
        if self.condition.has_plan:
            prompt = self._job.name_steps(prompt)
        elif self._connection.real:
            (self.workspace.root / STEPS_FILE).write_text(self._job.name_steps(""), "utf-8")
            prompt = f"{prompt}\n\nThe steps are in {STEPS_FILE}: read it before you begin."
        return prompt

    def sent(self) -> dict[str, Any]:
        """Return what is needed to read the run: the fields of its requests, and its messages."""
        requests = self._watched.requests
        fields = dict(requests[-1]) if requests else {}
        return fields | {"messages": self.messages}
