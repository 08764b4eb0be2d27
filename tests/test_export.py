"""export(): one file that needs only `anthropic`, against the offline API over HTTP."""

import os
import subprocess
import sys

import pytest
from exercises.cells import SOLUTIONS, slip
from IPython.core.interactiveshell import InteractiveShell
from loopback import KEY, Server, http
from support.blocks import text, use
from traitlets.config import Config

import lesson
from lesson.practice.practice_model import PracticeModel
from lesson.samples import copy_sample

PROMPT = "Refactor hello.py: add type hints, docstrings and a main guard."
# As in an environment that has only `anthropic`.
ALONE = """\
import runpy, sys
sys.modules.update(lesson=None, agentlib=None)
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")
"""


class PracticeServer(Server):
    """A server whose answers are those of a practice model."""

    def __init__(self, model):
        super().__init__()
        self.client = model.client()

    def answer(self, request):
        given = self.client._client.post("http://practice.invalid/v1/messages", json=request)
        return http(given.status_code, given.json())


@pytest.fixture(scope="module", params=["[]", "[] if (yield) else []"])
def exported(request, tmp_path_factory):
    """Return the file with the agent of the solved notebook, also as a generator."""
    file = tmp_path_factory.mktemp("alone") / "exported_agent.py"
    file.write_text("my changes")  # as if an earlier one was changed by hand
    results = "        results = {}\n".format
    export_cell(slip(SOLUTIONS["agent"], (results("[]"), results(request.param))), file)
    return file


def export_cell(source, file):
    shell = InteractiveShell.instance(config=Config(HistoryManager={"enabled": False}))
    shell.run_cell(source, store_history=True)
    lesson.export(shell.user_ns["agent"], file)
    InteractiveShell.clear_instance()


def run_alone(file, model, answers, before=""):
    """Run the file without our packages, and return what it prints. `answers` are typed."""
    with PracticeServer(model) as server:
        names = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": "k", "MODEL_ID": "practice"}
        done = subprocess.run(
            [sys.executable, "-c", before + ALONE, str(file), PROMPT],
            cwd=file.parent,
            env=os.environ | names,
            input=answers,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_exported_agent_does_its_job_and_is_one_short_file(exported):
    folder = exported.parent / "project"
    copy_sample("hello", folder)
    model = PracticeModel()
    printed = run_alone(exported, model, "y\n" * 99, "import os\ndel os.killpg\n")  # as on Windows
    assert "Allow this? [y/n]" in printed and len(model.requests) > 5
    assert "is_error" not in str(model.requests[-1])
    assert "def greet(name: str" in (folder / "hello.py").read_text()
    assert len(exported.read_text().splitlines()) <= 240
    assert "lesson" not in exported.read_text()
    assert exported.with_name("exported_agent_1.py").read_text() == "my changes"


def test_no_is_respected_and_a_path_outside_is_refused(exported, tmp_path):
    file = tmp_path / exported.name
    file.write_text(exported.read_text())
    (tmp_path / "project").mkdir()
    (tmp_path / "secret").write_text("a")
    (tmp_path / "project" / "link").symlink_to(tmp_path / "secret")
    expected = [
        (use("bash", command="touch ran"), "did not allow"),
        (use("write_file", path="ran", content="x"), "did not allow"),
        (use("bash", command="echo key=$ANTHROPIC_API_KEY."), "key=."),
        (use("write_file", path="../ran", content="x"), "../ran is outside of the folder"),
        (use("read_file", path="/etc/passwd"), "/etc/passwd is outside of the folder"),
        (use("edit_file", path="link", old_text="a", new_text="b"), "link is outside of the"),
        (use("bash", command="touch ran"), "EOF"),  # no one is there to answer
    ]
    replies = [[call] for call, _ in expected]
    model = PracticeModel(lambda _: replies.pop(0) if replies else [text("Done.")])
    run_alone(file, model, "n\nn\ny\n")
    results = [str(message["content"]) for message in model.requests[-1]["messages"][2::2]]
    for result, (_, said) in zip(results, expected, strict=True):
        assert said in result
    assert not [*tmp_path.glob("**/ran")] and (tmp_path / "secret").read_text() == "a"


ALL = {"MODEL_ID": "m", "ANTHROPIC_API_KEY": KEY}


@pytest.mark.parametrize(
    "given, prompt, missing",
    [
        ({"MODEL_ID": "m"}, PROMPT, "the variable ANTHROPIC_API_KEY, your key."),
        (ALL | {"MODEL_ID": ""}, PROMPT, "the variable MODEL_ID, the name of a model."),
        (ALL, "", "the prompt, after the name of this file."),
    ],
)
def test_exported_agent_says_what_is_missing(exported, given, prompt, missing):
    env = {name: value for name, value in os.environ.items() if "ANTHROPIC" not in name} | given
    command = [sys.executable, str(exported), *prompt.split()]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode and done.stderr.startswith(f"This is missing: {missing}\n")
    assert "Traceback" not in done.stderr


def test_exported_agent_without_anthropic_says_what_to_install(exported):
    before = "import sys\nsys.modules.update(anthropic=None)\n"
    command = [sys.executable, "-c", before + ALONE, str(exported), PROMPT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode and "-m pip install anthropic\n" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "top, used, said",
    [
        ("import yaml", "yaml", "your agent uses yaml, and the file may need only anthropic."),
        ("Workspace = 1", "Workspace", "the file has its own Workspace: give yours another name"),
        ("def signature(run): pass", "signature", "the file has its own signature: give"),
        ("def input(text): return 'y'", "input", "the file has its own input: give yours"),
        ("import os.path", "os.path", "has your agent"),
        ("", "len(messages, 1)", "has our agent, because yours does not pass"),
    ],
)
def test_what_cannot_be_exported_is_said(tmp_path, capsys, top, used, said):
    source = slip(SOLUTIONS["agent"], ("    plan = []\n", f"    plan = [{used}][:0]\n"))
    export_cell(f"{top}\n{source}", tmp_path / "one.py")
    assert said in capsys.readouterr().out
    assert (tmp_path / "one.py").exists() == said.startswith("has ")
