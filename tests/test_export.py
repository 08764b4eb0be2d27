"""export(): one file that needs only `anthropic`, against the offline API over HTTP."""

import io
import os
import re
import runpy
import subprocess
import sys

import anthropic
import pytest
from exercises.cells import SOLUTIONS, slip
from loopback import KEY, Server, error, http
from support.blocks import text, use
from support.notebook import run_cells
from support.terminal import Screen

from lesson.practice.practice_model import PracticeModel
from lesson.program import template
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
    run_cells("from lesson import export", source, f"export(agent, {str(file)!r})")


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
    model = PracticeModel(thinking=True)  # each reply begins with a thinking block
    printed = run_alone(exported, model, "y\n" * 99, "import os\ndel os.killpg\n")  # as on Windows
    assert "Allow this? [y/n]" in printed and len(model.requests) > 5
    assert "is_error" not in str(model.requests[-1])
    assert "def greet(name: str" in (folder / "hello.py").read_text()
    assert len(exported.read_text().splitlines()) < 330
    assert "lesson" not in exported.read_text()
    assert exported.with_name("exported_agent_1.py").read_text() == "my changes"


def test_exported_agent_prints_tools_lists_reminders_errors_and_what_the_model_says(
    exported, tmp_path
):
    file = tmp_path / exported.name
    file.write_text(exported.read_text())
    (tmp_path / "project").mkdir()
    item = {"text": "Say hello", "status": "in_progress"}
    replies = [
        [text("My plan:\n- hello"), use("todo", items=[item])],
        [use("read_file", path="a\x1b.txt")],
        [use("bash", command="echo hello && \\\n" * 9), use("delete_file")],
        [use("write_file", content="x", path="b.txt")],
        [use("todo", items=[item | {"status": "completed"}])],
        [text("Done.")],
    ]
    printed = run_alone(file, PracticeModel(lambda _: replies.pop(0)), "n\nn\n")
    printed = printed.replace("[y/n] ", "[y/n]\n")  # as where the answer is typed
    # Without the two questions, whose lines are tested below.
    no = "     Error: PermissionError('the user did not allow this')"
    assert re.findall(r"(?m)^(?: {5}\S|  \d  ).*", printed) == [
        "     My plan:",
        "     - hello",
        "  1  todo",
        "     [>] Say hello",
        r"  2  read_file a\x1b.txt",
        "     Error: FileNotFoundError(2, 'No such file or directory')",
        r"  3  bash echo hello && \ echo hello && \ echo hello && \ echo hello [...]",
        "  3  delete_file",
        no,
        "     Error: KeyError('delete_file')",
        "  4  write_file b.txt",
        no,
        "     + reminder",
        "  5  todo",
        "     [x] Say hello",
        "     Done.",
    ]


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


ASK = """
from pathlib import Path
from time import sleep
from lesson.program.template import ask_user
print("READY", flush=True)
while not Path("typed").exists(): sleep(0.01)
try:
    ask_user("run a command", {!r})
    print("ALLOWED")
except PermissionError as problem:
    print("REFUSED")
"""


@pytest.mark.parametrize(
    "command",
    [
        "touch OWNED" + "\n" * 60 + "# ls",
        "touch OWNED" + " " * 6000 + "# ls",
        "touch OWNED" + "\t" * 3000 + "# ls",
        "touch OWNED #" + "\u3000" * 3000 + "# ls",
        "touch OWNED" + "\x1b[2J\r# ls",
        "touch OWNED\nAllow this? [y/n] n\n\nThe model wants to run a command\n# ls",
    ],
    ids=["lines", "spaces", "tabs", "wide", "controls", "imitated"],
)
def test_question_of_the_exported_agent_shows_beginning_and_end_of_a_command(
    monkeypatch, capsys, command
):
    asked = ask_on_a_screen(monkeypatch, capsys, command)
    assert asked[0] == "The model wants to run a command:"
    assert asked[2].startswith("    touch OWNED") and asked[-3].endswith("# ls")
    assert len(asked) <= 24 and all(len(row) < 80 for row in asked)
    assert all(row.startswith(("    ", "  > ", "[")) for row in asked[2:-2])


@pytest.mark.parametrize("lines, hidden", [(16, 0), (17, 0), (18, 0), (19, 3), (20, 4)])
def test_question_of_the_exported_agent_never_hides_one_or_two_lines(
    monkeypatch, capsys, lines, hidden
):
    command = "\n".join(f"echo {number}" for number in range(lines))
    asked = ask_on_a_screen(monkeypatch, capsys, command)
    assert len([row for row in asked if "echo" in row]) == lines - hidden
    notes = [f"[{hidden} lines are not shown here. To see all, type s]"] if hidden else []
    assert [row for row in asked if row.startswith("[")] == notes
    assert len(asked) < 24


def ask_on_a_screen(monkeypatch, capsys, command):
    """Answer no to the question about a command, and return its lines on a screen of 80x24."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    with pytest.raises(PermissionError):
        template.ask_user("run a command", command)
    return capsys.readouterr().out.strip("\n").split("\n")


def test_question_of_the_exported_agent_shows_the_rest_if_asked_and_ignores_earlier_keys(tmp_path):
    command = "\n".join(f"echo {number}" for number in range(99))
    screen = Screen("-c", ASK.format(command), cwd=tmp_path, COLUMNS="80", LINES="24")
    screen.wait_for(b"READY")
    screen.type(b"y\ny\n")
    (tmp_path / "typed").touch()
    screen.wait_for(b"[y/n] ")
    assert b"echo 50\r" not in screen.seen and b"83 lines are not shown here" in screen.seen
    screen.seen = b""
    screen.type(b"s\n")
    screen.wait_for(b"[y/n] ")
    assert b"echo 50\r" in screen.seen
    screen.type(b"yes\n")
    screen.wait_for(b"ALLOWED")
    assert screen.end() == 0


@pytest.fixture
def allow(tmp_path, monkeypatch):
    """Return the exported agent's tools in a folder, and a function that answers questions."""
    monkeypatch.chdir(tmp_path)
    template.FOLDER.mkdir()
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n" * 9))
    return template.Workspace()


def test_exported_write_file_leaves_the_file_if_its_text_cannot_be_encoded(allow):
    file = template.FOLDER / "data.txt"
    file.write_text("precious")
    with pytest.raises(UnicodeEncodeError):
        allow.write_file("data.txt", "half an emoji: \ud83d")
    assert file.read_text() == "precious"


def test_exported_edit_file_keeps_line_ends_and_asks_about_what_changes(allow, capsys):
    file = template.FOLDER / "data.txt"
    lines = [f"line {number}" for number in range(3000)]
    file.write_bytes("\r\n".join(lines).encode())
    assert allow.read_file("data.txt") == "\r\n".join(lines)
    with pytest.raises(ValueError, match="occurs 0 times"):
        allow.edit_file("data.txt", "line 7\nline 8\n", "line 7\nline 8a\nline 8b\n")
    allow.edit_file("data.txt", "line 8\r\n", "line 8a\r\nline 8b\r\n")
    lines[8:9] = "line 8a", "line 8b"
    assert file.read_bytes() == "\r\n".join(lines).encode()
    asked = capsys.readouterr().out
    assert "The model wants to change a file:" in asked and "'data.txt'" in asked
    assert "    -line 8\\r\n" in asked and "    +line 8b\\r\n" in asked
    assert "line 50" not in asked


def test_exported_tools_change_no_file_that_has_changed_since_the_question(allow, monkeypatch):
    file = template.FOLDER / "data.txt"
    file.write_bytes(b"a\n\0")

    class Editor:
        def readline(self):
            file.write_bytes(b"precious\0")
            return "y\n"

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    monkeypatch.setattr(sys.stdin, "readline", Editor().readline, raising=False)
    with pytest.raises(ValueError, match="has changed since the user was asked"):
        allow.write_file("data.txt", "c\n")
    assert file.read_bytes() == b"precious\0"


def test_exported_tools_read_no_pipe(allow):
    os.mkfifo(template.FOLDER / "pipe")
    with pytest.raises(ValueError, match="a pipe or a device"):
        allow.read_file("pipe")


def test_exported_bash_waits_for_no_background_process_and_has_limited_output(allow):
    assert allow.bash("sleep 1000 & echo x") == "x\n\n(exit code 0)"
    assert len(allow.bash("yes | head -c 9000000")) < 51_000


ALL = {"MODEL_ID": "m", "ANTHROPIC_API_KEY": KEY}


@pytest.mark.parametrize(
    "given, prompt",
    [({"MODEL_ID": "m"}, PROMPT), (ALL | {"MODEL_ID": ""}, PROMPT), (ALL, "")],
    ids=["key", "name", "prompt"],
)
def test_exported_agent_says_how_to_start_it_if_something_is_missing(exported, given, prompt):
    env = {name: value for name, value in os.environ.items() if "ANTHROPIC" not in name} | given
    command = [sys.executable, str(exported), *prompt.split()]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    missing = "The prompt, MODEL_ID or ANTHROPIC_API_KEY is missing.\n\nA coding agent in one file"
    assert done.returncode and done.stderr.startswith(missing)
    assert "Traceback" not in done.stderr


JSON = "content-type: application/json"
INVALID = "The server sent no valid message. Run this again, or choose another model or server."


@pytest.mark.parametrize(
    "answer, said",
    [
        (http(200, '{"id": "msg_1", "content": [{"ty', JSON), INVALID),
        (http(200, 'event: message_start\ndata: {"type"', JSON), INVALID),
        (http(204, "", JSON), INVALID),
        (http(200, '{"content": ' + "9" * 5000 + "}", JSON), INVALID),
        (http(200, "<title>Sign in</title>", "content-type: text/html"), INVALID),
        (error(401, "invalid x-api-key"), "Copy it again into ANTHROPIC_API_KEY."),
        (error(404, "model: m"), "Are MODEL_ID and ANTHROPIC_BASE_URL right?"),
        (error(429, "slow down"), "Wait a minute, then run this again."),
        (error(400, "tools.0: \x1b[2Jno"), "Error code: 400"),
        (error(529, "Overloaded"), "The server has a problem. Run this again later."),
        ([], "The server cannot be reached. Is there a network,"),
    ],
)
def test_exported_agent_says_what_failed_at_the_server_and_what_to_do(
    exported, tmp_path, monkeypatch, answer, said
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(exported), PROMPT])
    for name, value in (ALL | {"HTTP_PROXY": "http://127.0.0.1:9"}).items():
        monkeypatch.setenv(name, value)
    with Server(*[answer] * 3) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)  # on this machine: without the proxy
        with pytest.raises(SystemExit) as end:
            runpy.run_path(str(exported), run_name="__main__")
    assert str(end.value).startswith("Stopped: ") and said in str(end.value)
    assert "\x1b" not in str(end.value) and len(str(end.value)) < 450


def test_exported_agent_says_why_it_cannot_begin(exported, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(exported), PROMPT])
    for name, value in (ALL | {"ALL_PROXY": "socks5://127.0.0.1:9"}).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit, match="a variable for a proxy or a certificate wrong"):
        runpy.run_path(str(exported), run_name="__main__")
    (tmp_path / "project").rmdir()
    (tmp_path / "project").touch()
    with pytest.raises(SystemExit, match="no folder project could be made here. File exists"):
        runpy.run_path(str(exported), run_name="__main__")


def test_exported_agent_prints_what_an_ascii_terminal_cannot_show_as_codes(exported, tmp_path):
    file = tmp_path / exported.name
    file.write_text(exported.read_text())
    model = PracticeModel(lambda _: [text("Voilà.")])
    before = "import sys\nsys.stdout.reconfigure(encoding='ascii')\n"
    assert "     Voil\\xe0.\n" in run_alone(file, model, "", before)


def test_exported_agent_without_anthropic_says_what_to_install(exported):
    before = "import sys\nsys.modules.update(anthropic=None)\n"
    command = [sys.executable, "-c", before + ALONE, str(exported), PROMPT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode and "pip install anthropic\n" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "0.0.0.0"])
def test_key_of_the_exported_agent_goes_to_no_proxy_for_this_machine(monkeypatch, host):
    with Server() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://{host}:9")  # where nothing listens
        with pytest.raises(anthropic.APIConnectionError):
            template.Client().client.with_options(max_retries=0).models.list()
    assert proxy.heads == []


@pytest.mark.parametrize("address", ["http://example.invalid", "http://127.0.0.1.invalid"])
def test_key_of_the_exported_agent_is_not_sent_over_http_to_another_machine(monkeypatch, address):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    with pytest.raises(SystemExit, match="ANTHROPIC_BASE_URL must begin with https://"):
        template.Client()


def test_exported_agent_follows_no_redirect_to_another_server(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    with Server() as other:
        with Server(http(307, "", f"location: {other.url}/v1/messages")) as server:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            with pytest.raises(SystemExit, match="307"):
                template.Client().create(model="m", max_tokens=9, messages=[{"content": "Go"}])
    assert other.heads == []


def test_exported_agent_prints_no_part_of_a_proxys_password(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("HTTPS_PROXY", "http://me:a-secret#1@proxy.invalid:3128")
    with pytest.raises(SystemExit) as end:
        template.Client()
    assert "a-secret" not in str(end.value)


@pytest.mark.parametrize(
    "top, used, said",
    [
        ("import yaml", "yaml", "agent uses yaml, and the file may need only anthropic."),
        ("Workspace = 1", "Workspace", "the file has its own Workspace: give yours another name."),
        ("def signature(run): pass", "signature", "the file has its own signature: give yours"),
        ("ask_user = print", "ask_user", "the file has its own ask_user: give"),
        (
            "def a():\n    global ask_user\n    ask_user = 1",
            "a",
            "the file has its own ask_user: give",
        ),
        ("def input(text): return 'y'", "input", "the file has its own input: give yours another"),
        ("", "Board", "agent uses Board: write it into the cell of agent as well."),
        ("import os.path", "os.path", "has your agent"),
        ("", "len(messages, 1)", 'agent does not pass its check yet: "'),
        ("print('a trial')", "0", "would run in the program. Move it to another cell"),
    ],
)
def test_only_an_agent_that_passes_and_stands_alone_is_exported(tmp_path, capsys, top, used, said):
    source = slip(SOLUTIONS["agent"], ("    plan = []\n", f"    plan = [{used}][:0]\n"))
    export_cell(f"{top}\n{source}", tmp_path / "one.py")
    assert said in capsys.readouterr().out
    assert (tmp_path / "one.py").exists() == said.startswith("has ")
