"""Drops tasks: whenever it updates its list, it leaves out the last open task, and trusts the list.

So the list gets shorter after every step, and when all of its items are ticked, it reports that
everything is done. Without a todo tool there is no list to shorten, and it keeps track.

Reports: https://github.com/anthropics/claude-code/issues/7076 (a revised list is simplified, with
important steps missing), https://github.com/anthropics/claude-code/issues/2250 (items are lost when
one is marked as completed) and https://github.com/anomalyco/opencode/issues/21260 (unfinished items
disappear when the list is rewritten). Nothing is known about how often it happens.
"""

from collections.abc import Mapping
from typing import Any

from ...window import read_items
from ..policy.parse_reminder import open_steps
from ..policy.plan import Item, count_refusals, make_item, update_item, write_list
from ..policy.practice_policy import see_all
from ..policy.steps import Reply
from .keeps_track import keeps_track

UPDATE = "One step further: I update my list."
REPAIR = "My list was not accepted, so I send all tasks again."


def drops_tasks(request: Mapping[str, Any], /) -> Reply:
    reply = keeps_track(request)
    job, view = see_all(request)
    before = view.accepted_list()
    if job is None or not before or reply[-1]["type"] == "text":
        return reply
    rejected = [call for call in view.calls if call.tool == view.todo and not call.ok]
    plan = [update_item(item, job, view) for item in before]
    if count_refusals(view) == 1 and view.last in rejected:
        known = [item.text for item in plan]
        sent = [update_item(item, job, view) for item in read_items(view.last.input)]
        named = [make_item(step, view) for step in open_steps(view.last.output, job)]
        for item in [*sent, *named]:
            if item.text not in known:
                plan.append(item)
                known.append(item.text)
        return write_list(REPAIR, plan, view)
    if count_refusals(view) or view.last is None or view.last.tool == view.todo:
        return reply
    if [item["status"] for item in before] == [item.status for item in plan]:
        return reply
    return write_list(UPDATE, plan if rejected else shorten(plan), view)


def shorten(plan: list[Item]) -> list[Item]:
    """Return the plan without its last open item, unless that is the only one."""
    last = [item for item in plan if item.status != "completed"][1:][-1:]
    return [item for item in plan if item not in last]
