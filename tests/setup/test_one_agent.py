"""The agent exists once: a part that a learner writes is defined in agentlib, and nowhere else."""

import ast
from pathlib import Path

import agentlib
from lesson.common.parts import PARTS
from lesson.common.solutions import IN_AGENTLIB

ROOT = Path(agentlib.__file__).parents[1]
FILES = {ROOT / "agentlib" / f"{PARTS[name].file}.py" for name in IN_AGENTLIB}
# Functions of the same name that are something else.
OTHERS = {
    ("agentlib/workspace.py", "Workspace.read_file"): "the guard, for real models",
    ("agentlib/terminal/project.py", "Project.make_read_file.read_file"): "the guard, as a tool",
    ("agentlib/tasks.py", "Tasks.update"): "tasks by number, for s06: no list is sent",
    ("agentlib/terminal/agent.py", "Agent._make_list_tool.update"): "any list, and its statuses",
    ("lesson/exercises/kit/tasks.py", "Own.update"): "a list for a trial, which has no rules",
    ("notebooks/solutions/priority.py", "PriorityTodo.update"): "E8 extends it",
    ("notebooks/solutions/times.py", "TimedTodo.update"): "E12 extends it",
}
# Two more have other names: `keep_last` in agentlib/window.py leaves out what a window has no room
# for, and needs no list; the nag with plain words is made from the text of `Nag`.


def list_functions(file):
    """Return the names of the functions in a file, with those of what they are in."""

    def look(node, above):
        for child in ast.iter_child_nodes(node):
            name = getattr(child, "name", "")
            inside = (*above, name) if isinstance(child, ast.ClassDef | ast.FunctionDef) else above
            if isinstance(child, ast.FunctionDef):
                yield ".".join(inside)
            yield from look(child, inside)

    return [*look(ast.parse(file.read_text(encoding="utf-8")), ())]


def test_each_function_of_the_six_parts_is_defined_once():
    folders = ("agentlib", "safetylib", "exerciselib", "lesson", "notebooks/solutions")
    files = [file for folder in folders for file in ROOT.glob(f"{folder}/**/*.py")]
    files = [file for file in files if "project" not in file.parts]
    own = {name for file in FILES for name in list_functions(file)}
    # `__init__` and `__call__` are in many classes, which are no nag.
    names = {name.rpartition(".")[2] for name in own if not name.endswith("__")}
    assert names == {
        *("agent_loop", "ask_at_the_stop", "is_users", "trim_messages", "read_file"),
        *("update", "tool"),
    }
    found = {
        (file.relative_to(ROOT).as_posix(), name)
        for file in files
        if file not in FILES
        for name in list_functions(file)
        if name.rpartition(".")[2] in names
    }
    assert found == OTHERS.keys()


def test_a_part_without_its_docstring_is_what_a_learner_reads():
    for file in FILES:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        assert "notebook" in (ast.get_docstring(tree) or ""), file
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        assert not any(node.returns or node.args.args[0].annotation for node in functions), file
