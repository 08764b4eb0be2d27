"""A list that may not shrink: what is not completed stays, whatever the model sends."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from agentlib.todo import TodoManager

from ..runs.trial import play
from .checking.check import Subject, check
from .checking.expected import Expected, refusal, says
from .checking.result import Further, Result
from .checking.rule import Rules, case, hint, why

RULES = Rules()
PLAN = [
    {"id": "1", "text": "Read the code", "status": "completed"},
    {"id": "2", "text": "Add tests", "status": "in_progress"},
    {"id": "3", "text": "Write docs", "status": "pending"},
]


def lists(*texts: str) -> Expected:
    """The texts of a list's items."""
    wanted = list(texts)
    return Expected(f"the list is now {wanted}", lambda came: came == wanted)


@RULES.add("What keeps all its tasks is taken as before")
@why("The first list is free, and a plan may grow: the rule forbids losing, not planning.")
@hint("Where does TodoManager take a list? Your method looks first, and then calls that one.")
@hint("`def update(self, items):`, and at its end `return super().update(items)`.")
@hint("What update returns is the tool's result. Does every way through your code return it?")
@case(says("Read the code", "Add tests", "Write docs", what="the rendered list of three"))
def first(KeptTodo):
    todo = KeptTodo()
    return todo.update(
        [
            {"id": "1", "text": "Read the code", "status": "completed"},
            {"id": "2", "text": "Add tests", "status": "in_progress"},
            {"id": "3", "text": "Write docs", "status": "pending"},
        ]
    )


@first.also
@case(
    lists("Read the code", "Add tests", "Write docs", "Release"),
    items=[
        {"id": "1", "text": "Read the code", "status": "completed"},
        {"id": "2", "text": "Add tests", "status": "completed"},
        {"id": "3", "text": "Write docs", "status": "in_progress"},
        {"id": "4", "text": "Release", "status": "pending"},
    ],
)
@case(
    lists("Write docs", "Add tests"),
    items=[{"id": "3", "text": "Write docs"}, {"id": "2", "text": "Add tests"}],
    hint="A completed task may go, and the order may change.",
)
def taken(KeptTodo, items):
    todo = KeptTodo()
    todo.update(PLAN)
    todo.update(items)
    return [item["text"] for item in todo.items]


@RULES.add(
    "A list in which an unfinished task is missing is refused, and the message names the task"
)
@why("This is how s03's run lost six of its ten steps: the model wrote down what it could see.")
@hint("Which tasks in `self.items` are not completed, and which of them are in the new list?")
@hint('For each old item whose status is not "completed": is it in `items`?')
@hint("`raise ValueError(…)` with the item's text in its message: the model has forgotten it.")
@case(refusal("write docs"), items=[{"id": "2", "text": "Add tests"}])
@case(
    refusal("add tests"),
    items=[{"id": "3", "text": "Write docs"}],
    hint="What is in progress is not completed, either.",
)
@case(refusal("add tests", "write docs"), items=[], hint="An empty list loses everything.")
@case(
    refusal("write docs"),
    items=[
        {"id": "1", "text": "Read the code", "status": "completed"},
        {"id": "2", "text": "Add tests", "status": "completed"},
        {"id": "9", "text": "Finish the rest", "status": "pending"},
    ],
    hint="As many items as before are not the same items. Look for each of them.",
)
@case(
    refusal("write docs"),
    items='[{"id": "2", "text": "Add tests"}]',
    hint="Some models send the list as JSON text. Let `super().update(items)` read it, and compare "
    "what is in `self.items` before and after.",
)
def shrunk(KeptTodo, items):
    todo = KeptTodo()
    todo.update(PLAN)
    return todo.update(items)


@RULES.add("A task is known by its id or by its text")
@why("A model may reword a task, or renumber its list: the task is still the same.")
@hint("When are two items the same task? One of two things is enough.")
@hint("Collect the new ids and the new texts in two sets. Missing is what is in neither.")
@hint("Compare `self.items` before and after: there, ids are texts, and blanks are gone.")
@case(
    lists("Add tests for the prices", "Write docs"),
    items=[{"id": "2", "text": "Add tests for the prices"}, {"id": "3", "text": "Write docs"}],
    hint="Here one has the same id and other words.",
)
@case(
    lists("Add tests", "Write docs"),
    items=[{"id": "a", "text": "Add tests"}, {"id": "b", "text": "Write docs"}],
    hint="Here both have the same words and other ids.",
)
@case(
    lists("Add tests", "Write docs"),
    items=[{"id": 2, "text": " Add tests "}, {"id": 3, "text": "Write docs"}],
)
def same(KeptTodo, items):
    todo = KeptTodo()
    todo.update(PLAN)
    todo.update(items)
    return [item["text"] for item in todo.items]


@RULES.add("A refused list changes nothing")
@why("The model is told that its list was not taken: then the old one has to be there.")
@hint("If `super().update(items)` takes the list first, what is in `self.items` when you refuse?")
@hint("Keep the old items in a variable, and put them back before you raise.")
@case(PLAN, items=[{"id": "2", "text": "Add tests"}])
@case(PLAN, items=[])
@case(PLAN, items=[{"text": "Add tests", "status": "done"}, {"text": "Write docs"}])
def unchanged(KeptTodo, items):
    todo = KeptTodo()
    todo.update(PLAN)
    with suppress(ValueError):
        todo.update(items)
    return todo.items


@unchanged.also
@case([], hint="Make `self.items` in `__init__`: each list has its own.")
def unchanged_elsewhere(KeptTodo):
    one, other = KeptTodo(), KeptTodo()
    one.update(PLAN)
    return other.items


@RULES.add("When all is completed, a new plan may begin")
@why("The next job has other steps. What is done need not be carried along.")
@hint("Only what is not completed must stay. When nothing is open, nothing is missing.")
@case(lists("Paint the door"))
def next_plan(KeptTodo):
    todo = KeptTodo()
    todo.update(PLAN)
    todo.update([item | {"status": "completed"} for item in PLAN])
    todo.update([{"id": "7", "text": "Paint the door"}])
    return [item["text"] for item in todo.items]


FURTHER = Further(
    "How could a model get rid of a task that it was wrong about?",
    "By completing it, which is not true. A real list needs a word for it: a fourth status, "
    "`cancelled`, that is seen by whoever watches. A rule that cannot be kept honestly is kept "
    "dishonestly.",
)


def check_kept(KeptTodo: Any = None, **settings: Any) -> Result:
    """How far a list is that does not let an unfinished task vanish: give it the class.

    `settings` are those of check.examine.
    """
    after = "See what it changes: `print(compare_curves(KeptTodo))`."
    subject = Subject("KeptTodo", RULES, after, FURTHER)
    return check(subject, {"KeptTodo": KeptTodo}, **settings)


def compare_curves(KeptTodo: type[TodoManager], thresholds: Iterable[int] = range(5, 10)) -> str:
    """The ten steps with a TodoManager and with a list of the learner's own, a line for each run.

    `thresholds` are the nag's, in rounds. A line says how many steps are done by the files, and
    how many by the list.
    """
    kinds = (TodoManager, KeptTodo)
    return "\n".join(tell_run(kind, after) for after in thresholds for kind in kinds)


def tell_run(kind: type[TodoManager], after: int) -> str:
    """One run of the ten steps with a list of this kind, in a line."""
    trial = play(after=after, todo=kind())
    completed = [item for item in trial.items if item["status"] == "completed"]
    return (
        f"reminder after {after}  {kind.__name__:11}  {trial.steps_done:2} of 10 steps, and the "
        f"list says {len(completed)} of {len(trial.items)}; {len(trial.rounds)} rounds, "
        f"{trial.tokens:,} tokens"
    )
