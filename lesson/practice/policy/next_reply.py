"""Decide the practice model's next reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentlib.at_the_stop import WHO
from safetylib.guard.approval import REFUSED

from ...samples.find_job import list_prompts
from ...samples.jobs import Action, Job, Step
from ...samples.own_job import NAME
from .history import VisibleHistory
from .own_work import explain_unknown
from .parse_reminder import as_items, asks_for_list, carried_list, next_step, shown_list
from .plan import (
    CATCH_ALL,
    Item,
    add_named,
    count_refusals,
    make_item,
    order_steps,
    repair_list,
    update_item,
    write_list,
)
from .steps import (
    Reply,
    ToolUse,
    action_call,
    is_blocked,
    is_impossible,
    is_seen_done,
    next_reply,
    read_call,
    reply_with,
)

MAX_MESSAGES = 200  # after the prompt, then it stops: the longest run of a sample has 88
NOTES = """# Notes

- The code is short and easy to read.
- Perhaps it could be faster.
"""


def practice_policy(request: Mapping[str, Any], /, *, eager: bool = False) -> Reply:
    """Follow the rules of the practice model, which are in `docs/practice-model.md`.

    It uses nothing but the request. An `eager` model marks every open item as in progress.
    """
    return decide(VisibleHistory(request), eager)


def decide(view: VisibleHistory, eager: bool = False) -> Reply:
    """Return the practice model's reply to what it sees of a request."""
    return work_on(view.job, view, eager) if view.job else reply_with(describe_jobs())


def work_on(job: Job, view: VisibleHistory, eager: bool) -> Reply:
    """Return the next reply in the work on a job."""
    problem = explain_stop(job, view)
    if problem:
        return reply_with(problem)
    refused = count_refusals(view)
    if refused == 1 and view.last and view.last.name == view.todo:
        return repair_list(view)

    listed = list_in_view(job, view)
    known = carried_list(view.opening, job) if listed is None else listed
    if known is None and not view.is_whole:
        return drift(job, view)
    if known is None:
        plan = [make_item(step, view) for step in job.steps]
    else:
        plan = [update_item(item, job, view) for item in known]
    plan = add_named(plan, job, view)
    told = find_told_step(job, view)
    may_write = bool(view.todo) and not refused  # after two rejections, continue without a list
    if may_write and listed is None:
        words = "I list the steps first, then I work through them."
        return write_list(words, plan, view, told=told, eager=eager)
    if may_write and is_list_due(job, view):
        words = "Right: my list is behind."
        return write_list(words, plan, view, told=told, eager=eager)
    for step in order_steps(plan, view, told):
        reply = next_reply(step, view)
        if reply:
            return reply
    if may_write and [item["status"] for item in listed or ()] != [i.status for i in plan]:
        words = "Last, my list: it should say how things stand."
        return write_list(words, plan, view, eager=eager)
    return reply_with(write_last_reply(job, plan, view))


def drift(job: Job, view: VisibleHistory) -> Reply:
    """Return the next reply when the plan is not in the request.

    Each move follows from the last call. How much is missing cannot be seen from the request.
    So the list after a reminder is short and looks complete.
    """
    if view.todo and is_list_due(job, view) and not count_refusals(view):
        known = [
            Item(step.text, step, "completed") for step in job.steps if is_seen_done(step, view)
        ]
        words = "My list? As far as I can see, I have done this."
        return write_list(words, [*known, Item(CATCH_ALL, None, "pending")], view)
    told = find_told_step(job, view)
    reply = next_reply(told, view) if told else None
    if reply:
        return reply
    moves = list_drifting_moves(job.steps[0], view)
    made = 0
    for number, (_, call) in enumerate(moves, 1):
        if view.last and (view.last.name, view.last.input) == (call["name"], call["input"]):
            made = number
    if made == len(moves):
        return reply_with("This looks good to me. The work is complete.")
    return reply_with(*moves[made])


def list_in_view(job: Job, view: VisibleHistory) -> list[dict[str, Any]] | None:
    """Return the items of the last list in the request, written by a call or in a reminder."""
    accepted = view.accepted_list()
    if accepted:
        return accepted
    for reminder in reversed(view.reminders):
        shown = shown_list(reminder, job)
        if shown:
            return as_items(shown)
    return None


def find_told_step(job: Job, view: VisibleHistory) -> Step | None:
    """Return the next step according to the reminders since the last list, if it can be done."""
    named = [next_step(reminder, job) for reminder in view.reminders]
    step = next((step for step in reversed(named) if step), None)
    if step is None or is_seen_done(step, view) or is_blocked(step, view):
        return None
    return step


def is_list_due(job: Job, view: VisibleHistory) -> bool:
    """Return True if the newest reminder asks for a new list, or lists a finished step as open."""
    if not view.reminder or view.last is None or view.last.name == view.todo:
        return False
    if asks_for_list(view.reminder):
        return True
    shown = [m.step for m in shown_list(view.reminder, job) if m.claim != "completed"]
    return any(is_seen_done(step, view) for step in [*shown, next_step(view.reminder, job)] if step)


def list_drifting_moves(first: Step, view: VisibleHistory) -> list[tuple[str, ToolUse]]:
    """Return the text and the call of each reply without a plan, in order."""
    action = first.actions[0]  # of each job, it reads, writes or edits a file
    path = action.input["path"]
    look_around = action_call(Action("bash", {"command": "ls"}), view)
    notes = Action("write_file", {"path": "NOTES.md", "content": NOTES})
    moves = [("Where was I? Let me look at the files again.", read_call(path, view))]
    is_unseen = action.tool == "edit_file" and view.text_of(path) is None
    if not is_unseen and not is_impossible(action, view):
        moves.append((f"{first.text}: I had better do this first.", action_call(action, view)))
    else:
        moves.append((f"{first.text}: is this done? What else is here?", look_around))
    words = "While I am here, some notes on this project would be useful."
    moves.append((words, action_call(notes, view)))
    return [(words, call) for words, call in moves if call]


def explain_stop(job: Job, view: VisibleHistory) -> str | None:
    """Return the last reply if the work cannot start or continue; otherwise None."""
    if not view.tools:
        steps = "\n".join(f"{number}. {step.text}" for number, step in enumerate(job.steps, 1))
        return f"I have no tools here, so I can only say what I would do:\n\n{steps}"
    if view.length > MAX_MESSAGES:
        return "I have been working on this for a very long time, so I stop here."
    # Calls count from the user's newest words on, who may allow now what failed before. A question
    # of the program is no such words. To read a file again is no progress.
    calls = view.calls if view.follow_up.startswith(WHO) else view.calls_since
    worked = [call for call in calls if not (call.ok and call.name == "read_file")]
    worked = [call for call in worked if call.name != view.todo][-2:]
    if len(worked) == 2 and not any(call.ok for call in worked):
        said = f"My last calls have failed, so I stop: {worked[-1].output.strip()}"
        if job.name == NAME or REFUSED in said:
            return said
        return f"{said} (I can do this job in its own project: the sample '{job.name}'.)"
    return explain_unknown(job, view)


def write_last_reply(job: Job, plan: list[Item], view: VisibleHistory) -> str:
    """Return the last reply: the steps that were not done, or that all known steps are done."""
    untried = " There is no shell here, so I have run nothing." if view.lacks_shell else ""
    left = [item.text for item in plan if item.status != "completed"]
    if left:
        return f"I could not do this: {'; '.join(left)}.{untried}"
    planned = [item.step for item in plan]
    if all(step in planned for step in job.steps) and not untried:
        return job.closing
    return f"Everything on my list is done.{untried}"


def describe_jobs() -> str:
    """Return the reply to prompts that the practice model does not support."""
    prompts = "\n".join(f"- {one}" for one in list_prompts())
    return (
        "I am a practice model: a program that plays a model's part, with real tool calls but "
        f"no intelligence. This is what I can do:\n\n{prompts}\n\n"
        "For anything else, connect a real model: docs/real-models.md says how."
    )
