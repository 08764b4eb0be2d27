"""The exercise "A list with priorities": `PriorityTodo`, whose items have a priority."""

import re
from dataclasses import replace
from typing import Any

from .checking import case, exercise, hint, rule, why
from .checking.expected import Expected, equal, refusal, says
from .checking.fixtures import compare_lists
from .checking.rule import LONG_CASE_SECONDS
from .scene import send_definition

LEVELS = ("high", "medium", "low")
NOT_KEPT = "The items have no priority: TodoManager keeps only the fields that `fields` describes."


def level_alone(level: str) -> Expected:
    """Expect a line that contains this level as a word, in any case, and no other level."""
    others = " nor ".join(other for other in LEVELS if other != level)

    def test(got: Any) -> bool:
        words = re.findall("[a-z]+", got.lower()) if isinstance(got, str) else ()
        return [word for word in LEVELS if word in words] == [level]

    return Expected(f"a line with the word {level}, and neither {others}", test)


@rule("A list without priorities still works, and update returns it rendered")
@why("The string that update returns is the tool's result: the model sees its plan there.")
@hint("Does every branch of your code return the list, and raise no exception?")
@hint("`fields` must still have id, text and status. `update` returns what the parent returns.")
@case(says("Add tests", what="the rendered list, with Add tests in it"))
def still_a_list(PriorityTodo):
    todo = PriorityTodo()
    return todo.update([{"id": "1", "text": "Add tests", "status": "pending"}])


@rule("Rule 1: an item keeps the priority that the model gave it")
@why("A nag can name the most important task only if the list stores the priorities.")
@hint("How does TodoManager know which fields an item has?")
@hint("Look at `fields` in TodoManager: the items contain only the fields described there.")
@hint("In the class body: `fields = TodoManager.fields | {…}`, with a `priority` that has an enum.")
@case(
    replace(
        equal({"A high one": "high", "A medium one": "medium", "A low one": "low"}),
        explain=lambda got: NOT_KEPT if isinstance(got.problem, KeyError) else "",
    )
)
def kept(PriorityTodo):
    todo = PriorityTodo()
    todo.update([{"text": f"A {level} one", "priority": level} for level in LEVELS])
    return {item["text"]: item["priority"] for item in todo.items}


@rule("Rule 2: the tool's schema names the three levels")
@why("The schema is all that the model knows about your field: it lists the valid words.")
@hint("How does `status` define the allowed words? A priority can do the same.")
@case(
    "['high', 'medium', 'low']",
    lambda got: isinstance(got, (list, tuple)) and sorted(got) == sorted(LEVELS),
)
def schema(PriorityTodo):
    item = PriorityTodo().tool().input_schema["properties"]["items"]["items"]
    return item["properties"]["priority"]["enum"]


@schema.also
@case(
    "accepted",
    hint="The API says what is wrong. `status` in TodoManager is a valid example.",
    seconds=LONG_CASE_SECONDS,
)
def schema_is_valid(PriorityTodo):
    return send_definition(PriorityTodo().tool())


@rule("Rule 3: a priority that is left out is medium")
@why("Models leave out optional fields, and every task needs a priority.")
@hint("`status` has a default. Where is it defined?")
@case({"Task 0": "high", "Task 1": "medium"}, given=[{"priority": "high"}, {}])
def left_out(PriorityTodo, given):
    todo = PriorityTodo()
    todo.update([{"text": f"Task {n}", "status": "pending", **p} for n, p in enumerate(given)])
    return {item["text"]: item.get("priority") for item in todo.items}


@rule("Rule 4: it rejects any other priority with a ValueError that names the field or the word")
@why("The loop sends your error message to the model, which can then correct its list.")
@hint("What happens to a word that is not among the three?")
@hint("Raise a ValueError. TodoManager already checks what `fields` allows.")
@case(refusal("priority", "urgent"), words=["urgent"])
@case(refusal("priority", "hig"), words=["hig"])
@case(refusal("priority", "soon"), words=["high", "soon"], hint="Look at every item.")
def unknown(PriorityTodo, words):
    todo = PriorityTodo()
    tasks = [{"text": f"Do it {word}", "status": "pending", "priority": word} for word in words]
    return todo.update(tasks)


@rule("Rule 5: a rejected update leaves the list unchanged")
@why("The model reads that its list was rejected. Then nothing of it may be stored.")
@hint("When does your code change the list: before or after all items are checked?")
@hint("Check every item first, and change the list only after all of them have passed.")
@case(
    "Fix the login, after each list that was rejected",
    lambda got: got and all(texts == ["Fix the login"] for texts in got),
)
def unchanged(PriorityTodo):
    docs = {"text": "Write the docs", "status": "pending", "priority": "low"}
    left = []
    for mistake in ({"priority": "urgent"}, {"status": "done"}):
        todo = PriorityTodo()
        todo.update([{"text": "Fix the login", "status": "pending", "priority": "high"}])
        try:
            todo.update([docs, {**docs, "text": "Add tests", **mistake}])
        except Exception:
            left.append([item["text"] for item in todo.items])
    return left


@rule("Rule 6: the items stay in the order in which the model sent them")
@why("The order is the plan. A priority says what matters most, not what is next.")
@hint("Does your code sort anything?")
@hint("Do not sort, neither the list itself nor the lines that show it.")
@case(
    (["For 1", "For 2", "For 3", "For 4"],) * 2,
    tasks=[
        {"text": "For 1", "status": "pending", "priority": "low"},
        {"text": "For 2", "status": "completed", "priority": "high"},
        {"text": "For 3", "status": "in_progress", "priority": "medium"},
        {"text": "For 4", "status": "completed", "priority": "high"},
    ],
)
@case(
    (["For 4", "For 3", "For 2", "For 1"],) * 2,
    tasks=[
        {"text": "For 4", "status": "pending", "priority": "high"},
        {"text": "For 3", "status": "pending", "priority": "low"},
        {"text": "For 2", "status": "completed", "priority": "medium"},
        {"text": "For 1", "status": "in_progress", "priority": "low"},
    ],
)
def order(PriorityTodo, tasks):
    todo = PriorityTodo()
    shown = todo.update(tasks)
    return [item["text"] for item in todo.items], re.findall("For .", shown)


@rule(
    "Rule 7: each line of the rendered list shows the task's priority as a word, and all that "
    "TodoManager shows"
)
@why("The model and you read the rendered list. What it does not show can be forgotten.")
@hint("TodoManager's `line` shows the fields that you add. If you wrote your own, does it as well?")
@case(level_alone("high"), level="high", other="low", status="pending")
@case(level_alone("medium"), level="medium", other="high", status="completed")
def shown(PriorityTodo, level, other, status):
    todo = PriorityTodo()
    docs = {"text": "Write the docs", "status": "pending", "priority": other}
    todo.update([{"text": "Fix the login", "status": status, "priority": level}, docs])
    return [line for line in todo.render().splitlines() if "Fix the login" in line][0]


@shown.also
@case(
    says(
        *("[x]", "[>]", "[ ]", "Adding tests", "1/3", "77", "88", "99"),
        what="the marks [x], [>] and [ ], the ids 77, 88 and 99, Adding tests, and 1/3 completed",
    ),
    hint="If you wrote your own `line`, `render` or `check`: does it still show everything? "
    "`super().line(item)` and `super().render()` return what TodoManager shows.",
)
def shown_as_before(PriorityTodo):
    todo = PriorityTodo()
    todo.update(
        [
            {"id": "77", "text": "Fix the login", "status": "completed", "priority": "high"},
            {"id": "88", "text": "Add", "status": "in_progress", "activeForm": "Adding tests"},
            {"id": "99", "text": "Write the docs", "status": "pending", "priority": "low"},
        ]
    )
    return todo.render()


@rule("Everything else is the same as in TodoManager")
@why("You add one field. The other rules are still needed, and so is a list as a JSON string.")
@hint("If you wrote your own `update` or `check`, does it call the parent's method?")
@case([])
def same_as_todomanager(PriorityTodo):
    return compare_lists(PriorityTodo)


@same_as_todomanager.also
@case(
    0, hint="Two objects share what is in the class body. Call `super().__init__()` in `__init__`."
)
def own_items(PriorityTodo):
    one, other = PriorityTodo(), PriorityTodo()
    one.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
    return len(other.items)


@exercise(
    order=6,
    title="A list with priorities",
    after="Next: the nag.",
    question="Why does one entry in `fields` change the schema, the check and the rendered list "
    "at once?",
    answer="All three read `fields`. A fact that is written once cannot contradict itself: the "
    "schema lists exactly the words that are checked.",
)
def check_priority(PriorityTodo=None):
    """Check a `PriorityTodo`: pass the class."""
