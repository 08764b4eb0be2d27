"""The exercise "Where the time goes": `TimedTodo` measures how long each task takes."""

from collections.abc import Mapping

from .checking import case, exercise, hint, rule, why
from .checking.expected import says, times
from .checking.fixtures import Clock, compare_lists, play_steps


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
    hint="The text of a task is its key, unchanged. Your list may accept tasks without an id.",
)
def shape_of_a_task(TimedTodo, text):
    return play_steps(TimedTodo, [(100, {text: "in_progress"})])["tasks"][text]


@shape.also
@case(["Docs"], hint="There is no entry for a task that has left the list.")
def of_this_list(TimedTodo):
    steps = [(100, {"Test": "in_progress"}), (110, {"Docs": "in_progress"}), (120, None)]
    return list(play_steps(TimedTodo, steps)["tasks"])


@rule("It stores when a task was started and when it was completed, from the given clock")
@why("With a clock that you can set, a test needs no waiting and always has the same result.")
@hint("When does a status change, and what time is it then?")
@hint("After an accepted update, store `self.clock()` for each item whose status has changed.")
@case(times(started=100, completed=130), steps=[(100, "in_progress"), (130, "completed")])
@case(times(started=120, completed=None), steps=[(100, "pending"), (120, "in_progress")])
@case(
    times(started=100, completed=130),
    steps=[(100, "in_progress"), (120, "in_progress"), (130, "completed"), (150, "completed")],
    hint="A task is started or completed only if it had another status before.",
)
def when(TimedTodo, steps):
    return play_steps(TimedTodo, steps)["tasks"]["Test"]


@when.also
@case(
    True,
    hint="All objects share what is in the class body or a default (`log=[]`): use `__init__`.",
)
def own_times(TimedTodo):
    clock = Clock(100)
    one, other = TimedTodo(clock=clock), TimedTodo(clock=clock)
    one.update([{"text": "Test", "status": "in_progress"}])
    before = str(one.summary())
    for clock.now, status in ((100, "in_progress"), (110, "completed")):
        other.update([{"text": "Test", "status": status}])
    clock.now = 100
    return str(one.summary()) == before


@rule("A task's seconds are the time from in_progress to completed")
@why("This is the question that the class answers: how long did each task take?")
@hint("When does a task stop counting?")
@hint("When a task leaves in_progress, add the time since it last became in_progress.")
@case(
    times(started=120, seconds=0.5),
    steps=[(100, "pending"), (120, "in_progress"), (120.5, "completed"), (200, None)],
)
@case(
    times(started=100, completed=140, seconds=40),
    steps=[(100, "in_progress"), (120, "in_progress"), (140, "completed"), (150, "completed")],
    hint="The model sends its whole list each time: an update that does not change a task neither "
    "starts it again nor completes it again.",
)
@case(
    times(started=100, completed=140, seconds=20),
    steps=[
        *[(100, "in_progress"), (110, "pending")],
        *[(130, "in_progress"), (140, "completed"), (200, None)],
    ],
    hint="A task may go back to pending and be started again: the pause does not count, the time "
    "before it does, and `started` is the first start.",
)
def took(TimedTodo, steps):
    return play_steps(TimedTodo, steps)["tasks"]["Test"]


@rule("A task in progress counts up to now, however often you call summary()")
@why("You read the times while the agent works. Reading must not stop the measurement.")
@hint("What does a second call of summary() return?")
@hint("In summary(), add the time from the last start to `self.clock()`, without storing it.")
@case(times(started=100, completed=None, seconds=60))
def so_far(TimedTodo):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update([{"text": "Test", "status": "in_progress"}])
    for clock.now in (145, 160):
        summary = todo.summary()
    return summary["tasks"]["Test"]


@rule("A task that was never in progress has started None and 0 seconds")
@why("A summary without these tasks hides the remaining work.")
@hint("Which tasks have an entry, and what is in it?")
@hint("Create an entry for each task in its first list, with None and 0.")
@case(times(started=None, completed=None, seconds=0), steps=[(100, "pending"), (130, None)])
@case(
    times(started=None, completed=120, seconds=0),
    steps=[(100, "pending"), (120, "completed")],
    hint="The model found that the task was already done: it has no start, so leave it None.",
)
def never_started(TimedTodo, steps):
    return play_steps(TimedTodo, steps)["tasks"]["Test"]


@rule("The session runs from the first accepted update up to now; before it, it is 0")
@why("It includes the time between tasks: the difference is the time without a planned task.")
@hint("When does the session begin, and what does summary() do before?")
@hint("Store the time of the first accepted update; in summary(), subtract it from `self.clock()`.")
@case(
    times(session=60),
    steps=[(100, "pending"), (130, "in_progress"), (140, "completed"), (160, None)],
)
@case(times(session=60), steps=[(100, {}), (140, "in_progress"), (160, None)])
@case(times(session=10), steps=[(100, "done"), (140, "pending"), (150, None)])
@case(times(session=0), steps=[(100, None), (130, None)])
def session(TimedTodo, steps):
    return play_steps(TimedTodo, steps)


@rule("A rejected update changes no times")
@why("The list is unchanged, so no task has been started or completed.")
@hint("Which line stores a time, and can a later line still raise?")
@hint("Call `super().update(items)` first: if it raises, the lines after it do not run.")
@case(
    times(seconds=20),
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
    "to wait. There are two ways to store the times. Sums that each update changes make "
    "summary() short, but you must know each question in advance. A log can also answer new "
    "questions.",
)
def check_timed(TimedTodo=None):
    """Check a `TimedTodo`: pass the class."""
