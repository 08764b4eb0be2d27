"""The arena: scripted models against harnesses that grow by one part at a time.

We wrote the models, so the table proves nothing about real ones. It shows which part of a
harness answers which failure, what the part costs the other models, and how parts act together.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

from agentlib.loop import Round
from agentlib.nag import AFTER
from agentlib.todo import TodoManager
from agentlib.tools import Tool
from agentlib.workspace import Workspace

from ..at_the_stop import MAX_QUESTIONS
from ..practice.models import MODELS
from ..practice.policy import Policy
from ..practice.policy.next_reply import MAX_MESSAGES
from ..practice.practice_model import PracticeModel
from ..samples.jobs import list_missing, load_job
from .trial import Trial

JOB = "ten_steps"
MAX_REQUESTS = 80  # a run that needs more is stopped, and this is its result
LATE = 5  # rounds: the threshold of the last row
STEPS = load_job(JOB).steps

# A question at the stop: it returns the next user message, or None if the run may end.
AtStop = Callable[[TodoManager | None, Workspace], str | None]


class AllAtOnce(TodoManager):
    """A list that may have several tasks in progress."""

    one_in_progress = False


class KeepsTasks(TodoManager):
    """A list from which no unfinished task may vanish."""

    def check_list(self, items: list[dict[str, Any]]) -> None:
        """Raise ValueError if an unfinished task of the old list is missing in the new one."""
        super().check_list(items)
        texts = {item["text"] for item in items}
        unfinished = [item["text"] for item in self.items if item["status"] != "completed"]
        missing = [text for text in unfinished if text not in texts]
        if missing:
            raise ValueError("Not completed, so keep them on the list: " + "; ".join(missing))


def ask_list(todo: TodoManager | None, workspace: Workspace) -> str | None:
    """Name the tasks that the list says are open."""
    if todo is None or all(item["status"] == "completed" for item in todo.items):
        return None
    return f"<reminder>You stopped, but this list has open tasks:\n{todo.render()}</reminder>"


def missing_steps(workspace: Workspace) -> list[str]:
    """Return the steps that the files do not show: the check that sees everything."""
    return list_missing(STEPS, workspace.root)


def every_second_missing(workspace: Workspace) -> list[str]:
    """Return the same for every second step: a check that sees half, as real tests do."""
    return list_missing(STEPS[::2], workspace.root)


def ask_files(missing: Callable[[Workspace], list[str]], *, by_name: bool = True) -> AtStop:
    """Return a question that names what is `missing` in the files, or only counts it."""

    def ask(todo: TodoManager | None, workspace: Workspace) -> str | None:
        left = missing(workspace)
        if not left:
            return None
        if not by_name:
            return f"<reminder>{len(left)} steps are not done.</reminder>"
        return "<reminder>The files show that this is not done:\n- {}</reminder>".format(
            "\n- ".join(left)
        )

    return ask


def reject_third_equal_call(tools: Iterable[Tool]) -> list[Tool]:
    """Return the same tools, but the third equal call in a row is an error."""
    calls: list[tuple[str, Any]] = []

    def reject_repeated(tool: Tool) -> Tool:
        @wraps(tool.run)
        def run(*given: Any, **named: Any) -> str:
            calls.append((tool.name, (given, named)))
            if calls[-3:] == [calls[-1]] * 3:
                raise ValueError("this is the third equal call in a row: do something else")
            return tool.run(*given, **named)

        return replace(tool, run=run)

    return [reject_repeated(tool) for tool in tools]


@dataclass(frozen=True)
class Harness:
    """One row of the arena: its name, and the parts around the loop."""

    name: str
    todo: type[TodoManager] | None = None
    after: int | None = None  # rounds: the nag's threshold
    at_stop: AtStop | None = None
    rejects_repeats: bool = False


ASK_FILES = ask_files(missing_steps)
# Each row adds one part to the row before. `rescued` in the widget is what the learner guesses.
GROWING = (
    Harness("the loop alone"),
    Harness("+ a list", AllAtOnce),
    Harness("+ the nag", AllAtOnce, AFTER),
    Harness("+ one in progress", TodoManager, AFTER),
    Harness("+ the list keeps its tasks", KeepsTasks, AFTER),
    Harness("+ at the stop: ask the list", KeepsTasks, AFTER, ask_list),
    Harness("+ at the stop: ask the files", KeepsTasks, AFTER, ASK_FILES),
    Harness("+ no third equal call", KeepsTasks, AFTER, ASK_FILES, rejects_repeats=True),
)
# Then everything is taken away but the last two parts, and the check gets weaker.
TURN = (
    Harness("only the last two", at_stop=ASK_FILES, rejects_repeats=True),
    Harness(
        "… the check only counts",
        at_stop=ask_files(missing_steps, by_name=False),
        rejects_repeats=True,
    ),
    Harness(
        "… it sees every second step",
        at_stop=ask_files(every_second_missing),
        rejects_repeats=True,
    ),
    Harness("… and list and nag again", KeepsTasks, LATE, ask_files(every_second_missing), True),
)
HARNESSES = GROWING + TURN
# The models in the order of the rows that rescue them, so that the table shows a diagonal. The one
# that needs no help comes last.
_rows = {harness.name: row for row, harness in enumerate(GROWING)}
SORTED = sorted(MODELS, key=lambda name: _rows.get(MODELS[name].rescued_by, len(GROWING)))


class ArenaTrial(Trial):
    """One run in the arena: a Trial with a scripted model and a harness.

    `questions` counts how often the harness asked at the stop, and `is_stopped` is true if the
    run was ended after MAX_REQUESTS.
    """

    def __init__(self, policy: Policy, harness: Harness) -> None:
        """Set up a run of `harness` with the scripted model `policy`, on fresh files."""
        todo = harness.todo() if harness.todo else None
        window = getattr(policy, "window", MAX_MESSAGES)
        super().__init__(JOB, after=harness.after, window=window, plan=todo is not None, todo=todo)
        self.model = PracticeModel(policy)
        self.harness = harness
        self.questions = 0
        self.is_stopped = False

    def _tools(self) -> list[Tool]:
        tools = super()._tools()
        return reject_third_equal_call(tools) if self.harness.rejects_repeats else tools

    def _play(self, tools: list[Tool]) -> Iterator[Round]:
        """Yield the rounds, and ask at each stop until nothing is missing."""
        question: str | None = ""
        while question is not None:
            for turn in super()._play(tools):
                question = self._ask() if turn.is_last else None
                self.is_stopped = len(self.rounds) + 1 == MAX_REQUESTS and not turn.is_last
                yield replace(turn, is_last=turn.is_last and question is None)
                if self.is_stopped:
                    return
            if question is not None:
                self.questions += 1
                self.messages.append({"role": "user", "content": question})

    def _ask(self) -> str | None:
        if self.harness.at_stop is None or self.questions == MAX_QUESTIONS:
            return None
        return self.harness.at_stop(self.todo, self.workspace)

    @property
    def is_over(self) -> bool:
        return self.is_stopped or super().is_over
