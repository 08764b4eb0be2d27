"""The wheel has the solutions, and changes nothing of other packages in its environment."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from lesson.common.parts import PARTS
from lesson.program.folder import OURS

REPOSITORY = Path(__file__).parents[2]
SETTINGS = '{"@jupyterlab/apputils-extension:themes": {"theme": "JupyterLab Dark"}}'
PLACES = (
    "etc/jupyter/labconfig/default_setting_overrides.json",
    "share/jupyter/lab/settings/overrides.json",
    "share/jupyter/lab/settings/overrides.d/school.json",
)


def run(*command):
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)


@pytest.mark.slow
def test_installing_and_removing_the_wheel_leaves_an_administrators_settings(tmp_path):
    uv = Path(sys.executable).with_name("uv")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path)
    [wheel] = tmp_path.glob("*.whl")
    names = ZipFile(wheel).namelist()
    assert {"exerciselib/page.py", "exerciselib/README.md"} <= {*names}
    inside = {one for one in names if one.startswith("lesson/notebooks/")}
    programs = {one for one in inside if one.endswith(".py")}
    assert programs == {f"lesson/notebooks/solutions/{part.file}.py" for part in PARTS.values()}
    assert {f"lesson/program/outside/{one.name}" for one in OURS.glob("*.py")} <= {*names}
    assert "lesson/notebooks/pictures/seat.svg" in inside
    env = tmp_path / "env"
    run(sys.executable, "-m", "venv", "--without-pip", env)
    for place in PLACES:
        (env / place).parent.mkdir(parents=True, exist_ok=True)
        (env / place).write_text(SETTINGS)
    python = env / "bin" / "python"

    def settings():
        return {place: (env / place).read_text() for place in PLACES}

    def below(folder):
        return {one.relative_to(env).as_posix() for one in (env / folder).rglob("*")}

    before, files = settings(), below("etc") | below("share")
    run(uv, "pip", "install", "--offline", "--no-deps", "--python", python, wheel)
    # A page takes our solution from the wheel, and not from a learner's copy beside the notebook.
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "nag.py").write_text("MyNag = None\n")
    [packages] = env.rglob("site-packages")
    script = (
        "from lesson.common.solutions import SOLUTIONS; from lesson.exercises.my_nag import PAGE\n"
        "print(SOLUTIONS, PAGE.make().__init__.__defaults__)"
    )
    place = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(packages)}}
    said = subprocess.check_output([sys.executable, "-c", script], text=True, **place)
    assert said == f"{packages / 'lesson/notebooks/solutions'} (3,)\n"
    added = (below("etc") | below("share")) - files
    ours = "share/jupyter/labextensions/planning-agent-lesson"
    assert {one for one in added if not one.startswith(ours)} <= {"share/jupyter/labextensions"}
    assert (env / ours / "keep_widgets.js").exists()
    assert settings() == before
    run(uv, "pip", "uninstall", "--python", python, "planning-agent-lesson")
    assert settings() == before
    assert not (env / ours / "keep_widgets.js").exists()
