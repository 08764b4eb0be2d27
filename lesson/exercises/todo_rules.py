"""A todo list from nothing, rule by rule: each against a list that shows why the rule is there."""

from contextlib import suppress
from typing import Any

from .checking.check import Subject, check
from .checking.expected import Expected, refusal
from .checking.result import Further, Result
from .checking.rule import Rules, case, hint, why

RULES = Rules()
PLAN = [
    {"text": "Read the code", "status": "completed"},
    {"text": "Add tests", "status": "in_progress"},
    {"text": "Write docs", "status": "pending"},
]

# A learner may call twins by any of these words.
TWINS = ("twice", "twin", "duplicate", "unique", "already", "repeat")
SAME_TEXT = refusal("same", "text", *TWINS)
SAME_ID = refusal("same", "id", *TWINS)
ONE_AT_A_TIME = refusal("progress", "one task", "at a time")


def in_lines(*texts: str) -> Expected:
    """A text with these in lines of their own, one after the other, and none of PLAN's others."""
    others = [item["text"] for item in PLAN if item["text"] not in texts]

    def test(came: Any) -> bool:
        lines = came.splitlines()
        places = [[text in line for line in lines].index(True) for text in texts]
        is_alone = not any(other in came for other in others)
        return is_alone and places == sorted(set(places))

    return Expected("the rendered list, with a line for: " + ", ".join(texts), test)


def is_three_texts(came: Any) -> bool:
    """Whether these are three texts, no two of them alike."""
    return all(isinstance(text, str) for text in came) and len(set(came)) == 3


@RULES.add("Rule 1: the new list takes the place of the old one, and comes back rendered")
@why(
    "The text goes back to the model as the tool's result: it is how the model sees its plan. "
    "And a whole list cannot be patched wrongly."
)
@hint("What does `update` keep, and what does it give back?")
@hint("Keep the list in `self.items`, and return a text: a line for each item.")
@hint('A mark for each status, such as `{"pending": "[ ]", "in_progress": "[>]", …}`.')
@case(in_lines("Read the code", "Add tests", "Write docs"))
def rendered(MyTodo):
    todo = MyTodo()
    return todo.update(
        [
            {"text": "Read the code", "status": "completed"},
            {"text": "Add tests", "status": "in_progress"},
            {"text": "Write docs", "status": "pending"},
        ]
    )


@rendered.also
@case(in_lines("Write docs"), hint="The old items go: the new list replaces all of them.")
def replaced(MyTodo):
    todo = MyTodo()
    todo.update([{"text": "Read the code", "status": "completed"}])
    return todo.update([{"text": "Write docs", "status": "pending"}])


@rendered.also
@case(
    "three texts, no two of them alike",
    is_three_texts,
    hint="Does a line show its status? A plan without marks says nothing of what is done.",
)
def marked(MyTodo):
    statuses = ("pending", "in_progress", "completed")
    return [MyTodo().update([{"text": "Add tests", "status": status}]) for status in statuses]


@rendered.also
@case("Add tests", hint="Others look at the plan, too: it is in `self.items`, a list of dicts.")
def in_sight(MyTodo):
    todo = MyTodo()
    todo.update([{"text": "Add tests", "status": "pending"}])
    return todo.items[0]["text"]


@rendered.also
@case([], hint="`items` in the class body is one list for all. Make it in `__init__`.")
def of_its_own(MyTodo):
    one, other = MyTodo(), MyTodo()
    one.update([{"text": "Add tests", "status": "pending"}])
    return other.items


@RULES.add("Rule 2: items must be a list")
@why("Python reads a text letter by letter: this plan would have 27 steps, the first of them 'A'.")
@hint("What is `items`, before you look into it?")
@hint("Where it is not a list: `raise ValueError(…)`, with a sentence that says what it must be.")
@case(refusal("list"), items="Add tests, then write docs")
@case(refusal("list"), items=None)
@case(refusal("list"), items={"text": "Add tests", "status": "pending"})
def a_list(MyTodo, items):
    return MyTodo().update(items)


@a_list.also
@case([], hint="An empty list is a list, too: no rule refuses it.")
def an_empty_list(MyTodo):
    todo = MyTodo()
    todo.update([{"text": "Add tests", "status": "completed"}])
    todo.update([])
    return todo.items


@RULES.add("Rule 3: every item has a text, without blanks around it")
@why("A step without words says nothing, neither to the model nor to whoever watches.")
@hint("Look at each item: what is left of its text when the blanks go?")
@hint(
    '`str(item.get("text", "")).strip()`, and where nothing is left, a ValueError with the '
    "word text in it. What is kept is the stripped one."
)
@case(refusal("text"), items=[{"text": "  ", "status": "pending"}])
@case(refusal("text"), items=[{"text": "Add tests", "status": "pending"}, {"status": "pending"}])
def a_text(MyTodo, items):
    return MyTodo().update(items)


@a_text.also
@case("Add tests", hint="What is kept in `self.items` is the stripped text.")
def a_stripped_text(MyTodo):
    todo = MyTodo()
    todo.update([{"text": " Add tests\n", "status": "pending"}])
    return todo.items[0]["text"]


@RULES.add("Rule 4: a status is pending, in_progress or completed; left out, it is pending")
@why("The model would go on with 'done' and 'finished', and nobody could count what is done.")
@hint("Which three words are there? And what if the model says none?")
@hint('`item.get("status", "pending")`, and a ValueError with the word status for any other.')
@case("pending", item={"text": "Add tests"})
@case("completed", item={"text": "Add tests", "status": "completed"})
@case(refusal("status"), item={"text": "Add tests", "status": "done"})
@case(refusal("status"), item={"text": "Add tests", "status": "finished"})
def a_status(MyTodo, item):
    todo = MyTodo()
    todo.update([{"text": "Read the code", "status": "completed"}, item])
    return todo.items[1]["status"]


@RULES.add("Rule 5: at most one task is in progress")
@why(
    "With two at once, the list does not say what is being done. A model that starts "
    "everything hops from one to the next."
)
@hint("How many items of the list are in progress?")
@hint("Count them first, then refuse with a ValueError that says in_progress.")
@case(ONE_AT_A_TIME, statuses=["in_progress", "in_progress"])
@case(ONE_AT_A_TIME, statuses=["in_progress", "completed", "in_progress"])
@case(1, statuses=["completed", "in_progress", "pending"])
@case(0, statuses=["completed", "pending"], hint="None in progress is fine: between two tasks.")
def one_at_a_time(MyTodo, statuses):
    todo = MyTodo()
    todo.update([{"text": f"Step {n}", "status": status} for n, status in enumerate(statuses)])
    return [item["status"] for item in todo.items].count("in_progress")


@RULES.add("Rule 6: at most 20 items")
@why("A plan of 21 steps is longer than what it plans, and the model reads it again and again.")
@hint("`len(items)`: 20 is allowed, 21 is not. The message has the number, for the model.")
@case(refusal("20", "twenty"), number=21)
@case(20, number=20)
def at_most_twenty(MyTodo, number):
    todo = MyTodo()
    todo.update([{"text": f"Step {n}", "status": "pending"} for n in range(number)])
    return len(todo.items)


@RULES.add("Rule 7: a refused list changes nothing")
@why("The model is told that its list was refused. If half of it was kept, the two plans differ.")
@hint("When does `self.items` change: before all items are looked at, or after?")
@hint("Put what you have checked into a new list, and give it to `self.items` in the last line.")
@case(["Read the code"], items="Add tests")
@case(["Read the code"], items=[{"text": "Add tests"}, {"text": " "}])
@case(["Read the code"], items=[{"text": "Add tests"}, {"text": "Write docs", "status": "done"}])
@case(
    ["Read the code"],
    items=[{"text": text, "status": "in_progress"} for text in ("Add tests", "Write docs")],
)
@case(["Read the code"], items=[{"text": f"Step {n}"} for n in range(21)])
def unchanged(MyTodo, items):
    todo = MyTodo()
    todo.update([{"text": "Read the code", "status": "in_progress"}])
    with suppress(ValueError):
        todo.update(items)
    return [item["text"] for item in todo.items]


@RULES.add("Rule 8: no two items have the same text, or the same id")
@why("When one of the twins is completed, nobody can say which, and the count is wrong.")
@hint("Which texts have you seen already?")
@hint("A set of texts, and one of ids. An id may be left out: then there is none to compare.")
@case(SAME_TEXT, items=[{"text": "Add tests"}, {"text": "Add tests"}])
@case(
    SAME_TEXT,
    items=[{"text": "Add tests"}, {"text": " Add tests "}],
    hint="Compare what is left when the blanks are gone.",
)
@case(SAME_ID, items=[{"id": "1", "text": "Add tests"}, {"id": "1", "text": "Write docs"}])
@case(
    2,
    items=[{"text": "Add tests"}, {"text": "Write docs"}],
    hint="Without an id, nothing is the same.",
)
@case(2, items=[{"id": "1", "text": "Add tests"}, {"id": "2", "text": "Write docs"}])
def no_twins(MyTodo, items):
    todo = MyTodo()
    todo.update(items)
    return len(todo.items)


@no_twins.also
@case(1, hint="The old list goes, and what was seen in it with it: look at the new items alone.")
def no_twins_of_the_past(MyTodo):
    todo = MyTodo()
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    todo.update([{"id": "1", "text": "Add tests", "status": "completed"}])
    return len(todo.items)


FURTHER = Further(
    "Which of the eight would you give up first, and what would it cost?",
    "Some would say the 20: a model seldom writes more. Without the fifth, the list does not say "
    "what is being done; without the seventh, the model's picture of its plan is false, and it "
    "cannot know.",
)
AFTER = "This is a TodoManager in all that matters."


def check_rules(MyTodo: Any = None, upto: int | None = None, **settings: Any) -> Result:
    """How many of the list's rules hold: of the first `upto` (1 to 8), or of all eight.

    Give it the class. `settings` are those of check.examine.
    """
    rules = RULES[:upto]
    if len(rules) == len(RULES):
        subject = Subject("MyTodo", rules, AFTER, FURTHER, core=("update",))
    else:
        subject = Subject(f"MyTodo, {tell_range(len(rules))}", rules, core=("update",))
    return check(subject, {"MyTodo": MyTodo}, **settings)


def tell_range(count: int) -> str:
    """The first rules in words: "rule 1", "rules 1 to 3"."""
    return "rule 1" if count == 1 else f"rules 1 to {count}"
