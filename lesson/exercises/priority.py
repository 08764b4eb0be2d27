"""Build, first part: a todo list whose items have a priority."""

import json
import re
from contextlib import suppress
from typing import Any

from agentlib.todo import TodoManager

from .checking.check import Subject, check
from .checking.expected import Expected, refusal, says
from .checking.result import Further, Result, Way
from .checking.rule import Rules, case, hint, why
from .ways import PriorityInCheck

LEVELS = ("high", "medium", "low")
NAMES = {"id", "text", "status", "priority"}
RULES = Rules()


def level_alone(level: str) -> Expected:
    """A line that shows this level as a word, in capitals or not, and neither of the others."""
    others = " nor ".join(other for other in LEVELS if other != level)

    def test(came: Any) -> bool:
        words = re.findall("[a-z]+", came.lower()) if isinstance(came, str) else ()
        return [word for word in LEVELS if word in words] == [level]

    return Expected(f"a line with the word {level}, and neither {others}", test)


SAME = Expected(
    "the same items twice: yours, and those of a TodoManager with a priority",
    lambda came: came[0] == came[1],
)
THE_LIST = says("Add tests", what="the rendered list, with Add tests in it")


@RULES.add("A list without priorities still works, and update returns it rendered")
@why("What update returns is the tool's result: without it the model cannot see its own plan.")
@hint("Does every way through your code end with a return, and none in an error?")
@hint("Your `fields` still have id, text and status; `update` returns what the parent's does.")
@case(THE_LIST)
def still_a_list(PriorityTodo):
    todo = PriorityTodo()
    return todo.update([{"id": "1", "text": "Add tests", "status": "pending"}])


@RULES.add("TodoManager itself stays as it was")
@why("Other lists in this notebook are TodoManagers, too: they did not ask for a field.")
@hint(
    "`TodoManager.fields = …` changes every list. Set `fields` in your own class; `a | b` makes a "
    "new dict. Then restart the kernel and run all cells."
)
@case(["id", "text", "status", "activeForm"])
def parent(PriorityTodo):
    PriorityTodo().update([{"id": "1", "text": "Add tests", "status": "pending"}])
    return list(TodoManager.fields)


@RULES.add("An item keeps the priority that the model gave it")
@why("The nag can only name the most important task if the list remembers which one it is.")
@hint("Look at `fields` in TodoManager: what is not described there is left out of the items.")
@hint(
    "Yours belongs in the class body (in `__init__`, it is `self.fields`), with the three "
    "words in its enum, spelled as here. And an item keeps the word, not a number for it."
)
@case("medium", level="medium")
@case("high", level="high")
@case("low", level="low")
def kept(PriorityTodo, level):
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "status": "pending", "priority": level}])
    return todo.items[0]["priority"]


@kept.also
@case(
    ("high", "Add tests"),
    hint="The tool runs this list's own `update`, and what the model sent last counts. Leave the "
    "text as it is: `line` shows the priority beside it.",
)
def kept_through_the_tool(PriorityTodo):
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "status": "pending", "priority": "low"}])
    todo.tool().run(items=[{"text": "Add tests", "status": "pending", "priority": "high"}])
    return todo.items[0]["priority"], todo.items[0]["text"]


@RULES.add("The tool's schema names the three levels")
@why("The schema is all that the model knows of your field: it shows which words are valid.")
@hint("How does `status` say which words are allowed? A priority can say it in the same way.")
@case(
    "['high', 'medium', 'low']",
    lambda came: isinstance(came, (list, tuple)) and sorted(came) == sorted(LEVELS),
)
def schema(PriorityTodo):
    item = PriorityTodo().tool().input_schema["properties"]["items"]["items"]
    return item["properties"]["priority"]["enum"]


@schema.also
@case(
    "['activeForm', 'id', 'priority', 'status', 'text']",
    lambda came: NAMES <= set(came) <= NAMES | {"activeForm"},
    hint="The model still has to be told of the old fields, and of no others.",
)
def schema_names(PriorityTodo):
    sent = json.loads(json.dumps(PriorityTodo().tool().spec))
    return sorted(sent["input_schema"]["properties"]["items"]["items"]["properties"])


@schema.also
@case("string", hint='JSON Schema has names of its own for types: a text is "string" there.')
def schema_type(PriorityTodo):
    item = PriorityTodo().tool().input_schema["properties"]["items"]["items"]
    return item["properties"]["priority"].get("type", "string")


@RULES.add("A priority that is left out is medium")
@why("Models leave out what goes without saying, and every task should have its place.")
@hint("`status` has a default: where is that written down?")
@case(["medium"], given=[{}])
@case(["high", "medium"], given=[{"priority": "high"}, {}])
def left_out(PriorityTodo, given):
    todo = PriorityTodo()
    todo.update([{"text": f"Task {n}", "status": "pending", **p} for n, p in enumerate(given)])
    return [item["priority"] for item in todo.items]


@left_out.also
@case("medium", hint="The list is replaced as a whole: what an item had before does not count.")
def left_out_later(PriorityTodo):
    todo = PriorityTodo()
    todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
    todo.update([{"text": "Add tests", "status": "pending"}])
    return todo.items[0]["priority"]


@RULES.add("Any other priority is refused, with a ValueError that says so")
@why("The loop sends what you raise to the model, which can then correct its list.")
@hint("Refusing is `raise ValueError(…)`. What `fields` allows is checked for you.")
@case(refusal("priority", "urgent"), words=["urgent"])
@case(refusal("priority", "hig"), words=["hig"])
@case(refusal("priority", "highest"), words=["highest"])
@case(refusal("priority", "soon"), words=["high", "soon"], hint="Look at every item.")
def unknown(PriorityTodo, words):
    todo = PriorityTodo()
    tasks = [{"text": f"Do it {word}", "status": "pending", "priority": word} for word in words]
    return todo.update(tasks)


@RULES.add("A refused update leaves the list as it was")
@why("The model believes that a refused list was not taken: not even half of it.")
@hint("Check every item first, and change what you keep only when all of them have passed.")
@case(([("Fix the login", "high")], True), bad={"priority": "urgent"})
@case(([("Fix the login", "high")], True), bad={"status": "done"})
def unchanged(PriorityTodo, bad):
    todo = PriorityTodo()
    before = todo.update([{"text": "Fix the login", "status": "pending", "priority": "high"}])
    task = {"text": "Add tests", "status": "pending", "priority": "low"}
    with suppress(Exception):  # refused, as it should be
        todo.update([task, {**task, "text": "Write the docs", **bad}])
    return [(item["text"], item["priority"]) for item in todo.items], todo.render() == before


@RULES.add("The items stay in the order in which the model sent them")
@why("The order is the plan. A priority says what matters most, not what comes next.")
@hint("Sort nothing, neither in the list itself nor where it is shown.")
@case((["For 1", "For 2", "For 3"], ["For 1", "For 2", "For 3"]))
def order(PriorityTodo):
    todo = PriorityTodo()
    levels = {"For 1": "low", "For 2": "high", "For 3": "medium"}
    tasks = [{"text": text, "status": "pending", "priority": p} for text, p in levels.items()]
    shown = todo.update(tasks)
    return [item["text"] for item in todo.items], re.findall("For .", shown)


@RULES.add(
    "The rendered list shows each priority, as a word, on its task's line, beside all that "
    "TodoManager shows"
)
@why("It is what goes back to the model, and what you see. What it hides is soon forgotten.")
@hint(
    "TodoManager's `line` shows every field that it does not know. If you wrote a `line` of "
    "your own, does it show the priority of every item?"
)
@case(level_alone("high"), level="high", other="low", status="pending")
@case(level_alone("medium"), level="medium", other="high", status="completed")
@case(level_alone("low"), level="low", other="medium", status="in_progress")
@case(level_alone("low"), level="low", other="high", status="pending")
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
    hint="If you wrote your own `line`, `render` or `check`, is all of the old one still in it? "
    "`super().line(item)` and `super().render()` give you what is there.",
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


@RULES.add("What TodoManager refuses and accepts, PriorityTodo refuses and accepts, too")
@why(
    "You add one field; the rules that keep a model on its course stay: one task in progress, "
    "a known status, a text, none twice, at most 20 tasks. And some models send the list as JSON."
)
@hint("If you wrote your own `update` or `check`, call `super().update(items)`, too.")
@case(refusal(), items=[{"text": t, "status": "in_progress"} for t in ("Fix", "Test")])
@case(refusal(), items=[{"text": "Add tests", "status": "done"}])
@case(refusal(), items=[{"text": "  ", "status": "pending"}])
@case(refusal(), items=[{"text": f"Task {n}", "status": "pending"} for n in range(21)])
@case(refusal(), items=None)
@case(refusal(), items=[{"id": "1", "text": t, "status": "pending"} for t in ("Fix", "Test")])
@case(refusal(), items=[{"id": i, "text": "Fix", "status": "pending"} for i in ("1", "2")])
@case(refusal(), items='[{"text": "Fix", "priority": "urgent"}]', hint="Check JSON text, too.")
def old_rules(PriorityTodo, items):
    return PriorityTodo().update(items)


@old_rules.also
@case(SAME, items=[], hint="An empty list is a list, too, and is not refused.")
@case(SAME, items=[{"text": "Fix", "status": "completed"}], hint="What is completed stays.")
@case(SAME, items=[{"text": f"Task {n}"} for n in range(20)], hint="20 tasks are allowed, 21 not.")
@case(
    SAME,
    items=[{"text": "Fix", "priority": "high"}, {"text": "Test", "priority": "high"}],
    hint="Two tasks may matter as much: nothing asks for a priority that is there only once.",
)
@case(SAME, items='[{"text": "Fix"}]', hint="A list as JSON text passes through `check`, too.")
@case(SAME, items=[{"id": 7, "text": "Fix", "no": 1}], hint="An item keeps known fields only.")
def old_lists(PriorityTodo, items):
    todo, plain = PriorityTodo(), TodoManager()
    plain.fields = {**TodoManager.fields, "priority": {"default": "medium"}}
    todo.update(items)
    plain.update(items)
    return [[{**item, "activeForm": ""} for item in one.items] for one in (todo, plain)]


@old_rules.also
@case(
    (["text"], "todo", "No todos."),
    hint="The model's items stay as they came: change a copy, `{**item, …}`. So do the tool's "
    "name, and the words for an empty list.",
)
def old_words(PriorityTodo):
    given, todo = {"text": "Add tests"}, PriorityTodo()
    todo.update([given])
    todo.update([])
    return list(given), todo.tool().name, todo.render()


@RULES.add("Each list has items of its own")
@why("Two agents that share one list would overwrite each other's plan.")
@hint(
    "What is written in the class body is shared by all lists. What belongs to one list is "
    "made in `__init__`; remember `super().__init__()`."
)
@case(0)
def own_items(PriorityTodo):
    one, other = PriorityTodo(), PriorityTodo()
    one.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
    return len(other.items)


FURTHER = Further(
    "Why does one entry in `fields` change the schema, the check and the rendered list at once?",
    "All three read `fields`. A fact that is written down once cannot disagree with itself: the "
    "model is told the very words that are checked.",
    (
        Way(
            "a check and a line of your own",
            PriorityInCheck,
            "Full freedom over the message and the line. But the words now stand in three places, "
            "and nobody notices when one of them is changed.",
        ),
    ),
)
PRIORITY = Subject("PriorityTodo", RULES, "On to the nag.", FURTHER)


def check_priority(PriorityTodo: Any = None, **settings: Any) -> Result:
    """How far a `PriorityTodo` is: give it the class. `settings` are those of check.examine."""
    return check(PRIORITY, {"PriorityTodo": PriorityTodo}, **settings)
