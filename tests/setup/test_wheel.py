"""The wheel alone is a lesson, and changes nothing of other packages in its environment."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from lesson.common.parts import PARTS
from lesson.program.copy_lesson import PAGES
from lesson.program.folder import OURS

pytestmark = pytest.mark.release
REPOSITORY = Path(__file__).parents[2]
UV = Path(sys.executable).with_name("uv")
SETTINGS = '{"@jupyterlab/apputils-extension:themes": {"theme": "JupyterLab Dark"}}'
PLACES = (
    "etc/jupyter/labconfig/default_setting_overrides.json",
    "share/jupyter/lab/settings/overrides.json",
    "share/jupyter/lab/settings/overrides.d/school.json",
)


def run(*command):
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel, once for both tests."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder)
    [wheel] = folder.glob("*.whl")
    return wheel


def test_installing_and_removing_the_wheel_leaves_an_administrators_settings(wheel, tmp_path):
    names = ZipFile(wheel).namelist()
    assert {"exerciselib/page.py", "exerciselib/README.md"} <= {*names}
    pages = {name for name in names if name.startswith("lesson/docs/")}
    assert pages == {f"lesson/docs/{name}.md" for name in PAGES}  # nothing for teachers
    inside = {name for name in names if name.startswith("lesson/notebooks/")}
    programs = {name for name in inside if name.endswith(".py")}
    solutions = {*(f"{part.file}.py" for part in PARTS.values()), *(path.name for path in OURS)}
    assert programs == {f"lesson/notebooks/solutions/{name}" for name in solutions}
    assert "lesson/notebooks/lesson_pictures/you.svg" in inside
    env = tmp_path / "env"
    run(sys.executable, "-m", "venv", "--without-pip", env)
    for place in PLACES:
        (env / place).parent.mkdir(parents=True, exist_ok=True)
        (env / place).write_text(SETTINGS)
    python = env / "bin" / "python"

    def settings():
        return {place: (env / place).read_text() for place in PLACES}

    def below(folder):
        return {path.relative_to(env).as_posix() for path in (env / folder).rglob("*")}

    before, files = settings(), below("etc") | below("share")
    run(UV, "pip", "install", "--offline", "--no-deps", "--python", python, wheel)
    # A page takes our solution from the wheel, and not from a learner's copy beside the notebook.
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "nag.py").write_text("MyNag = None\n")
    [packages] = env.rglob("site-packages")
    script = (
        "from lesson.common.solutions import SOLUTIONS; from lesson.exercises.my_nag import PAGE\n"
        "print(SOLUTIONS, PAGE.make().__init__.__defaults__)"
    )
    place = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(packages)}}
    printed = subprocess.check_output([sys.executable, "-c", script], text=True, **place)
    assert printed == f"{packages / 'lesson/notebooks/solutions'} (3,)\n"
    added = (below("etc") | below("share")) - files
    extension = "share/jupyter/labextensions/planning-agent-lesson"
    others = {path for path in added if not path.startswith(extension)}
    assert others <= {"share/jupyter/labextensions"}
    assert (env / extension / "keep_widgets.js").exists()
    assert settings() == before
    run(UV, "pip", "uninstall", "--python", python, "planning-agent-lesson")
    assert settings() == before
    assert not (env / extension / "keep_widgets.js").exists()


def test_wheel_with_its_lab_extra_is_a_lesson_without_the_repository(wheel, tmp_path):
    """Installing the wheel is a way to start. uv's cache has the packages, as `make` took them."""
    lock, lesson = REPOSITORY / "requirements.lock", tmp_path / "my_lesson"
    package = f"planning-agent-lesson[lab] @ {wheel.as_uri()}"
    bin = tmp_path / "env" / "bin"
    run(UV, "venv", "-p", sys.executable, bin.parent)
    run(UV, "pip", "install", "--offline", "-c", lock, "-p", bin / "python", package)
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    def say(*command, cwd=lesson):
        done = subprocess.run(
            [bin / command[0], *command[1:]],
            cwd=cwd,
            env=outside,
            input="y\n" * 50,  # to each question of the program
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return done.stdout

    say("planning-agent", "lesson", lesson, cwd=tmp_path)
    asked = "import agentlib, lesson; print(agentlib.__file__, lesson.__file__)"
    assert all(path.startswith(str(bin.parent)) for path in say("python", "-c", asked).split())
    nbval = ("--nbval-lax", "--nbval-current-env", "-p", "no:cacheprovider")
    played = say("python", "-m", "pytest", *nbval, "00_start_here.ipynb", "s02_tool_use.ipynb")
    assert " passed" in played and "failed" not in played
    assert say("planning-agent", "take-away", "mine.zip").startswith("mine.zip is written.")
    for program in ("my_agent", "mine.zip"):
        prompt = "Refactor hello.py: add type hints, docstrings and a main guard."
        report = say("planning-agent", "practice", program, prompt)
        assert "(3/3 completed)" in report and "Changed or new: hello.py." in report
