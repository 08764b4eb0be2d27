"""The exercise "A list with eight rules": `MyTodo` from nothing, one rule at a time."""

from contextlib import suppress
from dataclasses import replace

from .checking import case, check, exercise, explain_upto, hint, rule, why
from .checking.expected import Expected, explained, says

DUPLICATE = explained("duplicate")
WITHOUT_ID = "Two items without an id do not have the same id: compare only the ids that are there."
NO_OTHER_ERROR = Expected(
    "a ValueError, or the rendered list: a model may also send null or a number as the text",
    lambda got: isinstance(got, str) or isinstance(got.problem, ValueError),
    lambda got: "This text is no string: `str(item.get('text') or '')` makes one of any value.",
)


@rule("Rule 1: a new list replaces the old one, and update returns it rendered")
@why("The model reads the returned string as the tool's result: this is how it sees its plan.")
@hint("What does `update` store, and what does it return?")
@hint("Store the list in `self.items`, and return a string with one line for each item.")
@hint("`return self.render()`: the class that you extend shows `self.items`, with a mark for each.")
@case(
    says("Read the code", "Add tests", what="the rendered list of two"),
    lists=[
        [
            {"id": "1", "text": "Read the code", "status": "completed"},
            {"id": "2", "text": "Add tests", "status": "in_progress"},
        ]
    ],
)
@case(
    says("Write docs", never=["Read the code"], what="the rendered list, with only Write docs"),
    lists=[[{"text": text, "status": "in_progress"}] for text in ("Read the code", "Write docs")],
    hint="The new list replaces all old items, also the one that was in progress.",
)
def rendered(MyTodo, lists):
    todo = MyTodo()
    return [todo.update(items) for items in lists][-1]


@rendered.also
@case(
    "three different strings",
    lambda got: len(set(got)) == 3,
    hint="Does a line show the item's status? Without marks a plan does not show what is done.",
)
def marked(MyTodo):
    docs = {"id": "2", "text": "Write docs", "status": "in_progress"}
    others = [{"id": "1", "text": "Add tests", "status": s} for s in ("pending", "completed")]
    lists = [[one, docs] for one in others]
    lists.append([docs | {"text": "Add tests"}])
    lines = [line for items in lists for line in MyTodo().update(items).splitlines()]
    return [line for line in lines if "Add tests" in line]


@rendered.also
@case(
    ("Add tests", []),
    hint="Other code reads the plan from `self.items`, a list of dicts. Create it in `__init__`, "
    "because all objects share a list in the class body.",
)
def separate_lists(MyTodo):
    one, other = MyTodo(), MyTodo()
    one.update([{"text": "Add tests", "status": "in_progress"}])
    return one.items[0]["text"], other.items


@rule("Rule 2: items must be a list")
@why("Python iterates over a string by character, and over a dict by key: each would be a step.")
@hint("Which type does `items` have?")
@hint("If it is not a list: `raise ValueError(…)` with a message that says what it must be.")
@case(explained("list"), items="Add tests, then write docs")
@case(explained("list"), items={"1": {"text": "Add tests", "status": "pending"}})
@case(explained("list"), items={}, note="An empty dict is no list either: look at the type first.")
@case(explained("list"), items=None, hint="`None` has no length: look at the type first.")
def a_list(MyTodo, items):
    return MyTodo().update(items)


@a_list.also
@case(
    [],
    hint="An empty list is also a list, and no rule rejects it. Does your code demand a task in "
    "progress? At most one is allowed: `> 1`, not `!= 1`.",
)
def an_empty_list(MyTodo):
    todo = MyTodo()
    todo.update([{"text": "Add tests", "status": "in_progress"}])
    todo.update([])
    return todo.items


@rule("Rule 3: every item is a dict with a text, which is stored without whitespace around it")
@why("A step without text says nothing, neither to the model nor to the user.")
@hint("For each item: what remains of `text` without the whitespace?")
@hint('`str(item.get("text") or "").strip()`: if it is empty, raise a ValueError, else store it.')
@case(explained("text"), items=[{"id": "1", "text": "", "status": "in_progress"}])
@case(
    explained("text"),
    items=[{"id": "1", "text": "  ", "status": "in_progress"}],
    note="Your check accepts a text that is only whitespace.",
)
@case(
    explained("text"),
    items=[{"id": "1", "text": "Add tests", "status": "in_progress"}, {"id": "2"}],
)
@case(
    explained("an item must be a dict"),
    items=["Add tests", "Write docs"],
    hint="A model may send only the texts: `isinstance(item, dict)`.",
)
@case(NO_OTHER_ERROR, items=[{"text": None, "status": "in_progress"}])
@case(NO_OTHER_ERROR, items=[{"text": 5, "status": "in_progress"}])
def a_text(MyTodo, items):
    return MyTodo().update(items)


@a_text.also
@case(
    ("test the README's code", "Adding tests", 7),
    hint="Store the stripped text in `self.items`, and all other fields of the item.",
)
def a_stripped_text(MyTodo):
    todo = MyTodo()
    fields = {"status": "in_progress", "activeForm": "Adding tests", "minutes": 7}
    todo.update([{"text": " test the README's code\n", **fields}])
    item = todo.items[0]
    return item["text"], item.get("activeForm"), item.get("minutes")


@rule("Rule 4: a status is pending, in_progress or completed; the default is pending")
@why("With 'done' and 'finished' as well, no program can count the completed tasks.")
@hint("Which three values are allowed? What if the model leaves the status out?")
@hint('Read `item.get("status", "pending")`, and raise a ValueError for any other value.')
@case("pending", given={})
@case(explained("status"), given={"status": "done"})
@case(explained("status"), given={"status": "progress"}, note="Compare the whole word.")
@case(
    explained("status"),
    given={"status": ""},
    note="Only a status that is left out is pending: use `item.get` with a default, not `or`.",
)
def a_status(MyTodo, given):
    todo = MyTodo()
    started = {"id": "1", "text": "Read the code", "status": "in_progress"}
    todo.update([started, {"id": "2", "text": "Add tests", **given}])
    return todo.items[1]["status"]


@rule("Rule 5: at most one task is in progress")
@why("With two, the list does not show which task the model is working on.")
@hint("How many items of the new list are in progress?")
@hint("Count them, and raise a ValueError if there are two or more.")
@case(explained("in_progress"), statuses=["in_progress", "completed", "in_progress"])
@case(explained("in_progress"), statuses=["in_progress"] * 3, note="More than one: `> 1`.")
@case(
    says("Step 1", "Step 2"),
    statuses=["pending", "completed"],
    hint="A list with no task in progress is allowed.",
)
def one_at_a_time(MyTodo, statuses):
    return MyTodo().update(
        [{"id": str(n), "text": f"Step {n}", "status": s} for n, s in enumerate(statuses, 1)]
    )


@rule("Rule 6: at most 20 items")
@why("The model reads its plan in every todo result: a long plan costs tokens each time.")
@hint("How many items does the new list have?")
@hint("Compare `len(items)`: 20 is allowed, 21 is not.")
@case(explained("20"), number=21)
@case(explained("20"), number=30)
@case(says("Step 20"), number=20)
def at_most_twenty(MyTodo, number):
    numbers = [str(number + 1) for number in range(number)]
    return MyTodo().update([{"id": n, "text": f"Step {n}", "status": "pending"} for n in numbers])


@rule("Rule 7: a rejected list changes nothing, and no list changes the items that were sent")
@why("The model reads that its list was rejected. If half of it is stored, the two plans differ.")
@hint("When does `self.items` change: before or after all items are checked?")
@hint("Collect the checked items in a new list, and assign it to `self.items` in the last line.")
@case(
    "Read the code, after each list that was rejected",
    lambda got: got and all(texts == ["Read the code"] for texts in got),
    note="`self.items` changed before the error: assign it last.",
)
def unchanged(MyTodo):
    first = {"id": "1", "text": "Read the code", "status": "in_progress"}
    mistakes = [
        [{"id": "2", "text": " ", "status": "pending"}],
        [{"id": "2", "text": "Write docs", "status": "done"}],
        [{"id": "2", "text": "Write docs", "status": "in_progress"}],
        [{"id": "2", "text": "Add tests", "status": "pending"}],
        [{"id": str(n), "text": f"Step {n}", "status": "pending"} for n in range(2, 22)],
    ]
    left = []
    for mistake in mistakes:
        todo = MyTodo()
        todo.update([first])
        try:
            todo.update([first | {"text": "Add tests"}, *mistake])
        except ValueError:
            left.append([item["text"] for item in todo.items])
    return left


@unchanged.also
@case(
    [{"text": " Add tests ", "status": "in_progress"}, {"text": "Write docs"}],
    second={"text": "Write docs"},
    hint="The items are in the history of the run: store copies, `{**item, …}` or `item | {…}`.",
)
@case(
    [{"text": " Add tests ", "status": "in_progress"}, {"text": "Write docs", "status": "done"}],
    second={"text": "Write docs", "status": "done"},
    hint="A list that is rejected is in the history as well: change only your own copies.",
)
def items_unchanged(MyTodo, second):
    items = [{"text": " Add tests ", "status": "in_progress"}, second]
    with suppress(Exception):  # whatever it raises, what was sent must be the same
        MyTodo().update(items)
    return items


@rule("Rule 8: no two items have the same text, or the same id")
@why("If one of two equal tasks is completed, the list does not show which one.")
@hint("Which tasks has your loop already seen?")
@hint("Keep two sets: each `text` and each `id`. If an id is left out, do not compare it.")
@case(
    DUPLICATE,
    second={"id": "2", "text": "Write docs", "status": "pending"},
    third={"id": "3", "text": " Add tests ", "status": "pending"},
    hint="Compare every text with all others, without the whitespace around them.",
)
@case(
    DUPLICATE,
    second={"id": "2", "text": " Write docs", "status": "pending"},
    third={"id": "3", "text": "Write docs", "status": "pending"},
    hint="Compare the texts as you store them, without the whitespace around them.",
)
@case(
    DUPLICATE,
    second={"id": "2", "text": "Write docs", "status": "pending"},
    third={"id": "1", "text": "Release", "status": "pending"},
)
@case(
    DUPLICATE,
    second={"id": 0, "text": "Write docs", "status": "pending"},
    third={"id": 0, "text": "Release", "status": "pending"},
    note='The number 0 is also an id, but it is false in an `if`: test `"id" in item`.',
)
@case(
    replace(
        says("Add tests", "Write docs", "docs"),
        explain=lambda got: WITHOUT_ID if isinstance(got.problem, ValueError) else "",
    ),
    second={"text": "Write docs", "status": "pending"},
    third={"text": "docs", "status": "pending"},
    hint="Two items without an id do not have the same id, and a part of a text is another text.",
)
def no_duplicates(MyTodo, second, third):
    first = {"id": "1", "text": "Add tests", "status": "in_progress"}
    return MyTodo().update([first, second, third])


@no_duplicates.also
@case(says("Add tests"), hint="Compare only the new items: the new list replaces the old one.")
def no_duplicates_of_old_items(MyTodo):
    todo = MyTodo()
    for _ in range(2):
        shown = todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    return shown


@exercise(
    order=3,
    title="A list with eight rules",
    notebook="s03a_todo_write",
    after="It does what matters most in a TodoManager.",
    question="Which of the eight rules would you give up first, and what would you lose?",
    answer="Perhaps the 20: a model seldom writes more. Without rule 5, the list does not show "
    "what the model is working on. Without rule 7, the model's view of its plan is wrong, and it "
    "cannot know.",
)
def check_rules(MyTodo=None, upto=8):
    """Check a `MyTodo`, the class, against the first `upto` rules: 1 to 8."""
    rules = check_rules.exercise.rules
    if not isinstance(upto, int):
        return explain_upto(check_rules.exercise, upto, len(rules))
    if upto >= len(rules):
        return None
    upto = max(upto, 1)
    label = "MyTodo, rule 1" if upto == 1 else f"MyTodo, rules 1 to {upto}"
    after = f"Now set `upto={upto + 1}`."
    part = replace(check_rules.exercise, rules=rules[:upto], label=label, after=after, question="")
    return check(part, {"MyTodo": MyTodo})
