"""Stretch: a todo list that knows how long each task took, in three stages."""

import time
from collections.abc import Mapping
from typing import Any

from ..todo import TodoManager
from .checking.check import Subject, check
from .checking.expected import Expected, explain_number, is_number, refusal, says, seconds, times
from .checking.fixtures import Clock
from .checking.result import Further, Result, Way
from .checking.rule import Rules, case
from .ways import TimedByStatus

RULES = Rules()
THE_LIST = says("Add tests", what="the rendered list, with Add tests in it")
FIRST = "The first start counts: set it only while it is None, and keep it through a pause."
PAUSE = (
    "A task that goes from in_progress to pending is paused, not completed. It is completed "
    "when its status becomes that, whatever it was before."
)
DROP = "A dropped task is not completed: it keeps what it had."
STRAIGHT = "What was never in progress has no start; do not make one up."


def says_id(id: str) -> Expected:
    """A list of ids with this one in it."""
    return Expected(f"['{id}']", lambda came: id in came)


NEVER = times(started=None, completed=None, seconds=0)


@RULES.add(
    "When: it is made with TimedTodo(clock=clock) or TimedTodo(), and update returns the list",
    why="What update returns is the tool's result: without it the model cannot see its own plan.",
    hint="Keep the `__init__` that is given, and let your `update` return what "
    "`super().update(items)` returns.",
)
@case(says("No todos."), items=[])
@case(THE_LIST, items=[{"id": "1", "text": "Add tests", "status": "pending"}])
def still_a_list(TimedTodo, items):
    todo = TimedTodo(clock=Clock(100))
    return todo.update(items)


@still_a_list.also
@case(THE_LIST, hint="The model's list comes through the tool: does that run your `update`?")
def still_a_tool(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    return todo.tool().run(items=[{"id": "1", "text": "Add tests", "status": "pending"}])


@still_a_list.also
@case(says("No todos."), hint="Does your `__init__` call `super().__init__()`?")
def still_made_empty(TimedTodo):
    return TimedTodo(clock=Clock(100)).render()


@still_a_list.also
@case(THE_LIST, hint="Without a clock of yours it takes one by itself: `clock=time.monotonic`.")
def still_without_a_clock(TimedTodo):
    todo = TimedTodo()
    return todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])


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
@case(says_id("1"), id="1")
@case(says_id("a"), id="a")
def shape_ids(TimedTodo, id):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"id": id, "text": "Add tests", "status": "in_progress"}])
    return list(todo.summary()["tasks"])


@shape.also
@case(
    Expected(
        "['completed', 'seconds', 'started']",
        lambda came: {"completed", "seconds", "started"} <= set(came),
    )
)
def shape_of_a_task(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    return sorted(todo.summary()["tasks"]["1"].keys())


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
@case(times(started=100, completed=130), steps=[(100, "in_progress"), (130, "completed")])
@case(times(started=120, completed=None), steps=[(100, "pending"), (120, "in_progress")])
def when(TimedTodo, steps):
    clock = Clock()
    todo = TimedTodo(clock=clock)
    for clock.now, status in steps:
        todo.update([{"id": "1", "text": "Add tests", "status": status}])
    clock.now = 500
    return todo.summary()["tasks"]["1"]


@RULES.add(
    "How long: a task's seconds are those from in_progress to completed",
    why="That is what you want to learn from it: what took how long.",
    hint="When a task leaves in_progress, add the time since it came there. What is completed does "
    "not grow any more.",
)
@case(times(seconds=30), steps=[(100, "in_progress"), (130, "completed")])
@case(times(seconds=0.5), steps=[(100, "in_progress"), (100.5, "completed")])
@case(times(seconds=45), steps=[(100, "pending"), (130, "in_progress"), (175, "completed")])
def took(TimedTodo, steps):
    clock = Clock()
    todo = TimedTodo(clock=clock)
    for clock.now, status in steps:
        todo.update([{"id": "1", "text": "Add tests", "status": status}])
    clock.now = 500
    return todo.summary()["tasks"]["1"]


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
    times(started=100, completed=None, seconds=400),
    steps=[(100, "in_progress"), (120, "in_progress")],
)
@case(
    times(started=100, completed=130, seconds=30),
    steps=[(100, "in_progress"), (130, "completed"), (150, "completed")],
    hint="Here the task was completed before: a completion is only where the status was another "
    "one.",
)
def goes_on(TimedTodo, steps):
    clock = Clock()
    todo = TimedTodo(clock=clock)
    for clock.now, status in steps:
        todo.update([{"id": "1", "text": "Add tests", "status": status}])
    clock.now = 500
    return todo.summary()["tasks"]["1"]


@RULES.add(
    "How long: the session runs from the first accepted update up to now",
    why="It contains the time between tasks, too: the difference tells how much was not planned.",
    hint="Note the time of the first accepted update, and subtract it from `self.clock()` when "
    "summary() is asked.",
)
@case(seconds(60), steps=[(100, ["pending"]), (110, ["in_progress"]), (130, ["completed"])])
@case(seconds(20), steps=[(140, ["in_progress"]), (150, ["completed"])])
@case(seconds(60), steps=[(100, []), (140, ["in_progress"])])
@case(seconds(60), steps=[(100, ["in_progress"]), (120, []), (150, ["in_progress"])])
def session(TimedTodo, steps):
    clock = Clock()
    todo = TimedTodo(clock=clock)
    for clock.now, statuses in steps:
        todo.update([{"id": "1", "text": "Add tests", "status": status} for status in statuses])
        todo.summary()
    clock.now = 160
    return todo.summary()["session"]


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
    time.sleep(0.05)
    return todo.summary()["session"]


@RULES.add(
    "How long: before the first update, the session is 0 and there are no tasks",
    why="One may ask at any time, also too early.",
    hint="What does summary() do when nothing has been noted yet?",
)
@case((0, 0))
def before(TimedTodo):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    clock.now = 130
    summary = todo.summary()
    return summary["session"], len(summary["tasks"])


@RULES.add(
    "Pauses and drops: paused and taken up again, a task counts only while it is in progress",
    why="Agents go back to what they have set aside. The time between belongs to other work.",
    hint="Keep a sum for each task, and add each stretch in progress to it.",
)
@case(
    times({"started": FIRST, "completed": PAUSE}, started=100, completed=None, seconds=10),
    steps=[(100, "in_progress"), (110, "pending")],
)
@case(
    times({"started": FIRST, "completed": PAUSE}, started=100, completed=None, seconds=60),
    steps=[(100, "in_progress"), (110, "pending"), (150, "in_progress")],
)
@case(
    times({"started": FIRST, "completed": PAUSE}, started=100, completed=170, seconds=30),
    steps=[(100, "in_progress"), (110, "pending"), (150, "in_progress"), (170, "completed")],
)
@case(
    times({"started": FIRST, "completed": PAUSE}, started=100, completed=150, seconds=10),
    steps=[(100, "in_progress"), (110, "pending"), (150, "completed")],
)
def paused(TimedTodo, steps):
    clock = Clock()
    todo = TimedTodo(clock=clock)
    for clock.now, status in steps:
        todo.update([{"id": "1", "text": "Add tests", "status": status}])
    clock.now = 200
    return todo.summary()["tasks"]["1"]


@RULES.add(
    "Pauses and drops: a task is known by its id; with a new text, or at another place, it is the "
    "same",
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
    "Pauses and drops: a task that is no longer on the list keeps its time, which ends when it "
    "was dropped",
    why="Work that was given up took time as well, and that should be seen.",
    hint="After an update, look also for tasks that you know and that are not in `self.items` any "
    "more.",
)
@case(
    times({"completed": DROP, "started": DROP}, started=100, completed=None, seconds=15),
    steps=[(100, "in_progress")],
)
@case(
    times({"completed": DROP, "seconds": DROP}, started=100, completed=110, seconds=10),
    steps=[(100, "in_progress"), (110, "completed")],
)
@case(
    times({"completed": DROP, "seconds": DROP}, started=100, completed=None, seconds=10),
    steps=[(100, "in_progress"), (110, "pending")],
    hint="Only a task that is in progress has a stretch that the drop ends.",
)
def dropped(TimedTodo, steps):
    clock = Clock()
    todo = TimedTodo(clock=clock)
    for clock.now, status in steps:
        todo.update([{"id": "1", "text": "Add tests", "status": status}])
    clock.now = 115
    todo.update([{"id": "2", "text": "Write the docs", "status": "in_progress"}])
    clock.now = 150
    return todo.summary()["tasks"]["1"]


@dropped.also
@case(
    times({"completed": DROP}, started=100, completed=None, seconds=30),
    hint="An empty list drops every task.",
)
def dropped_by_an_empty_list(TimedTodo):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    clock.now = 130
    todo.update([])
    clock.now = 190
    return todo.summary()["tasks"]["1"]


@RULES.add(
    "Pauses and drops: never started, a task has started None, completed None and 0 seconds",
    why="A summary that leaves tasks out hides what is still to be done.",
    hint="Make an entry for each task when you first see it, and keep it when the task is dropped.",
)
@case(NEVER, later=[{"id": "2", "text": "Docs", "status": "pending"}])
@case(NEVER, later=[{"id": "1", "text": "Test", "status": "completed"}])
def never_started(TimedTodo, later):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    test = {"id": "1", "text": "Test", "status": "in_progress"}
    todo.update([test, {"id": "2", "text": "Docs", "status": "pending"}])
    clock.now = 130
    todo.update(later)
    return todo.summary()["tasks"]["2"]


@RULES.add(
    "Pauses and drops: completed straight away, a task has no start and 0 seconds",
    why="It happens when the model finds that something is done already.",
    hint="Look at a task that was never in progress: what do you note for it, and when?",
)
@case(
    times({"started": STRAIGHT}, started=None, completed=120, seconds=0),
    steps=[(100, "pending"), (120, "completed")],
)
@case(
    times({"started": STRAIGHT}, started=None, completed=100, seconds=0),
    steps=[(100, "completed")],
)
def straight(TimedTodo, steps):
    clock = Clock()
    todo = TimedTodo(clock=clock)
    for clock.now, status in steps:
        todo.update([{"id": "1", "text": "Add tests", "status": status}])
    clock.now = 150
    return todo.summary()["tasks"]["1"]


@RULES.add(
    "Pauses and drops: a refused update counts for nothing, and the list stays as it was",
    why="The list stays as it was, so nothing has been started or completed.",
    hint="Call `super().update(items)` first: when it raises, the lines after it do not run.",
)
@case(
    {"1": 20},
    items=[{"id": "1", "text": "Test", "status": "completed"}, {"id": "2", "text": " "}],
)
@case({"1": 20}, items=[{"id": "2", "text": "Write the docs", "status": "done"}])
@case({"1": 20}, items=[{"id": "1", "text": "Test", "status": "pending"}, 3])
def refused(TimedTodo, items):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    clock.now = 110
    try:
        todo.update(items)
    except Exception:
        pass  # refused, as it should be
    clock.now = 120
    return {id: task["seconds"] for id, task in todo.summary()["tasks"].items()}


@refused.also
@case(["in_progress"])
def refused_and_the_list(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    try:
        todo.update([{"id": "1", "text": "Add tests", "status": "done"}])
    except Exception:
        pass  # refused, as it should be
    return [item["status"] for item in todo.items]


@refused.also
@case(seconds(10), hint="The session begins with the first update that was accepted.")
def refused_at_first(TimedTodo):
    clock = Clock(100)
    todo = TimedTodo(clock=clock)
    try:
        todo.update([{"id": "1", "text": "Add tests", "status": "done"}])
    except Exception:
        pass  # refused, as it should be
    clock.now = 140
    todo.update([{"id": "1", "text": "Add tests", "status": "pending"}])
    clock.now = 150
    return todo.summary()["session"]


@RULES.add(
    "All through: it reads the items as TodoManager keeps them: with an id and a status, also "
    "where the model left them out",
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
    "All through: all else stays as in TodoManager: what it refuses, what it accepts, and the "
    "order",
    why="You add times; the rules that keep a model on its course stay.",
    hint="Let `super().update(items)` do the checking, and let its ValueError pass through.",
)
@case(refusal(), items=[{"text": t, "status": "in_progress"} for t in ("Fix", "Test")])
@case(refusal(), items=[{"text": "Add tests", "status": "done"}])
@case(refusal(), items=[{"text": f"Task {n}"} for n in range(21)])
def old_rules(TimedTodo, items):
    todo = TimedTodo(clock=Clock(100))
    return todo.update(items)


@old_rules.also
@case(20, hint="20 tasks are allowed, 21 are not.")
def old_limit(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"text": f"Task {n}", "status": "pending"} for n in range(20)])
    return len(todo.items)


@old_rules.also
@case(1, hint="Some models send the list as JSON text. `super().update(items)` reads it.")
def old_json(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update('[{"text": "Add tests", "status": "in_progress"}]')
    return len(todo.summary()["tasks"])


@old_rules.also
@case(
    [("1", "Write the docs", "pending"), ("2", "Fix", "completed"), ("3", "Test", "in_progress")],
    hint="The items and their order are the model's plan: `sorted(…)` makes a new list, and "
    "leaves `self.items` as it is.",
)
def old_items(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    docs, fix = {"text": "Write the docs"}, {"text": "Fix", "status": "completed"}
    todo.update([docs, fix, {"text": "Test", "status": "in_progress", "activeForm": "Testing"}])
    return [(item["id"], item["text"], item["status"]) for item in todo.items]


@old_rules.also
@case(
    [],
    hint="Keep the times beside the items, not in them: what stands in an item is the model's, "
    "and is shown to it.",
)
def old_fields(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    todo.update([{"text": "Test", "status": "in_progress", "activeForm": "Testing"}])
    return sorted(set(todo.items[0]) - {"id", "text", "status", "activeForm", "priority"})


@old_rules.also
@case(
    says(
        "[ ] #1: Write",
        "[>] #2: Test",
        "<- Testing…",
        "(0/2 completed)",
        never=["started", "seconds", "session", "100"],
        what="the list as TodoManager renders it, without times",
    ),
    hint="The rendered list is for the model; the times are for whoever asks `summary()`.",
)
def old_text(TimedTodo):
    todo = TimedTodo(clock=Clock(100))
    write = {"text": "Write", "status": "pending"}
    return todo.update([write, {"text": "Test", "status": "in_progress", "activeForm": "Testing"}])


@old_rules.also
@case(
    [{"text": "Add tests", "status": "pending"}],
    hint="What you were given is the model's: change a copy, `{**item, …}`.",
)
def old_input(TimedTodo):
    given = [{"text": "Add tests", "status": "pending"}]
    TimedTodo(clock=Clock(100)).update(given)
    return given


@old_rules.also
@case(("todo", ["activeForm", "id", "status", "text"], []))
def old_tool(TimedTodo):
    from agentlib.exercises import changes

    tool = TimedTodo(clock=Clock(100)).tool()
    item = tool.input_schema["properties"]["items"]["items"]
    names = sorted(set(item["properties"]) - {"priority"})
    return tool.name, names, changes(TodoManager)


@RULES.add(
    "All through: 0 is a time like any other",
    why="A clock that is set by hand begins at 0, and `if started:` takes 0 for nothing.",
    hint="Ask `is None` where you want to know whether there is a time.",
)
@case(times(started=0, completed=None, seconds=50), steps=[(0, "in_progress")])
@case(times(started=0, completed=20, seconds=20), steps=[(0, "in_progress"), (20, "completed")])
@case(
    times(started=0, completed=None, seconds=40),
    steps=[(0, "in_progress"), (10, "pending"), (20, "in_progress")],
)
@case(times(started=None, completed=0), steps=[(0, "completed"), (30, "completed")])
def zero(TimedTodo, steps):
    clock = Clock()
    todo = TimedTodo(clock=clock)
    for clock.now, status in steps:
        todo.update([{"id": "1", "text": "Add tests", "status": status}])
    clock.now = 50
    return todo.summary()["tasks"]["1"]


@zero.also
@case(seconds(50))
def zero_session(TimedTodo):
    clock = Clock()
    todo = TimedTodo(clock=clock)
    todo.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])
    clock.now = 20
    todo.update([{"id": "1", "text": "Add tests", "status": "completed"}])
    clock.now = 50
    return todo.summary()["session"]


def given_init(self, clock=time.monotonic):  # what the bare cell has already
    super().__init__()
    self.clock = clock


FURTHER = Further(
    "Why is the clock passed in, and not read with `time.monotonic()` where a time is needed?",
    "With a clock that can be set, every case above is a test of a few lines that comes out the "
    "same each time, and none of them has to wait.",
    (
        Way(
            "noting what changed at each update",
            TimedByStatus,
            "summary() has little to do, and nothing grows with the number of updates. But every "
            "question has to be foreseen: a log can answer one tomorrow that nobody asked today.",
        ),
    ),
)
TIMED = Subject(
    "TimedTodo",
    RULES,
    "That was the hardest one.",
    FURTHER,
    given=given_init,
    core=("summary", "update"),
    parent=TodoManager,
)


def check_timed(TimedTodo: Any = None, **settings: Any) -> Result:
    """How far a `TimedTodo` is: give it the class. `settings` are those of check.examine."""
    return check(TIMED, {"TimedTodo": TimedTodo}, **settings)
