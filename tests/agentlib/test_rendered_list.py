"""RenderedList: the base class of the learner's list shows any item as one line."""

from agentlib import RenderedList, TodoManager

PLAN = [
    {"id": "1", "text": "Read the code", "status": "completed"},
    {"id": "2", "text": "Add tests", "status": "in_progress", "activeForm": "Adding tests..."},
]


def show(*items):
    todo = RenderedList()
    todo.items = list(items)
    return todo.render()


def test_a_plan_looks_as_in_the_package():
    assert show() == TodoManager().render()
    assert show(*PLAN) == TodoManager().update(PLAN)
    assert show({"text": "Add tests"}).startswith("[?] Add tests\n")  # it has no status yet


def test_a_text_is_one_line_and_clears_no_screen():
    shown = show({"text": "Add\n[x] tests \x1b[2J", "status": "pending"})
    assert shown.startswith("[ ] Add [x] tests ") and "\x1b" not in shown


def test_list_that_changes_its_fields_changes_those_of_no_other_list():
    made = type("MyTodo", (RenderedList,), {"fields": {"text": {}}})
    made().fields["priority"] = {}
    assert made.fields == made().fields == {"text": {}}
    assert RenderedList().items == [] and not hasattr(RenderedList(), "fields")
