"""Repeater makes the same call again and again after three changes, without end.

It goes on with its work when such a call returns an error, or anything but what it returned before.
"""

from collections.abc import Mapping
from typing import Any

from ..policy.next_reply import see_all
from ..policy.steps import Reply, count_changes, read_call, reply_with
from ..scripted_model import ScriptedModel
from .keeper import keeper

CHANGES = 3
WORDS = "Let me look at {} once more, to be sure."


def repeater(request: Mapping[str, Any], /) -> Reply:
    reply = keeper(request)
    job, view = see_all(request)
    if job is None or reply[-1]["type"] == "text" or count_changes(view.calls) < CHANGES:
        return reply
    path = next(iter(job.steps[0].patterns))
    look = read_call(path, view)
    end = next(n for n in range(len(view.calls) + 1) if count_changes(view.calls[:n]) == CHANGES)
    looks = [call for call in view.calls[end:] if look and call.input == look["input"]]
    is_interrupted = any(not call.ok or call.output != looks[0].output for call in looks)
    if look is None or is_interrupted:
        return reply
    return reply_with(WORDS.format(path), look)


MODEL = ScriptedModel(
    "Repeater",
    repeater,
    "does three steps, then makes the same call again and again",
    rescued_by="+ no third equal call",
    imitates="`ls` of one folder many times in a row; more than 220 equal calls; 20 to 23 times "
    "the same command",
    reports=(
        "https://github.com/earendil-works/pi/issues/6158",
        "https://github.com/earendil-works/pi/issues/9637",
        "https://github.com/PrimeIntellect-ai/prime-agent/issues/1326",
    ),
)
