"""Dropper leaves out the last open task whenever it updates its list, and trusts the list.

So the list gets shorter after every step, and when all of its items are ticked, it reports that
everything is done. Without a todo tool there is no list to shorten, and it finishes.
"""

from collections.abc import Mapping
from typing import Any

from ...message_blocks import read_items
from ..policy.next_reply import see_all
from ..policy.parse_reminder import open_steps
from ..policy.plan import Item, count_refusals, make_item, update_item, write_list
from ..policy.steps import Reply
from ..scripted_model import ScriptedModel
from .keeper import keeper

UPDATE = "One step further: I update my list."
REPAIR = "My list was not accepted, so I send all tasks again."


def dropper(request: Mapping[str, Any], /) -> Reply:
    reply = keeper(request)
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


MODEL = ScriptedModel(
    "Dropper",
    dropper,
    "writes a shorter list each time, and trusts its list",
    rescued_by="+ the list keeps its tasks",
    imitates="a revised list lacks important steps; items are lost when one is marked as "
    "completed; unfinished items disappear when the list is rewritten",
    reports=(
        "https://github.com/anthropics/claude-code/issues/7076",
        "https://github.com/anthropics/claude-code/issues/2250",
        "https://github.com/anomalyco/opencode/issues/21260",
    ),
)
