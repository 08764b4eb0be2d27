"""What README.md shows: commands, and the project's address."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import publish
import pytest
from packaging.requirements import Requirement
from support.documents import list_links

from lesson.common.solutions import SOLUTIONS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_whole_agent_runs_as_its_section_says(tmp_path):
    [line] = re.findall(r"(?m)^\.venv/bin/planning-agent (practice .*)$", README)
    command, folder, asked = shlex.split(line)
    assert (command, ROOT / folder) == ("practice", SOLUTIONS)
    done = subprocess.run(
        [sys.executable, "-m", "lesson", command, ROOT / folder, asked],
        cwd=tmp_path,
        input="y\n" * 50,  # to each question whether it may
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "They stay in made/hello." in done.stdout
    assert (tmp_path / "made" / "hello" / "hello.py").is_file()


@pytest.mark.skipif(not shutil.which("make"), reason="no make on this machine")
@pytest.mark.parametrize(
    "given",
    ["", "https://github.com/ada/us/", "git@github.com:ada/us.git", "https://t0@github.com/ada/us"],
)
def test_readme_can_be_followed_by_copying_with_an_address_and_without_one(tmp_path, given):
    for file in {"Makefile", "tools/publish.py", *(row[0] for row in publish.TABLE)}:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)

    def write(address):
        make = ["make", "publish", f"PYTHON={sys.executable} -B", f"ADDRESS={address}"]
        done = subprocess.run(make, cwd=tmp_path, check=True, capture_output=True)
        assert b"t0" not in done.stdout + done.stderr
        return {file: file.read_text("utf-8") for file in tmp_path.rglob("*.*") if file.is_file()}

    without = write("")
    write("https://github.com/bob/other")
    files = write(given)
    text, copy = (files.get(tmp_path / file, "") for file in ("README.md", publish.COPY))
    blocks = "".join(re.findall(r"(?s)```sh\n(.*?)```", text))
    first = "git clone https://github.com/ada/us\ncd us\n" if given else ""
    assert re.match(rf"{first}make lab\n(.*\n)*make test .*\nmake test ALL=1 ", blocks)
    assert not given or not re.search("this folder|double click", copy)
    assert "\nmake test ALL=1\n" in (ROOT / ".ci/run").read_text("utf-8")
    for line in blocks.removeprefix(first).splitlines():
        command, *words = shlex.split(line, comments=True)
        if command == "make":
            subprocess.run([command, "-n", *words], cwd=ROOT, check=True, capture_output=True)
        elif words[0] == "install":
            asked = Requirement(words[-1])
            project = tomllib.loads(files[tmp_path / "pyproject.toml"])["project"]
            assert asked.url == "https://github.com/ada/us/archive/HEAD.zip"
            assert asked.name == project["name"]
            assert asked.extras < {*project["optional-dependencies"]}
        else:  # the test above runs the first, and test_wheel.py what the others do
            assert words[0] == "practice" or words in (["lab"], ["-m", "venv", "planner"]), line
    for link in (links := list_links(text)):
        assert (ROOT / link.partition("#")[0]).exists(), link
    place = "https://github.com/ada/us/(?:blob|raw)/HEAD/"
    absolute = re.findall(rf'(?:\]\(|="){place}([^)"]+)', copy)
    assert list_links(copy) == [] and absolute == (links if given else [])
    names = {"address": "https://github.com/ada/us", "pages": "https://ada.github.io/us/"}
    names["name"] = "us"
    for file, text, published in publish.TABLE:
        assert (published.format(**names) if given else text) in files[tmp_path / file]
        assert not re.search(r"\bADDRESS\b(?!=)|/ada|/bob", without[tmp_path / file])
    check_copy(tmp_path)
    if given:
        with (tmp_path / "README.md").open("a") as file:
            file.write("More.\n")
        with pytest.raises(AssertionError, match="make publish"):
            check_copy(tmp_path)
        (tmp_path / "README.md").write_text(files[tmp_path / "README.md"], encoding="utf-8")
    assert write("") == without


def check_copy(root):
    address, copy = publish.find_address(root), root / publish.COPY
    expected = publish.write_copy((root / "README.md").read_text("utf-8"), address)
    found = copy.read_text("utf-8") if copy.exists() else None
    assert found == (expected if address else None), "write it again: make publish ADDRESS=…"


def test_the_index_gets_the_readme_of_this_commit():
    check_copy(ROOT)


def test_a_users_own_site_has_no_folder_and_an_error_shows_no_token():
    assert publish.write("", "{pages}", "https://github.com/Ada/ada.github.io") == (
        "https://Ada.github.io/"
    )
    command = [sys.executable, publish.__file__, "https://ada:t0@example.org/ada/us"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode and "https://…@example.org/ada/us is no address" in done.stderr
