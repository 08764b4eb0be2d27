"""`take_away()` writes the learner's parts and a frame into one file, which needs only the SDK."""

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.notebook import CELLS

from agentlib.nag import AFTER
from lesson.__main__ import run
from lesson.common.parts import PARTS
from lesson.common.solutions import SOLUTIONS
from lesson.practice.run_program import SETTINGS
from lesson.program import file
from lesson.program.cells import list_made
from lesson.program.file import FILE, stamp, write_program
from lesson.program.take_away import (
    AGENT,
    FRAME,
    WHOLE_AGENT,
    TakeAwayError,
    main,
    read_blocks,
    rename,
    take_away,
    write_agent,
)

OURS = SOLUTIONS.read_text(encoding="utf-8")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """Return an empty folder, in which my_agent.py is looked for."""
    monkeypatch.setattr(file, "path", tmp_path / FILE)
    return tmp_path


def with_parts(**parts):
    return write_program({name: stamp(text) for name, text in parts.items()})


def test_the_frame_is_the_code_of_its_two_sources(folder):
    text = write_agent(OURS)[0]
    sources = read_blocks(WHOLE_AGENT) | read_blocks(FRAME)
    names = "|".join(sorted(sources, key=len, reverse=True))
    lines, compared = text.splitlines(), set()
    for node in ast.parse(text).body:
        name = getattr(node, "name", None) or ast.unparse(getattr(node, "targets", [node])[0])
        if name.startswith("_") and isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Assign):
            block = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            plain = re.sub(rf"(?<![\w.])_({names})\b", r"\1", block)
            expected = sources[name[1:]].splitlines()
            assert plain.splitlines() == expected[-len(plain.splitlines()) :], name
            assert all(line.startswith("#") for line in expected[: -len(plain.splitlines())])
            compared.add(name[1:])
    assert {*read_blocks(FRAME)} - {"__main__"} <= compared
    assert {"ask_user", "Model", "save", "find", "run_command"} <= compared


def test_no_name_inside_of_the_frame_is_that_of_a_definition():
    """A name of an argument or of a method would be renamed as well."""
    blocks = {**read_blocks(WHOLE_AGENT), **read_blocks(FRAME)}
    for name, text in blocks.items():
        made = {one.arg for one in ast.walk(ast.parse(text)) if isinstance(one, ast.arg)}
        for one in ast.walk(ast.parse(text)):
            if isinstance(one, ast.FunctionDef) and one.name != name:
                made.add(one.name)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                made.add(one.id)
        allowed = {name, *PARTS, "make_room", "todo", "main"}
        assert not made & blocks.keys() - allowed, name


def test_the_learners_parts_are_in_it_unchanged_and_ours_where_theirs_do_not_pass(folder):
    own = with_parts(MyNag=CELLS["MyNag"], read_file=CELLS["read_file"])
    text, said = write_agent(own)
    assert "\nMine: read_file, MyNag.\n" in text
    assert "solution: agent_loop, MyTodo" in text
    assert f"# --- MyNag (mine) ---\n{CELLS['MyNag']}\n" in text
    assert re.findall(r"(?m)^# --- (\w+) \(mine\) ---$", text) == ["read_file", "MyNag"]
    ours = re.findall(r"(?m)^# --- (\w+) \(the lesson's solution\) ---$", text)
    assert {*ours, "read_file", "MyNag"} == set(PARTS)
    wrong = own.replace("self.rounds >= self.after", "self.rounds > self.after")
    text, said = write_agent(wrong)
    assert "\nMine: read_file.\n" in text and "MyNag does not pass yet, so ours is in it." in said
    assert "\nMine: none yet.\n" in write_agent("")[0]


@pytest.mark.parametrize("mine", [OURS, ""])
def test_a_section_line_begins_each_part_and_the_frame_and_so_ends_the_one_before(mine):
    text = write_agent(mine)[0]
    begin, *sections = re.split(r"(?m)^(?=# --- .* ---$)", text)
    assert not re.search(r"(?m)^(def|class|\w+ =)", begin)
    titles = [one.partition(" ---\n")[0].removeprefix("# --- ") for one in sections]
    whose = "mine" if mine else "the lesson's solution"
    assert titles[1:-1] == [f"{part} ({whose})" for part in PARTS]
    for title, code in zip(titles, sections, strict=True):
        made = list_made(code)
        if title.startswith("the frame"):
            assert all(name.startswith("_") for name in made), title
        else:
            assert title.partition(" ")[0] in made
            assert not any(name.startswith("_") for name in made), title
    assert titles[0].startswith("the frame") and titles[-1].startswith("the frame")
    taken = re.findall(r"(?m)^(\w+) = _\1(.*)$", text)  # what a part imported in the lesson
    assert {name for name, _ in taken} == {"call_tool", "Tool", "Shown"}
    assert {comment for _, comment in taken} == {"  # of the frame"}


def test_the_head_says_what_is_needed_and_where_to_begin():
    text = write_agent(OURS)[0]
    head = ast.get_docstring(ast.parse(text))
    [needed] = re.findall(r"(?m)^# dependencies = \[(.*)\]$", text)
    assert f"python -m pip install {needed}" in head
    variables = {*re.findall(r'environ.get\("(\w+)"\)', text), *SETTINGS, "ANTHROPIC_BASE_URL"}
    assert all(name in head for name in variables) and len(variables) == 3
    # `runs` and `after`: tests/program/test_agent.py changes them.
    assert "    runs = {" in text and f"def __init__(self, todo, after={AFTER})" in text


@pytest.mark.parametrize("character", ["\u2028", "\x0c", "\x85"])
def test_a_character_that_ends_no_line_of_code_stays_where_it_is(folder, character):
    """`str.splitlines` splits at them, and then a line is not the one that Python numbers."""
    cell = f'import json\n\nWORDS = f"one{character}two{{json}}"\n\n\n' + CELLS["read_file"]
    text, said = write_agent(with_parts(read_file=cell))
    assert f"one{character}two" in text and "does not pass" not in said
    code = f'WORDS = "one{character}two"\nx = plain(1)\n'
    assert rename(code, {"plain"}) == code.replace("plain", "_plain")
    with pytest.raises(TakeAwayError, match="line 5 of read_file, `import lesson`"):
        write_agent(with_parts(read_file=cell.replace("\n\n\n", "\n\nimport lesson\n\n\n", 1)))


def test_it_imports_only_the_standard_library_and_the_sdk():
    tree = ast.parse(write_agent(OURS)[0])
    modules = {
        getattr(node, "module", None) or node.names[0].name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert {one.partition(".")[0] for one in modules} <= {*sys.stdlib_module_names, "anthropic"}
    assert "anthropic" in modules


@pytest.mark.parametrize("command", [["check"], ["format", "--diff"]])
def test_it_is_clean(folder, command):
    (folder / AGENT).write_text(write_agent(OURS)[0])
    config = ["--config", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, *config, AGENT],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    "extra, said",
    [
        ("import numpy", "line 1 of MyNag, `import numpy`, imports what will not be there"),
        ("from lesson import play", "line 1 of MyNag, `from lesson import play`, imports what"),
        ("json = None", "line 1 of MyNag, `json = None`, makes json, which the program needs"),
        ("def input(text): return 'y'", "makes input, which the program needs"),
        ("WHO = 'me'", "line 3 of ask_at_the_stop makes WHO, and MyNag has another"),
    ],
)
def test_what_cannot_be_taken_away_is_named_and_nothing_is_written(
    folder, capsys, monkeypatch, extra, said
):
    own = with_parts(MyNag=f"{extra}\n\n{CELLS['MyNag']}")
    if extra == "import numpy":
        own = own.replace("import numpy", "import numpy\n").replace("\n\n\nclass", "\n\nclass")
        monkeypatch.setitem(sys.modules, "numpy", sys.modules.get("numpy", type(sys)("numpy")))
    (folder / FILE).write_text(own)
    assert main() == 1
    printed = capsys.readouterr().out
    assert "Nothing was written: " in printed and said in printed
    assert not (folder / AGENT).exists()


def test_a_helper_above_the_sections_is_missed_and_named(folder):
    mine = with_parts(MyNag=CELLS["MyNag"].replace("self.after = after", "self.after = own(after)"))
    with pytest.raises(TakeAwayError, match="a part uses own, which no part defines"):
        write_agent(f"def own(number):\n    return number\n\n\n{mine}")


@pytest.mark.parametrize("name", ["find", "Session", "ask_user", "plain"])
def test_a_learners_helper_and_a_name_of_the_frame_are_two_things(name):
    helper = f"def {name}(*given):\n    return 'mine'\n\n\n"
    text = write_agent(with_parts(MyNag=helper + CELLS["MyNag"]))[0]
    assert text.count(f"\ndef {name}(") == 1 and re.search(rf"\n(def|class) _{name}\b", text)


def test_rename_leaves_arguments_attributes_and_words():
    code = 'x = plain(f"{plain(1)} plain", plain=2).plain  # plain\n'
    assert rename(code, {"plain"}) == 'x = _plain(f"{_plain(1)} plain", plain=2).plain  # plain\n'


def test_a_file_of_the_users_own_is_kept(folder, capsys):
    (folder / FILE).write_text(OURS)
    (folder / AGENT).write_text("mine")
    assert main() == 1 and (folder / AGENT).read_text() == "mine"
    assert "agent.py is a file of yours" in capsys.readouterr().out
    assert main("other.py") == main("other.py") == 0 and take_away("other.py") is None
    assert "other.py is written. Yours: agent_loop" in capsys.readouterr().out


def test_the_command_writes_it(folder, monkeypatch, capsys):
    assert run(["take-away"]) == 0
    assert "agent.py is written" in capsys.readouterr().out


@pytest.fixture
def agent(tmp_path, monkeypatch):
    """Return `agent.py` as a module, started in the folder `project`."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    (tmp_path / AGENT).write_text(write_agent(OURS)[0])
    spec = importlib.util.spec_from_file_location("agent", tmp_path / AGENT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", ["../secret", "link", "/etc/hostname", "pipe", "missing", "."])
def test_a_read_file_that_returns_whatever_is_asked_for_reads_nothing_outside(
    agent, tmp_path, path
):
    import os

    (tmp_path / "secret").write_text("secret")
    Path("link").symlink_to(tmp_path / "secret")
    os.mkfifo("pipe")
    agent.read_file = lambda folder, path: (folder / path).read_text()
    with pytest.raises((ValueError, OSError)):
        agent._read_inside(path)


def test_the_learners_own_error_is_read_outside(agent, tmp_path):
    (tmp_path / "secret").write_text("secret")
    with pytest.raises(ValueError, match="secret is outside of the folder: give a path inside it"):
        agent._read_inside("../secret")


@pytest.mark.parametrize("name", [".git/config", "uv.toml", "pyproject.toml", ".python-version"])
def test_files_that_programs_run_are_changed_only_after_their_own_question(
    agent, monkeypatch, name
):
    asked = []
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "n")
    write = agent._guard("write_file", agent._write_file)
    with pytest.raises(PermissionError):
        write(path=name, content="x")
    assert len(asked) == 1 and not Path(name).exists()
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "y")
    write(path=name, content="x")
    assert len(asked) == 3 and Path(name).read_text() == "x"


@pytest.mark.parametrize("place", ["here", "home", "above", "path"])
def test_folders_in_which_no_agent_works(agent, monkeypatch, tmp_path, place):
    home = {"home": tmp_path / "project", "above": tmp_path / "project" / "me"}.get(place)
    monkeypatch.setattr(Path, "home", lambda: home or Path("/nowhere"))
    if place == "here":
        agent.__file__ = str(tmp_path / "project" / AGENT)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "project" / "lib")] if place == "path" else [])
    with pytest.raises(SystemExit, match="start this program in the folder of a project"):
        agent._check_folder()


def test_the_list_shows_each_text_as_it_is(agent):
    todo = agent.MyTodo()
    shown = todo.update([{"text": "Write main ()", "size": 1}, {"text": "Call f ()", "id": "2"}])
    assert shown == "[ ] Write main () (size: 1)\n[ ] Call f ()\n(0/2 completed)"


def test_any_other_folder_is_accepted(agent, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "path", [str(tmp_path), "/usr/lib/python3"])
    agent._check_folder()
