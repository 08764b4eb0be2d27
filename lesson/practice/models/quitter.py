"""Quitter says after four changes that it is done, although tasks of its list are open.

A user message after its report that names open tasks makes it go on, for four more changes.
"""

from collections.abc import Mapping
from typing import Any

from ..policy.next_reply import see_all
from ..policy.parse_reminder import open_steps
from ..policy.steps import Reply, count_changes, reply_with
from ..scripted_model import ScriptedModel
from .keeper import keeper

CHANGES = 4


def quitter(request: Mapping[str, Any], /) -> Reply:
    reply = keeper(request)
    job, view = see_all(request)
    if job is None or reply[-1]["type"] == "text" or reply[-1]["name"] == view.todo:
        return reply
    is_asked = not view.follow_up or bool(open_steps(view.follow_up, job))
    if is_asked and count_changes(view.calls_since) < CHANGES:
        return reply
    return reply_with("The refactoring is done: the code is much easier to read now.")


MODEL = ScriptedModel(
    "Quitter",
    quitter,
    "says after four changes that the work is done",
    rescued_by="+ at the stop: ask the list",
    imitates="the model ended the task with three items of its list unchecked",
    reports=("https://github.com/cline/cline/issues/11546",),
)
