"""`starter` marks all items as in progress, makes one call for each file, and stops.

A step that needs more than one call is then begun and not done, and the report says that all steps
are under way. It goes on if the list is rejected because several items are in progress. Then it
moves its mark from task to task.

We made this model up. Of 2,099 recorded lists of `TodoWrite`, none has two items in progress; its
text orders exactly one. With the newer task tools, whose text does not, 9 of 106 sessions had two
at some moment. docs/sources.md has reports of users: none tells of a failure like this one.
"""

from collections.abc import Mapping
from typing import Any

from ..samples.jobs import Job
from .policy.history import VisibleHistory
from .policy.next_reply import decide
from .policy.plan import update_item, write_list
from .policy.steps import Reply, count_work, reply_with, work_on_step


def keep_list_current(view: VisibleHistory) -> Reply:
    """Return the practice model's reply, or first a todo call if its last step is finished."""
    update = move_mark(view.job, view) if view.job else None
    return update or decide(view)


def move_mark(job: Job, view: VisibleHistory) -> Reply | None:
    """Return a todo call if a task has been finished since the last one and another is left."""
    items = view.accepted_list() or []
    plan = [update_item(item, job, view) for item in items]
    listed = [item["status"] for item in items]
    current = [item.status for item in plan]
    if not view.todo or current == listed or set(current) == {"completed"}:
        return None
    return write_list("This task is done, so I begin the next one.", plan, view)


def starter(request: Mapping[str, Any], /) -> Reply:
    view = VisibleHistory(request)
    started = [item for item in view.accepted_list() or () if item["status"] == "in_progress"]
    if view.job is None or (view.accepted_list() and len(started) < 2):
        # One step at a time, as its corrected list says, and the list moves with the work.
        return keep_list_current(view)
    reply = decide(view, eager=True)
    if reply[-1].get("name") in (None, view.todo):
        return reply
    for step in view.job.steps:
        begins = None if count_work(step, view) else work_on_step(step, view)
        if begins:
            return begins
    return reply_with("All steps are under way, so I stop here.")
