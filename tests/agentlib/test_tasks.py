"""Tasks with numbers: what a call changes, what it answers, and what is refused."""

import pytest

from agentlib import Tasks, call_tool

DOOR, WALL = "Sand the door", "Paint the wall"


@pytest.fixture
def tasks():
    tasks = Tasks()
    assert [tasks.create(text) for text in (DOOR, WALL)] == [f"[ ] #1: {DOOR}", f"[ ] #2: {WALL}"]
    return tasks


def test_a_call_answers_with_the_line_that_it_has_changed_and_list_with_all(tasks):
    assert tasks.update(2, "in_progress") == f"[>] #2: {WALL}"
    assert tasks.update("2", "completed") == f"[x] #2: {WALL}"  # a number as text
    assert tasks.list() == f"[ ] #1: {DOOR}\n[x] #2: {WALL}\n\n(1/2 completed)"


@pytest.mark.parametrize("number", ["#2", 2.0, " 2 ", "2."])
def test_number_and_status_are_read_as_models_write_them(tasks, number):
    assert tasks.update(number, " In_Progress\n") == f"[>] #2: {WALL}"


REFUSED = {
    "there is no task 3, only 1, 2": ("update", {"number": 3, "status": "completed"}),
    "invalid status 'done', only pending": ("update", {"number": 1, "status": "done"}),
    f"Only one task can be in_progress at a time: [>] #2: {WALL}": (
        "update",
        {"number": 1, "status": "in_progress"},
    ),
    f"this task is there already: [ ] #1: {DOOR}": ("create", {"text": "Sand  the door"}),
    "text required": ("create", {"text": " "}),
    "text required: a text": ("create", {"text": None}),
    "text too long: at most 1000": ("create", {"text": "x" * 1001}),
    "invalid status \"['completed']\", only": ("update", {"number": 1, "status": ["completed"]}),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_refused_call_says_why_and_changes_nothing(tasks, reason):
    tasks.update(2, "in_progress")
    before = tasks.list()
    dispatch = {tool.name: tool for tool in tasks.tools()}
    name, tool_input = REFUSED[reason]
    call = call_tool(dispatch, f"task_{name}", tool_input)
    assert not call.ok and call.output.startswith(f"Error: {reason}")
    assert tasks.list() == before


def test_completed_task_can_be_added_again_and_its_number_is_new(tasks):
    tasks.update(1, "completed")
    assert tasks.create(DOOR) == f"[ ] #3: {DOOR}"


def test_tools_ask_nobody_and_describe_each_argument(tasks):
    tools = tasks.tools()
    assert [tool.name for tool in tools] == ["task_create", "task_update", "task_list"]
    assert not any(tool.asks for tool in tools) and all(tool.description for tool in tools)
    assert [tool.input_schema["required"] for tool in tools] == [["text"], ["number", "status"], []]
