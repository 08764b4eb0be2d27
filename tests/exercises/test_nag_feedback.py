"""The feedback about the nags: what differs is shown, and a mistake in the text is told as one."""

import pytest
from attempts.my_nag import PLAIN
from judge_rules import list_wrong, slip, try_source

WRONG = [one for part in ("MyNag", "PriorityNag") for one in list_wrong(part)]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda one: f"{one.part}-{one.rule}-{one.number}")
def test_got_and_expected_are_shown_and_differ(wrong):
    result = try_source(wrong.part, wrong.source)
    if "extends no nag" in result.cause:  # nothing was called yet
        return
    assert result.got != result.expected and result.got and result.expected, result


@pytest.mark.parametrize(
    "old, new",
    [
        ("\\n{self.todo.render()}</reminder>", "</reminder> {self.todo.render()}"),
        ("Update your todos.\\n{self.todo.render()}", "{self.todo.render()} Update your todos."),
        ("self.todo.render()", "self.todos.render()"),
        ("self.todo.render()", "self.todo.rendr()"),
        ("{self.todo.render()}", "{render(self.todo)}"),
        ('f"<reminder>Update your todos.\\n{self.todo.render()}', '"<reminder>" + self.todo + "'),
        ("{self.todo.render()}", "{self.todo.items[0]['txt']}"),
    ],
)
def test_mistake_in_the_line_of_e6_is_told_under_the_rule_about_the_text(old, new):
    result = try_source("MyNag", slip(PLAIN, (old, new)))
    assert result.title.startswith("The reminder begins with `<reminder>Update your todos.`"), (
        result
    )
    assert "E7" in result.hints[-1] and "E7" in result.expected
