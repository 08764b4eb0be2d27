"""Approval prompts: the user sees each command and change of a real model before it runs."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from unicodedata import bidirectional

import anthropic
import pytest
from loopback import KEY, Server, message, reach
from support.blocks import result, text, use
from support.kernel import running_kernel
from support.loop import PROMPT, SETTINGS, scripted
from support.play_loop import rounds, run
from support.terminal import Screen

from agentlib import TodoManager, Tool, Workspace
from agentlib.tools import call_tool
from lesson import connect
from lesson.practice.model_choice import connect_practice
from lesson.runs.run import Run
from safetylib.guard import approval, escape, typed
from safetylib.guard.diffs import write_diff
from safetylib.wire.reminders import PROGRAM_SAYS

ASK = """
from safetylib.guard import approval
try:
    print("HEARD", approval.ask_at_keyboard(approval.Question({!r}, {!r})))
except PermissionError as refusal:
    print("HEARD", refusal)
"""


def by_name(tools):
    return {tool.name: tool for tool in tools}


def bash_call(id):
    return message(use("bash", id, command=id))


class Desk:
    """A user who gives these answers in turn, and a bash that records its commands."""

    def __init__(self, *answers):
        self.answers, self.asked, self.tools, self.ran = list(answers), [], [], []
        self.whys = []
        schema = {"type": "object", "properties": {"command": {"type": "string"}}}
        self.bash = Tool("bash", "Runs.", schema, self.run, preview=lambda command: command)

    def ask(self, question):
        self.asked.append(question.preview)
        self.tools.append(question.tool)
        self.whys.append(question.why)
        return approval.parse_answer(self.answers.pop(0))

    def run(self, command):
        self.ran.append(command)
        return f"ran {command}"

    def guard(self, *tools):
        """Return tools by name that ask this user."""
        return by_name(approval.with_approval(tools, self.ask))

    def connect(self, server):
        """Connect to a real model at `server`; this user answers the questions."""
        env = {"ANTHROPIC_BASE_URL": server.url}
        return connect("some-model", env=env, ask=self.ask, say=print)


def test_allow_once_applies_to_one_command_and_the_model_is_told_of_a_refusal():
    desk = Desk("yes", "use mv instead")
    tools = desk.guard(desk.bash)
    calls = [call_tool(tools, "bash", {"command": command}) for command in ("ls", "rm x")]
    refused = f"Error: {approval.REFUSED} The user says: use mv instead"
    assert [(call.output, call.ok) for call in calls] == [("ran ls", True), (refused, False)]
    assert desk.asked == ["ls", "rm x"] and desk.ran == ["ls"]


def test_allow_all_applies_to_one_run():
    desk = Desk("all", "no")
    calls = [use("bash", id, command=id) for id in ("toolu_1", "toolu_2")]
    answers = message(*calls), bash_call("toolu_3"), message(text("Done.")), bash_call("toolu_4")
    with Server(*answers) as server:
        model, messages = desk.connect(server), [PROMPT]
        tools = model.guard([desk.bash])
        run(model.client, messages, tools, **model.settings)
        assert desk.asked == ["toolu_1"]
        model = desk.connect(server)  # the next prompt, over any connection, ends "all"
        run(model.client, [*messages, PROMPT], tools, **model.settings)
    assert desk.asked == ["toolu_1", "toolu_4"]
    assert desk.ran == ["toolu_1", "toolu_2", "toolu_3"]


def test_allow_all_is_not_ended_by_what_a_loop_puts_beside_the_results():
    desk, messages = Desk("all", "no"), [PROMPT]
    with Server(*map(bash_call, "abcd")) as server:
        model = desk.connect(server)
        tools = by_name(model.guard([desk.bash]))
        for words in ("<reminder>Go on.</reminder>", f"{PROGRAM_SAYS}no.", "Now this.", ""):
            [call] = model.client.messages.create(messages=messages, **model.settings).content
            answer = result(call.id, call_tool(tools, call.name, call.input).output)
            messages.append({"role": "assistant", "content": [call]})
            messages.append({"role": "user", "content": [answer, text(words)]})
    assert desk.asked == ["a", "d"]  # the next prompt ends it, also in the message of a result


def test_practice_tools_ask_about_calls_that_the_practice_model_has_not_made():
    """Any client ends it: the client here was not made by connect()."""
    desk = Desk("no")
    practice = connect_practice(scripted([use("bash", command="ls")]), ask=desk.ask)
    tools = practice.guard([desk.bash])
    run(practice.client, [PROMPT], tools, **practice.settings)
    assert desk.ran == ["ls"] and desk.asked == []
    with Server(bash_call("toolu_1")) as server:
        own = anthropic.Anthropic(api_key="k", base_url=server.url)
        run(own, [PROMPT], tools, **SETTINGS)
    assert desk.ran == ["ls"] and desk.asked == ["toolu_1"]


def test_real_model_is_asked_about_a_call_that_the_practice_model_made_in_the_middle_of_its_run():
    desk = Desk("no", "no")
    practice = connect_practice(scripted([use("bash", command="ls")]), ask=desk.ask)
    tools, messages = practice.guard([desk.bash]), [PROMPT]
    with Server(*[message(use("bash", f"t_{n}", command="ls")) for n in range(2)]) as server:
        model = desk.connect(server)
        next(rounds(model.client, messages, tools, **model.settings))
        run(practice.client, [PROMPT], tools, **practice.settings)
        run(model.client, messages, tools, **model.settings)
    assert desk.ran == ["ls"] and desk.asked == ["ls", "ls"]


def test_allow_all_applies_to_one_tool_and_changes_are_shown_as_a_diff(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    desk = Desk("all", "no", "no")
    guarded = desk.guard(*Workspace(tmp_path).tools())
    for old, new in [("x = 1", "x = 2"), ("x = 2", "x = 3")]:
        edit = {"path": "a.py", "old_text": old, "new_text": new}
        assert call_tool(guarded, "edit_file", edit).ok
    assert not call_tool(guarded, "write_file", {"path": "b.py", "content": "z"}).ok
    assert not call_tool(guarded, "bash", {"command": "touch c"}).ok
    assert desk.tools == ["edit_file", "write_file", "bash"]
    edited, written, _ = desk.asked
    assert edited == "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-x = 1\n+x = 2"
    assert written == "--- /dev/null\n+++ b.py\n@@ -0,0 +1 @@\n+z\n\\ No newline at end of file"
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


@pytest.mark.parametrize("name", ["pyproject.toml", "uv.toml", ".python-version", "UV.toml"])
def test_a_file_whose_names_uv_installs_is_asked_about_also_after_all(tmp_path, name):
    desk = Desk("all", "no")
    guarded = desk.guard(*Workspace(tmp_path).tools())
    for path in ("a.txt", "b.txt", name):
        call = call_tool(guarded, "write_file", {"path": path, "content": "x"})
    assert not call.ok and desk.whys == ["", f"uv starts or installs what {name} names."]


def test_a_file_that_the_user_has_changed_is_asked_about_also_after_all(tmp_path):
    desk, file = Desk("all", "all", "no", "no"), tmp_path / "a.txt"
    guarded = desk.guard(*Workspace(tmp_path).tools())

    def write(path, content):
        return call_tool(guarded, "write_file", {"path": path, "content": content}).ok

    assert write("a.txt", "one\n")
    edit = {"path": "a.txt", "old_text": "one", "new_text": "two"}
    assert call_tool(guarded, "edit_file", edit).ok  # the agent's own change does not count
    file.write_text("two\nmine\n")
    assert not write("a.txt", "three\n") and file.read_text() == "two\nmine\n"
    assert call_tool(guarded, "read_file", {"path": "a.txt"}).ok
    assert write("a.txt", "three\n")  # the model has read it, so "all" covers it
    (tmp_path / "b.txt").write_text("never read")
    assert not write("b.txt", "x")
    assert desk.whys[2:] == [
        "a.txt has changed since the model last read or wrote it.",
        "The model has not read b.txt.",
    ]


WRITE = "write_file", {"path": "a.py", "content": "x = 2\n"}
EDIT = "edit_file", {"path": "a.py", "old_text": "x = 1", "new_text": "x = 2"}
NEW = "write_file", {"path": "b.py", "content": ""}


def save(path, content=b"y = 0\nx = 1\nz = 9\n"):
    path.write_bytes(content)


def link(path):
    path.unlink(missing_ok=True)
    path.symlink_to("deploy.py")


@pytest.mark.parametrize(
    "call, before, change",
    [
        *((call, b"x = 1\n", change) for call in (WRITE, EDIT, NEW) for change in (save, link)),
        # Changes that a diff does not show: binary, not UTF-8, large, line ends, far from the edit.
        (WRITE, b"\0", partial(save, content=b"precious\0")),
        (WRITE, b"\xff", partial(save, content=b"precious\xff")),
        (WRITE, b" " * (11 * 2**20), partial(save, content=b"x" * (11 * 2**20))),
        (WRITE, b"a\nb\n", partial(save, content=b"a\r\nb\r\n")),
        (EDIT, b"x = 1\n" + b"\n" * 9, partial(save, content=b"x = 1\n" + b"\n" * 9 + b"new\n")),
        (EDIT, b"x = 1\ny\n", partial(save, content=b"x = 1\r\ny\r\n")),
    ],
    ids=range(12),  # not the values: they are long, or have an address that differs between workers
)
def test_a_file_changed_during_the_question_is_not_written(tmp_path, call, before, change):
    (tmp_path / "deploy.py").write_text("x = 1\n")
    (tmp_path / "a.py").write_bytes(before)
    changed = []

    def ask(question):
        change(tmp_path / call[1]["path"])
        changed.extend(path.read_bytes() for path in sorted(tmp_path.iterdir()))
        return approval.UNTIL_NEXT_PROMPT

    tools = by_name(approval.with_approval(Workspace(tmp_path).tools(), ask))
    assert call_tool(tools, *call).output == f"Error: {approval.CHANGED}"
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == changed


def test_an_input_mutated_during_the_question_is_not_run():
    sent, to = [], ["ann"]

    def ask(question):
        to[0] = "eve"
        return approval.ONCE

    schema = {"type": "object"}
    send_mail = Tool("send_mail", "Sends.", schema, lambda to: sent.append(to), lambda to: "a mail")
    tools = by_name(approval.with_approval([send_mail], ask))
    assert call_tool(tools, "send_mail", {"to": to}).output == f"Error: {approval.CHANGED}"
    assert sent == []


def test_own_tool_needs_approval_and_its_arguments_are_shown():
    def move_file(old, new):
        raise AssertionError("it ran")

    desk = Desk("no")
    tools = desk.guard(Tool("move_file", "Moves.", {"type": "object"}, move_file))
    call = call_tool(tools, "move_file", {"old": "a.py\nnew: 'b.py'", "new": "c.py"})
    assert call.output == f"Error: {approval.REFUSED}"
    assert desk.asked == ["old: \"a.py\\nnew: 'b.py'\"\nnew: 'c.py'"]


def test_preview_and_depends_on_get_each_argument_by_its_name():
    desk, sent, hashed = Desk("yes"), [], []
    send = Tool(
        "send",
        "Sends.",
        {"type": "object"},
        run=lambda to, text: sent.append((to, text)) or "sent",
        preview=lambda text, to: f"to {to}: {text}",
        depends_on=lambda text, to: hashed.append((text, to)),
    )
    assert call_tool(desk.guard(send), "send", {"text": "hi", "to": "boss"}).output == "sent"
    assert desk.asked == ["to boss: hi"]
    assert (sent, hashed) == ([("boss", "hi")], [("hi", "boss")] * 2)


def test_a_field_may_have_any_name_and_a_wrong_call_in_code_is_not_asked_about():
    desk = Desk("yes")
    tool = Tool("t", "Runs.", {"type": "object"}, lambda tool, args, self: f"{tool}{args}{self}")
    guarded = desk.guard(tool)
    assert call_tool(guarded, "t", {"tool": 1, "args": 2, "self": 3}).output == "123"
    assert desk.asked == ["tool: 1\nargs: 2\nself: 3"]
    for args, more in [((1,), {"tool": 1}), ((1, 2, 3, 4), {}), ((1,), {})]:
        with pytest.raises(TypeError):
            guarded["t"].run(*args, **more)


def test_only_tools_that_security_md_names_need_no_approval_and_they_can_ask(tmp_path):
    tools = [*Workspace(tmp_path).tools(), TodoManager().tool()]
    promises = (Path(__file__).parents[2] / "docs/SECURITY.md").read_text("utf-8")
    [named] = re.findall(r"((?:`\w+`,? )+and `\w+`) are not asked for", promises)
    assert {f"`{tool.name}`" for tool in tools if not tool.asks} == {*re.findall(r"`\w+`", named)}
    desk = Desk("no")
    guarded = desk.guard(*(replace(tool, asks=True) for tool in tools))
    assert call_tool(guarded, "todo", {"items": []}).output == f"Error: {approval.REFUSED}"
    assert desk.asked == ["items: []"]


def test_only_a_clear_yes_approves():
    assert approval.parse_answer(" YES ") == "once"
    for answer in ("", "n", "yep", "once", "run", "y y"):
        with pytest.raises(PermissionError, match=approval.REFUSED):
            approval.parse_answer(answer)


def test_any_other_answer_of_ask_ends_the_run():
    desk = Desk()
    for answer in (True, "all"):
        tools = by_name(approval.with_approval([desk.bash], lambda question, a=answer: a))
        with pytest.raises(approval.InvalidAnswerError, match="must return 'once' or 'run'"):
            call_tool(tools, "bash", {"command": "ls"})
    assert desk.ran == []


@pytest.mark.parametrize(
    "command, shown",
    [
        ("echo hi\r\x1b[2K\n\trm", "echo hi\\r\\x1b[2K\n\\trm"),
        ("\u202eevil\u200b\x00é \u0416", "\\u202eevil\\u200b\\x00é \u0416"),
        # Letters of any language are shown. In a word that mixes scripts, they are codes.
        (
            "gr\u00fc\u00dfe \u043e\u0442\u0447\u0451\u0442_v2 PDF\u6587\u4ef6 \u4eba\u3005\u306e",
            None,
        ),
        ("10 \u00b5s, n\u00ba 5, 1\u00aa", None),
        ("\u0441url x; \u0440ip", r"\u0441url x; \u0440ip"),  # Cyrillic in "curl" and "pip"
        ("g\u0456t r\u03bfot", r"g\u0456t r\u03bfot"),  # Cyrillic, and Greek
        ("\u217fs \uff43p", r"\u217fs \uff43p"),  # a Roman numeral, and a wide letter
        # A browser draws the next three as `rm C/2 # 1/A`, and so on.
        ("rm \u05d0/1 # 2/\u05d3", r"rm \u05d0/1 # 2/\u05d3"),  # Hebrew
        ("cp \u0627 \u062f", r"cp \u0627 \u062f"),  # Arabic
        ("rm \u0661 # \u0662", r"rm \u0661 # \u0662"),  # digits of Arabic
        ("r\u0336m\u0336 \u0336..", r"r\u0336m\u0336 \u0336.."),  # a line through the letters
        ("a\u20dd \ufe0f l\u0e4d", r"a\u20dd \ufe0f l\u0e4d"),  # a circle, and a mark of Thai
        ("e\u0301 e\u0302\u0301", "e\u0301 e\u0302\u0301"),  # letters, as a Mac writes them
        (
            "\u0e01\u0e33\u0e25\u0e31\u0e07 \u0928\u094d",
            "\u0e01\u0e33\u0e25\u0e31\u0e07 \u0928\u094d",
        ),
        # A letter of Thai has up to two marks, and of Tibetan three. More marks make a tower, which
        # is drawn over the lines above or below.
        (
            "\u0e17\u0e35\u0e48 \u0f66\u0f92\u0fb2\u0f74",
            "\u0e17\u0e35\u0e48 \u0f66\u0f92\u0fb2\u0f74",
        ),
        *(
            (letter + mark * 40, letter + mark * escape.MAX_MARKS + ascii(mark)[1:-1] * 37)
            for letter, mark in (
                ("\u0e01", "\u0e49"),  # Thai
                ("\u0f40", "\u0fb2"),  # Tibetan
                ("\u0915", "\u0901"),  # Devanagari
            )
        ),
    ],
)
def test_characters_that_hide_or_reorder_a_command_are_shown_as_codes(command, shown):
    assert escape.for_approval(command) == (shown or command)


def test_piped_input_is_not_an_approval():
    done = subprocess.run([sys.executable, "-c", ASK.format("bash", "ls")], input="y\ny\n",
                          capture_output=True, text=True)  # fmt: skip
    assert done.stdout == f"HEARD {approval.NO_ONE}\n"


def test_question_in_a_thread_is_refused_and_the_user_reads_why(monkeypatch, capsys):
    monkeypatch.setattr(approval, "has_kernel", lambda: True)
    monkeypatch.setattr("builtins.input", lambda prompt: pytest.fail("asked"))
    with ThreadPoolExecutor() as pool:
        asked = [
            pool.submit(approval.ask_at_keyboard, approval.Question("bash", "ls")) for _ in "ab"
        ]
    assert [str(one.exception()) for one in asked] == [approval.IN_THREAD] * 2
    assert capsys.readouterr().out.count(approval.IN_THREAD) == 2


def test_typed_ahead_input_is_discarded(tmp_path):
    script = (
        "import os, time; from safetylib.guard import approval; print('READY', flush=True)\n"
        "while not os.path.exists('typed'): time.sleep(0.01)\n"
        "for command in ('ls', 'pwd'):\n"
        "    try: approval.ask_at_keyboard(approval.Question('bash', command))\n"
        "    except PermissionError as answer: print('HEARD', command, answer)"
    )
    screen = Screen("-c", script, cwd=tmp_path)
    screen.wait_for(b"READY")
    screen.type(b"y\ny\n")
    (tmp_path / "typed").touch()
    screen.wait_for(b"answer: ")
    screen.type(b"n\ny\n")
    screen.wait_for(heard := f"HEARD ls {approval.REFUSED}".encode())
    screen.seen = screen.seen.partition(heard)[2]
    screen.wait_for(b"answer: ")
    screen.type(b"n\n")
    screen.wait_for(f"HEARD pwd {approval.REFUSED}".encode())
    assert screen.end() == 0


def test_on_windows_typed_keys_are_discarded(monkeypatch):
    keys = list("y\r")
    windows = type(sys)("msvcrt")
    windows.kbhit, windows.getwch = lambda: bool(keys), lambda: keys.pop()
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    assert typed.take_typed() == ((), "y") and keys == []


def test_approval_prompt_names_the_tool_and_shows_a_long_preview_if_asked():
    preview = "\n".join(f"To\x1b[2J {n}" for n in range(99))
    screen = Screen("-c", ASK.format("send_mail", preview))
    screen.wait_for(b"answer: ")
    codes = approval.CODES.encode()
    head = (
        b"The model wants to call send_mail (99 lines)" + codes + b":\r\n\r\n    To\\x1b[2J 0\r\n"
    )
    assert head in screen.seen
    assert b"  a   yes, and all later send_mail calls in this run\r\n" in screen.seen
    assert b" 98\r" in screen.seen and b" 50\r" not in screen.seen
    assert b"lines are not shown here. To see them, type s]" in screen.seen
    screen.seen = b""
    screen.type(b"s\n")
    screen.wait_for(b"answer: ")
    assert b" 50\r" in screen.seen
    screen.type(b"a\n")
    screen.wait_for(b"HEARD run")
    assert screen.end() == 0


LONG = "".join(f"\n+{number}" for number in range(60))


@pytest.mark.parametrize(
    "tool, preview, again",
    [
        ("bash", f"\nrm -rf old{LONG}", "run this command (62 lines), see above:|    rm -rf old"),
        ("bash", f"a \x1b{LONG}", f"run this command (61 lines){approval.CODES}, see above:"),
        ("bash", f"echo \u02ba{LONG}", f"run this command (61 lines){approval.NOT_ASCII}, see"),
        ("edit_file", f"--- a\n+++ \u00e9{LONG}", "change this file (62 lines), see above:"),
        ("bash", rf"a \x1b{LONG}", r"run this command (61 lines), see above:|    a \x1b"),
        ("write_file", f"--- /dev/null\n+++ b.py{LONG}", "change this file (62 lines), see above:|"
         "    +++ b.py"),
        ("edit_file", f"--- a.py\n+++ a.py{LONG}", "change this file (62 lines), see above:|"
         "    +++ a.py"),
        ("mail", f"to: 'ann'{LONG}", "call mail (61 lines), see above:|    to: 'ann'"),
    ],
)  # fmt: skip
def test_head_of_a_long_question_is_repeated_where_the_answer_is_typed(tool, preview, again):
    screen = Screen("-c", ASK.format(tool, preview))
    for keys in (b"s\n", b"n\n"):  # also after all lines were shown
        screen.seen = b""
        screen.wait_for(b"Your answer: ")
        shown = screen.seen.decode().replace("\r\n", "|")
        assert f"Allow it? The model wants to {again}" in shown
        screen.type(keys)
    assert screen.end() == 0


@pytest.mark.parametrize("kind", [{"R", "AL", "AN"}, {"RLE", "RLO", "RLI", "LRE", "LRO", "LRI"}])
def test_no_character_of_a_right_to_left_class_is_shown_as_itself(kind):
    """Unicode's algorithm draws a line with these classes in another order."""
    letters = [chr(code) for code in range(sys.maxunicode) if bidirectional(chr(code)) in kind]
    assert letters and not [one for one in letters if one in escape.for_approval(one)]


@pytest.mark.parametrize("wide", ["\u8a9e", "\u2630", "\U0001d300"], ids=ascii)
def test_rows_of_wide_characters_fit_the_screen(wide):
    """The last two are wide since Unicode 16, which Python 3.11 does not know."""
    rows = approval.fold_lines([f"    {wide * 100}"], 80)
    assert sum(row.count(wide) for row in rows) == 100
    assert all(2 * len(row) < 80 for row in rows)


FOLDED = f"    {'x' * 75}\n  > {'x' * 25}\n"


@pytest.mark.parametrize(
    "command, shown, again",
    [
        ("ls", "    ls\n", ""),
        ("x" * 100, FOLDED, f" The model wants to run this command, see above:\n{FOLDED[:-1]}"),
    ],
    ids=["short", "folded for a notebook"],
)
def test_approval_prompt_of_a_cell_contains_the_command(command, shown, again):
    code, printed, asked = ASK.format("bash", command).strip(), [], []

    def show(output):
        printed.append(output["content"].get("text", ""))

    def type_answer(request):
        asked.append(request["content"]["prompt"])
        kernel.client.input("y")

    hooks = {"output_hook": show, "stdin_hook": type_answer, "timeout": 60}
    with running_kernel(env=os.environ | {"COLUMNS": "400"}) as kernel:  # of a wide terminal
        for prefix in ("", "%%capture\n"):
            kernel.client.execute_interactive(prefix + code, **hooks)
    question = approval.QUESTION.format(tool="bash", again=again)
    assert asked == [f"\nThe model wants to run this command:\n\n{shown}\n{question}"] * 2
    assert "".join(printed) == "HEARD once\n"


@pytest.mark.parametrize(
    "old, new, seen",
    [
        (b"a\nb\n", "a\r\nb\r\n", "@@\n-a\n-b\n+a\\r\n+b\\r"),
        (b"a", "a\n", "@@\n-a\n\\ No newline at end of file\n+a"),
        (b"x\n" * (6 * 2**20), "x\n", "-(This is too large for this tool (12,582,912 bytes).)\n+x"),
        (b"x", "x", "The text of a.py would not change."),
    ],
    ids=lambda value: str(value)[:30],
)
def test_diff_shows_whitespace_and_line_end_changes(tmp_path, old, new, seen):
    (tmp_path / "a.py").write_bytes(old)
    assert escape.for_approval(write_diff(tmp_path, "a.py", new)).endswith(seen)


def test_diff_names_the_resolved_file(tmp_path):
    (tmp_path / "Makefile").write_text("all:\n")
    (tmp_path / "notes.txt").symlink_to("Makefile")
    assert write_diff(tmp_path, "notes.txt", "x\n").startswith("--- Makefile\n+++ Makefile\n@@")
    path = "notes\n@@ -0,0 +1 @@\n+harmless"
    head, name, *_ = write_diff(tmp_path, path, "x\n").split("\n")
    assert (head, name) == ("--- /dev/null", f"+++ {path!r}")


def test_a_key_in_a_file_is_not_sent_drawn_asked_or_saved_and_not_written_over(tmp_path):
    calls = [
        use("read_file", "0", path="my.env"),
        use("bash", "1", command=f"cat my.env; echo '{KEY}'"),
        use("bash", "2", command="cat my.env >&2; exit 1"),
        use("edit_file", "3", path="my.env", old_text="KEY=(your key)", new_text="KEY="),
        use("write_file", "4", path="my.env", content="KEY=(your key)\nX=2\n"),
        use("edit_file", "5", path="my.env", old_text="X=1", new_text="X=2"),
    ]
    asked = []
    with Server(*[message(text(KEY), call) for call in calls]) as server:
        model, _ = reach(server, ask=lambda question: asked.append(question.preview) or "once")
        played = Run("hello", model=model, loop=rounds, save=tmp_path / "run.jsonl")
        file = played.workspace.root / "my.env"
        file.write_text(f"KEY={KEY}\nX=1\n")
        played.play()
    assert file.read_text() == f"KEY={KEY}\nX=2\n" and len(asked) == 3
    drawn = [played, played.diff(), asked, *map(played.request, range(1, 8))]
    saved = [(tmp_path / "run.jsonl").read_text(), server.requests]
    assert not [one for one in map(str, drawn + saved) if KEY[:12] in one]
    outputs = [call.output for one in played.rounds for call in one.calls]
    assert all("KEY=(your key)" in one for one in outputs[:3]), outputs
    kept = ["is shown to you as (your key)" in one for one in outputs]
    assert kept == [False, False, False, True, True, False]
    tool = Tool("t", "", {}, lambda: 1 / int(KEY), asks=False)
    with pytest.raises(ValueError, match=r"invalid literal .*: '\(your key\)'"):
        approval.with_approval([tool], print)[0].run()
