"""Ticker ticks every item of its list after three changes, and does nothing more.

It believes neither its list nor a reminder, only a user message after its report that names work
that is missing; that work it does. Without a todo tool it claims in words that everything is done.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..policy.next_reply import see_all
from ..policy.parse_reminder import open_steps
from ..policy.plan import count_refusals, update_item, write_list
from ..policy.steps import Reply, count_changes, next_reply, reply_with
from ..scripted_model import ScriptedModel
from .keeper import keeper

CHANGES = 3


def ticker(request: Mapping[str, Any], /) -> Reply:
    reply = keeper(request)
    job, view = see_all(request)
    if job is None or reply[-1]["type"] == "text" or count_changes(view.calls) < CHANGES:
        return reply
    for step in open_steps(view.follow_up, job):
        work = next_reply(step, view)
        if work:
            return work
    listed = view.accepted_list() if view.todo and not count_refusals(view) else None
    if listed and any(item["status"] != "completed" for item in listed):
        plan = [update_item(item, job, view) for item in listed]
        ticked = [replace(item, status="completed") for item in plan]
        return write_list("That was the last step, so I tick it all.", ticked, view)
    return reply_with("Every step is done, and all of it works.")


MODEL = ScriptedModel(
    "Ticker",
    ticker,
    "does three steps, then ticks all the others without doing them",
    rescued_by="+ at the stop: ask the files",
    imitates="items are marked as completed and never implemented, or ticked within seconds",
    reports=(
        "https://github.com/anthropics/claude-code/issues/14947",
        "https://github.com/anthropics/claude-code/issues/6528",
    ),
)
