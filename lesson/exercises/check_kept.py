"""The exercise "A list that loses no unfinished task": unfinished tasks stay on the list."""

from contextlib import suppress
from dataclasses import replace

from .checking import case, exercise, hint, rule, why
from .checking.expected import refusal, says
from .checking.fixtures import compare_lists

JSON_STRING = "Here the list was sent as a JSON string. In `check_list`, `items` is always a list."
PLAN = [
    {"id": "1", "text": "Read the code", "status": "completed"},
    {"id": "2", "text": "Add tests", "status": "in_progress"},
    {"id": "3", "text": "Write docs", "status": "pending"},
]


@rule("Rule 1: it accepts a list that still has all unfinished tasks")
@why("The first list may contain any tasks, and a plan may grow: it may not lose one.")
@hint("Which method of TodoManager gets a new list before anything changes?")
@hint("Extend `check_list(self, items)`: `items` is the new list, and `self.items` the old one.")
@hint("If you extend `update` instead: does every branch return what `super().update` returns?")
@case(says("Read the code", "Add tests", "Write docs", what="the rendered list of three"))
def first_list(KeptTodo):
    return KeptTodo().update(PLAN)


@first_list.also
@case(["Paint the door"], hint="Each list has its own items: create them in `__init__`.")
def separate_lists(KeptTodo):
    one, other = KeptTodo(), KeptTodo()
    one.update(PLAN)
    other.update([{"id": "7", "text": "Paint the door"}])
    return [item["text"] for item in other.items]


@first_list.also
@case(
    ["Release", "Write docs", "Add tests", "Read the code"],
    hint="New tasks may be added, and the order may change.",
)
def longer_list(KeptTodo):
    todo = KeptTodo()
    todo.update(PLAN)
    todo.update([{"id": "4", "text": "Release", "status": "pending"}, *reversed(PLAN)])
    return [item["text"] for item in todo.items]


@rule("Rule 2: it rejects a list in which an unfinished task is missing, and names what is missing")
@why("This is how the run in s03c lost seven of its ten steps: the model wrote what it could see.")
@hint("Which tasks in `self.items` are not completed? Which of them are not in the new list?")
@hint('For each old item whose status is not "completed": is it in the new list?')
@hint("`raise ValueError(…)` with the item's text in the message: the model has forgotten it.")
@case(refusal("Write docs"), items=[{"id": "2", "text": "Add tests"}])
@case(
    refusal("Add tests"),
    items=[{"id": "3", "text": "Write docs"}],
    hint="A task in progress is unfinished as well.",
)
@case(refusal("Add tests", "Write docs"), items=[], hint="An empty list loses every task.")
@case(
    refusal("Write docs"),
    items=[
        {"id": "1", "text": "Read the code", "status": "completed"},
        {"id": "2", "text": "Add tests", "status": "completed"},
        {"id": "9", "text": "Write docs for the release", "status": "pending"},
    ],
    hint="The number of items does not tell which ones are there, nor does a part of their text.",
)
@case(
    refusal("Write docs"),
    items=[{"id": "2", "text": "Add tests", "status": "completed"}],
    hint="Whether the new tasks are completed does not matter: one of the old ones is missing.",
)
@case(
    refusal("Write docs"),
    items=[PLAN[1], *({"id": f"1{n}", "text": f"Paint door {n}"} for n in range(6))],
    hint="A longer list can also lose a task.",
)
@case(
    replace(refusal("Write docs"), explain=lambda got: JSON_STRING),
    items='[{"id": "2", "text": "Add tests"}]',
)
def shrunk(KeptTodo, items):
    todo = KeptTodo()
    for sent in (PLAN, items, PLAN):
        with suppress(ValueError):
            todo.update(sent)
    return todo.update(items)


@shrunk.also
@case(refusal("Add tests"), hint="The first task of the old list may be the one that is missing.")
def shrunk_to_nothing_known(KeptTodo):
    todo = KeptTodo()
    todo.update([{"id": "1", "text": "Add tests"}])
    return todo.update([{"id": "2", "text": "Write docs"}])


@rule("Rule 3: it identifies a task by its id or by its text")
@why("A model may reword a task or renumber its list. It is still the same task.")
@hint("When are two items the same task? An equal id is enough, and so is equal text.")
@hint("Collect each new `id` and each new `text` in two sets. A task in neither is missing.")
@hint("In `check_list`, ids are strings without whitespace, in both lists.")
@case(
    ["Read the code", "Add tests for the prices", "Write docs"],
    items=[{"id": "2", "text": "Add tests for the prices"}, {"id": "3", "text": "Write docs"}],
    hint="One task has the same id and another text.",
)
@case(
    ["Read the code", "Add tests", "Write docs"],
    items=[{"id": "a", "text": "Add tests"}, {"id": "b", "text": "Write docs"}],
    hint="Both tasks have unchanged text and another id.",
)
@case(
    ["Read the code", "Add tests", "Write docs"],
    items=[{"id": 2, "text": " Add tests "}, {"id": 3, "text": "Write docs"}],
)
def same(KeptTodo, items):
    todo = KeptTodo()
    todo.update(PLAN)
    todo.update([PLAN[0], *items])
    return [item["text"] for item in todo.items]


@rule("Rule 4: a rejected list changes nothing")
@why("The model reads that its list was rejected. Then the old list must still be there.")
@hint("What is in `self.items` when you raise?")
@hint("In `check_list` nothing has changed yet. After `super().update(items)`, it has.")
@case(
    "the whole plan, after each list that was rejected",
    lambda got: got and all(items == PLAN for items in got),
)
def unchanged(KeptTodo):
    left = []
    unknown = {"text": "Release", "status": "done"}
    for items in (PLAN[:2], PLAN[2:], [], [*PLAN, unknown]):
        todo = KeptTodo()
        todo.update(PLAN)
        try:
            todo.update(items)
        except Exception:
            left.append(todo.items)
    return left


@rule("Rule 5: completed tasks may go, and when all are completed, a new plan may begin")
@why("The next job has other steps. Completed tasks need not stay.")
@hint("Which tasks must stay: all old ones, or only some of them?")
@hint("Only unfinished tasks must stay. If none is unfinished, none can be missing.")
@case(["Add tests", "Write docs"], lists=[PLAN, PLAN[1:]])
@case(
    ["Paint the door"],
    lists=[PLAN, [item | {"status": "completed"} for item in PLAN], [{"text": "Paint the door"}]],
)
def without_completed(KeptTodo, lists):
    todo = KeptTodo()
    for items in lists:
        todo.update(items)
    return [item["text"] for item in todo.items]


@rule("Everything else is the same as in TodoManager")
@why("You add one rule. The other rules are still needed.")
@hint("Which rules does the parent's method check? Call it: `super().check_list(items)`.")
@case([])
def same_as_todomanager(KeptTodo):
    return compare_lists(KeptTodo)


@exercise(
    order=9,
    title="A list that loses no unfinished task",
    notebook="s05_at_the_stop",
    after="Now see what it changes.",
    question="How could a model remove a task that it was wrong about?",
    answer="It can only complete it, which is a lie, or give its id to another task, which nobody "
    "sees. A real list needs a fourth status, `cancelled`, that the user can see. A rule that "
    "allows no honest answer leads to a false one.",
)
def check_kept(KeptTodo=None):
    """Check a `KeptTodo`: pass the class."""
