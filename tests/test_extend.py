"""The programs in docs/extend.md run as they are printed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[1] / "docs" / "extend.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r"(?s)## ([^\n]+)\n(?:(?!\n## ).)*?```python\n(.*?)```", PAGE))


def run(title):
    names = {"__name__": "__main__"}
    exec(PROGRAMS[title], names)
    return names


def test_practice_model_uses_your_own_tool(capsys):
    run("Your own tool")
    assert "Your tool count_words says: 54" in capsys.readouterr().out


def test_todo_list_with_a_field_and_a_rule_works_as_the_page_says(capsys):
    todo = run("A rule for the whole list, and your own reminder")["PriorityTodo"]()
    assert "10 of 10 steps done" in capsys.readouterr().out
    high = [{"text": f"Step {n}", "priority": "high"} for n in range(4)]
    assert todo.update([*high[:3], {"text": "Tests"}]).splitlines()[2:4] == [
        "[ ] #3: Step 2 (priority: high)",
        "[ ] #4: Tests (priority: medium)",
    ]
    with pytest.raises(ValueError, match="Max 3 todos with high priority"):
        todo.update(high)


def test_the_program_for_ci_exits_with_1_and_names_what_is_missing(capsys):
    with pytest.raises(SystemExit) as exit_:
        run("A check in CI")
    assert exit_.value.code == 1
    assert "Bring README.md up to date" in capsys.readouterr().out


def test_every_program_of_the_page_is_run_here():
    assert len(PROGRAMS) == PAGE.count("```python") == 3


@pytest.mark.slow
def test_a_type_checker_accepts_an_extended_list(tmp_path):
    (tmp_path / "mine.py").write_text(PROGRAMS["A rule for the whole list, and your own reminder"])
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file=",
        "--ignore-missing-imports",
        "mine.py",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
