"""Stretch: a todo list that knows how long each task took."""

from collections.abc import Mapping
from typing import Any

from ..todo import TodoManager
from .checking.blank import not_begun
from .checking.fixtures import Clock
from .checking.result import Result, check
from .checking.rule import Case, Expected, Rule, equal, number, refused, says, seconds
from .priority import mend

NEVER = equal(None)


def story(*lines: str, asks: str) -> str:
    """Code that tells how a list changed, and what to ask at the end.

    A line is "100 in_progress Add tests" (a time, then status and text of tasks with the ids 1,
    2, …, divided by commas), "105 ! …" (the same, refused), "110 []" (no tasks), or "120" (time
    goes by). At the first line's time the list is made.
    """
    code: list[str] = []
    for line in lines:
        now, _, tasks = line.partition(" ")
        code += [f"clock.now = {now}"] if code else [
            f"clock = Clock({now})", "todo = TimedTodo(clock=clock)"]
        if tasks:
            wrong = tasks.startswith("! ")
            code += attempted(update(tasks.removeprefix("! "))) if wrong else [update(tasks)]
    return "\n".join([*code, asks])


def update(tasks: str) -> str:
    """A call of update. A task may begin with an id of its own: "7: pending Add tests"."""
    items = []
    for position, task in enumerate(tasks.split(", ") if tasks != "[]" else [], 1):
        id, colon, words = task.partition(": ")
        status, text = (words if colon else task).split(maxsplit=1)
        items.append(f'{{"id": "{id if colon else position}", "text": "{text}", '
                     f'"status": "{status}"}}')
    if len(items) < 2:
        return f"todo.update([{''.join(items)}])"
    return "todo.update([\n" + "".join(f"    {item},\n" for item in items) + "])"


def attempted(code: str) -> list[str]:
    """The same code, where a refusal is expected."""
    body = "\n".join("    " + line for line in code.splitlines())
    return [f"try:\n{body}\nexcept Exception:\n    pass  # refused, as it should be"]


def of(task: int, what: str) -> str:
    """What to ask: one value of one task."""
    return f'todo.summary()["tasks"]["{task}"]["{what}"]'


BY_ID = 'todo.summary()["tasks"][todo.items[0]["id"]]'
SESSION = 'todo.summary()["session"]'
WORKED = ("100 in_progress Add tests", "130 completed Add tests", "500")
PAUSED = ("100 in_progress Add tests, pending Write the docs",
          "110 pending Add tests, in_progress Write the docs",
          "150 in_progress Add tests, completed Write the docs",
          "170 completed Add tests, completed Write the docs", "200")
DROPPED = ("100 in_progress Add tests, pending Write the docs",
           "115 2: in_progress Write the docs", "140 2: completed Write the docs", "150")
PAUSE = ("A task that goes from in_progress to pending is paused, not completed. It is completed "
         "where its status becomes that, whatever it was before.")
FIRST = "`started` is the first start: set it only while it is None, and keep it through a pause."
STRAIGHT = ("100 pending Add tests", "120 completed Add tests", "150")


RULES = (
    Rule(
        "still_a_list",
        "It is made with TimedTodo(clock=clock) or TimedTodo(), and update returns the list",
        "What update returns is the tool's result: without it the model cannot see its own plan.",
        "Keep the `__init__` that is given, and let your `update` return what "
        "`super().update(items)` returns.",
        (Case(story("100", asks="todo.render()"), equal("No todos.")),
         Case(story("100 pending Add tests", asks="todo.render()"),
              says("Add tests", what="the rendered list, with Add tests in it")),
         Case("todo = TimedTodo(clock=Clock(100))\n"
              + update("pending Add tests").replace("update(", "tool().run(items="),
              says("Add tests", what="the rendered list, with Add tests in it")),
         Case("todo = TimedTodo()\n" + update("in_progress Add tests"),
              says("Add tests", what="the rendered list, with Add tests in it"))),
    ),
    Rule(
        "shape",
        'summary() returns a dict with "session" and "tasks"',
        "Whoever asks wants to reckon with the times, so they are numbers in dicts, not a text.",
        'Return {"session": …, "tasks": {…}}. Under "tasks" there is one entry for each id, and '
        'each has "started", "completed" and "seconds". The id is the text that '
        "stands in `self.items`.",
        (Case(story("100 in_progress Add tests", asks="todo.summary()"),
              Expected('a dict with "session" and "tasks"', lambda came: isinstance(came, Mapping)
                       and {"session", "tasks"} <= set(came))),
         Case(story("100 in_progress Add tests",
                    asks='[str(id) for id in todo.summary()["tasks"]]'),
              Expected("['1']", lambda came: isinstance(came, list) and "1" in came)),
         Case(story("100 in_progress Add tests", asks=f"task = {BY_ID}\n"
                    '(task["started"], task["completed"], task["seconds"])'),
              Expected("three values: (100, None, 0)", lambda came: isinstance(came, tuple))),
         Case(story("100 a: in_progress Add tests", asks=f'{BY_ID}["completed"]'), NEVER),
         Case(story("100 in_progress Add tests", asks=SESSION),
              Expected("a number of seconds", number))),
    ),
    Rule(
        "own_times",
        "Each list has times of its own",
        "Two agents work at two lists, and both have a task with the id 1.",
        "What is written in the class body, or as a default (`log=[]`), is shared by all lists. "
        "Make it inside `__init__`.",
        (Case("clock = Clock(100)\none, other = TimedTodo(clock=clock), TimedTodo(clock=clock)\n"
              'one.update([{"id": "1", "text": "Add tests", "status": "in_progress"}])\n'
              'other.update([{"id": "2", "text": "Write the docs", "status": "in_progress"}])\n'
              '"1" in map(str, other.summary()["tasks"])', equal(False)),),
    ),
    Rule(
        "when",
        "It notes when a task was started, and when it was completed, by the clock it was given",
        "With a clock that you can set, a test needs no waiting and comes out the same each time. "
        "Every time you note is a reading of it: `self.clock()`.",
        "After an accepted update, compare each item's status with the one it had before. When it "
        "has changed, note `self.clock()`.",
        (Case(story(*WORKED, asks=of(1, "started")), seconds(100)),
         Case(story(*WORKED, asks=of(1, "completed")), seconds(130)),
         Case(story("100 pending Add tests", "120 in_progress Add tests", "150",
                    asks=of(1, "started")), seconds(120))),
    ),
    Rule(
        "took",
        "A task's seconds are those from in_progress to completed",
        "That is what you want to learn from it: what took how long.",
        "When a task leaves in_progress, add the time since it came there. What is completed does "
        "not grow any more.",
        (Case(story(*WORKED, asks=of(1, "seconds")), seconds(30)),
         Case(story("100 in_progress Add tests, pending Write the docs",
                    "130 completed Add tests, in_progress Write the docs",
                    "175 completed Add tests, completed Write the docs", "200",
                    asks=of(2, "seconds")), seconds(45)),
         Case(story("100 in_progress Add tests", "100.5 completed Add tests", "200",
                    asks=of(1, "seconds")), seconds(0.5))),
    ),
    Rule(
        "so_far",
        "A task in progress counts up to now, however often you ask",
        "You look at the times while the agent works. Looking must not stop the watch.",
        "In summary(), add the time from the last start to `self.clock()`, without storing it.",
        (Case(story("100 in_progress Add tests", "145", asks=of(1, "seconds")), seconds(45)),
         Case(story("100 in_progress Add tests", "145",
                    asks="todo.summary()\nclock.now = 160\n" + of(1, "seconds")), seconds(60)),
         Case(story("100 in_progress Add tests", "145",
                    asks="todo.summary()\nclock.now = 160\n" + update("completed Add tests")
                    + "\n" + of(1, "seconds")), seconds(60)),
         Case(story("100 in_progress Add tests", "145", asks=of(1, "completed")), NEVER)),
    ),
    Rule(
        "goes_on",
        "An update that leaves a task as it was does not start or complete it anew",
        "The model sends its whole list each time, so most tasks come again as they were.",
        "A start is only where the status was another one before.",
        (Case(story("100 in_progress Add tests, pending Write the docs",
                    "120 in_progress Add tests, pending Write the docs",
                    "140 completed Add tests, pending Write the docs", asks=of(1, "seconds")),
              seconds(40)),
         Case(story("100 in_progress Add tests", "120 in_progress Add tests",
                    "140 completed Add tests", asks=of(1, "started")), seconds(100)),
         Case(story("100 in_progress Add tests", "130 completed Add tests",
                    "150 completed Add tests", asks=of(1, "completed")), seconds(130),
              "Here the task was completed before: a completion is only where the status was "
              "another one."),
         Case(story("100 in_progress Add tests", "120 in_progress Add tests", "150",
                    asks=of(1, "seconds")), seconds(50))),
    ),
    Rule(
        "paused",
        "Paused and taken up again, a task counts only while it is in progress",
        "Agents go back to what they have set aside. The time between belongs to other work.",
        "Keep a sum for each task, and add each stretch in progress to it.",
        (Case(story(*PAUSED, asks=of(1, "seconds")), seconds(30)),
         Case(story(*PAUSED[:2], "130", asks=of(1, "seconds")), seconds(10)),
         Case(story(*PAUSED[:3], "155", asks=of(1, "seconds")), seconds(15)),
         Case(story("100 in_progress Add tests", "110 pending Add tests",
                    "150 completed Add tests", asks=of(1, "seconds")), seconds(10)),
         Case(story("100 in_progress Add tests", "110 pending Add tests",
                    "150 completed Add tests", asks=of(1, "started")), seconds(100), FIRST),
         Case(story(*PAUSED, asks=of(1, "started")), seconds(100), FIRST),
         Case(story(*PAUSED[:2], "130", asks=of(1, "completed")), NEVER, PAUSE),
         Case(story("100 in_progress Add tests", "110 pending Add tests",
                    "150 completed Add tests", asks=of(1, "completed")), seconds(150), PAUSE),
         Case(story(*PAUSED, asks=of(1, "completed")), seconds(170))),
    ),
    Rule(
        "renamed",
        "A task is known by its id: with a new text, or at another place, it is the same",
        "Models word a task anew when they know more about it, and move it. It is still the same "
        "work.",
        "Know a task by its id, not by its text and not by its place in the list.",
        (Case(story("100 in_progress Add tests", "120 in_progress Add more tests",
                    "150 completed Add more tests", asks=of(1, "seconds")), seconds(50)),
         Case(story("100 in_progress Add tests", "120 completed Add more tests",
                    asks=of(1, "started")), seconds(100)),
         Case(story("100 1: in_progress Add tests, 2: pending Write the docs",
                    "120 2: pending Write the docs, 1: in_progress Add tests",
                    "150 2: pending Write the docs, 1: completed Add tests",
                    asks=of(1, "seconds")), seconds(50))),
    ),
    Rule(
        "dropped",
        "A task that is no longer on the list keeps its time, which ends when it was dropped",
        "Work that was given up took time as well, and that should be seen.",
        "After an update, look also for tasks that you know and that are not in `self.items` any "
        "more.",
        (Case(story(*DROPPED, asks=of(1, "seconds")), seconds(15)),
         Case(story(*DROPPED, asks=of(1, "completed")), NEVER),
         Case(story(*DROPPED, asks=of(2, "seconds")), seconds(25)),
         Case(story("100 in_progress Add tests", "110 completed Add tests",
                    "130 2: in_progress Write the docs", "150", asks=of(1, "completed")),
              seconds(110)),
         Case(story("100 in_progress Add tests", "130 []", "190", asks=of(1, "seconds")),
              seconds(30)),
         *(Case(story("100 in_progress Add tests", then, "150 []", asks=of(1, "seconds")),
                seconds(10), "Only a task that is in progress has a stretch that the drop ends.")
           for then in ("110 pending Add tests", "110 completed Add tests")),
         Case(story(*DROPPED, asks=of(1, "started")), seconds(100))),
    ),
    Rule(
        "never_started",
        "A task that was never started has started None, completed None and 0 seconds",
        "A summary that leaves tasks out hides what is still to be done.",
        "Make an entry for each task when you first see it, and keep it when the task is "
        "dropped.",
        tuple(Case(story("100 in_progress Add tests, pending Write the docs", then,
                         asks=of(2, what)), value)
              for then in ("130", "130 completed Add tests")
              for what, value in (("seconds", seconds(0)), ("started", NEVER),
                                  ("completed", NEVER))),
    ),
    Rule(
        "straight",
        "Completed straight away, a task has a time of completion, no start and 0 seconds",
        "It happens when the model finds that something is done already.",
        "Is there a start to subtract? `None` cannot be subtracted, and 0 is no start.",
        tuple(Case(story(*STRAIGHT, asks=of(1, what)), value)
              for what, value in (("completed", seconds(120)), ("started", NEVER),
                                  ("seconds", seconds(0))))
        + (Case(story("100 completed Add tests", "150", asks=of(1, "completed")), seconds(100)),
           Case(story("100 completed Add tests", "150", asks=of(1, "seconds")), seconds(0))),
    ),
    Rule(
        "session",
        "The session runs from the first accepted update up to now",
        "It has the time between tasks, too: the difference tells how much was not planned.",
        "Note the time of the first accepted update, and subtract it from `self.clock()` when "
        "summary() is asked.",
        (Case(story("100 pending Add tests", "110 in_progress Add tests",
                    "130 completed Add tests", "160", asks=SESSION), seconds(60)),
         Case(story("100", "140 in_progress Add tests", "150 completed Add tests", "155",
                    asks=SESSION), seconds(15)),
         Case(story("100 in_progress Add tests", "120", asks="todo.summary()\nclock.now = 190\n"
                    + SESSION), seconds(90)),
         Case(story("100 []", "140 in_progress Add tests", "150", asks=SESSION), seconds(50)),
         Case(story("100 in_progress Add tests", "120 []", "150 2: in_progress Write the docs",
                    "170", asks=SESSION), seconds(70)),
         Case("import time\ntodo = TimedTodo()\n" + update("pending Add tests")
              + "\ntime.sleep(0.05)\n" + SESSION, Expected(
                  "a little more than 0: without a clock of yours, it goes by a real one",
                  lambda came: number(came) and 0 < came < 60))),
    ),
    Rule(
        "refused",
        "A refused update counts for nothing, and the list stays as it was",
        "The list stays as it was, so nothing has been started or completed.",
        "Call `super().update(items)` first: when it raises, the lines after it do not run.",
        (Case(story("100 in_progress Add tests, pending Write the docs",
                    "110 ! completed Add tests, done Write the docs", "120",
                    asks=of(1, "seconds")), seconds(20)),
         Case(story("100 in_progress Add tests, pending Write the docs",
                    "110 ! in_progress Add tests, in_progress Write the docs", "120",
                    asks=of(2, "started")), NEVER),
         Case(story("100 ! in_progress Add tests, in_progress Write the docs", "140 pending Tidy "
                    "up", "150", asks=SESSION), seconds(10)),
         Case(story("100 in_progress Add tests", "110 ! done Write the docs", "130",
                    asks=of(1, "seconds")), seconds(30)),
         Case(story("100 in_progress Add tests", "110 ! completed Add tests, done Write the docs",
                    asks='[str(id) for id in todo.summary()["tasks"]]'), equal(["1"])),
         Case(story("100 in_progress Add tests", "110 ! completed Add tests, done Write the docs",
                    asks='[item["status"] for item in todo.items]'), equal(["in_progress"]))),
    ),
    Rule(
        "before",
        "Before the first update, the session is 0 and there are no tasks",
        "One may ask at any time, also too early.",
        "What does summary() do when nothing has been noted yet?",
        (Case(story("100", "130", asks=SESSION), seconds(0)),
         Case(story("100", "130", asks='len(todo.summary()["tasks"])'), equal(0))),
    ),
    Rule(
        "clean",
        "It reads the items as TodoManager keeps them: with an id and a status, also where the "
        "model left them out",
        "Models leave out ids, or write 'In_Progress '. TodoManager has put that right in "
        "`self.items`.",
        "Look at `self.items` after the update instead of at what was passed in.",
        (Case('clock = Clock(100)\ntodo = TimedTodo(clock=clock)\n'
              'todo.update([{"text": "Add tests", "status": "in_progress"}, '
              '{"text": "Write the docs"}])\nclock.now = 130\n' + of(1, "seconds"), seconds(30)),
         Case('clock = Clock(100)\ntodo = TimedTodo(clock=clock)\n'
              'todo.update([{"id": 1, "text": "Add tests", "status": " In_Progress "}])\n'
              "clock.now = 130\n" + of(1, "seconds"), seconds(30))),
    ),
    Rule(
        "old_rules",
        "All else stays as in TodoManager: what it refuses, what it accepts, and the order",
        "You add times; the rules that keep a model on its course stay.",
        "Let `super().update(items)` do the checking, and let its ValueError pass through. It "
        "reads a list that comes as JSON, too; look at `self.items` for what came of it.",
        (Case("todo = TimedTodo(clock=Clock(100))\n"
              + update("in_progress Add tests, in_progress Write the docs"), refused()),
         Case("todo = TimedTodo(clock=Clock(100))\n" + update("done Add tests"), refused()),
         Case("todo = TimedTodo(clock=Clock(100))\ntodo.update('[{\"text\": \"Add tests\"}]')",
              says("Add tests", what="the rendered list, with Add tests in it")),
         Case("todo = TimedTodo(clock=Clock(100))\ntodo.update([{\"text\": \"Add tests\", "
              '"status": "in_progress",\n              "activeForm": "Adding tests"}])',
              says("Adding tests", what="the rendered list, with its activeForm in it")),
         Case("todo = TimedTodo(clock=Clock(100))\n"
              + update("pending Write the docs, completed Fix the login, in_progress Add tests")
              + '\n[item["text"] for item in todo.items]',
              equal(["Write the docs", "Fix the login", "Add tests"]),
              "The order is the model's plan: `sorted(…)` makes a new list, and leaves "
              "`self.items` as it is."),
         Case('given = [{"text": "Add tests", "status": "pending"}]\n'
              "TimedTodo(clock=Clock(100)).update(given)\ngiven",
              equal([{"text": "Add tests", "status": "pending"}]))),
    ),
    Rule(
        "zero",
        "0 is a time like any other",
        "A clock that is set by hand begins at 0, and `if started:` takes 0 for nothing.",
        "Ask `is None` where you want to know whether there is a time.",
        (Case(story("0 in_progress Add tests", "20", asks=of(1, "seconds")), seconds(20)),
         Case(story("0 in_progress Add tests", "20 completed Add tests", "50", asks=SESSION),
              seconds(50)),
         Case(story("0 in_progress Add tests", "20 completed Add tests", asks=of(1, "started")),
              seconds(0)),
         Case(story("0 in_progress Add tests", "10 pending Add tests", "20 in_progress Add tests",
                    asks=of(1, "started")), seconds(0)),
         Case(story("0 completed Add tests", "30 completed Add tests", asks=of(1, "completed")),
              seconds(0))),
    ),
)


def check_timed(TimedTodo: Any = None, **settings: Any) -> Result:
    """How far a `TimedTodo` is: give it the class. `settings` are those of report.check."""
    names = {"TimedTodo": TimedTodo, "TodoManager": TodoManager, "Clock": Clock}
    nothing = not_begun("TimedTodo", TimedTodo, RULES, core=("summary", "update"))
    if nothing is not None:
        return nothing
    try:
        return check("TimedTodo", RULES, names, after="That was the hardest one.", **settings)
    finally:
        mend()
