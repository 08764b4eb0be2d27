"""Commands and settings of the teacher's pages. `test_nbgrader.py` runs nbgrader's."""

import getpass
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from traitlets.config import Config

TEACH = Path(__file__).parents[2] / "docs" / "teach.md"
SET_UP = TEACH.with_name("teach-set-up.md")


@pytest.mark.skipif(sys.platform == "win32", reason="a hub runs on Linux")
def test_work_that_is_collected_twice_is_todays_and_no_link_is_followed(tmp_path):
    text = SET_UP.read_text(encoding="utf-8")
    [loop] = re.findall(r"(?m)^( +install .*\n +cd ~TEACHER/class\n(?: +.*\n)+)", text)
    teacher, homes = getpass.getuser(), tmp_path / "home"
    loop = loop.replace("/home", f"{homes}").replace("~TEACHER", f"{homes}/{teacher}")
    loop = loop.replace("TEACHER", teacher)
    lesson, target = homes / "ada" / "my_lesson", tmp_path / "target"
    for who in ("ada", teacher):
        (homes / who / "my_lesson").mkdir(parents=True)
    (homes / "no_learner").mkdir()
    submitted = homes / teacher / "class" / "submitted"
    target.write_text("of the administrator")
    work = lesson / "s02_tool_use.ipynb"
    work.symlink_to(target)
    other = submitted / "ada" / "another_assignment"
    for _ in range(2):
        subprocess.run(["sh", "-ec", loop], cwd=tmp_path, check=True)
        assert [*submitted.iterdir()] == [submitted / "ada"]
        collected = submitted / "ada" / "lesson" / work.name
        assert [*collected.parent.iterdir()] == [collected]
        other.mkdir(exist_ok=True)
        work.unlink()
        work.write_text("today's")
    assert collected.read_text() == "today's" and not collected.is_symlink()
    assert target.read_text() == "of the administrator"
    assert other.exists()


@pytest.fixture
def start(tmp_path):
    """Return the command with which the hub starts a learner's server, and its environment.

    The server is one that prints how a terminal of it would begin: jupyterhub is not installed.
    """
    config = Config(Spawner={"args": ["--of-the-hub"]})
    path = TEACH.parents[1] / "lesson" / "classroom" / "jupyterhub_config.py"
    exec(compile(path.read_text("utf-8"), path, "exec"), {"get_config": lambda: config})
    spawner = config.Spawner
    assert spawner.args[0] == "--of-the-hub" and "--KernelManager.transport=ipc" in spawner.args
    home = tmp_path / "home"
    package = tmp_path / "jupyterhub"
    for folder in (home, package):
        folder.mkdir()
    (package / "__init__.py").touch()
    (package / "singleuser.py").write_text(SERVER)
    (home / ".bashrc").write_text("PATH=/usr/bin:/bin\n")  # as Debian's /etc/profile sets it
    bin = os.path.dirname(sys.executable)
    env = {
        "HOME": str(home),
        "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(tmp_path),
    }
    return [*spawner.cmd, *spawner.args], env, home


SERVER = """
import ast, os, shlex, subprocess, sys

def main():
    print(sys.argv[1:])
    [option] = [argument for argument in sys.argv if "shell_command" in argument]
    command = shlex.split(ast.literal_eval(option.partition("shell_command=")[2]))
    subprocess.run([*command, "-ic", os.environ["TYPED"]], cwd=os.environ["HOME"])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a hub runs on Linux")
def test_settings_of_the_hub_make_a_folder_for_the_learner_alone(start):
    command, env, home = start
    lesson = home / "my_lesson"
    for mode in (0o700, 0o750):  # a learner who opens the folder later finds it open
        subprocess.run(command, env=env | {"TYPED": "true"}, check=True, capture_output=True)
        assert stat.S_IMODE(lesson.stat().st_mode) == mode
        lesson.chmod(0o750)
    assert (lesson / "00_start_here.ipynb").exists()


@pytest.mark.release
@pytest.mark.skipif(sys.platform == "win32", reason="a hub runs on Linux")
def test_terminal_of_the_hub_has_the_command_and_begins_in_the_lesson(start):
    """JupyterLab opens it in the learner's home, as a login shell, whose PATH has no lesson."""
    command, env, home = start
    [typed] = re.findall(r"`(planning-agent practice my_agent [^`]*)`", TEACH.read_text("utf-8"))
    env |= {"TYPED": f"{typed} < /dev/null"}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert "Changed or new: nothing." in done.stdout, done.stdout + done.stderr
    assert "This is" not in done.stderr
