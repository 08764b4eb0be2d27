"""The sample projects: every action of each task, on real files."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import partial
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "lesson" / "samples"
NAMES = ["hello", "package", "style", "structure", "auth", "ten_steps"]
TASKS = {name: tomllib.loads((SAMPLES / name / "task.toml").read_text("utf-8")) for name in NAMES}

# Commands in the project's folder whose output must not change.
PROGRAMS = {
    "hello": "python hello.py",
    "style": "python report.py",
    "auth": "python app.py",
    "ten_steps": "python shop.py",
}
TESTS = "python -m unittest -q"
RUFF = ["check", "--isolated", "--no-cache", "--select", "E,F,W,I,B", "--line-length", "79", "."]


def shell(folder, command):
    """Return the exit code and the output of a command in the folder."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
    )
    return done.returncode, done.stdout


def act(folder, action):
    """Do one action of a task."""
    if action["tool"] == "bash":
        code, output = shell(folder, action["command"])
        assert code == 0, f"{action['command']}: {output}"
        return
    path = folder / action["path"]
    if action["tool"] == "write_file":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(action["content"], "utf-8")
    elif action["tool"] == "edit_file":
        text, old = path.read_text("utf-8"), action["old_text"]
        assert text.count(old) == 1, (
            f"{action['path']} contains this {text.count(old)} times: {old}"
        )
        path.write_text(text.replace(old, action["new_text"]), "utf-8")
    else:
        assert action["tool"] == "read_file" and path.read_text("utf-8")


def act_if_possible(folder, action):
    """Do an action as the agent would: ignore an edit or a command that fails."""
    if action["tool"] == "bash":
        shell(folder, action["command"])
    elif action["tool"] != "edit_file" or (
        (folder / action["path"]).read_text("utf-8").count(action["old_text"]) == 1
    ):
        act(folder, action)


def is_done(folder, step):
    return all(
        (folder / name).is_file() and re.search(rule, (folder / name).read_text("utf-8"), re.M)
        for name, rule in step["done"].items()
    )


@pytest.fixture
def copy_project(tmp_path):
    """Return a function that copies a task's project."""

    def copy(name):
        return shutil.copytree(SAMPLES / name / "project", tmp_path / name)

    return copy


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a function for a project after all steps of its task. Tests must not change it."""
    folders = {}

    def finish(name):
        if name not in folders:
            folder = tmp_path_factory.mktemp("finished") / name
            folders[name] = shutil.copytree(SAMPLES / name / "project", folder)
            for step in TASKS[name]["steps"]:
                for action in step["actions"]:
                    act(folder, action)
        return folders[name]

    return finish


@pytest.mark.parametrize("name", NAMES)
def test_step_is_done_after_its_actions_and_the_program_prints_the_same(name, copy_project):
    folder, steps = copy_project(name), TASKS[name]["steps"]
    before = shell(folder, PROGRAMS[name]) if name in PROGRAMS else None
    for step in steps:
        assert not is_done(folder, step), f"done too early: {step['text']}"
        for action in step["actions"]:
            act(folder, action)
            # Only changes of Python files are checked: every check starts a Python process.
            if before and action.get("path", "").endswith(".py") and action["tool"] != "read_file":
                assert shell(folder, PROGRAMS[name]) == before, action
        assert is_done(folder, step), f"not done: {step['text']}"
    assert [step["text"] for step in steps if not is_done(folder, step)] == []


@pytest.mark.parametrize("name", PROGRAMS)
def test_steps_in_reverse_order_do_not_change_the_output(name, copy_project):
    folder = copy_project(name)
    _, before = shell(folder, PROGRAMS[name])
    for step in reversed(TASKS[name]["steps"]):
        for action in step["actions"]:
            act_if_possible(folder, action)
        assert shell(folder, PROGRAMS[name]) == (0, before), step["text"]


@pytest.mark.parametrize("name", ["package", "auth", "ten_steps"])
def test_tests_that_a_task_writes_pass(name, finished):
    code, output = shell(finished(name), TESTS)
    assert code == 0, output
    assert output.splitlines()[-1] == "OK"
    assert int(re.search(r"Ran (\d+) tests?", output)[1]) >= 3


def test_examples_in_the_readme_of_the_package_pass(finished):
    code = (
        "import doctest, pathlib, textkit; readme = pathlib.Path('README.md').resolve(); "
        "print(*doctest.testfile(str(readme), module_relative=False, globs=vars(textkit)))"
    )
    command = f'python -c "{code}"'
    assert shell(finished("package"), command) == (0, "0 3\n")


@pytest.mark.parametrize("name", ["package", "style", "auth", "ten_steps"])
def test_linter_accepts_the_result_of_a_task(name, finished):
    result = subprocess.run(
        [sys.executable, "-m", "ruff", *RUFF], cwd=finished(name), capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout


def test_structure_report_lists_every_module_import_and_definition(finished):
    folder = finished("structure")
    report = (folder / "STRUCTURE.md").read_text("utf-8")
    modules = [path.relative_to(folder).as_posix() for path in folder.rglob("*.py")]
    assert len(modules) >= 6
    for module in modules:
        lines = (folder / module).read_text("utf-8").count("\n")
        assert f"{module}:{lines}" in report, module
        for line in (folder / module).read_text("utf-8").splitlines():
            if line.startswith(("import ", "from ", "def ", "class ")):
                assert line in report, f"{module}: {line}"


def test_auth_stores_no_password_and_compares_in_constant_time(finished):
    code = (
        "import auth; auth.register('ada', 'countess of code'); "
        "print('countess' in repr(vars(auth)), auth.login('ada', 'countess of code'), "
        "auth.login('ada', 'wrong password'))"
    )
    assert shell(finished("auth"), f'python -c "{code}"') == (0, "False True False\n")
    assert "hmac.compare_digest" in (finished("auth") / "auth.py").read_text("utf-8")


def test_consecutive_steps_of_the_ten_change_different_files():
    steps = TASKS["ten_steps"]["steps"]
    assert len(steps) == 10
    files = [next(iter(step["done"])) for step in steps]
    assert all(one != other for one, other in zip(files, files[1:], strict=False))


def test_words_of_a_task_match_only_its_own_prompt():
    for name, task in TASKS.items():
        prompt = task["prompt"].lower()
        known = [n for n, t in TASKS.items() if all(w.lower() in prompt for w in t["words"])]
        assert known == [name]


@pytest.mark.parametrize("name", NAMES)
def test_steps_of_a_task_are_a_valid_todo_list(name):
    task = TASKS[name]
    texts = [step["text"] for step in task["steps"]]
    assert len(set(texts)) == len(texts) <= 20
    assert task["closing"].strip()
    for step in task["steps"]:
        assert step["text"].strip() and step["activeForm"].strip()
        assert step["priority"] in ("high", "medium", "low")
        assert step["actions"] and step["done"]


KILLED = """
import os, signal
from lesson.samples import copy
print(copy("hello"), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="needs SIGKILL")
def test_next_copy_deletes_the_samples_of_a_killed_process(tmp_path):
    env = os.environ | {"TMPDIR": str(tmp_path)}
    run = partial(subprocess.run, env=env, capture_output=True, text=True)
    killed = Path(run([sys.executable, "-c", KILLED]).stdout.strip())
    alive, other = tmp_path / f"agentlib-{os.getpid()}-alive", tmp_path / "agentlib-notes-mine"
    alive.mkdir()
    other.mkdir()
    assert killed.is_dir()
    assert run([sys.executable, "-c", KILLED]).stdout
    assert not killed.parent.exists()
    assert alive.is_dir() and other.is_dir()
