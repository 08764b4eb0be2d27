"""Build, first part: a todo list whose items have a priority."""

import json
import re
from typing import Any

from ..todo import TodoManager
from .checking.blank import not_begun
from .checking.result import Result, check
from .checking.rule import Case, Expected, Rule, equal, refused, says

LEVELS = ("high", "medium", "low")
FIELD = {"type": "string", "enum": list(LEVELS), "default": "medium"}
PLAIN_FIELDS = dict(TodoManager.fields)


def level_alone(level: str) -> Expected:
    """A line that shows this level as a word, in capitals or not, and neither of the others."""
    others = " nor ".join(other for other in LEVELS if other != level)

    def test(came: Any) -> bool:
        words = re.findall("[a-z]+", came.lower()) if isinstance(came, str) else ()
        return [word for word in LEVELS if word in words] == [level]

    return Expected(f"a line with the word {level}, and neither {others}", test)


def three_levels(came: Any) -> bool:
    """Whether these are the three levels, in any order."""
    return isinstance(came, (list, tuple)) and sorted(came) == sorted(LEVELS)


RULES = (
    Rule(
        "still_a_list",
        "A list without priorities still works, and update returns it rendered",
        "What update returns is the tool's result: without it the model cannot see its own plan.",
        "Begin with `class PriorityTodo(TodoManager):`. If you wrote `fields` anew, are id, text "
        "and status still in it? If you wrote `update` anew, does it end with a return? And an "
        "item without a priority is nothing to raise at.",
        (Case("""
            todo = PriorityTodo()
            todo.update([{"id": "1", "text": "Add tests", "status": "pending"}])
            """, says("Add tests", what="the rendered list, with Add tests in it")),),
    ),
    Rule(
        "parent",
        "TodoManager itself stays as it was",
        "Other lists in this notebook are TodoManagers, too, and should not get a field that "
        "nobody asked for.",
        "`TodoManager.fields[…] = …` changes the parent's dictionary; `TodoManager.fields | {…}` "
        "makes a new one. TodoManager is mended again: change your cell and run it once more.",
        (Case("""
            "priority" in TodoManager.fields
            """, equal(False)),),
    ),
    Rule(
        "kept",
        "An item keeps the priority that the model gave it",
        "The nag can only name the most important task if the list remembers which one it is.",
        "Look at `fields` in TodoManager: what is not described there is left out of the items. "
        "Yours belongs into the class body (in `__init__`, it is `self.fields`), with the three "
        "words in its enum, spelled as here. And an item keeps the word, not a number for it.",
        tuple(Case(f"""
            todo = PriorityTodo()
            todo.update([{{"text": "Add tests", "status": "pending", "priority": "{level}"}}])
            todo.items[0]["priority"]
            """, equal(level)) for level in LEVELS)
        + (Case("""
            todo = PriorityTodo()
            todo.tool().run(items=[{"text": "Add tests", "status": "pending", "priority": "high"}])
            [item["priority"] for item in todo.items]
            """, equal(["high"]),
            "The model's items come through the tool. Is it this list's own `update` that the tool "
            "runs? `super().tool()` sees to that."),
           Case("""
            todo = PriorityTodo()
            todo.update([{"text": "Add tests", "status": "pending", "priority": "low"}])
            todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
            todo.items[0]["priority"]
            """, equal("high"),
            "The model replaces the whole list each time: what it sent last counts."),
           Case("""
            todo = PriorityTodo()
            todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
            todo.items[0]["text"]
            """, equal("Add tests"),
            "Leave the text as the model wrote it. To show the priority beside it is `line`'s "
            "work.")),
    ),
    Rule(
        "schema",
        "The tool's schema names the three levels",
        "The schema is all that the model knows of your field. With an enum it sees what is valid, "
        "and it never fills in a field that is not there.",
        "How does `status` say which words are allowed? A priority can say it in the same way, "
        "with a list.",
        (Case("""
            item = PriorityTodo().tool().input_schema["properties"]["items"]["items"]
            item["properties"]["priority"]["enum"]
            """, Expected("['high', 'medium', 'low']", three_levels)),
         Case("""
            item = PriorityTodo().tool().input_schema["properties"]["items"]["items"]
            item["properties"]["priority"].get("type", "string")
            """, Expected("'string'", lambda came: "string" in (
                came if isinstance(came, (list, tuple)) else [came])),
            "The types of JSON Schema have names of their own: a text is \"string\" there."),
         Case("""
            import json
            json.dumps(PriorityTodo().tool().spec)
            """, says("priority", what="a text: the tool as it is sent to the model"))),
    ),
    Rule(
        "left_out",
        "A priority that is left out is medium",
        "Models leave out what they take for granted, and every task should have its place in the "
        "order.",
        "`status` has a default: where is that written down?",
        (Case("""
            todo = PriorityTodo()
            todo.update([{"text": "Add tests", "status": "pending"}])
            todo.items[0]["priority"]
            """, equal("medium")),
         Case("""
            todo = PriorityTodo()
            todo.update([
                {"text": "Fix the login", "status": "pending", "priority": "high"},
                {"text": "Add tests", "status": "pending"},
            ])
            todo.items[1]["priority"]
            """, equal("medium"))),
    ),
    Rule(
        "unknown",
        "Any other priority is refused, with a ValueError that says so",
        "What you raise, the loop sends to the model as an error: told what was not right, it can "
        "send the list again, mended.",
        "Refusing is `raise ValueError(…)`, not a returned text and not a silent repair. What "
        "`fields` allows is checked for you.",
        (Case("""
            todo = PriorityTodo()
            todo.update([{"text": "Add tests", "status": "pending", "priority": "urgent"}])
            """, refused("priority", "urgent")),
         Case("""
            todo = PriorityTodo()
            todo.update([
                {"text": "Add tests", "status": "pending", "priority": "high"},
                {"text": "Write the docs", "status": "pending", "priority": "whenever"},
            ])
            """, refused("priority", "whenever")),
         *(Case(f"""
            todo = PriorityTodo()
            todo.update([{{"text": "Add tests", "status": "pending", "priority": "{word}"}}])
            """, refused("priority", word)) for word in ("hig", "highest", "lo", "h"))),
    ),
    Rule(
        "unchanged",
        "A refused update leaves the list as it was",
        "The model believes that a refused list was not taken. If half of it was, the two no "
        "longer speak of the same plan.",
        "Check every item first, and change what you keep only when all of them have passed.",
        tuple(Case(f"""
            todo = PriorityTodo()
            todo.update([{{"text": "Add tests", "status": "pending", "priority": "high"}}])
            try:
                todo.update([
                    {{"text": "Fix the login", "status": "pending", "priority": "low"}},
                    {{"text": "Write the docs", {bad}}},
                ])
            except Exception:
                pass
            [(item["text"], item["priority"]) for item in todo.items]
            """, equal([("Add tests", "high")]))
              for bad in ('"status": "pending", "priority": "urgent"',
                          '"status": "done", "priority": "low"'))
        + (Case("""
            todo = PriorityTodo()
            before = todo.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
            try:
                todo.update([{"text": "Add tests", "status": "done", "priority": "low"}])
            except Exception:
                pass
            [before, todo.render()]
            """, Expected("the same text twice", lambda came: len(set(came)) == 1)),),
    ),
    Rule(
        "order",
        "The items stay in the order in which the model sent them",
        "The order is the model's plan: what comes first is done first. A priority says what "
        "matters most, not what comes next.",
        "Sort nothing in the list itself: whoever looks for the most important task can search "
        "for it.",
        (Case("""
            todo = PriorityTodo()
            todo.update([
                {"text": "Write the docs", "status": "pending", "priority": "low"},
                {"text": "Fix the login", "status": "pending", "priority": "high"},
                {"text": "Add tests", "status": "pending", "priority": "medium"},
            ])
            [item["text"] for item in todo.items]
            """, equal(["Write the docs", "Fix the login", "Add tests"])),
         Case("""
            todo = PriorityTodo()
            todo.update([
                {"text": "Write the docs", "status": "pending", "priority": "low"},
                {"text": "Fix the login", "status": "pending", "priority": "high"},
                {"text": "Add tests", "status": "pending", "priority": "medium"},
            ])
            """, Expected("the rendered list: Write the docs, then Fix the login, then Add tests",
                          lambda came: isinstance(came, str) and re.search(
                              "(?s)Write the docs.*Fix the login.*Add tests", came)),
              "The rendered list is the plan that the model reads: sort nothing there, either.")),
    ),
    Rule(
        "shown",
        "The rendered list shows each priority, as a word, on its task's line, beside all that "
        "TodoManager shows",
        "The rendered list is what goes back to the model, and what you see. What it does not "
        "show is soon forgotten.",
        "TodoManager's `line` shows every field that it does not know. If you wrote a `line` of "
        "your own, does it show the priority of every item?",
        tuple(Case(f"""
            todo = PriorityTodo()
            todo.update([
                {{"text": "Fix the login", "status": "{status}", "priority": "{level}"}},
                {{"text": "Add tests", "status": "pending", "priority": "{other}"}},
            ])
            [line for line in todo.render().splitlines() if "Fix the login" in line][0]
            """, level_alone(level))
              for level, other, status in (
                  ("high", "low", "pending"), ("medium", "high", "completed"),
                  ("low", "medium", "in_progress"), ("low", "high", "pending")))
        + (Case("""
            todo = PriorityTodo()
            todo.update([
                {"text": "Fix the login", "status": "completed", "priority": "high"},
                {"text": "Add tests", "status": "in_progress", "activeForm": "Adding tests"},
                {"text": "Write the docs", "status": "pending", "priority": "low"},
            ])
            todo.render()
            """, says("[x]", "[>]", "[ ]", "Adding tests", "1/3", what="the rendered list with "
                      "the marks [x], [>] and [ ], with Adding tests, and with 1/3 completed"),
            "If you wrote `line`, `render` or `check` anew, is all of the old one still in it? "
            "`super().line(item)` and `super().render()` give you what is there."),),
    ),
    Rule(
        "old_rules",
        "What TodoManager refuses and accepts, PriorityTodo refuses and accepts, too",
        "You add one field; the rules that keep a model on its course stay: one task in progress, "
        "a known status, a text, none twice, at most 20 tasks. And some models send the list as "
        "JSON.",
        "If you wrote `update` or `check` anew, call the old one as well: `super().update(items)`. "
        "What you were given is the model's: change a copy, `{**item, …}`.",
        (Case("""
            todo = PriorityTodo()
            todo.update([
                {"text": "Fix the login", "status": "in_progress", "priority": "high"},
                {"text": "Add tests", "status": "in_progress", "priority": "low"},
            ])
            """, refused()),
         Case("""
            todo = PriorityTodo()
            todo.update([{"text": "Add tests", "status": "done", "priority": "high"}])
            """, refused()),
         Case("""
            todo = PriorityTodo()
            todo.update([{"text": "  ", "status": "pending", "priority": "high"}])
            """, refused()),
         Case("""
            todo = PriorityTodo()
            todo.update([{"text": f"Task {n}", "status": "pending"} for n in range(21)])
            """, refused()),
         Case("""
            todo = PriorityTodo()
            todo.update(None)
            """, refused()),
         *(Case(f"""
            todo = PriorityTodo()
            todo.update([
                {{"id": "{one}", "text": "Fix the login", "status": "pending"}},
                {{"id": "{other}", "text": "{text}", "status": "pending"}},
            ])
            """, refused()) for one, other, text in (
                ("1", "1", "Add tests"), ("1", "2", "Fix the login"))),
         Case("""
            todo = PriorityTodo()
            todo.update('[{"text": "Add tests"}]')
            """, says("Add tests", what="the rendered list, with Add tests in it")),
         Case("""
            todo = PriorityTodo()
            todo.update([])
            """, Expected("the rendered list, which is a text",
                          lambda came: isinstance(came, str)),
            "An empty list is a list, too, and nothing is refused."),
         Case("""
            todo = PriorityTodo()
            todo.update([
                {"text": "Fix the login", "status": "pending", "priority": "high"},
                {"text": "Add tests", "status": "pending", "priority": "high"},
            ])
            """, says("Fix the login", "Add tests"),
            "Two tasks may matter as much: nothing asks for a priority that is there only once."),
         Case("""
            given = [{"text": "Add tests", "status": "pending"}]
            PriorityTodo().update(given)
            given
            """, equal([{"text": "Add tests", "status": "pending"}]))),
    ),
    Rule(
        "own_items",
        "Each list has items of its own",
        "Two agents that share one list would overwrite each other's plan.",
        "What is written in the class body is shared by all lists. What belongs to one list is "
        "made in `__init__`; remember `super().__init__()`.",
        (Case("""
            one, other = PriorityTodo(), PriorityTodo()
            one.update([{"text": "Add tests", "status": "pending", "priority": "high"}])
            len(other.items)
            """, equal(0)),),
    ),
)


def check_priority(PriorityTodo: Any = None, **settings: Any) -> Result:
    """How far a `PriorityTodo` is: give it the class. `settings` are those of report.check."""
    names = {"PriorityTodo": PriorityTodo, "TodoManager": TodoManager, "json": json}
    nothing = not_begun("PriorityTodo", PriorityTodo, RULES)
    if nothing is not None:
        return nothing
    try:
        return check("PriorityTodo", RULES, names, after="On to the nag.", **settings)
    finally:
        mend()


def mend() -> None:
    """Give TodoManager its own fields back, where a solution changed them in place."""
    if dict(TodoManager.fields) != PLAIN_FIELDS:
        TodoManager.fields = dict(PLAIN_FIELDS)
