"""The wheel, installed next to other packages and removed again: it changes nothing of theirs."""

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
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
    added = (below("etc") | below("share")) - files
    ours = "share/jupyter/labextensions/planning-agent-lesson"
    assert {one for one in added if not one.startswith(ours)} <= {"share/jupyter/labextensions"}
    assert (env / ours / "keep_widgets.js").exists()
    assert settings() == before
    run(uv, "pip", "uninstall", "--python", python, "planning-agent-lesson")
    assert settings() == before and not (env / ours / "keep_widgets.js").exists()
