"""The programs in docs/extend.md run as they are printed."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "extend.md"


def test_todo_list_with_a_field_and_a_rule_works_as_the_page_says():
    names: dict = {}
    for program in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(program, names)
    todo = names["PriorityTodo"]()
    high = [{"text": f"Step {n}", "priority": "high"} for n in range(4)]
    assert todo.update([*high[:3], {"text": "Tests"}]).splitlines()[2:4] == [
        "[ ] #3: Step 2 (priority: high)",
        "[ ] #4: Tests (priority: medium)",
    ]
    with pytest.raises(ValueError, match="Max 3 todos with high priority"):
        todo.update(high)
