"""frame.py and guards.py: what they promise for files, key, answers, screen and money."""

import importlib
import io
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from loopback import KEY, Server, error, http, message
from support.blocks import reply, text, use
from support.program import answer, play, play_connected, variables

from lesson import session
from lesson.practice.practice_model import PracticeModel
from lesson.samples.copies import copy_project
from lesson.samples.jobs import load_job

TEN = load_job("ten_steps")


# The files.
CHECKED = """\
import os
import urllib.parse


def read_file(folder, path):
    if not (folder / path).resolve().is_relative_to(folder):
        raise ValueError(f"{{path}} is outside of the folder: give a path inside it")
    {change}
    return (folder / path).read_text(encoding="utf-8")
"""
CHANGES = {
    "strip": ("path = path.strip()", " {secret}"),
    "a variable": ("path = os.path.expandvars(path)", "$HOME/secret.txt"),
    "the user's folder": ("path = os.path.expanduser(path)", "~/secret.txt"),
    "percent signs": ("path = urllib.parse.unquote(path)", "%2e%2e/secret.txt"),
    "one line": ("path = path.split(chr(10))[0]", "../secret.txt\n/../.."),
    "a descriptor": ('return os.read(os.open("../secret.txt", 0), 99).decode()', "a.txt"),
    "bytes": ('return open(b"../secret.txt").read()', "a.txt"),
    "a link": (
        'os.symlink("../secret.txt", "link"); return open("link").read()',
        "a.txt",
    ),
    "another folder": ('os.chdir(".."); return open("secret.txt").read()', "a.txt"),
    "a program": ('return os.popen("cat ../secret.txt").read()', "a.txt"),
    "a list of names": ('return str(os.listdir(".."))', "a.txt"),
    "git's own": ('return open(".git/config").read()', "a.txt"),
}


def define(code):
    names = {}
    exec(code, names)
    return names["read_file"]


@pytest.mark.parametrize("name", CHANGES)
def test_a_read_file_that_changes_the_path_after_its_check_reads_nothing(
    frame, guards, tmp_path, monkeypatch, name
):
    change, path = CHANGES[name]
    monkeypatch.setenv("HOME", str(tmp_path))
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    (frame.ROOT / ".git").mkdir()
    (frame.ROOT / ".git" / "config").write_text("the secret")
    (frame.ROOT / "a.txt").write_text("harmless")
    path = path.format(secret=secret)
    inside = frame.ROOT / path
    if inside.resolve().is_relative_to(frame.ROOT):
        inside.parent.mkdir(parents=True, exist_ok=True)
        inside.write_text("harmless")
    tool = guards.show("read_file", guards.guard(define(CHECKED.format(change=change))))
    with pytest.raises(ValueError) as problem:
        tool(path=path)
    assert "the secret" not in str(problem.value) and "my_agent" not in str(problem.value)


@pytest.mark.parametrize("where", ["../cookies", "inside", ".git/index"])
def test_an_error_about_bytes_does_not_contain_them(frame, guards, tmp_path, where):
    """`repr` of a UnicodeDecodeError is the file."""
    file = frame.ROOT / where
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(b"SQLite\x00\xff the secret")
    first = "def read_file(folder, path):\n    return (folder / path).read_text('utf-8')"
    for code in (first, f"{first.replace('return', 'text =')}\n    raise ValueError('no')"):
        with pytest.raises(ValueError) as problem:
            guards.show("read_file", guards.guard(define(code)))(path=where)
        assert "secret" not in str(problem.value) and "xff" not in str(problem.value)


def test_a_refused_path_has_the_words_of_the_part(frame, guards, program):
    from read_file import read_file

    read = guards.guard(read_file)
    with pytest.raises(ValueError, match=r"^\.\./x is outside of the folder: give a path"):
        read("../x")
    os.mkfifo(frame.ROOT / "pipe")
    with pytest.raises(ValueError, match="pipe is no"):
        read("pipe")
    with pytest.raises(ValueError, match="is no file: here are pipe"):
        read("nowhere")


@pytest.mark.parametrize("path", [".git/hooks/x", "a/.GIT/config", "../x", "/etc/x", "link/x"])
def test_a_file_outside_or_of_git_is_changed_by_no_tool(frame, tmp_path, path):
    (frame.ROOT / "link").symlink_to(tmp_path)
    (frame.ROOT / ".git" / "hooks").mkdir(parents=True)
    for call in (lambda: frame.write_file(path, "b"), lambda: frame.edit_file(path, "a", "b")):
        with pytest.raises(ValueError, match="outside|git's own"):
            call()
    assert not (tmp_path / "x").exists() and not [*(frame.ROOT / ".git" / "hooks").iterdir()]


@pytest.mark.parametrize("name", ["pyproject.toml", "uv.toml", ".python-version", "UV.toml"])
def test_a_file_that_starts_programs_is_always_asked_about(frame, monkeypatch, capsys, name):
    asked = answer(monkeypatch, "a", "n")
    frame.write_file("a.txt", "1")
    frame.write_file("b.txt", "1")
    assert len(asked) == 1 and "a (all write_file)" in asked[0]
    with pytest.raises(PermissionError):
        frame.write_file(name, "x")
    assert len(asked) == 2 and "all" not in asked[1].partition("[")[2]
    assert "uv" in capsys.readouterr().out.rpartition(f"--- {name}: ")[2]


def test_a_file_that_the_user_has_changed_is_asked_about_also_after_all(frame, guards, monkeypatch):
    asked = answer(monkeypatch, "a", "a", "n")
    file = frame.ROOT / "a.txt"
    frame.write_file("a.txt", "one\n")
    frame.edit_file("a.txt", "one", "two")  # its own change is no one else's
    assert file.read_text() == "two\n" and len(asked) == 2
    file.write_text("two\nmine\n")
    with pytest.raises(PermissionError):
        frame.write_file("a.txt", "three\n")
    assert file.read_text() == "two\nmine\n"
    from read_file import read_file

    guards.guard(read_file)("a.txt")
    frame.write_file("a.txt", "three\n")  # it has read it, so "all" is an answer about it
    assert file.read_text() == "three\n" and len(asked) == 3


def test_all_is_an_answer_until_the_next_prompt(frame, guards, monkeypatch):
    asked = answer(monkeypatch, "a", "n")
    for name in "ab":
        frame.write_file(name, "1")
    guards.Model(None, guards.Notes(None), None, (9, 9), None).begin("Go on", [])
    with pytest.raises(PermissionError):
        frame.write_file("c", "1")
    assert len(asked) == 2


@pytest.mark.parametrize("tool, given", [("write_file", ["b"]), ("edit_file", ["old", "new"])])
def test_a_save_of_the_user_while_the_question_is_open_is_not_lost(
    frame, monkeypatch, tmp_path, tool, given
):
    file, outside = frame.ROOT / "notes.txt", tmp_path / "outside"
    outside.write_text("old")
    for act in (
        lambda: file.write_text("the user's"),
        lambda: (file.unlink(), file.symlink_to(outside)),
    ):
        file.write_text("old")
        monkeypatch.setattr("builtins.input", lambda question, act=act: act() and "y")
        with pytest.raises(ValueError, match="was changed while|outside"):
            getattr(frame, tool)("notes.txt", *given)
    assert outside.read_text() == "old"


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_an_edit_keeps_line_ends_and_rights_and_is_refused_across_mixed_ends(frame, ends):
    file = frame.ROOT / "run.sh"
    file.write_bytes(ends.join(["one", "two", "three", ""]).encode())
    file.chmod(0o755)
    frame.edit_file("run.sh", "one\ntwo", "one\n2")
    assert file.read_bytes() == ends.join(["one", "2", "three", ""]).encode()
    assert file.stat().st_mode & 0o777 == 0o755
    file.write_bytes(b"zero\r\na.c\ntwo\r\n")
    with pytest.raises(ValueError, match="occurs 0 times"):
        frame.edit_file("run.sh", "a.c\ntwo", "1\n2")


def test_a_full_disk_or_half_a_character_leaves_the_old_file_and_no_other(frame, monkeypatch):
    """A limit on the size of a file raises the same OSError as a full disk, after a part."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())  # pytest's is a file
    (frame.ROOT / "notes.txt").write_text("old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(OSError):
            frame.write_file("notes.txt", "new" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    with pytest.raises(UnicodeEncodeError):
        frame.write_file("notes.txt", "new \ud83d")
    assert [one.read_text() for one in frame.ROOT.iterdir()] == ["old"]


# The questions and the screen.
def test_the_question_shows_what_can_hide_as_codes_and_says_what_it_is_about(
    frame, monkeypatch, capsys
):
    asked = answer(monkeypatch, "n")
    with pytest.raises(PermissionError):
        frame.bash("rm \u05d0/1 # 2/\u05d3 \x1b[2J" + "\n" * 40)
    assert r"rm \u05d0/1 # 2/\u05d3 \x1b[2J" in capsys.readouterr().out
    assert asked[0].startswith(r"Allow bash: rm \u05d0/1 # 2/\u05d3 \x1b[2J (41 lines, 63 char")


@pytest.mark.parametrize("said", ["", "n", "maybe", "a b"])
def test_only_yes_is_a_yes_and_words_reach_the_model(frame, guards, monkeypatch, said):
    answer(monkeypatch, "Yes")
    guards.ask_user("touch made")
    answer(monkeypatch, said)
    with pytest.raises(PermissionError, match=f"says: {said or 'no'}$"):
        frame.bash("touch made")
    assert not [*frame.ROOT.iterdir()]


def test_on_windows_typed_keys_are_discarded(guards, monkeypatch):
    keys = list("y\r")
    windows = type(sys)("msvcrt")
    windows.kbhit, windows.getwch = lambda: bool(keys), lambda: keys.pop()
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    monkeypatch.setitem(sys.modules, "termios", None)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: keys.pop() if keys else "y")
    guards.ask_user("bash: ls")
    assert keys == []


def test_text_is_shown_on_any_screen(guards, monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "ascii"))
    guards.say("Done \u5f88 \x1b[2J\u202e.")
    assert sys.stdout.buffer.getvalue() == b"Done ? ?[2J?.\n"


# The key.
@pytest.mark.parametrize("place", ["text", "call", "error", "cut error", "cut input", "field"])
def test_a_key_that_the_server_repeats_reaches_no_screen_command_or_file(
    frame, capsys, tmp_path, place
):
    answers = {
        "text": message(text(f"It is {KEY}.")),
        "call": message(use("bash", "t", command=f"echo {KEY} > got")),
        "error": error(400, f"no key {KEY}"),
        "cut error": error(400, "x" * 200 + KEY),  # only the first words of it are shown
        "cut input": message(use("bash", "t") | {"input": "x" * 240 + KEY}),
        "field": message(use("bash", "t", **{KEY: 1})),
    }
    (frame.ROOT / ".env").write_text(f"KEY={KEY}")
    sys.argv += ["--save", str(tmp_path / "s.jsonl")]
    with Server(message(use("read_file", "r", path=".env")), answers[place]) as server:
        said = play(frame, server)
    out = capsys.readouterr()
    assert "(your" in out.out + said and KEY[:12] not in said
    assert KEY not in out.out + out.err + said + (tmp_path / "s.jsonl").read_text()
    assert KEY not in json.dumps([request["messages"] for request in server.requests])
    if (frame.ROOT / "got").exists():
        assert KEY not in (frame.ROOT / "got").read_text()


@pytest.mark.parametrize("sign", ["\\", "'\"", '"'])
def test_a_key_with_signs_that_an_error_escapes_is_hidden_in_it(frame, monkeypatch, capsys, sign):
    key = f"{KEY}{sign}{KEY[::-1]}"
    with Server(error(401, f"no key {key}")) as server:
        ended = play_connected(monkeypatch, server.url, ANTHROPIC_API_KEY=key)
    assert "(your key)" in ended and KEY not in ended + "".join(capsys.readouterr())


@pytest.mark.parametrize("key", ["k", "test", "1", "input_tokens"])
def test_a_short_key_is_no_secret_and_changes_nothing(
    frame, guards, monkeypatch, tmp_path, capsys, key
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    saved = tmp_path / "s.jsonl"
    importlib.reload(guards)
    importlib.reload(frame)
    sys.argv[1:] = ["a test 1", "--save", str(saved)]
    with Server(message(text("kept test 1"))) as server:
        assert play(frame, server) == ""
    assert "kept test 1" in capsys.readouterr().out
    kinds = [json.loads(line)["type"] for line in saved.read_text().splitlines()]
    assert kinds == ["session", "prompt", "sent", "reply"]
    assert "Not understood" not in str(session(saved))


@pytest.mark.parametrize(
    "env, said",
    [
        ({"ANTHROPIC_API_KEY": ""}, "Set ANTHROPIC_API_KEY"),
        ({"MODEL_ID": ""}, "Set ANTHROPIC_API_KEY"),
        ({"ANTHROPIC_BASE_URL": "http://192.0.2.1:80"}, "others could read your key"),
        ({"ANTHROPIC_BASE_URL": "localhost:1"}, "is no address"),
        ({"ANTHROPIC_BASE_URL": "http://[::1"}, "is no address"),
        ({"ANTHROPIC_BASE_URL": "http://localhost:x"}, "is no address"),
        ({"ANTHROPIC_BASE_URL": "http://localhost:1\n"}, "is no address"),
        ({"ANTHROPIC_API_KEY": f"{KEY}\u200b"}, "another sign that no key has"),
        ({"ANTHROPIC_API_KEY": f"{KEY}\udcff"}, "another sign that no key has"),
        ({"ANTHROPIC_API_KEY": f"{KEY}\r"}, "another sign that no key has"),
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}, "cannot be reached: does it run"),
        ({"MY_AGENT_WINDOW": "ten"}, "MY_AGENT_WINDOW must be a number of messages"),
        ({}, "does not accept the key: is ANTHROPIC_API_KEY right?"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_connection_is_a_sentence_and_no_proxy_is_asked(
    frame, monkeypatch, capsys, env, said
):
    with Server(error(401, "invalid x-api-key")) as server, Server() as proxy:
        ended = play_connected(monkeypatch, server.url, HTTP_PROXY=proxy.url, **env)
    shown = ended + "".join(capsys.readouterr())
    assert said in ended and not proxy.heads and KEY not in shown


def test_a_redirect_is_not_followed(guards, monkeypatch):
    with Server() as other:
        answer = http(307, "", f"location: {other.url}/v1/messages")
        with Server(answer) as server:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            client = guards.connect("m")
            monkeypatch.setattr(guards, "WAITS", ())
            with pytest.raises(Exception, match="307"):
                client.messages.create(model="m", max_tokens=9, messages=[])
    assert not other.heads


# The limits, and what the model is told.
def test_a_prompt_has_sixty_requests_and_the_third_same_failing_call_is_told(frame, capsys):
    answers = [message(use("bash", "t", command="ls nowhere"))] * 70
    with Server(*answers) as server:
        said = play(frame, server)
    assert "The limit of a prompt is reached: 60 requests" in said
    assert len(server.requests) == 60
    told = [
        "do not repeat it" in str(request["messages"][-1]["content"]) for request in server.requests
    ]
    assert told == [False] * 3 + [True] * 57


@pytest.mark.parametrize(
    "between, is_told",
    [(use("write_file", "w", path="a", content="b"), False), (use("todo", "w", items=[]), True)],
)
def test_after_a_change_the_same_failure_is_a_new_one(frame, between, is_told):
    call = use("bash", "t", command="false")
    answers = [message(call), message(call), message(between), message(call)]
    with Server(*answers) as server:
        assert play(frame, server) == ""
    assert ("do not repeat it" in str(server.requests[-1]["messages"])) is is_told


def test_a_prompt_has_a_limit_of_tokens(frame):
    answers = [message(use("bash", "t", command="ls"), tokens=(300_000, 7))] * 5
    with Server(*answers) as server:
        said = play(frame, server)
    assert "2 requests and 600,014 tokens" in said and len(server.requests) == 2


@pytest.mark.parametrize(
    "stop_reason, tokens",
    [("max_tokens", 7), ("refusal", 7), ("brand_new", 7), (None, 7), ("tool_use", 8000)],
)
def test_a_call_runs_only_if_the_reply_is_complete(frame, stop_reason, tokens):
    half = use("write_file", "h", path="half.txt", content="half of the te")
    answer = http(200, reply(half, tokens=(9, tokens)) | {"stop_reason": stop_reason})
    with Server(answer) as server:
        said = play(frame, server)
    assert "so nothing of it was run" in said and not (frame.ROOT / "half.txt").exists()


@pytest.mark.parametrize("window", [2_500, 4_000])
def test_room_is_made_if_the_conversation_is_too_long(frame, capsys, monkeypatch, window):
    copy_project(TEN, frame.ROOT / "x")
    for one in (frame.ROOT / "x").iterdir():
        one.rename(frame.ROOT / one.name)
    model = PracticeModel(context_window=window)
    monkeypatch.setattr(sys, "argv", [sys.argv[0], TEN.prompt])
    assert play(frame, None, model.client()) == ""
    assert TEN.list_missing(frame.ROOT) == []
    assert "The conversation was too long: " in capsys.readouterr().out


def test_a_first_message_that_is_too_long_ends_with_a_sentence(frame):
    with Server(*[error(400, "prompt is too long: 9 tokens > 8 maximum")] * 3) as server:
        assert "The conversation is too long, and `make_room` left nothing out." in play(
            frame, server
        )
    assert len(server.requests) == 1


def test_an_overloaded_server_is_asked_again_and_each_time_is_said(
    frame, guards, monkeypatch, capsys
):
    monkeypatch.setattr(guards, "WAITS", (0.01, 0.02))
    with Server(*[error(529, "Overloaded")] * 2) as server:
        assert play(frame, server) == ""
    assert capsys.readouterr().out.count("It is asked again in 0.0") == 2
    with Server(*[error(429, "Slow down", "x", "retry-after: 3600")] * 4) as server:
        assert "Slow down" in play(frame, server)
    assert len(server.requests) == 3


def test_open_tasks_are_said_at_the_end(frame, capsys):
    items = [{"text": t, "status": s} for t, s in (("Push it", "pending"), ("Fix", "completed"))]
    with Server(message(use("todo", "t", items=items)), message(text("All done!"))) as server:
        assert play(frame, server) == ""
    out = capsys.readouterr().out
    assert "Open in the list (1): Push it\n" in out and "Nobody has judged the files" in out
    assert " s  Push it\n" in out  # how long it has taken


def test_an_error_of_a_part_names_its_line(frame):
    def read_file(folder, path):
        return "x"

    parts = [lambda *a, **k: 1 / 0, type("Todo", (), {"items": []}), None, run_once, None]
    with pytest.raises(SystemExit, match="(?s)test_frame.py.*ZeroDivisionError.*Stopped"):
        frame.main(*parts, read_file, client=PracticeModel().client(), bash=False)


def run_once(run, messages, missing):
    run()


@pytest.mark.parametrize(
    "check, code, said",
    [
        ("test -e done || ! touch done", "", "passes"),
        ("echo no; false", "1", "The model was told, and has called no tool"),
        ("echo '(exit code 0)'; exit 7", "7", "(exit code 7)"),
        ("python3 -m unittest -q", "5", "No test ran."),
    ],
)
def test_a_check_is_asked_at_each_stop(frame, capsys, check, code, said):
    sys.argv += ["--check", check]
    with Server() as server:
        ended = play(frame, server)
    assert said in capsys.readouterr().out + ended and bool(ended) is bool(code)


# What is saved.
def test_save_writes_what_session_draws_into_a_file_of_the_users_alone(frame, tmp_path):
    saved = tmp_path / "s.jsonl"
    sys.argv += ["--save", str(saved)]
    items = [{"text": "Push it", "status": "pending"}]
    with Server(message(use("todo", "t", items=items)), message(text("Bye."))) as server:
        assert play(frame, server) == ""
    assert saved.stat().st_mode & 0o777 == 0o600
    assert "Push it" in str(session(saved)) and "Not understood" not in str(session(saved))


def test_save_replaces_nothing_and_makes_no_file_again(frame, tmp_path):
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "new")
    os.mkfifo(tmp_path / "pipe")
    names = [tmp_path / one for one in ("mine", "link", "pipe", "project", "nowhere/s")]
    for name in (*names, ""):
        sys.argv[1:] = ["Go", "--save", str(name)]
        with Server() as server:
            assert play(frame, server).startswith("--save ") and not server.requests
    assert (tmp_path / "mine").read_text() == "mine" and not (tmp_path / "new").exists()
    gone = tmp_path / "gone"
    sys.argv[1:] = ["Go", "--save", str(gone)]
    with Server() as server:
        server.answer = lambda request: gone.unlink() or message(text("Done."))
        assert play(frame, server) == "" and not gone.exists()


def test_the_file_of_save_is_changed_by_no_tool(frame, guards, tmp_path):
    (frame.ROOT / "link").symlink_to("s.jsonl")
    guards.Notes("s.jsonl")
    for path in ("s.jsonl", "link"):
        with pytest.raises(ValueError, match="is the file of --save"):
            frame.write_file(path, "b")


def test_a_full_disk_ends_the_saving_and_not_the_run(guards, tmp_path, capsys):
    notes = guards.Notes(str(tmp_path / "s.jsonl"))
    notes.file = open("/dev/full", "w")
    notes.write("prompt", text="Go")
    notes.write("prompt", text="Go on")
    assert capsys.readouterr().out.count("From here on, nothing is saved: [Errno 28]") == 1


def test_without_save_nothing_is_stored(program, practice):
    copy_project(load_job("hello"), program.project / "x")
    before = sorted(program.path.parent.rglob("*"))
    done = program.start(practice, "Say hello.")
    left = [one for one in sorted(program.path.parent.rglob("*")) if "__pycache__" not in str(one)]
    assert done.stdout and left == before


# The computer.
def test_a_command_ends_with_all_that_it_has_started_and_its_output_is_cut(program):
    call = "yes | head -c 200000000; sleep 60 & echo $! > child; env > env"
    begun = time.monotonic()
    with Server(message(use("bash", "t", command=call))) as server:
        done = program.start(server.url, "Go", "--model", "other")
    assert time.monotonic() - begun < 50  # what the command has left is not waited for
    assert "without a sandbox: they can do whatever you can do" in done.stdout
    assert server.requests[0]["model"] == "other"
    [result] = server.requests[1]["messages"][-1]["content"]
    assert 19_000 < len(result["content"]) <= 20_000
    assert KEY not in (program.project / "env").read_text()
    child = Path("/proc", (program.project / "child").read_text().strip(), "stat")
    end = time.monotonic() + 10
    while child.exists() and " Z " not in child.read_text():
        assert time.monotonic() < end, "the process that the command has left goes on"


def test_the_end_of_a_long_output_says_that_the_command_has_failed(program):
    with Server(message(use("bash", "t", command="seq 1 9000; echo FAILED; exit 3"))) as server:
        program.start(server.url, "Go")
    [result] = server.requests[1]["messages"][-1]["content"]
    assert result["content"].startswith("1\n2\n") and len(result["content"]) < 20_100
    assert result["content"].endswith("9000\nFAILED\n(exit code 3)")


def test_where_the_lesson_is_commands_run_in_its_sandbox(frame, capsys, tmp_path):
    from safetylib.bubblewrap import sandbox_works

    with Server(message(use("bash", "t", command="touch ../out; touch in"))) as server:
        assert play(frame, server) == ""
    is_there = "Commands run in a sandbox" in capsys.readouterr().out
    assert is_there is sandbox_works() and (tmp_path / "out").exists() is not is_there
    assert (frame.ROOT / "in").exists()


@pytest.mark.parametrize("how", ["ascii", "latin folder", "closed input", "closed screen"])
def test_odd_computers(program, how):
    work = os.fsencode(program.project) + (b"/w\xff" if how == "latin folder" else b"/w")
    os.mkdir(work)
    env = {"PYTHONIOENCODING": "ascii"} if how == "ascii" else {}
    command = [program.python, str(program.path), "Go \U0001f600"]
    redirect = {"closed input": "<&-", "closed screen": "| head -0"}.get(how, "")
    calls = [use("write_file", "w", path="a", content="b"), text("Done \U0001f600.")]
    with Server(message(calls[0]), message(calls[1]), message(calls[1])) as server:
        done = subprocess.run(
            ["bash", "-c", f'"$@" {redirect}', "bash", *command],
            cwd=work,
            env=os.environ | variables(server.url) | env,
            input="n\n",
            capture_output=True,
            text=True,
        )
    assert "Traceback" not in done.stderr and "Error" not in done.stderr, done.stderr
    assert len(server.requests) == (0 if how == "closed screen" else 2)
    assert not os.path.exists(work + b"/a")
