"""The feedback about the nags: a mistake in the text of a reminder is told as one."""

import pytest
from attempts.my_nag import PLAIN
from judge_rules import slip, try_source


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
    assert "E6" in result.hints[-1] and "E6" in result.expected
