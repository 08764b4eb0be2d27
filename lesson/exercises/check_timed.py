"""The exercise "Where the time goes": `TimedTodo` stores when tasks are started and completed."""

from collections.abc import Mapping
from dataclasses import replace

from .checking import case, exercise, hint, rule, why
from .checking.expected import says, times
from .checking.fixtures import Clock, compare_lists, play_steps

# One update completes a task and starts the next one, which then comes first in the list.
TWO_TASKS = [
    (100, {"Docs": "in_progress", "Test": "pending"}),
    (130, {"Test": "in_progress", "Docs": "completed"}),
    (175, {"Test": "completed", "Docs": "completed"}),
    (200, None),
]
SESSION = "The session begins when the list is made: store `self.clock()` in `__init__`."


@rule("It is made with TimedTodo(clock=clock) or TimedTodo(), and update returns the list")
@why("The string that update returns is the tool's result: the model sees its plan there.")
@hint("What do `__init__` and `update` of the parent take and return?")
@hint("Keep the given `__init__`, and return what `super().update(items)` returns.")
@case(says("Add tests", what="the rendered list, with Add tests in it"))
def still_a_list(TimedTodo):
    TimedTodo().render()
    return TimedTodo(clock=Clock(100)).update([{"text": "Add tests", "status": "pending"}])


@rule('summary() returns a dict with "session" and "tasks", one entry for each task on the list')
@why("The caller wants to calculate with the times of this list: they are numbers, not strings.")
@hint("What does `summary()` return, and what is in it?")
@hint(
    'Return {"session": …, "tasks": {…}}. "tasks" has an entry for each text in `self.items`: '
    '{"started": …, "completed": …, "seconds": …}.'
)
@case(
    'a dict with "session" and "tasks"',
    lambda got: isinstance(got, Mapping) and {"session", "tasks"} <= set(got),
)
def shape(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"text": "Add tests", "status": "in_progress"}])
    return todo.summary()


@shape.also
@case(
    "a dict with started, completed and seconds",
    lambda got: {"started", "completed", "seconds"} <= set(got),
    text="Write the API's docs",
    note="The entry of a task has three fields: `started`, `completed` and `seconds`.",
    hint="The text of a task is its key, unchanged. Your list may accept tasks without an id.",
)
def shape_of_a_task(TimedTodo, text):
    return play_steps(TimedTodo, [(100, {text: "in_progress"})])["tasks"][text]


@shape.also
@case(
    "entries for Docs and for Test",
    lambda got: {"Docs", "Test"} <= set(got),
    hint="Every task of the list has an entry, also one that was never started.",
)
def shape_of_all_tasks(TimedTodo):
    return play_steps(TimedTodo, TWO_TASKS[:1])["tasks"]


@rule("It stores when a task was first started, and when it was completed, from the given clock")
@why("With a clock that you can set, a test needs no waiting and always has the same result.")
@hint("When does a status change, and what time is it then?")
@hint("After an accepted update, look at the status of each item in `self.items`.")
@hint(
    "`self.started.setdefault(text, self.clock())` stores a time only if there is none for this "
    "text yet."
)
@case(times(started=100, completed=130), steps=[(100, "in_progress"), (130, "completed")])
@case(times(started=120, completed=None), steps=[(100, "pending"), (120, "in_progress")])
@case(
    times(started=100, completed=130),
    steps=[(100, "in_progress"), (120, "in_progress"), (130, "completed"), (150, "completed")],
    note="The model sends its whole list each time: a task that is started or completed again "
    "keeps its first time.",
)
@case(
    times(started=100, completed=140),
    steps=[(100, "in_progress"), (110, "pending"), (130, "in_progress"), (140, "completed")],
    note="A task may go back to pending: `started` is the first start.",
)
@case(
    times(started=None, completed=120),
    steps=[(100, "pending"), (120, "completed")],
    hint="The model found that the task was already done: it has no start, so leave it None.",
)
def when(TimedTodo, steps):
    return play_steps(TimedTodo, steps)["tasks"]["Test"]


@when.also
@case(times(started=100, completed=130), text="Docs")
@case(times(started=130, completed=175), text="Test")
def when_of_two(TimedTodo, text):
    return play_steps(TimedTodo, TWO_TASKS)["tasks"][text]


@when.also
@case(
    {"Test": 110},
    hint="All objects share what is in the class body or a default (`log=[]`): use `__init__`.",
)
def own_times(TimedTodo):
    clock = Clock(100)
    one, other = TimedTodo(clock=clock), TimedTodo(clock=clock)
    for clock.now, status in ((100, "in_progress"), (105, "completed")):
        docs = {"text": "Docs", "status": "pending"}
        one.update([{"text": "Test", "status": status}, docs])
        one.summary()
    clock.now = 110
    other.update([{"text": "Test", "status": "in_progress"}])
    return {text: task["started"] for text, task in other.summary()["tasks"].items()}


@rule("A task's seconds are the time from its start to its completion, and 0 if it has no start")
@why("This is the question that the class answers: how long did each task take?")
@hint("Which two of the stored times do you need?")
@hint("`completed - started`. If `started` is None, the task has 0 seconds.")
@case(
    times(seconds=0.5),
    steps=[(100, "pending"), (120, "in_progress"), (120.5, "completed"), (200, None)],
    hint="When does a task stop counting?",
)
@case(
    times(seconds=40),
    steps=[(100, "in_progress"), (120, "in_progress"), (140, "completed"), (150, "completed")],
)
@case(times(seconds=0), steps=[(100, "pending"), (130, None)])
@case(times(seconds=0), steps=[(100, "pending"), (120, "completed"), (150, None)])
def took(TimedTodo, steps):
    return play_steps(TimedTodo, steps)["tasks"]["Test"]


@took.also
@case(times(seconds=30), text="Docs")
@case(times(seconds=45), text="Test")
def took_of_two(TimedTodo, text):
    return play_steps(TimedTodo, TWO_TASKS)["tasks"][text]


@rule("A task that is not completed yet counts up to now, however often you call summary()")
@why("You read the times while the agent works. Reading must not stop the measurement.")
@hint("What does a second call of summary() return?")
@hint("In summary(), subtract the start from `self.clock()`, without storing anything.")
@case(times(started=100, completed=None, seconds=60))
def so_far(TimedTodo):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update([{"text": "Test", "status": "in_progress"}])
    for clock.now in (145, 160):
        summary = todo.summary()
    return summary["tasks"]["Test"]


@rule("The session runs from the moment at which the list is made up to now")
@why("It includes the time between tasks: the difference is the time without a planned task.")
@hint("When does the session begin?")
@hint("Store `self.clock()` in `__init__`; in summary(), subtract it from `self.clock()`.")
@case(
    replace(times(session=60), explain=lambda got: SESSION if got["session"] == 40 else ""),
    steps=[(100, None), (120, "pending"), (140, "in_progress"), (150, "completed"), (160, None)],
)
@case(times(session=30), steps=[(100, None), (130, None)])
def session(TimedTodo, steps):
    return play_steps(TimedTodo, steps)


@rule("A rejected update changes no times")
@why("The list is unchanged, so no task has been started or completed.")
@hint("Which line stores a time, and can a later line still raise?")
@hint("Call `super().update(items)` first: if it raises, the lines after it do not run.")
@case(
    times(completed=None, seconds=20),
    steps=[(100, "in_progress"), (110, {"Test": "completed", "Docs": "done"}), (120, None)],
)
@case(
    times(started=None, seconds=0),
    steps=[(100, "pending"), (110, {"Test": "in_progress", "Docs": "in_progress"}), (120, None)],
)
def rejected(TimedTodo, steps):
    return play_steps(TimedTodo, steps)["tasks"]["Test"]


@rule("Everything else is the same as in the list that it extends")
@why("You add times. The other rules are still needed.")
@hint("Which rules does the parent's `update` check?")
@hint("Let `super().update(items)` check the list, and do not catch its ValueError.")
@case(
    times(seconds=30),
    hint="Models leave out a status, or add whitespace to a text. Your list corrects both, so read "
    "`self.items` after the update, not the argument.",
)
def clean(TimedTodo):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update([{"text": " Test ", "status": "in_progress"}, {"text": "Docs"}])
    clock.now = 130
    return todo.summary()["tasks"]["Test"]


@clean.also
@case([])
def same_as_parent(TimedTodo):
    return compare_lists(TimedTodo, TimedTodo.__base__)


@rule("0 is a time like any other")
@why("A clock that is set by hand may start at 0, and `if started:` is false for 0.")
@hint("What is `if started:` for the time 0?")
@hint("To test whether there is a time, use `is None`.")
@case(times(started=0, seconds=20, session=20), steps=[(0, "in_progress"), (20, "completed")])
@case(
    times(started=0, seconds=20),
    steps=[(0, "in_progress"), (10, "in_progress"), (20, "completed")],
)
@case(
    times(completed=0, seconds=0),
    steps=[(0, "in_progress"), (0, "completed"), (10, "completed"), (20, None)],
)
def zero(TimedTodo, steps):
    summary = play_steps(TimedTodo, steps)
    return {**summary["tasks"]["Test"], "session": summary["session"]}


@exercise(
    order=8,
    title="Where the time goes",
    needs=("MyTodo",),
    after="You can test any measurement of time without waiting.",
    question="Why is the clock passed in, and not read with `time.monotonic()` when a time is "
    "needed?",
    answer="With a clock that you can set, every test has the same result each time, and none has "
    "to wait.",
)
def check_timed(TimedTodo=None):
    """Check a `TimedTodo`: pass the class."""
