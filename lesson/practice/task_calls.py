"""`diligent`, which ticks each step when it is done, and an adapter to task tools.

The adapter gives a policy that writes whole lists a request in which each task call has written
the list, as far as the request shows it: with the newest line of each task. It turns the list that
the policy then writes into the calls that change tasks.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from agentlib import TodoManager
from agentlib.rendered_list import MARKS

from ..common.message_blocks import TASK_LINE, Message, read_messages, texts_of
from .policy import Policy
from .policy.history import VisibleHistory
from .policy.steps import Reply, tool_use
from .starter import keep_list_current

CREATE, UPDATE, LIST = TASK_TOOLS = ("task_create", "task_update", "task_list")
STATUS = {mark: status for status, mark in MARKS.items()}
Task = Mapping[str, Any]


def diligent(request: Mapping[str, Any], /) -> Reply:
    """Work as the practice model does, and tick each step in the round after it is done."""
    return keep_list_current(VisibleHistory(request))


def with_tasks(policy: Policy) -> Policy:
    """Return a policy that uses task tools if a request has them, and is otherwise the same."""

    def decide_with_tasks(request: dict[str, Any]) -> Any:
        tools = request.get("tools") or ()
        others = [tool for tool in tools if tool["name"] not in TASK_TOOLS]
        if len(others) + len(TASK_TOOLS) != len(tools):
            return policy(request)
        messages = read_messages(request["messages"])
        tasks = read_tasks(messages)
        turn_into_lists(messages, [*tasks.values()])
        todo = TodoManager().tool().spec
        return as_calls(policy({**request, "messages": messages, "tools": [*others, todo]}), tasks)

    return decide_with_tasks


def read_tasks(messages: Sequence[Message]) -> dict[int, Task]:
    """Return what results and reminders say of each task, by its number; the newest line counts."""
    sent = [message for message in messages if message["role"] == "user"]
    texts = [text for message in sent for text in texts_of(message)]
    return {
        int(number): {"text": words, "status": STATUS.get(mark, "pending")}
        for text in texts
        for mark, number, words in TASK_LINE.findall(text)
    }


def turn_into_lists(messages: Sequence[Message], items: Sequence[Task]) -> None:
    """Change each task call in the messages into one of `todo` with these items."""
    for block in (block for message in messages for block in message["content"]):
        if block["type"] == "tool_use" and block["name"] in TASK_TOOLS:
            block |= {"name": "todo", "input": {"items": items}}


def as_calls(reply: Any, tasks: Mapping[int, Task]) -> Any:
    """Return a reply with task calls in place of its list.

    They are the changes, or one that shows the tasks if nothing has changed.
    """
    call = reply[-1]
    if call.get("name") != "todo":
        return reply
    numbers = {task["text"]: number for number, task in tasks.items()}
    items = call["input"]["items"]
    new = [item for item in items if item["text"] not in numbers]
    calls = [tool_use(CREATE, {"text": item["text"]}) for item in new]
    # Finished tasks first, so that there is never a second one in progress.
    for item in sorted(items, key=lambda item: item["status"] != "completed"):
        number = numbers.get(item["text"], 0)  # that of a new task is only in the result
        if number and item["status"] != tasks[number]["status"]:
            calls.append(tool_use(UPDATE, {"number": number, "status": item["status"]}))
    return [*reply[:-1], *(calls or [tool_use(LIST, {})])]
