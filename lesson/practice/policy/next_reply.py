"""Decide the practice model's next reply: `work_on` has the order of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from safetylib.guard.approval import REFUSED

from ...samples.find_job import list_prompts
from ...samples.jobs import Action, Job, Step
from ...samples.own_job import NAME
from .history import VisibleHistory
from .own_work import explain_unknown
from .parse_reminder import as_items, asks_for_list, carried_list, next_step, read_mentions
from .plan import (
    CATCH_ALL,
    Item,
    add_named,
    count_rejected_lists,
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
    list_refused,
    read_call,
    remaining_actions,
    reply_with,
    work_on_step,
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
    """Return the next reply in the work on a job. The first of these rules that applies decides.

    1. If the work cannot start or go on, say why.
    2. Correct a list that was rejected, once.
    3. If no list is in the request and messages are missing, `drift`: the plan is lost.
    4. Write the list, if none is in the request or a reminder says that it is behind.
    5. Do the next action of the first step that is open and can be done.
    6. Write the list a last time, if it does not say how things stand.
    7. Report.
    """
    problem = explain_stop(job, view)
    if problem:
        return reply_with(problem)
    rejected = count_rejected_lists(view)
    if rejected == 1 and view.last and view.last.name == view.todo:
        return repair_list(view)

    items = find_list(job, view)
    is_listed = items is not None
    if items is None:
        items = carried_list(view.opening, job)
    if items is None and not view.is_whole:
        return drift(job, view)
    if items is None:
        plan = [make_item(step, view) for step in job.steps]
    else:
        plan = [update_item(item, job, view) for item in items]
    plan = add_named(plan, job, view)
    suggested = find_suggested_step(job, view)
    may_write = bool(view.todo) and not rejected  # after two rejections, continue without a list
    if may_write and not is_listed:
        words = "I list the steps first, then I work through them."
        return write_list(words, plan, view, suggested=suggested, eager=eager)
    if may_write and is_list_due(job, view):
        words = "Right: my list is behind."
        return write_list(words, plan, view, suggested=suggested, eager=eager)
    for step in order_steps(plan, view, suggested):
        reply = work_on_step(step, view)
        if reply:
            return reply
    if may_write and [item["status"] for item in items or ()] != [item.status for item in plan]:
        words = "Last, my list: it should say how things stand."
        return write_list(words, plan, view, eager=eager)
    return reply_with(write_last_reply(job, plan, view))


def drift(job: Job, view: VisibleHistory) -> Reply:
    """Return the next reply when the plan is not in the request.

    Each move follows from the last call. How much is missing cannot be seen from the request.
    So the list after a reminder is short and looks complete.
    """
    if view.todo and is_list_due(job, view) and not count_rejected_lists(view):
        finished = [
            Item(step.text, step, "completed") for step in job.steps if is_seen_done(step, view)
        ]
        words = "My list? As far as I can see, I have done this."
        return write_list(words, [*finished, Item(CATCH_ALL, None, "pending")], view)
    suggested = find_suggested_step(job, view)
    reply = work_on_step(suggested, view) if suggested else None
    if reply:
        return reply
    moves = list_drifting_moves(job.steps[0], view)
    next_move = 0
    for number, (_, call) in enumerate(moves, 1):
        if view.last and (view.last.name, view.last.input) == (call["name"], call["input"]):
            next_move = number
    if next_move == len(moves):
        return reply_with("This looks good to me. The work is complete.")
    return reply_with(*moves[next_move])


def find_list(job: Job, view: VisibleHistory) -> list[dict[str, Any]] | None:
    """Return the items of the last list in the request, from a call or from a reminder."""
    accepted = view.accepted_list()
    if accepted:
        return accepted
    for reminder in reversed(view.reminders):
        shown = read_mentions(reminder, job)
        if shown:
            return as_items(shown)
    return None


def find_suggested_step(job: Job, view: VisibleHistory) -> Step | None:
    """Return the step that the reminders since the last list name as next, if it can be done."""
    for reminder in reversed(view.reminders):
        step = next_step(reminder, job)
        if step:
            return None if is_seen_done(step, view) or is_blocked(step, view) else step
    return None


def is_list_due(job: Job, view: VisibleHistory) -> bool:
    """Return True if the newest reminder asks for a new list, or lists a finished step as open."""
    if not view.reminder or view.last is None or view.last.name == view.todo:
        return False
    if asks_for_list(view.reminder):
        return True
    mentions = read_mentions(view.reminder, job)
    named = [mention.step for mention in mentions if mention.claim != "completed"]
    return any(is_seen_done(step, view) for step in [*named, next_step(view.reminder, job)] if step)


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
    # The user may allow now what failed before. To read a file again is not progress.
    worked = [call for call in view.calls_of_user if not (call.ok and call.name == "read_file")]
    newest = [call for call in worked if call.name != view.todo][-2:]
    if len(newest) == 2 and not any(call.ok for call in newest):
        failure = f"My last calls have failed, so I stop: {newest[-1].output.strip()}"
        if job.name == NAME or REFUSED in failure:
            return failure
        return f"{failure} (I can do this job in its own project: the sample '{job.name}'.)"
    return explain_unknown(job, view)


def write_last_reply(job: Job, plan: list[Item], view: VisibleHistory) -> str:
    """Return the last reply: the steps that were not done, or that all known steps are done."""
    untried = " There is no shell here, so I have run nothing." if view.lacks_shell else ""
    refused = [item.text for item in plan if item.step and list_refused(item.step, view)]
    left = [item.text for item in plan if item.status != "completed" and item.text not in refused]
    said = [f"Of this, I left out what you did not approve: {'; '.join(refused)}."] * bool(refused)
    said += [f"I could not do this: {'; '.join(left)}."] * bool(left)
    if lacking := list_lacking_tools(job, left, view):
        said.append(f"It takes tools that this program does not offer me: {', '.join(lacking)}.")
    if said:
        return f"{' '.join(said)}{untried}"
    planned = [item.step for item in plan]
    if all(step in planned for step in job.steps) and not untried:
        return job.closing
    return f"Everything on my list is done.{untried}"


def list_lacking_tools(job: Job, left: list[str], view: VisibleHistory) -> list[str]:
    """Return the tools that the rest of these steps takes, and that the request does not offer."""
    steps = [step for step in job.steps if step.text in left]
    actions = [action for step in steps for action in remaining_actions(step, view)]
    needed = {action.tool: f"{action.tool}({', '.join(action.input)})" for action in actions}
    if "edit_file" in needed:  # it edits no file that it has not read
        needed["read_file"] = "read_file(path)"
    return [call for tool, call in sorted(needed.items()) if tool not in view.tools]


def describe_jobs() -> str:
    """Return the reply to prompts that the practice model does not support."""
    prompts = "\n".join(f"- {prompt}" for prompt in list_prompts())
    return (
        "I am a practice model: a program that plays a model's part, with real tool calls but "
        f"no intelligence. This is what I can do:\n\n{prompts}\n\n"
        "For anything else, connect a real model: docs/real-models.md says how."
    )
