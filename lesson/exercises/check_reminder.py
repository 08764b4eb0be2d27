"""The exercise "A reminder that shows the list": `MyReminder` extends the learner's `MyNag`."""

from typing import Any

from agentlib.nag import Nag
from agentlib.todo import TodoManager

from .checking import Exercise, Further, Result, Rules, case, check, hint, why
from .checking.expected import Expected, saying, says
from .checking.fixtures import PLANNING, WORK

RULES = Rules()
PLAN = [{"text": "Read the code", "status": "completed"}, {"text": "Add tests"}]


def has_tags(got: Any) -> bool:
    """Return whether a reminder is between its tags."""
    return got.strip().startswith("<reminder>") and got.strip().endswith("</reminder>")


@RULES.add("Rule 1: it returns a reminder in the same rounds as MyNag")
@why("Only the words of the reminder change. When it is sent does not.")
@hint("Which method decides whether a reminder is due? Does yours call it?")
@hint("`super().__call__(calls)` returns a reminder or None. If it is None, return None.")
@case(saying("- - R R - - -"), after=3, rounds=[WORK] * 4 + [PLANNING] + [WORK] * 2)
@case(
    saying("- R R - - R"),
    after=2,
    rounds=[WORK] * 3 + [PLANNING] + [WORK] * 2,
    hint="Does your `__init__` pass `after` on to the nag that it extends?",
)
def same_rounds(MyReminder, after, rounds):
    nag = MyReminder(TodoManager(), after=after)
    return [nag(calls) for calls in rounds]


@RULES.add("Rule 2: the reminder contains the list, as `render` returns it")
@why("The model may no longer see its list. This puts it back into the window.")
@hint("Where is the list? Your `__init__` has stored it.")
@hint("`self.todo.render()` returns the list as text: put it into an f-string.")
@case(says("[x] #1: Read the code", "[ ] #2: Add tests", "(1/2 completed)"))
def shows_the_list(MyReminder):
    todo = TodoManager()
    todo.update(PLAN)
    return MyReminder(todo, after=1)(WORK)


@shows_the_list.also
@case(
    says("Write docs", never=["Add tests"], what="the list as it is now, with 'Write docs'"),
    hint="The list changes during a run: call `render` when the reminder is due, and not before.",
)
def shows_the_newest_list(MyReminder):
    todo = TodoManager()
    todo.update(PLAN)
    nag = MyReminder(todo, after=1)
    todo.update([{"text": "Write docs"}])
    return nag(WORK)


@RULES.add("Rule 3: it still asks for an update, between the tags")
@why("If it only shows the list, a model may read it and go on without an update.")
@hint("The reminder of MyNag had a sentence and two tags. Are they still there?")
@hint("`<reminder>Update your todos. Your list:` … `</reminder>`")
@case(
    Expected(
        "a string that begins with <reminder>, ends with </reminder> and contains 'Update'",
        lambda got: has_tags(got) and "update" in got.lower(),
    )
)
def asks_for_an_update(MyReminder):
    return MyReminder(TodoManager(), after=1)(WORK)


class ShowsTheList(Nag):
    """The package's version, which the notebook uses until the learner's passes."""

    def reminder(self) -> str:
        return f"<reminder>Update your todos. Your list:\n{self.todo.render()}\n</reminder>"


def check_reminder(MyReminder: Any = None, MyNag: Any = None) -> Result:
    """Check a reminder that shows the list: pass the class, which is made with `(todo, after=3)`.

    `MyNag`, which it extends, is not checked again.
    """
    return check(EXERCISE, {"MyReminder": MyReminder})


EXERCISE = Exercise(
    order=5,
    name="reminder",
    title="A reminder that shows the list",
    notebook="s03_todo_write",
    check=check_reminder,
    subjects=("MyReminder", "MyNag"),
    needs=("MyNag",),
    rules=RULES,
    after="It puts a plan back that has left the window.",
    further=Further(
        "What does it cost to show the list in each reminder?",
        "The list's tokens, once for each reminder, and again with every later request. A user of "
        "Claude Code reported about fifteen such reminders with thirteen tasks each.",
    ),
)
