"""What decides the practice model's next reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import learners_tool, tasks
from .plan import (
    CATCH_ALL,
    STATUSES,
    Item,
    count_refusals,
    list_statuses,
    make_item,
    order_steps,
    repair_list,
    update_item,
    write_list,
)
from .reminders import Mention, asks_for_list, carried_list, next_step, shown_list
from .steps import (
    Reply,
    ToolUse,
    action_call,
    is_done,
    is_hopeless,
    is_impossible,
    next_reply,
    read_call,
    reply_with,
)
from .tasks import Action, Step, Task
from .window import VisibleHistory

WINDOW = 12  # messages
MAX_MESSAGES = 200  # after which it gives up on a job
NOTES = """# Notes

- The code is short and easy to read.
- Perhaps it could be faster.
"""


class PracticePolicy:
    """Decide the practice model's next reply. These are all its rules, as situation: action.

    1. a prompt: knows six jobs; for any other it says what it can do; for "my tool" it calls your
       first tool that fits
    2. every request: sees the prompt and the last `window` messages; no memory, clock or randomness
    3. no plan yet: plans, with the todo tool if there is one
    4. its plan is in the window (its list, or a list in a reminder): does the next step, and reads
       a file before it edits it; updates the list at the end
    5. its plan has left the window, or messages were removed: rereads the first file, starts over,
       writes notes, says that the work is complete
    6. "update your list": writes what it can still see; without its plan, the finished steps and
       "Finish the rest"
    7. another reminder: does the step that it names as next; updates the list if it shows a
       finished step as open; otherwise ignores it
    8. the prompt says that an earlier conversation was replaced: knows only the steps that it names
    9. an error: corrects a rejected list once; stops after two failed calls in a row
    10. 200 messages: stops

    If it is `eager`, it marks every open item as in progress. Without a shell, as in a browser, it
    does the steps that need none, and says at the end that it has run nothing.
    """

    def __init__(self, window: int = WINDOW, eager: bool = False) -> None:
        """`window` is a whole number of messages, at least 4 (two rounds), else ValueError."""
        if not isinstance(window, int) or window < 4:
            raise ValueError(f"window must be 4 messages or more, not {window!r}")
        self.window, self.eager = window, eager

    def __call__(self, request: Mapping[str, Any], /) -> Reply:
        """The content blocks of the reply to `request`."""
        view = VisibleHistory(request, self.window)
        task = tasks.find(view.prompt)
        if task:
            return self._work_on(task, view)
        if learners_tool.is_asked_for(view) or learners_tool.find_named_tools(view):
            return learners_tool.reply_with_own_tool(view)
        return reply_with(introduce_itself())

    def _work_on(self, task: Task, view: VisibleHistory) -> Reply:
        """The next reply in the work on `task`."""
        problem = explain_stop(task, view)
        if problem:
            return reply_with(problem)
        refused = count_refusals(view)
        if refused == 1 and view.last and view.last.tool == view.todo:
            return repair_list(task, view)

        listed = list_in_view(task, view)
        carried = carried_list(view.opening, task)
        if listed is None and carried is None and not view.is_whole:
            return self._drift(task, view)
        if listed is None and carried is None:
            plan = [make_item(step, view) for step in task.steps]
        else:
            known = as_items(carried or []) if listed is None else listed
            plan = [update_item(item, task, view) for item in known]
        told = find_told_step(task, view)
        may_write = bool(view.todo) and not refused  # if refused twice, it goes on without its list
        if may_write and listed is None:
            words = "I list the steps first, then I work through them."
            return write_list(words, plan, view, told=told, eager=self.eager)
        if may_write and is_list_due(task, view):
            words = "Right: my list is behind."
            return write_list(words, plan, view, told=told, eager=self.eager)
        for step in order_steps(plan, view, told):
            reply = next_reply(step, view)
            if reply:
                return reply
        if may_write and [item["status"] for item in listed or ()] != [i.status for i in plan]:
            words = "Last, my list: it should say how things stand."
            return write_list(words, plan, view, eager=self.eager)
        return reply_with(say_last_words(task, plan, view))

    def _drift(self, task: Task, view: VisibleHistory) -> Reply:
        """The next reply when its plan is out of view; each move follows from the call before it.

        It cannot know how much it has forgotten. So after a reminder it lists what it still sees,
        which is short and looks complete.
        """
        if view.todo and is_list_due(task, view) and not count_refusals(view):
            known = [
                Item(step.text, step, "completed") for step in task.steps if is_done(step, view)
            ]
            words = "My list? As far as I can see, I have done this."
            return write_list(words, [*known, Item(CATCH_ALL, None, "pending")], view)
        told = find_told_step(task, view)
        reply = next_reply(told, view) if told else None
        if reply:
            return reply
        moves = list_drifting_moves(task.steps[0], view)
        made = 0
        for number, (_, call) in enumerate(moves, 1):
            if view.last and (view.last.tool, view.last.input) == (call["name"], call["input"]):
                made = number
        if made == len(moves):
            return reply_with("This looks good to me. The work is complete.")
        return reply_with(*moves[made])


def list_in_view(task: Task, view: VisibleHistory) -> list[dict[str, Any]] | None:
    """The items of the plan in view: the last list that it wrote, or that a reminder showed."""
    accepted = view.accepted_list()
    if accepted:
        return accepted
    for reminder in reversed(view.reminders):
        shown = shown_list(reminder, task)
        if shown:
            return as_items(shown)
    return None


def as_items(mentions: list[Mention]) -> list[dict[str, Any]]:
    """Return the items of a todo list with the steps that a text names."""
    return [{"text": mention.step.text, "status": mention.status} for mention in mentions]


def find_told_step(task: Task, view: VisibleHistory) -> Step | None:
    """The step that it was told to do next since its last list, if that can still be done."""
    named = [next_step(reminder, task) for reminder in view.reminders]
    step = next((step for step in reversed(named) if step), None)
    if step is None or is_done(step, view) or is_hopeless(step, view):
        return None
    return step


def is_list_due(task: Task, view: VisibleHistory) -> bool:
    """Whether the newest message calls for a new list: it asks for one, or shows or names a
    finished step as open."""
    if not view.reminder or view.last is None or view.last.tool == view.todo:
        return False
    if asks_for_list(view.reminder):
        return True
    shown = [m.step for m in shown_list(view.reminder, task) if m.status != "completed"]
    return any(is_done(step, view) for step in [*shown, next_step(view.reminder, task)] if step)


def list_drifting_moves(first: Step, view: VisibleHistory) -> list[tuple[str, ToolUse]]:
    """What it says and does, in order, when it has lost the thread."""
    action = first.actions[0]
    path = action.input.get("path")
    look_around = action_call(Action("bash", {"command": "ls"}), view)
    notes = Action("write_file", {"path": "NOTES.md", "content": NOTES})
    moves = [("Where was I? Let me look at the files again.", look_around)]
    if path:
        moves = [("Where was I? Let me look at the files again.", read_call(path, view))]
    is_unseen = action.tool == "edit_file" and view.text_of(path or "") is None
    if not is_unseen and not is_impossible(action, view):
        moves.append((f"{first.text}: I had better do this first.", action_call(action, view)))
    elif path:
        moves.append((f"{first.text}: is this done? What else is here?", look_around))
    words = "While I am here, some notes on this project would be useful."
    moves.append((words, action_call(notes, view)))
    return [(words, call) for words, call in moves if call]


def explain_stop(task: Task, view: VisibleHistory) -> str | None:
    """What the model says when it cannot start or go on; None when it can."""
    if not view.tools:
        return give_advice(task)
    if view.todo and not all(status in list_statuses(view) for status in STATUSES):
        others = ", ".join(map(str, list_statuses(view)))
        return (
            f"I know the statuses {', '.join(STATUSES)}, and this todo tool has others: {others}. "
            "So I cannot keep its list."
        )
    if view.length > MAX_MESSAGES:
        return "I have been working on this for a very long time, so I stop here."
    worked = [call for call in view.calls if call.tool != view.todo][-2:]
    if len(worked) == 2 and not any(call.ok for call in worked):
        return (
            f"Two calls in a row have failed, so I stop: {worked[-1].output} "
            f"(I can do this job in its own project: the sample '{task.name}'.)"
        )
    return None


def say_last_words(task: Task, plan: list[Item], view: VisibleHistory) -> str:
    """What it says at the end: what is left, or that everything it knows of is done."""
    untried = " There is no shell here, so I have run nothing." if view.lacks_shell else ""
    left = [item.text for item in plan if item.status != "completed"]
    if left:
        return f"I could not do this: {'; '.join(left)}.{untried}"
    planned = [item.step for item in plan]
    if all(step in planned for step in task.steps) and not untried:
        return task.closing
    return f"Everything on my list is done.{untried}"


def introduce_itself() -> str:
    """The answer to anything that the practice model cannot do."""
    prompts = "\n".join(f"- {tasks.load(name).prompt.strip()}" for name in tasks.names())
    return (
        "I am a practice model: a program that plays a model's part, with real tool calls but "
        f"no intelligence. This is what I can do:\n\n{prompts}\n\n"
        "If you give me a tool of your own, I can also call it once: 'Count the words in README.md "
        "with my tool.'\n\n"
        "For anything else, connect a real model: the README says how, under 'Use a real model'."
    )


def give_advice(task: Task) -> str:
    """The answer when it has no tools: only advice."""
    steps = "\n".join(f"{number}. {step.text}" for number, step in enumerate(task.steps, 1))
    return f"I have no tools here, so I can only say what I would do:\n\n{steps}"
