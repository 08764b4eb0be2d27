"""The exercise "A reminder that shows the list": `MyReminder` extends the learner's `MyNag`."""

import re

from agentlib.nag import REMINDER
from agentlib.todo import TodoManager

from .check_nag import check_nag
from .checking import Result, case, check, exercise, hint, rule, why
from .checking.expected import saying, says
from .checking.fixtures import PLANNING, WORK

NAG_FIRST = (
    "not yet. It extends MyNag, which does not pass its own check. Run "
    "`check_nag(MyNag)` first, then the cell of MyReminder, then this check again."
)
WORDS = re.escape(REMINDER.rstrip("."))
PLAN = [{"text": "Read the code", "status": "completed"}, {"text": "Add tests"}]


@rule("Rule 1: it returns a reminder in the same rounds as MyNag, and has the same count")
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


@same_rounds.also
@case(saying("- - R"), note="The default of `after` is 3: `def __init__(self, todo, after=3)`.")
def same_default(MyReminder):
    nag = MyReminder(TodoManager())
    return [nag(WORK), nag(WORK), nag(WORK)]


@same_rounds.also
@case([1, 2, 3], hint="Call `super().__call__(calls)` once: it counts, and nothing else does.")
def same_count(MyReminder):
    nag, counts = MyReminder(TodoManager(), after=2), []
    for _ in range(3):
        nag(WORK)
        counts.append(nag.rounds)
    return counts


@rule("Rule 2: the reminder contains the list, as `render` returns it")
@why("The model may no longer see its list. This puts it back into the window.")
@hint("Where is the list? Your `__init__` has stored it.")
@hint("`self.todo.render()` returns the list as text: put it into an f-string.")
@case(says("[x] #1: Read the code", "[ ] #2: Add tests", "(1/2 completed)"), later=PLAN)
@case(
    says("Write docs", never=["Add tests"], what="the list as it is now, with 'Write docs'"),
    later=[{"text": "Write docs"}],
    hint="The list changes during a run: call `render` when the reminder is due, and not before.",
)
def shows_the_list(MyReminder, later):
    todo = TodoManager()
    todo.update(PLAN)
    nag = MyReminder(todo, after=1)
    todo.update(later)
    return nag(WORK)


@shows_the_list.also
@case(
    says("Release", never=["Add tests"], what="the list as it is now, with 'Release'"),
    hint="A nag reminds more than once: call `render` each time.",
)
def shows_the_list_each_time(MyReminder):
    todo = TodoManager()
    todo.update(PLAN)
    nag = MyReminder(todo, after=1)
    nag(WORK)
    todo.update([{"text": "Release"}])
    return nag(WORK)


@shows_the_list.also
@case(["Read the code", "Add tests"], hint="A reminder only shows the list. It does not change it.")
def leaves_the_list(MyReminder):
    todo = TodoManager()
    todo.update(PLAN)
    MyReminder(todo, after=1)(WORK)
    return [item["text"] for item in todo.items]


@rule(f'Rule 3: it still says "{REMINDER}", between the tags')
@why("If it only shows the list, a model may read it and go on without an update.")
@hint("The reminder of MyNag had a sentence and two tags. Are they still there?")
@hint(f"`<reminder>{REMINDER} Your list:` … `</reminder>`")
@case(
    f"a string that begins with <reminder>, ends with </reminder>, and contains '{REMINDER}'",
    lambda got: re.fullmatch(rf"(?is)\s*<reminder>.*{WORDS}.*</reminder>\s*", got),
)
def asks_for_an_update(MyReminder):
    return MyReminder(TodoManager(), after=1)(WORK)


@exercise(
    order=5,
    title="A reminder that shows the list",
    notebook="s03c_how_soon",
    needs=("MyNag",),
    after="It puts a plan back that has left the window.",
    question="What does it cost to show the list in each reminder?",
    answer="The list's tokens, once for each reminder, and again with every later request. A user "
    "of Claude Code reported about fifteen such reminders with thirteen tasks each.",
)
def check_reminder(MyReminder=None):
    """Check a reminder that shows the list: pass the class, which is made with `(todo, after=3)`.

    If it fails, and so does the `MyNag` that it extends, that one is the first to correct.
    """
    result = check(check_reminder.exercise, {"MyReminder": MyReminder})
    parents = [one for one in getattr(MyReminder, "__mro__", ()) if one.__name__ == "MyNag"]
    for parent in parents:
        if result.begun and not result.ok and not check_nag.exercise.check(parent).ok:
            return Result(check_reminder.exercise, note=f"{NAG_FIRST} {result.aside}".strip())
    return result
