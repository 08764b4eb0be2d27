"""What README.md shows: commands, and the project's address."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from lesson.common.solutions import SOLUTIONS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_whole_agent_runs_as_its_section_says(tmp_path):
    [line] = re.findall(r"(?m)^\.venv/bin/planning-agent (practice .*)$", README)
    command, folder, prompt = shlex.split(line)
    assert (command, ROOT / folder) == ("practice", SOLUTIONS)
    [shown] = re.findall(r"(?s)```text\n\$ planning-agent practice my_agent (.*?)```", README)
    prompted, *lines = shown.splitlines()
    assert shlex.split(prompted) == [prompt]
    [refusal] = re.findall(r"(?m)^› Allow .*\] (.*)$", shown)
    done = subprocess.run(
        [sys.executable, "-m", "lesson", command, ROOT / folder, prompt],
        cwd=tmp_path,
        input=f"y\n{refusal}\n" + "y\n" * 50,  # to each question whether it may
        capture_output=True,
        text=True,
        timeout=120,
    )
    printed = done.stdout.splitlines()
    for line in lines:  # a question is printed with what the program prints after the answer
        said = line.removesuffix(refusal)
        assert line == "…" or any(said in other for other in printed), line
    assert "They stay in made/hello." in done.stdout
    assert (tmp_path / "made" / "hello" / "hello.py").is_file()


@pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")
def test_commands_of_the_readme_can_be_copied():
    blocks = "".join(re.findall(r"(?s)```sh\n(.*?)```", README))
    assert re.match(r"make lab\n(.*\n)*make test .*\nmake test ALL=1 ", blocks)
    assert "\nmake test ALL=1\n" in (ROOT / ".ci/run").read_text("utf-8")
    for line in blocks.splitlines():
        command, *words = shlex.split(line, comments=True)
        if command == "make":
            subprocess.run([command, "-n", *words], cwd=ROOT, check=True, capture_output=True)
        else:
            assert words[0] == "practice"  # the test above runs it


def test_published_readme_and_project_have_the_address(tmp_path):
    contribute = (ROOT / "docs/CONTRIBUTING.md").read_text("utf-8")
    [command] = re.findall(r"(?m)^    (sed -i.old .*)$", contribute)
    for name in ("README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    subprocess.run(command, shell=True, cwd=tmp_path, check=True)
    readme, project = (
        (tmp_path / name).read_text("utf-8") for name in ("README.md", "pyproject.toml")
    )
    address = "https://github.com/ada/lesson"
    assert tomllib.loads(project)["project"]["urls"]["Repository"] == address
    assert f"`git clone {address}`" in readme and "(https://ada.github.io/lesson/)" in readme
    [package] = map(Requirement, re.findall(r'pip install "(.*?)"', readme))
    assert package.name == tomllib.loads(project)["project"]["name"] and package.extras == {"lab"}
    assert not re.search("OWNER|NAME|published:", readme + project)
