"""The exercise "Brief tasks": `BriefTodo` rejects tasks with a long text, in `check`."""

from typing import Any

from .checking.check import check
from .checking.exercise import Exercise, Further
from .checking.expected import refusal, says
from .checking.fixtures import compare_with_todomanager
from .checking.result import Result
from .checking.rule import Rules, case, hint, why

RULES = Rules()
TOO_LONG = refusal(about="60")


@RULES.add("It accepts short tasks, and update returns the rendered list")
@why("The string that update returns is the tool's result: the model sees its plan there.")
@hint("Does your `check` return the clean copy from `super().check(item, position)`?")
@case(says("[>] #1: Add tests", "[ ] #2: Docs"))
def still_a_list(BriefTodo):
    todo = BriefTodo()
    tests = {"text": "Add tests", "status": "in_progress"}
    return todo.tool().run(items=[tests, {"text": "Docs", "status": "pending"}])


@RULES.add("It rejects an item with more than 60 characters of text: a ValueError that says so")
@why("A long task can be several tasks. After the error, a model can split it.")
@hint("Which method of TodoManager checks one item? Extend it, and raise a ValueError there.")
@hint("After `clean = super().check(item, position)`, compare `len(clean['text'])`.")
@case(TOO_LONG, items=[{"text": "x" * 61}])
@case(TOO_LONG, items=[{"text": "Add tests"}, {"text": "x " * 30 + "x", "status": "completed"}])
@case(
    TOO_LONG,
    items=f'[{{"text": "{"x" * 61}"}}]',
    hint="The list may arrive as a JSON string. In `check`, each item is a dict.",
)
def too_long(BriefTodo, items):
    return BriefTodo().update(items)


@RULES.add("It accepts 60 characters, counted in the text that the list keeps")
@why("Off by one is a common mistake, and hard to notice.")
@hint("Does `>` or `>=` accept 60? Does `item['text']` still have whitespace around it?")
@case(60, text="  " + "x" * 60 + "  ")
@case(60, text="ü" * 60, hint="Count characters, not bytes.")
@case(2, text=42, hint="TodoManager converts a number to a string: use the clean copy.")
def just_short_enough(BriefTodo, text):
    todo = BriefTodo()
    todo.update([{"text": text, "status": "pending"}])
    return len(todo.items[0]["text"])


@just_short_enough.also
@case(2, hint="The limit applies to the text of each item, and to no other field or list.")
def each_text_by_itself(BriefTodo):
    todo = BriefTodo()
    for _ in range(2):
        todo.update([{"text": "x" * 40}, {"text": "y" * 40, "activeForm": "z" * 70}])
    return len(todo.items)


@RULES.add("Everything else is the same as in TodoManager")
@why("You add one rule. The other rules are still needed.")
@hint("Extend only `check`: `update` changes the list after every item has passed.")
@case([])
def same_as_todomanager(BriefTodo):
    return compare_with_todomanager(BriefTodo)


@same_as_todomanager.also
@case(
    "Docs, after each list that was rejected",
    lambda got: got and set(got) == {"Docs"},
    hint="A rejected list must leave the old one unchanged.",
)
def unchanged(BriefTodo):
    left = []
    for mistake in ({"text": "x" * 61}, {"text": "Fix", "status": "done"}):
        todo = BriefTodo()
        todo.update([{"text": "Docs"}])
        try:
            todo.update([{"text": "Add tests"}, mistake])
        except Exception:
            left.append(todo.items[0]["text"])
    return left


def check_brief(BriefTodo: Any = None) -> Result:
    """Check a `BriefTodo`: pass the class."""
    return check(EXERCISE, {"BriefTodo": BriefTodo})


EXERCISE = Exercise(
    order=8,
    name="brief",
    title="Brief tasks",
    check=check_brief,
    subjects=("BriefTodo",),
    rules=RULES,
    after="A rule in the tool works with every model.",
    further=Further(
        "Why is the rule in the tool, and not in the system prompt?",
        "A prompt asks; a tool enforces. The model reads the error and corrects its list. But each "
        "error costs a round, so describe the limit in the field's description as well.",
    ),
)
