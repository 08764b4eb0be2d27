"""Commands and settings of docs/teach.md. `tests/notebooks/test_nbgrader.py` runs nbgrader's."""

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


@pytest.mark.skipif(sys.platform == "win32", reason="a hub runs on Linux")
def test_work_that_is_collected_twice_is_todays_and_no_link_is_followed(tmp_path):
    text = TEACH.read_text(encoding="utf-8")
    [loop] = re.findall(r"(?m)^      cd ~TEACHER/class\n((?:      .*\n)+)", text)
    loop = loop.replace("/home", f"{tmp_path}/home").replace("TEACHER", getpass.getuser())
    lesson, target = tmp_path / "home" / "ada" / "my_lesson", tmp_path / "target"
    lesson.mkdir(parents=True)
    (tmp_path / "home" / "no_learner").mkdir()
    target.write_text("of the administrator")
    work = lesson / "s02_tool_use.ipynb"
    work.symlink_to(target)
    other = tmp_path / "submitted" / "ada" / "another_assignment"
    other.mkdir(parents=True)
    for _ in range(2):
        subprocess.run(["sh", "-ec", loop], cwd=tmp_path, check=True)
        assert [*(tmp_path / "submitted").iterdir()] == [tmp_path / "submitted" / "ada"]
        found = tmp_path / "submitted" / "ada" / "lesson" / work.name
        assert [*found.parent.iterdir()] == [found]
        work.unlink()
        work.write_text("today's")
    assert found.read_text() == "today's" and not found.is_symlink()
    assert target.read_text() == "of the administrator"
    assert other.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a hub runs on Linux")
def test_settings_of_the_hub_keep_those_of_the_school_and_make_a_folder_for_the_learner(tmp_path):
    config = Config(Spawner={"environment": {"SCHOOL": "ours"}, "args": ["--ours"]})
    path = TEACH.with_name("jupyterhub_config.py")
    exec(compile(path.read_text("utf-8"), path, "exec"), {"get_config": lambda: config})
    spawner = config.Spawner
    assert spawner.environment == {"SCHOOL": "ours", "LESSON_CLASS": "/srv/lesson_class"}
    assert spawner.args[0] == "--ours" and "--KernelManager.transport=ipc" in spawner.args
    for name in ("planning-agent", "python3"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    env = {"HOME": str(tmp_path), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    lesson = tmp_path / "my_lesson"
    for mode in (0o700, 0o750):  # a learner who opens the folder later finds it open
        subprocess.run(spawner.cmd, env=env, check=True)
        assert stat.S_IMODE(lesson.stat().st_mode) == mode
        lesson.chmod(0o750)
