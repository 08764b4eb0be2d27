"""Models with a fault: each is the practice model, which goes wrong in one way.

We made the faults up. `docs/practice-model.md` says what was seen of each in a real model, and
where. They show what a part of an agent is for, and not how often a model goes wrong in this way.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from agentlib.window import keep_last

from ..common.message_blocks import read_messages
from .policy import Policy
from .policy.history import VisibleHistory, split_result
from .policy.next_reply import decide, practice_policy
from .policy.parse_reminder import MENTIONS_LIST, read_mentions
from .policy.plan import find_text
from .policy.steps import Reply, action_call, is_seen_done, reply_with, tool_use

Request = Mapping[str, Any]
SEEN = 6  # messages, of a model that forgets
CALLS = 6  # since the user's newest words, of a model that stops early


class Fault(NamedTuple):
    """What a model does wrong, as a sentence without its subject, and its policy."""

    says: str
    policy: Policy


FAULTS: dict[str, Fault] = {}  # by the name for `play`


def fault(says: str) -> Callable[[Policy], Policy]:
    """Return a decorator that adds a policy to FAULTS. Its first reply begins with its fault."""

    def add(policy: Policy) -> Policy:
        def speak_first(request: Request) -> Any:
            reply = policy(request)
            if all(message["role"] == "user" for message in request["messages"]):
                words = f"I am a script with a fault: it {says} {reply[0]['text']}"
                return [reply[0] | {"text": words}, *reply[1:]]
            return reply

        FAULTS[policy.__name__] = Fault(says, speak_first)
        return policy

    return add


@fault("sees only its last six messages.")
def forgets(request: Request) -> Reply:
    return practice_policy({**request, "messages": keep_last(request["messages"], SEEN)})


@fault(
    "reads the list in a reminder, but ignores the other words while its own list is in the window."
)
def ignores(request: Request) -> Reply:
    view = VisibleHistory(request)
    reply = decide(view)
    if not view.reminder or not view.accepted_list() or reply[-1].get("name") != view.todo:
        return reply
    *before, last = read_messages(request["messages"])
    for block in last["content"]:
        is_result = block["type"] == "tool_result"
        added = split_result(block)[2] if is_result else [block.get("text", "")]
        for text in block["content"] if is_result else [block]:
            for words in added:
                text["text"] = text["text"].replace(words, MENTIONS_LIST.sub("it", words))
    return practice_policy({**request, "messages": [*before, last]})


@fault("ticks the task in progress whenever it writes its list, done or not.")
def ticks(request: Request) -> Reply:
    view = VisibleHistory(request)
    reply = decide(view)
    if not view.todo or reply[-1].get("name") != view.todo:
        return reply
    begun = [find_text(item) for item in view.accepted_list() or () if is_begun(item)]
    items = [dict(item) for item in reply[-1]["input"][view.list_name]]
    early = [item for item in items if is_begun(item) and find_text(item) in begun]
    later = [item for item in items if item.get("status", "pending") == "pending"]
    for item in early:
        item["status"] = "completed"
    for item in later[: len(early)]:
        item["status"] = "in_progress"
    return [*reply[:-1], tool_use(view.todo or "", {view.list_name: items})]


def is_begun(item: Mapping[str, Any]) -> bool:
    return item.get("status") == "in_progress"  # a list may not have the field


@fault("believes a list that it is shown, and repeats the task that is in progress there.")
def believes(request: Request) -> Reply:
    view = VisibleHistory(request)
    for shown in read_mentions(view.reminder, view.job) if view.job else ():
        call = action_call(shown.step.actions[-1], view)
        if call and shown.claim == "in_progress" and is_seen_done(shown.step, view):
            return reply_with(f"{shown.step.text}: my list says that I am at it.", call)
    return decide(view)


@fault("answers a reminder in words, which ends its run.")
def answers(request: Request) -> Reply:
    view, [newest] = VisibleHistory(request), read_messages(request["messages"][-1:])
    has_results = any(block["type"] == "tool_result" for block in newest["content"])
    if view.reminder and has_results:
        return reply_with("My todos are up to date.")
    return decide(view)


@fault("says that all is done after six calls.")
def stops(request: Request) -> Reply:
    view = VisibleHistory(request)
    if len(view.calls_since) >= CALLS:
        return reply_with("All steps are done.")
    return decide(view)
