"""Stretch: a todo list that knows how long each task took, in three stages."""

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from agentlib.todo import TodoManager

from .checking.check import Subject, check
from .checking.expected import explain_number, is_number, refusal, says, seconds, times
from .checking.fixtures import Clock, play
from .checking.result import Further, Result
from .checking.rule import Rules, case, hint, why

RULES = Rules()
THE_LIST = says("Add tests", what="the rendered list, with Add tests in it")


@RULES.add(
    "When: it is made with TimedTodo(clock=clock) or TimedTodo(), and update returns the list"
)
@why("What update returns is the tool's result: without it the model cannot see its own plan.")
@hint("Keep the given `__init__`, and return what `super().update(items)` returns.")
@case(says("No todos."), items=[])
@case(THE_LIST, items=[{"id": "1", "text": "Add tests", "status": "pending"}])
def still_a_list(TimedTodo, items):
    TimedTodo().update(items)
    todo = TimedTodo(clock=Clock(100))
    todo.render()
    return todo.tool().run(items=items)


@RULES.add('When: summary() returns a dict with "session" and "tasks"')
@why("Whoever asks wants to calculate with the times, so they are numbers in dicts, not a text.")
@hint(
    'Return {"session": …, "tasks": {…}}, under "tasks" an entry for each id in `self.items`: '
    '{"started": …, "completed": …, "seconds": …}.'
)
@case(
    'a dict with "session" and "tasks"',
    lambda came: isinstance(came, Mapping) and {"session", "tasks"} <= set(came),
)
def shape(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    return todo.summary()


@shape.also
@case(times(completed=None), id="1")
@case(times(completed=None), id="a")
def shape_of_a_task(TimedTodo, id):
    return play(TimedTodo, [(100, {id: "in_progress"})])["tasks"][id]


@shape.also
@case("a number of seconds", is_number, explain_number)
def shape_of_the_session(TimedTodo):
    return play(TimedTodo, [(100, "in_progress")])["session"]


@RULES.add("When: each list has times of its own")
@why("Two agents work at two lists, and both have a task with the id 1.")
@hint("What is made in the class body, or as a default (`log=[]`), is shared: use `__init__`.")
@case(False)
def own_times(TimedTodo):
    play(TimedTodo, [(100, {"1": "in_progress"})])
    return "1" in play(TimedTodo, [(100, {"2": "in_progress"})])["tasks"]


@RULES.add(
    "When: it notes when a task was started, and when it was completed, by the clock it was given"
)
@why("With a clock that you can set, a test needs no waiting and comes out the same each time.")
@hint("After an accepted update, note `self.clock()` for each item whose status has changed.")
@case(times(started=100, completed=130), steps=[(100, "in_progress"), (130, "completed")])
@case(times(started=120, completed=None), steps=[(100, "pending"), (120, "in_progress")])
def when(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add("How long: a task's seconds are those from in_progress to completed")
@why("That is what you want to learn from it: what took how long.")
@hint("When a task leaves in_progress, add the time since it came there, and no more later.")
@case(times(seconds=30), steps=[(100, "in_progress"), (130, "completed"), (500, None)])
@case(times(seconds=0.5), steps=[(100, "in_progress"), (100.5, "completed"), (200, None)])
def took(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add("How long: a task in progress counts up to now, however often you ask")
@why("You look at the times while the agent works. Looking must not stop the watch.")
@hint("In summary(), add the time from the last start to `self.clock()`, without storing it.")
@case(times(started=100, completed=None, seconds=45), asked=[145])
@case(times(started=100, completed=None, seconds=60), asked=[145, 160])
def so_far(TimedTodo, asked):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    for clock.now in asked:
        summary = todo.summary()
    return summary["tasks"]["1"]


@RULES.add("How long: an update that leaves a task as it was does not start or complete it again")
@why("The model sends its whole list each time, so most tasks come again as they were.")
@hint("A start is only where the status was another one before.")
@case(
    times(started=100, completed=140, seconds=40),
    steps=[(100, "in_progress"), (120, "in_progress"), (140, "completed")],
)
@case(
    times(started=100, completed=130, seconds=30),
    steps=[(100, "in_progress"), (130, "completed"), (150, "completed")],
    hint="Here the task was completed before: it is not completed again.",
)
def goes_on(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add("How long: the session runs from the first accepted update up to now")
@why("It contains the time between tasks, too: the difference tells how much was not planned.")
@hint("Note the time of the first accepted update; in summary(), subtract it from `self.clock()`.")
@case(seconds(60), steps=[(100, "pending"), (130, "in_progress"), (140, "completed"), (160, None)])
@case(seconds(20), steps=[(100, None), (140, "in_progress"), (160, None)])
@case(seconds(60), steps=[(100, {}), (140, "in_progress"), (160, None)])
@case(seconds(60), steps=[(100, "in_progress"), (120, {}), (150, {"2": "pending"}), (160, None)])
@case(seconds(10), steps=[(100, "done"), (140, "pending"), (150, None)])
def session(TimedTodo, steps):
    return play(TimedTodo, steps)["session"]


@session.also
@case(
    "a little more than 0: without a clock of yours, it goes by a real one, in seconds",
    lambda came: is_number(came) and 0.04 < came < 5,
)
def session_by_a_real_clock(TimedTodo):
    todo = TimedTodo()
    todo.update([{"id": "1", "text": "Add tests", "status": "pending"}])
    time.sleep(0.05)
    return todo.summary()["session"]


@RULES.add("How long: before the first update, the session is 0 and there are no tasks")
@why("One may ask at any time, also too early.")
@hint("What does summary() do when nothing has been noted yet?")
@case((0, 0), steps=[(100, None), (130, None)])
def before(TimedTodo, steps):
    summary = play(TimedTodo, steps)
    return summary["session"], len(summary["tasks"])


@RULES.add(
    "Pauses and drops: paused and taken up again, a task counts only while it is in progress"
)
@why("Agents go back to what they have set aside. The time between belongs to other work.")
@hint("Keep a sum for each task, and add each stretch in progress to it.")
@case(times(seconds=10), steps=[(100, "in_progress"), (110, "pending"), (130, None)])
@case(times(seconds=10), steps=[(100, "in_progress"), (110, "pending"), (150, "completed")])
@case(
    times(seconds=30),
    steps=[
        (100, {"1": "in_progress", "2": "pending"}),
        (110, {"1": "pending", "2": "in_progress"}),
        (150, {"1": "in_progress", "2": "completed"}),
        (170, {"1": "completed", "2": "completed"}),
    ],
)
@case(
    times(started=100, completed=None),
    steps=[(100, "in_progress"), (110, "pending"), (130, "in_progress")],
    hint="The first start counts: set it only while it is None. And a pause completes nothing.",
)
@case(
    times(started=100, completed=150),
    steps=[(100, "in_progress"), (110, "pending"), (150, "completed")],
    hint="It keeps its start through a pause, and is completed whatever its status was before.",
)
def paused(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add(
    "Pauses and drops: a task is known by its id; reworded, or at another place, it is the same"
)
@why("Models reword a task when they know more about it, and move it: it is the same work.")
@hint("Know a task by its id, not by its text and not by its place in the list.")
@case(times(started=100, completed=150, seconds=50), text="Add more tests")
@case(times(started=100, completed=150, seconds=50), text="Add tests")
def renamed(TimedTodo, text):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    docs = {"id": "2", "text": "Write the docs", "status": "pending"}
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}, docs])
    for clock.now, status in [(120, "in_progress"), (150, "completed")]:
        todo.update([docs, {"id": "1", "text": text, "status": status}])
    return todo.summary()["tasks"]["1"]


@RULES.add(
    "Pauses and drops: a task that is no longer on the list keeps its time, which ends there"
)
@why("Work that was given up took time as well, and that should be seen.")
@hint("After an update, look for tasks that you know and that `self.items` no longer has.")
@case(times(seconds=15), steps=[(100, "in_progress"), (115, {"2": "in_progress"}), (150, None)])
@case(times(seconds=30), steps=[(100, "in_progress"), (130, {}), (190, None)])
@case(
    times(seconds=10),
    steps=[(100, "in_progress"), (110, "pending"), (150, {}), (190, None)],
    hint="Only a task that is in progress has a stretch that the drop ends.",
)
@case(
    times(started=100, completed=None),
    steps=[(100, "in_progress"), (130, {})],
    hint="A dropped task is not completed: it keeps what it had.",
)
@case(
    times(started=100, completed=110, seconds=10),
    steps=[(100, "in_progress"), (110, "completed"), (150, {}), (190, None)],
    hint="A dropped task keeps what it had.",
)
def dropped(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add("Pauses and drops: never started, a task has started None, completed None and 0 seconds")
@why("A summary that leaves tasks out hides what is still to be done.")
@hint("Make an entry for each task when you first see it, and keep it when the task is dropped.")
@case(times(started=None, completed=None, seconds=0), steps=[(100, "pending"), (130, None)])
@case(times(started=None, completed=None, seconds=0), steps=[(100, "pending"), (130, {})])
def never_started(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add("Pauses and drops: completed straight away, a task has no start and 0 seconds")
@why("It happens when the model finds that something is done already.")
@hint("What was never in progress has no start: do not make one up.")
@case(times(started=None, completed=120, seconds=0), steps=[(100, "pending"), (120, "completed")])
@case(times(started=None, completed=100, seconds=0), steps=[(100, "completed"), (150, None)])
def straight(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add("Pauses and drops: a refused update counts for nothing, and the list stays as it was")
@why("The list stays as it was, so nothing has been started or completed.")
@hint("Call `super().update(items)` first: when it raises, the lines after it do not run.")
@case({"1": 20}, sent={"1": "completed", "2": "done"})
@case({"1": 20}, sent={"2": "done"})
@case({"1": 20}, sent={"1": "completed", "2": "in_progress", "3": "in_progress"})
def refused(TimedTodo, sent):
    summary = play(TimedTodo, [(100, "in_progress"), (110, sent), (120, None)])
    return {id: task["seconds"] for id, task in summary["tasks"].items()}


@refused.also
@case(["in_progress"])
def refused_and_the_list(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    with suppress(ValueError):  # refused, as it should be
        todo.update([{"id": "1", "text": "Add tests", "status": "done"}])
    return [item["status"] for item in todo.items]


@RULES.add("All through: it reads the items as TodoManager keeps them, with an id and a status")
@why("Models leave out ids, or write 'In_Progress '. TodoManager puts that right.")
@hint("Look at `self.items` after the update instead of at what was passed in.")
@case(times(seconds=30), items=[{"text": "Add tests", "status": "in_progress"}, {"text": "Docs"}])
@case(times(seconds=30), items=[{"id": 1, "text": "Add tests", "status": " In_Progress "}])
def clean(TimedTodo, items):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update(items)
    clock.now = 130
    return todo.summary()["tasks"]["1"]


@RULES.add("All through: all else stays as in TodoManager: what it refuses, accepts and shows")
@why("You add times; the rules that keep a model on its course stay.")
@hint("Let `super().update(items)` do the checking, and let its ValueError pass through.")
@case(refusal(), items=[{"text": t, "status": "in_progress"} for t in ("Fix", "Test")])
@case(refusal(), items=[{"text": "Add tests", "status": "done"}])
@case(refusal(), items=[{"text": f"Task {n}"} for n in range(21)])
@case(says("Task 19"), items=[{"text": f"Task {n}"} for n in range(20)], hint="20 are allowed.")
@case(THE_LIST, items='[{"text": "Add tests"}]', hint="Some models send the list as JSON text.")
def old_rules(TimedTodo, items):
    return TimedTodo(clock=Clock(100)).update(items)


@old_rules.also
@case(
    "True: the items and the text are those of a TodoManager",
    lambda came: came is True,
    hint="Keep the times beside the items, not in them, and the items in their order.",
)
def old_items(TimedTodo):
    plain, todo = TodoManager(), TimedTodo(clock=Clock(100))
    if "priority" in todo.fields:
        plain.fields = todo.fields
    given = [{"text": "Docs"}, {"text": "Test", "status": "in_progress", "activeForm": "Testing"}]
    given.append({"text": "Fix", "status": "completed"})
    same_text = todo.update(given) == plain.update(given)
    return todo.items == plain.items and (same_text or "priority" in todo.fields)


@old_rules.also
@case((["text"], "todo"), hint="Do not change the items that you are given, or the tool.")
def old_input(TimedTodo):
    given = {"text": "Add tests"}
    TimedTodo(clock=Clock(100)).update([given])
    return list(given), TimedTodo().tool().name


@RULES.add("All through: 0 is a time like any other")
@why("A clock that is set by hand begins at 0, and `if started:` takes 0 for nothing.")
@hint("Ask `is None` where you want to know whether there is a time.")
@case(times(started=0, seconds=20, session=20), steps=[(0, "in_progress"), (20, "completed")])
@case(
    times(started=0, seconds=40, session=50),
    steps=[(0, "in_progress"), (10, "pending"), (20, "in_progress"), (50, None)],
)
@case(times(completed=0, session=30), steps=[(0, "completed"), (30, "completed")])
def zero(TimedTodo, steps):
    summary = play(TimedTodo, steps)
    return {**summary["tasks"]["1"], "session": summary["session"]}


def given_init(self, clock=time.monotonic):  # what the bare cell has already
    super().__init__()  # type: ignore[misc]  # only compared, never called
    self.clock = clock


TIMED = Subject(
    "TimedTodo",
    RULES,
    "That was the hardest one.",
    Further(
        "Why is the clock passed in, and not read with `time.monotonic()` where a time is needed?",
        "With a clock that can be set, every case above comes out the same each time, and none has "
        "to wait. Another way, and what it costs: sums noted at each update make summary() short, "
        "but every question has to be foreseen; a log can answer one that nobody has asked yet.",
    ),
    given=given_init,
    core=("summary", "update"),
)


def check_timed(TimedTodo: Any = None, **settings: Any) -> Result:
    """How far a `TimedTodo` is: give it the class. `settings` are those of check.examine."""
    return check(TIMED, {"TimedTodo": TimedTodo}, **settings)
