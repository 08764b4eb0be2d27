"""Let a policy that writes whole lists use task tools, and tick each step when it is done.

Its request is read as if each task call had written the list, as far as this request says it: the
newest line of each task. The list that the policy then writes becomes the calls that change tasks.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from agentlib.todo import MARKS, TodoManager

from ..common.message_blocks import TASK_LINE, Message, read_messages, texts_of
from .policy import Policy
from .policy.history import VisibleHistory
from .policy.next_reply import decide
from .policy.steps import Reply, tool_use
from .starter import move_mark

CREATE, UPDATE, LIST = TASK_TOOLS = ("task_create", "task_update", "task_list")
STATUS = {mark: status for status, mark in MARKS.items()}
Item = Mapping[str, Any]


def diligent(request: Mapping[str, Any], /) -> Reply:
    """Work as the practice model does, and tick each step in the round after it is done."""
    view = VisibleHistory(request)
    return (view.job and move_mark(view.job, view)) or decide(view)


def with_tasks(policy: Policy) -> Policy:
    """Return a policy that uses task tools if a request has them, and is otherwise the same."""

    def decide_with_tasks(request: dict[str, Any]) -> Any:
        given = request.get("tools") or ()
        others = [tool for tool in given if tool["name"] not in TASK_TOOLS]
        if len(others) + len(TASK_TOOLS) != len(given):
            return policy(request)
        messages = read_messages(request["messages"])
        tasks = read_tasks(messages)
        name_as_lists(messages, [*tasks.values()])
        todo = TodoManager().tool().spec
        return as_calls(policy({**request, "messages": messages, "tools": [*others, todo]}), tasks)

    return decide_with_tasks


def read_tasks(messages: Sequence[Message]) -> dict[int, Item]:
    """Return what results and reminders say of each task, by its number; the newest line counts."""
    texts = [text for one in messages if one["role"] == "user" for text in texts_of(one)]
    return {
        int(number): {"text": words, "status": STATUS.get(mark, "pending")}
        for text in texts
        for mark, number, words in TASK_LINE.findall(text)
    }


def name_as_lists(messages: Sequence[Message], items: Sequence[Item]) -> None:
    """Change each task call in the messages into one of `todo` with these items."""
    for block in (block for one in messages for block in one["content"]):
        if block["type"] == "tool_use" and block["name"] in TASK_TOOLS:
            block |= {"name": TodoManager.name, "input": {"items": items}}


def as_calls(reply: Any, tasks: Mapping[int, Item]) -> Any:
    """Return a reply with task calls in place of its list: what has changed, or else a look."""
    call = reply[-1]
    if call.get("name") != TodoManager.name:
        return reply
    numbers = {task["text"]: number for number, task in tasks.items()}
    items = call["input"]["items"]
    new = [item for item in items if item["text"] not in numbers]
    calls = [tool_use(CREATE, {"text": item["text"]}) for item in new]
    for item in sorted(items, key=lambda item: item["status"] != "completed"):  # one in progress
        number = numbers.get(item["text"], 0)  # of a new task, only the result will tell it
        if number and item["status"] != tasks[number]["status"]:
            calls.append(tool_use(UPDATE, {"number": number, "status": item["status"]}))
    return [*reply[:-1], *(calls or [tool_use(LIST, {})])]
