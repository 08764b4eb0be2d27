"""Stretch: a todo list that knows how long each task took, in three stages."""

import time
from collections.abc import Mapping
from typing import Any

from ..todo import TodoManager
from .checking.check import Subject, check
from .checking.expected import Expected, explain_number, is_number, refusal, says, seconds, times
from .checking.fixtures import Clock, play
from .checking.parents import changes
from .checking.result import Further, Result
from .checking.rule import Rules, case

RULES = Rules()
THE_LIST = says("Add tests", what="the rendered list, with Add tests in it")
FIRST = "The first start counts: set it only while it is None, and keep it through a pause."
PAUSED = {
    "started": FIRST,
    "completed": "A task that goes from in_progress to pending is paused, not completed. It is "
    "completed when its status becomes that, whatever it was before.",
}
DROPPED = dict.fromkeys(
    ("started", "completed"), "A dropped task is not completed: it keeps what it had."
)


@RULES.add(
    "When: it is made with TimedTodo(clock=clock) or TimedTodo(), and update returns the list",
    why="What update returns is the tool's result: without it the model cannot see its own plan.",
    hint="Keep the `__init__` that is given, and let your `update` return what "
    "`super().update(items)` returns.",
)
@case(says("No todos."), items=[])
@case(THE_LIST, items=[{"id": "1", "text": "Add tests", "status": "pending"}])
def still_a_list(TimedTodo, items):
    TimedTodo().update(items)
    todo = TimedTodo(clock=Clock(100))
    todo.render()
    return todo.tool().run(items=items)


@RULES.add(
    'When: summary() returns a dict with "session" and "tasks"',
    why="Whoever asks wants to calculate with the times, so they are numbers in dicts, not a text.",
    hint=(
        'Return {"session": …, "tasks": {…}}: under "tasks" one entry for each id, and each has '
        '"started", "completed" and "seconds".',
        "The id is the text that stands in `self.items`.",
    ),
)
@case(
    Expected(
        'a dict with "session" and "tasks"',
        lambda came: isinstance(came, Mapping) and {"session", "tasks"} <= set(came),
    )
)
def shape(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    return todo.summary()


@shape.also
@case(times(completed=None), id="1")
@case(times(completed=None), id="a")
def shape_of_a_task(TimedTodo, id):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"id": id, "text": "Add tests", "status": "in_progress"}])
    return todo.summary()["tasks"][id]


@shape.also
@case(Expected("a number of seconds", is_number, explain_number))
def shape_of_the_session(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    return todo.summary()["session"]


@RULES.add(
    "When: each list has times of its own",
    why="Two agents work at two lists, and both have a task with the id 1.",
    hint="What is written in the class body, or as a default (`log=[]`), is shared by all lists. "
    "Make it inside `__init__`.",
)
@case(False)
def own_times(TimedTodo):
    clock = Clock(100)
    one, other = TimedTodo(clock=clock), TimedTodo(clock=clock)
    one.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    other.update([{"id": "2", "text": "Write the docs", "status": "in_progress"}])
    return "1" in other.summary()["tasks"]


@RULES.add(
    "When: it notes when a task was started, and when it was completed, by the clock it was given",
    why="With a clock that you can set, a test needs no waiting and comes out the same each time. "
    "Every time you note is a reading of it: `self.clock()`.",
    hint="After an accepted update, compare each item's status with the one it had before. When it "
    "has changed, note `self.clock()`.",
)
@case(
    times(started=100, completed=130), steps=[(100, "in_progress"), (130, "completed"), (500, None)]
)
@case(
    times(started=120, completed=None), steps=[(100, "pending"), (120, "in_progress"), (150, None)]
)
def when(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add(
    "How long: a task's seconds are those from in_progress to completed",
    why="That is what you want to learn from it: what took how long.",
    hint="When a task leaves in_progress, add the time since it came there. What is completed does "
    "not grow any more.",
)
@case(times(seconds=30), steps=[(100, "in_progress"), (130, "completed"), (500, None)])
@case(times(seconds=0.5), steps=[(100, "in_progress"), (100.5, "completed"), (200, None)])
@case(
    times(seconds=45),
    steps=[
        (100, {"1": "pending", "2": "in_progress"}),
        (130, {"1": "in_progress", "2": "completed"}),
        (175, {"1": "completed", "2": "completed"}),
    ],
)
def took(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add(
    "How long: a task in progress counts up to now, however often you ask",
    why="You look at the times while the agent works. Looking must not stop the watch.",
    hint="In summary(), add the time from the last start to `self.clock()`, without storing it.",
)
@case(times(started=100, completed=None, seconds=45), asked=[145])
@case(times(started=100, completed=None, seconds=60), asked=[145, 160])
def so_far(TimedTodo, asked):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    for clock.now in asked:
        summary = todo.summary()
    return summary["tasks"]["1"]


@so_far.also
@case(times(started=100, completed=160, seconds=60))
def so_far_and_completed(TimedTodo):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    clock.now = 145
    todo.summary()
    clock.now = 160
    todo.update([{"id": "1", "text": "Add tests", "status": "completed"}])
    return todo.summary()["tasks"]["1"]


@RULES.add(
    "How long: an update that leaves a task as it was does not start or complete it again",
    why="The model sends its whole list each time, so most tasks come again as they were.",
    hint="A start is only where the status was another one before; and so is a completion.",
)
@case(
    times(started=100, completed=140, seconds=40),
    steps=[(100, "in_progress"), (120, "in_progress"), (140, "completed")],
)
@case(
    times(started=100, completed=None, seconds=50),
    steps=[(100, "in_progress"), (120, "in_progress"), (150, None)],
)
@case(
    times(started=100, completed=130, seconds=30),
    steps=[(100, "in_progress"), (130, "completed"), (150, "completed")],
    hint="Here the task was completed before: a completion is only where the status was another "
    "one.",
)
def goes_on(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add(
    "How long: the session runs from the first accepted update up to now",
    why="It contains the time between tasks, too: the difference tells how much was not planned.",
    hint="Note the time of the first accepted update, and subtract it from `self.clock()` when "
    "summary() is asked.",
)
@case(seconds(60), steps=[(100, "pending"), (130, "in_progress"), (140, "completed"), (160, None)])
@case(seconds(20), steps=[(100, None), (140, "in_progress"), (160, None)])
@case(seconds(60), steps=[(100, {}), (140, "in_progress"), (160, None)])
@case(seconds(60), steps=[(100, "in_progress"), (120, {}), (150, {"2": "pending"}), (160, None)])
@case(
    seconds(10),
    steps=[(100, "done"), (140, "pending"), (150, None)],
    hint="The session begins with the first update that was accepted.",
)
def session(TimedTodo, steps):
    return play(TimedTodo, steps)["session"]


@session.also
@case(
    Expected(
        "a little more than 0: without a clock of yours, it goes by a real one, in seconds",
        lambda came: is_number(came) and 0.04 < came < 5,
    )
)
def session_by_a_real_clock(TimedTodo):
    import time

    todo = TimedTodo()
    todo.update([{"id": "1", "text": "Add tests", "status": "pending"}])
    todo.summary()
    time.sleep(0.05)
    return todo.summary()["session"]


@RULES.add(
    "How long: before the first update, the session is 0 and there are no tasks",
    why="One may ask at any time, also too early.",
    hint="What does summary() do when nothing has been noted yet?",
)
@case((0, 0), steps=[(100, None), (130, None)])
def before(TimedTodo, steps):
    summary = play(TimedTodo, steps)
    return summary["session"], len(summary["tasks"])


@RULES.add(
    "Pauses and drops: paused and taken up again, a task counts only while it is in progress",
    why="Agents go back to what they have set aside. The time between belongs to other work.",
    hint="Keep a sum for each task, and add each stretch in progress to it.",
)
@case(
    times(PAUSED, started=100, completed=None, seconds=10),
    steps=[(100, "in_progress"), (110, "pending"), (130, None)],
)
@case(
    times(PAUSED, started=100, completed=150, seconds=10),
    steps=[(100, "in_progress"), (110, "pending"), (150, "completed")],
)
@case(
    times(PAUSED, started=100, completed=170, seconds=30),
    steps=[
        (100, {"1": "in_progress", "2": "pending"}),
        (110, {"1": "pending", "2": "in_progress"}),
        (150, {"1": "in_progress", "2": "completed"}),
        (170, {"1": "completed", "2": "completed"}),
        (200, None),
    ],
)
def paused(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add(
    "Pauses and drops: a task is known by its id; reworded, or at another place, it is the same",
    why="Models reword a task when they know more about it, and move it. It is still the same "
    "work.",
    hint="Know a task by its id, not by its text and not by its place in the list.",
)
@case(times(started=100, completed=150, seconds=50), text="Add more tests")
@case(times(started=100, completed=150, seconds=50), text="Add tests")
def renamed(TimedTodo, text):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    docs = {"id": "2", "text": "Write the docs", "status": "pending"}
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}, docs])
    clock.now = 120
    todo.update([docs, {"id": "1", "text": text, "status": "in_progress"}])
    clock.now = 150
    todo.update([docs, {"id": "1", "text": text, "status": "completed"}])
    return todo.summary()["tasks"]["1"]


@RULES.add(
    "Pauses and drops: a task that is no longer on the list keeps its time, which ends there",
    why="Work that was given up took time as well, and that should be seen.",
    hint="After an update, look also for tasks that you know and that are not in `self.items` any "
    "more.",
)
@case(
    times(DROPPED, started=100, completed=None, seconds=15),
    steps=[(100, "in_progress"), (115, {"2": "in_progress"}), (150, None)],
)
@case(
    times(DROPPED, started=100, completed=None, seconds=30),
    steps=[(100, "in_progress"), (130, {}), (190, None)],
)
@case(
    times(DROPPED, started=100, completed=110, seconds=10),
    steps=[(100, "in_progress"), (110, "completed"), (150, {}), (190, None)],
)
@case(
    times(DROPPED, started=100, completed=None, seconds=10),
    steps=[(100, "in_progress"), (110, "pending"), (150, {}), (190, None)],
    hint="Only a task that is in progress has a stretch that the drop ends.",
)
def dropped(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add(
    "Pauses and drops: never started, a task has started None, completed None and 0 seconds",
    why="A summary that leaves tasks out hides what is still to be done.",
    hint="Make an entry for each task when you first see it, and keep it when the task is dropped.",
)
@case(
    times(started=None, completed=None, seconds=0),
    steps=[(100, {"1": "pending", "2": "in_progress"}), (130, {"2": "completed"})],
)
@case(
    times(started=None, completed=None, seconds=0),
    steps=[(100, {"1": "pending", "2": "in_progress"}), (130, None)],
)
def never_started(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add(
    "Pauses and drops: completed straight away, a task has no start and 0 seconds",
    why="It happens when the model finds that something is done already.",
    hint="What was never in progress has no start: do not make one up.",
)
@case(
    times(started=None, completed=120, seconds=0),
    steps=[(100, "pending"), (120, "completed"), (150, None)],
)
@case(times(started=None, completed=100, seconds=0), steps=[(100, "completed"), (150, None)])
def straight(TimedTodo, steps):
    return play(TimedTodo, steps)["tasks"]["1"]


@RULES.add(
    "Pauses and drops: a refused update counts for nothing, and the list stays as it was",
    why="The list stays as it was, so nothing has been started or completed.",
    hint="Call `super().update(items)` first: when it raises, the lines after it do not run.",
)
@case({"1": 20}, steps=[(100, "in_progress"), (110, {"1": "completed", "2": "done"}), (120, None)])
@case({"1": 20}, steps=[(100, "in_progress"), (110, {"2": "done"}), (120, None)])
@case(
    {"1": 20, "2": 0},
    steps=[
        (100, {"1": "in_progress", "2": "pending"}),
        (110, {"1": "in_progress", "2": "in_progress"}),
        (120, None),
    ],
)
def refused(TimedTodo, steps):
    return {id: task["seconds"] for id, task in play(TimedTodo, steps)["tasks"].items()}


@refused.also
@case(["in_progress"])
def refused_and_the_list(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    try:
        todo.update([{"id": "1", "text": "Add tests", "status": "done"}])
    except ValueError:
        pass  # refused, as it should be
    return [item["status"] for item in todo.items]


@RULES.add(
    "All through: it reads the items as TodoManager keeps them, with an id and a status",
    why="Models leave out ids, or write 'In_Progress '. TodoManager has put that right in "
    "`self.items`.",
    hint="Look at `self.items` after the update instead of at what was passed in.",
)
@case(times(seconds=30), items=[{"text": "Add tests", "status": "in_progress"}, {"text": "Docs"}])
@case(times(seconds=30), items=[{"id": 1, "text": "Add tests", "status": " In_Progress "}])
def clean(TimedTodo, items):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update(items)
    clock.now = 130
    return todo.summary()["tasks"]["1"]


@RULES.add(
    "All through: all else stays as in TodoManager: what it refuses, accepts and shows",
    why="You add times; the rules that keep a model on its course stay.",
    hint="Let `super().update(items)` do the checking, and let its ValueError pass through.",
)
@case(refusal(), items=[{"text": t, "status": "in_progress"} for t in ("Fix", "Test")])
@case(refusal(), items=[{"text": "Add tests", "status": "done"}])
@case(refusal(), items=[{"text": f"Task {n}"} for n in range(21)])
@case(says("Task 19"), items=[{"text": f"Task {n}"} for n in range(20)], hint="20 are allowed.")
@case(
    THE_LIST,
    items='[{"text": "Add tests"}]',
    hint="Some models send the list as JSON text. `super().update(items)` reads it.",
)
def old_rules(TimedTodo, items):
    todo = TimedTodo(clock=Clock(100))
    return todo.update(items)


@old_rules.also
@case(
    Expected("True: the items and the text are those of a TodoManager", lambda came: came is True),
    hint=(
        "The order is the model's plan: `sorted(…)` makes a new list, and leaves `self.items` as "
        "it is. And leave alone what you were given.",
        "Keep the times beside the items, not in them: what stands in an item is shown to the "
        "model.",
    ),
)
def old_items(TimedTodo):
    given = [
        {"text": "Write the docs"},
        {"text": "Fix", "status": "completed"},
        {"text": "Test", "status": "in_progress", "activeForm": "Testing"},
    ]
    plain, todo = TodoManager(), TimedTodo(clock=Clock(100))
    if "priority" in todo.fields:
        plain.fields = todo.fields
    same_text = todo.update(given) == plain.update(given)
    return todo.items == plain.items and (same_text or "priority" in todo.fields)


@old_rules.also
@case((["text"], "todo", []))
def old_input(TimedTodo):
    given = {"text": "Add tests"}
    TimedTodo(clock=Clock(100)).update([given])
    return list(given), TimedTodo().tool().name, changes(TodoManager)


@RULES.add(
    "All through: 0 is a time like any other",
    why="A clock that is set by hand begins at 0, and `if started:` takes 0 for nothing.",
    hint="Ask `is None` where you want to know whether there is a time.",
)
@case(
    times(started=0, completed=20, seconds=20, session=50),
    steps=[(0, "in_progress"), (20, "completed"), (50, None)],
)
@case(
    times(started=0, completed=None, seconds=40, session=50),
    steps=[(0, "in_progress"), (10, "pending"), (20, "in_progress"), (50, None)],
)
@case(
    times(started=None, completed=0, session=50),
    steps=[(0, "completed"), (30, "completed"), (50, None)],
)
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
        "With a clock that can be set, every case above is a test of a few lines that comes out "
        "the same each time, and none of them has to wait. Another way, and what it costs: noting "
        "sums at each update makes summary() short, but every question has to be foreseen; a log "
        "can answer one tomorrow that nobody asked today.",
    ),
    given=given_init,
    core=("summary", "update"),
    parent=TodoManager,
)


def check_timed(TimedTodo: Any = None, **settings: Any) -> Result:
    """How far a `TimedTodo` is: give it the class. `settings` are those of check.examine."""
    return check(TIMED, {"TimedTodo": TimedTodo}, **settings)
