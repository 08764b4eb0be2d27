"""Between building and the stretch: a rule of the learner's own, in `check`."""

from contextlib import suppress
from typing import Any

from agentlib.todo import TodoManager

from .checking.check import Subject, check
from .checking.expected import refusal, says
from .checking.result import Further, Result
from .checking.rule import Rules, case, hint, why

RULES = Rules()
TOO_LONG = refusal("60", "long", "characters")


@RULES.add("A task of a few words is accepted, and update returns the list")
@why("What update returns is the tool's result: without it the model cannot see its own plan.")
@hint("Does your `check` return the clean copy that `super().check(item, position)` makes?")
@case(says("[>] #1: Add tests", "[ ] #2: Docs"))
def still_a_list(BriefTodo):
    todo = BriefTodo()
    tests = {"text": "Add tests", "status": "in_progress"}
    return todo.tool().run(items=[tests, {"text": "Docs", "status": "pending"}])


@RULES.add("A text of more than 60 characters is refused, with a ValueError that says so")
@why("A long task is several tasks. Told what was wrong, a model splits it.")
@hint("Where does TodoManager look at one item? Extend that, and raise a ValueError there.")
@hint("After `clean = super().check(item, position)`, look at `len(clean['text'])`.")
@case(TOO_LONG, items=[{"text": "x" * 61}])
@case(TOO_LONG, items=[{"text": "Add tests"}, {"text": "x" * 61}], hint="Look at every item.")
@case(TOO_LONG, items=[{"text": "x" * 61, "status": "completed"}], hint="Completed ones, too.")
@case(
    TOO_LONG,
    items=f'[{{"text": "{"x" * 61}"}}]',
    hint="It may come as JSON text, too. In `check`, each item is a dict.",
)
def too_long(BriefTodo, items):
    return BriefTodo().update(items)


@RULES.add("60 characters are allowed, counted in the text as the list keeps it")
@why("A limit that is off by one is the slip that nobody sees until it bites.")
@hint("Which of `>` and `>=` lets 60 through? Does `item['text']` still have spaces around it?")
@case(60, text="x" * 60)
@case(60, text="  " + "x" * 60 + "  ")
@case(60, text="ü" * 60, hint="Count characters, not bytes.")
@case(2, text=42, hint="TodoManager makes a text of a number: look at the clean copy.")
def just_short_enough(BriefTodo, text):
    todo = BriefTodo()
    todo.update([{"text": text, "status": "pending"}])
    return len(todo.items[0]["text"])


@RULES.add("A refused update leaves the list as it was, and all other rules hold as before")
@why("You add one rule; those that keep a model on its course stay.")
@hint("Extend `check` alone: `update` changes the list only when every item has passed.")
@case(["Add tests"], items=[{"text": "Docs"}, {"text": "x" * 61}])
@case(["Add tests"], items=[{"text": "Docs", "status": "done"}])
@case(["Add tests"], items=[{"text": t, "status": "in_progress"} for t in ("Fix", "Test")])
@case(["Add tests"], items=[{"status": "pending"}], hint="TodoManager refuses a missing text.")
@case(["Docs"], items='[{"text": "Docs"}]', hint="Some models send the list as JSON text.")
def unchanged(BriefTodo, items):
    todo = BriefTodo()
    todo.update([{"text": "Add tests", "status": "pending"}])
    with suppress(ValueError):  # refused, as it may be
        todo.update(items)
    return [item["text"] for item in todo.items]


@RULES.add("TodoManager itself stays as it was")
@why("Other lists in this notebook are TodoManagers, too.")
@hint("Write your own class, and change only that. Then restart the kernel and run all cells.")
@case(["id", "text", "status", "activeForm"])
def parent(BriefTodo):
    BriefTodo().update([{"text": "Add tests", "status": "pending"}])
    return list(TodoManager.fields)


BRIEF = Subject(
    "BriefTodo",
    RULES,
    "On to the list that may not shrink.",
    Further(
        "Why does the rule stand in the tool, and not in the system prompt?",
        "A prompt asks, a tool insists: what is refused comes back as an error, and the model "
        "corrects it. But each refusal costs a round; so say it in the field's description, too.",
    ),
)


def check_brief(BriefTodo: Any = None, **settings: Any) -> Result:
    """How far a `BriefTodo` is: give it the class. `settings` are those of check.examine."""
    return check(BRIEF, {"BriefTodo": BriefTodo}, **settings)
