"""Approval prompts: the user sees each command and change of a real model before it runs."""

import subprocess
import sys

import pytest
from loopback import Server, message, text, use
from support.terminal import Screen

from agentlib import Tool, Workspace, rounds, run
from agentlib.client import approval, escape
from agentlib.tools import call_tool
from lesson import connect

pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
PROMPT = {"role": "user", "content": "Go"}


def by_name(tools):
    return {tool.name: tool for tool in tools}


class Desk:
    """A user who gives these answers in turn, and a bash that records its commands."""

    def __init__(self, *answers):
        self.answers, self.asked, self.ran = list(answers), [], []
        schema = {"type": "object", "properties": {"command": {"type": "string"}}}
        self.bash = Tool("bash", "Runs.", schema, self.run)
        self.read = Tool("read_file", "Reads.", schema, lambda command: "text")

    def ask(self, command):
        self.asked.append(command)
        return self.answers.pop(0)

    def run(self, command):
        self.ran.append(command)
        return f"ran {command}"

    def tools(self):
        return {
            tool.name: tool for tool in approval.with_approval([self.bash, self.read], self.ask)
        }


def outputs(desk, *commands, name="bash"):
    """Return the results of these commands in one run, as (output, ok)."""
    tools = desk.tools()
    calls = [call_tool(tools, name, {"command": command}) for command in commands]
    return [(each.output, each.ok) for each in calls]


def test_allow_once_applies_to_one_command():
    desk = Desk("once", "no, thanks")
    assert outputs(desk, "ls", "rm x") == [("ran ls", True), ("Error: no, thanks", False)]
    assert desk.asked == ["ls", "rm x"]
    assert desk.ran == ["ls"]


def test_allow_all_applies_to_one_run():
    desk = Desk("run", "no")
    assert outputs(desk, "ls", "pwd") == [("ran ls", True), ("ran pwd", True)]
    assert desk.asked == ["ls"]
    assert outputs(desk, "ls") == [("Error: no", False)]


def test_allow_all_ends_with_the_run_even_with_the_same_tools():
    desk = Desk("run", "no")
    ls = [use("bash", "toolu_1", command="ls"), use("bash", "toolu_2", command="pwd")]
    more = message(use("bash", "toolu_3", command="who"))
    with Server(message(*ls), more, message(text("Done.")), message(ls[0])) as server:
        env = {"ANTHROPIC_BASE_URL": server.url}
        model = connect("some-model", env=env, ask=desk.ask, say=print)
        tools, messages = model.guard([desk.bash]), [PROMPT]
        run(model.client, messages, tools, **model.settings)
        assert desk.ran == ["ls", "pwd", "who"] and desk.asked == ["ls"]
        run(model.client, [*messages, PROMPT], tools, **model.settings)
    assert desk.asked == ["ls", "ls"]
    assert desk.ran == ["ls", "pwd", "who"]


def connect_to(server, desk):
    """Connect to a real model at `server`; `desk` answers the questions."""
    return connect("some-model", env={"ANTHROPIC_BASE_URL": server.url}, ask=desk.ask, say=print)


def bash_call(id):
    return message(use("bash", id, command=id))


def test_practice_tools_ask_for_approval_after_a_real_model_is_connected():
    desk = Desk("no")
    practice = connect(env={}, ask=desk.ask, say=print)
    tools = practice.guard([desk.bash])
    assert call_tool(by_name(tools), "bash", {"command": "ls"}).output == "ran ls"
    practice.client.messages.create(messages=[PROMPT], **practice.settings)
    assert call_tool(by_name(tools), "bash", {"command": "pwd"}).output == "ran pwd"
    with Server(bash_call("toolu_1")) as server:
        model = connect_to(server, desk)
        run(model.client, [PROMPT], tools, **model.settings)
    assert desk.ran == ["ls", "pwd"]
    assert desk.asked == ["toolu_1"]


def test_practice_tools_ask_when_a_real_model_continues_an_interrupted_run():
    desk = Desk("no")
    tools = connect(env={}, ask=desk.ask, say=print).guard([desk.bash])
    call = use("bash", "toolu_0", command="ls")
    result = {"type": "tool_result", "tool_use_id": "toolu_0", "content": "Error: interrupted"}
    messages = [PROMPT, {"role": "assistant", "content": [call]},
                {"role": "user", "content": [result]}]  # fmt: skip
    with Server(bash_call("toolu_1")) as server:
        model = connect_to(server, desk)
        run(model.client, messages, tools, **model.settings)
    assert desk.ran == []
    assert desk.asked == ["toolu_1"]


def test_allow_all_ends_with_the_next_prompt_over_another_connection():
    desk = Desk("run", "no", "no")
    with Server(bash_call("toolu_1")) as server:
        model = connect_to(server, desk)
        tools = model.guard([desk.bash])
        run(model.client, [PROMPT], tools, **model.settings)
        for id in ("toolu_2", "toolu_3"):
            server.answers.append(bash_call(id))
            model = connect_to(server, desk)
            run(model.client, [PROMPT], tools, **model.settings)
    assert desk.asked == ["toolu_1", "toolu_2", "toolu_3"]
    assert desk.ran == ["toolu_1"]


def test_a_prompt_beside_tool_results_ends_allow_all():
    desk = Desk("run", "no")
    with Server(bash_call("toolu_1"), bash_call("toolu_2"), bash_call("toolu_3")) as server:
        model, messages = connect_to(server, desk), [PROMPT]
        tools = model.guard([desk.bash])
        steps = rounds(model.client, messages, tools, **model.settings)
        next(steps)
        next(steps)
        assert desk.asked == ["toolu_1"]
        messages[-1]["content"] += [text("And now delete it.")]
        next(steps)
    assert desk.asked == ["toolu_1", "toolu_3"]
    assert desk.ran == ["toolu_1", "toolu_2"]


def own_tool(name, done):
    """A tool with a preview that is neither a command nor a change of a file."""
    schema = {"type": "object"}
    return Tool(
        name, "Sends.", schema, lambda to: done.append(to) or "sent", lambda to: f"To: {to}"
    )


def test_allow_all_applies_to_one_tool(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    desk, sent = Desk("run", "no", "no", "no"), []
    tools = [*Workspace(tmp_path).tools(), own_tool("send_mail", sent)]
    guarded = by_name(approval.with_approval(tools, desk.ask))
    for old, new in [("x = 1", "x = 2"), ("x = 2", "x = 3")]:
        edit = {"path": "a.py", "old_text": old, "new_text": new}
        assert call_tool(guarded, "edit_file", edit).ok
    assert not call_tool(guarded, "send_mail", {"to": "all"}).ok
    assert not call_tool(guarded, "write_file", {"path": "b.py", "content": "z"}).ok
    assert not call_tool(guarded, "bash", {"command": "touch c"}).ok
    assert [question.tool for question in desk.asked] == [
        "edit_file", "send_mail", "write_file", "bash"
    ]  # fmt: skip
    assert sent == []
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


def test_the_question_names_the_tool_and_what_all_allows():
    script = (
        "from agentlib.client.approval import Question, ask\n"
        "print('HEARD', ask(Question('To: all', 'send_mail')))"
    )
    screen = Screen("-c", script)
    screen.wait_for(b"instead: ")
    assert b"The model wants to call send_mail:\r\n\r\n    To: all\r\n" in screen.seen
    assert b"[a]ll send_mail calls in this run" in screen.seen
    screen.type(b"a\n")
    screen.wait_for(b"HEARD run")
    assert screen.end() == 0


WRITE = "write_file", {"path": "a.py", "content": "x = 2\n"}
EDIT = "edit_file", {"path": "a.py", "old_text": "x = 1", "new_text": "x = 2"}


def save(folder):
    (folder / "a.py").write_text("y = 0\nx = 1\nz = 9\n")


def link(folder):
    (folder / "a.py").unlink(missing_ok=True)
    (folder / "a.py").symlink_to("deploy.py")


@pytest.mark.parametrize("answer", [approval.ONCE, approval.ALL_IN_THIS_RUN])
@pytest.mark.parametrize("is_new", [False, True])
@pytest.mark.parametrize("change", [save, link])
@pytest.mark.parametrize("call", [WRITE, EDIT])
def test_a_file_changed_during_the_question_is_not_written(tmp_path, call, change, is_new, answer):
    if is_new and call is EDIT:
        call = "write_file", {"path": "a.py", "content": ""}
    (tmp_path / "deploy.py").write_text("x = 1\n")
    if not is_new:
        (tmp_path / "a.py").write_text("x = 1\n")
    before = []

    def ask(question):
        change(tmp_path)
        before.extend(path.read_text() for path in sorted(tmp_path.iterdir()))
        return answer

    tools = by_name(approval.with_approval(Workspace(tmp_path).tools(), ask))
    assert call_tool(tools, *call).output == f"Error: {approval.CHANGED}"
    assert [path.read_text() for path in sorted(tmp_path.iterdir())] == before


def test_an_input_mutated_during_the_question_or_by_the_preview_is_not_run():
    sent, to = [], ["ann"]
    schema = {"type": "object"}

    def send(to):
        sent.append(list(to))
        return "sent"

    def mutate(to):
        to.append("eve")
        return "To: ann"

    def ask(question):
        to[0] = "eve"
        return approval.ONCE

    quiet = Tool("send", "Sends.", schema, send, lambda to: "To: ann")
    tools = by_name(approval.with_approval([quiet], ask))
    assert call_tool(tools, "send", {"to": to}).output == f"Error: {approval.CHANGED}"
    quiet = Tool("send", "Sends.", schema, send, mutate)
    tools = by_name(approval.with_approval([quiet], lambda question: approval.ONCE))
    assert call_tool(tools, "send", {"to": ["ann"]}).output == f"Error: {approval.CHANGED}"
    assert sent == []


def test_tools_without_a_preview_need_no_approval():
    desk = Desk()
    assert outputs(desk, "x", name="read_file") == [("text", True)]
    assert [tool.spec for tool in desk.tools().values()] == [desk.bash.spec, desk.read.spec]
    assert "missing a required argument" in call_tool(desk.tools(), "bash", {}).output
    assert desk.asked == []


def test_a_refusal_is_returned_to_the_model():
    desk = Desk(approval.parse_answer("use make instead"))
    with Server(message(use("bash", "toolu_1", command="rm -rf /"))) as server:
        env = {"ANTHROPIC_BASE_URL": server.url}
        model = connect("some-model", env=env, ask=desk.ask, say=print)
        messages = [PROMPT]
        played = run(model.client, messages, model.guard([desk.bash]), **model.settings)
    assert desk.ran == []
    assert played[-1].text == "Done."
    told = server.requests[1]["messages"][2]["content"][0]
    assert told["is_error"]
    assert told["content"] == f"Error: {approval.REFUSED} The user says: use make instead"


def test_an_interrupt_at_the_approval_prompt_runs_nothing():
    desk = Desk()

    def stop(command):
        raise KeyboardInterrupt

    with Server(message(use("bash", "toolu_1", command="ls"))) as server:
        env = {"ANTHROPIC_BASE_URL": server.url}
        model = connect("some-model", env=env, ask=stop, say=print)
        messages = [PROMPT]
        with pytest.raises(KeyboardInterrupt):
            run(model.client, messages, model.guard([desk.bash]), **model.settings)
        assert desk.ran == []
        assert messages[2]["content"][0]["is_error"]
        assert run(model.client, messages, [desk.bash], **model.settings)[-1].text == "Done."


@pytest.mark.parametrize("typed", ["y", " YES ", "Y"])
def test_yes_approves_once(typed):
    assert approval.parse_answer(typed) == approval.ONCE


@pytest.mark.parametrize("typed", ["", "n", "no", "N", "yep", "once", "run", "y y", "yes, but"])
def test_only_a_clear_yes_approves(typed):
    assert approval.parse_answer(typed) not in (approval.ONCE, approval.ALL_IN_THIS_RUN)


def test_control_characters_in_a_command_are_shown_as_codes():
    command = "echo hi\r\x1b[2K\x1b[1Aecho \u202eevil\u200b\n\trm x\x00\x7f\u3164\ufe0f\u2800é"
    assert escape.command(command) == (
        "echo hi\\r\\x1b[2K\\x1b[1Aecho \\u202eevil\\u200b\n\\trm x\\x00\\x7f\\u3164\\ufe0f\\u2800é"
    )


def test_characters_outside_the_encoding_are_escaped():
    assert escape.command("echo é→", "latin-1") == "echo é\\u2192"
    assert escape.prose("é → ü", "ascii") == "? ? ?"


def test_right_to_left_letters_are_shown_as_codes():
    assert escape.command("rm \u05d0\u05d1 \u0661 x") == "rm \\u05d0\\u05d1 \\u0661 x"


def test_long_previews_are_shortened_and_the_rest_is_counted():
    lines = [f"    {n}" for n in range(1000)]
    shown = approval.shorten_lines(lines, 30, 80)
    assert len(shown) == 30
    assert (shown[0], shown[18:21], shown[-1]) == (
        "    0", ["    18", "  [971 lines are not shown here]", "    990"], "    999"
    )  # fmt: skip


def test_folded_lines_count_as_rows():
    lines = ["    rm -rf build", *["    echo " + "x" * 500] * 30]
    shown = approval.shorten_lines(lines, 20, 80)
    assert len(shown) == 20 and max(map(len, shown)) < 80
    assert shown[0] == "    rm -rf build" and "lines are not shown here]" in shown[13]


def test_only_notes_begin_at_the_left_margin():
    line = "    echo " + " " * 31 + "[3 blank lines]" + "\u4e2d" * 40
    for columns in (0, 20, 40, 41, 80):
        rows = approval.fold_lines([line], columns)
        assert all(row.startswith(("    ", approval.CONTINUED)) for row in rows)
        assert all(len(row) + row.count("\u4e2d") < max(columns, 20) for row in rows)
        assert rows[0] + "".join(row[4:] for row in rows[1:]) == line


@pytest.mark.parametrize(
    "question, size",
    [
        (approval.Question("ls"), ""),
        (approval.Question("ls\npwd\n"), " (2 lines)"),
        (approval.Question("--- a\n+++ a\n@@ -1 +1,2 @@\n-x\n+++y\n+z", "edit_file"),
         " (lines added: 2, removed: 1)"),
    ],
)  # fmt: skip
def test_approval_prompt_states_the_size(question, size):
    assert approval.describe_size(question) == size


def test_approval_without_a_terminal_is_a_no(capsys):
    assert approval.ask("ls") == approval.NO_ONE
    assert capsys.readouterr().out == ""


def test_piped_input_is_not_an_approval():
    script = "from agentlib.client import approval; print(approval.ask('ls'))"
    done = subprocess.run([sys.executable, "-c", script], input="y\ny\n", capture_output=True,
                          text=True)  # fmt: skip
    assert done.stdout == approval.NO_ONE + "\n"


def test_typed_ahead_input_is_discarded(tmp_path):
    script = (
        "import os, time; from agentlib.client import approval; print('READY', flush=True)\n"
        "while not os.path.exists('typed'): time.sleep(0.01)\n"
        "print('HEARD', approval.ask('ls'), approval.confirm('Sure? '))"
    )
    screen = Screen("-c", script, cwd=tmp_path)
    screen.wait_for(b"READY")
    screen.type(b"y\ny\n")
    (tmp_path / "typed").touch()
    screen.wait_for(b"instead: ")
    screen.type(b"n\ny\n")
    screen.wait_for(b"Sure? ")
    screen.type(b"n\n")
    screen.wait_for(f"HEARD {approval.REFUSED} False".encode())
    assert screen.end() == 0


def test_show_prints_the_whole_command():
    ask = "approval.ask('\\n'.join(f'echo {n}' for n in range(99)))"
    screen = Screen("-c", f"from agentlib.client import approval; print('HEARD', {ask})")
    screen.wait_for(b"or say what to do instead: ")
    assert b"run this command (99 lines):" in screen.seen
    assert b"echo 0\r" in screen.seen and b"echo 98\r" in screen.seen
    assert b"echo 50\r" not in screen.seen and b"[s]how all of it" in screen.seen
    screen.seen = b""
    screen.type(b"s\n")
    screen.wait_for(b"or say what to do instead: ")
    assert b"echo 50\r" in screen.seen
    screen.type(b"y\n")
    screen.wait_for(b"HEARD once")
    assert screen.end() == 0


@pytest.mark.parametrize("typed, heard", [(b"y\n", "once"), (b"n\n", approval.REFUSED),
                                          (b"\x04", approval.NO_ONE)])  # fmt: skip
def test_approval_prompt_in_a_terminal(typed, heard):
    ask = "approval.ask('make\\x1b[2J x')"
    screen = Screen("-c", f"from agentlib.client import approval; print('HEARD', {ask})")
    screen.wait_for(b"instead: ")
    assert b"make\\x1b[2J x" in screen.seen
    screen.type(typed)
    screen.wait_for(f"HEARD {heard}".encode())
    assert screen.end() == 0


def test_terminal_agent_asks_before_bash_and_before_raising_limits(tmp_path):
    asks = [message(use("bash", f"toolu_{n}", command=f"touch file{n}")) for n in range(3)]
    spent = message(use("bash", "toolu_9", command="touch file9"), tokens=(10**6, 1))
    with Server(*asks, spent) as server:
        screen = Screen("-m", "lesson", "--model", "m", "--workspace", str(tmp_path), "Go",
                        ANTHROPIC_BASE_URL=server.url)  # fmt: skip
        for number, typed in enumerate((b"n\n", b"y\n", b"a\n")):
            screen.wait_for(f"touch file{number}".encode())
            screen.wait_for(b"instead: ")
            screen.seen = b""
            screen.type(typed)
        screen.wait_for(b"as much again? [y/n] ")
        assert b"limit reached (1,000,0" in screen.seen
        screen.type(b"y\n")
        screen.wait_for(b"Done.")
        assert screen.end() == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file1", "file2", "file9"]


@pytest.fixture(scope="module")
def in_a_kernel():
    """Run a cell. Return its output and its prompts; the user types `answer`, if not None."""
    manager, client = pytest.importorskip("jupyter_client.manager").start_new_kernel()

    def run_cell(code, answer):
        printed, asked = [], []

        def shown(output):
            printed.append(output["content"].get("text", ""))

        def typed(request):
            asked.append(request["content"]["prompt"])
            client.input(answer)

        client.execute_interactive(code, allow_stdin=answer is not None, output_hook=shown,
                                   stdin_hook=typed, timeout=60)  # fmt: skip
        return "".join(printed), asked

    yield run_cell
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_approval_prompt_below_a_notebook_cell(in_a_kernel):
    ask = "from agentlib.client import approval; print('HEARD', approval.ask('ls'))"
    printed, asked = in_a_kernel(ask, "y")
    assert asked == [approval.QUESTION.format(tool="bash")]
    assert "The model wants to run this command:\n\n    ls\n" in printed
    assert printed.endswith("HEARD once\n")


def test_approval_without_an_input_line_is_a_no(in_a_kernel):
    ask = "from agentlib.client import approval; print('HEARD', approval.ask('ls'))"
    printed, asked = in_a_kernel(ask, None)
    assert asked == []
    assert f"    ls\n\n{approval.NOT_ANSWERED}\nHEARD {approval.NO_ONE}" in printed


def test_writes_and_edits_are_shown_as_a_diff(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\ny = 2\n")
    asked, answers = [], ["once", "no", "run", "once"]

    def ask(question):
        asked.append((question.action, str(question)))
        return answers.pop(0)

    tools = by_name(approval.with_approval(Workspace(tmp_path).tools(), ask))
    edit = {"path": "a.py", "old_text": "x = 1", "new_text": "x = 3"}
    assert call_tool(tools, "edit_file", edit).ok
    assert asked[0][0] == approval.CHANGE
    assert asked[0][1] == ("--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n-x = 1\n+x = 3\n y = 2")
    assert call_tool(tools, "write_file", {"path": "b.py", "content": "z\n"}).output == "Error: no"
    assert asked[1] == (approval.CHANGE, "--- /dev/null\n+++ b.py\n@@ -0,0 +1 @@\n+z")
    assert not (tmp_path / "b.py").exists()
    assert call_tool(tools, "write_file", {"path": "b.py", "content": "z\n"}).ok
    assert call_tool(tools, "write_file", {"path": "b.py", "content": "y\n"}).ok
    assert len(asked) == 3
    assert call_tool(tools, "edit_file", {"path": "b.py", "old_text": "y", "new_text": "w"}).ok
    assert len(asked) == 4


def test_invalid_changes_need_no_approval(tmp_path):
    tools = by_name(approval.with_approval(Workspace(tmp_path).tools(), None))
    edit = {"path": "a", "old_text": "x", "new_text": "y"}
    write = {"path": ".git/config", "content": ""}
    assert "does not exist" in call_tool(tools, "edit_file", edit).output
    assert "belongs to git" in call_tool(tools, "write_file", write).output


def test_diff_of_a_binary_file(tmp_path):
    (tmp_path / "a.bin").write_bytes(b"\xfd\xfe")
    asked = []
    tools = by_name(
        approval.with_approval(Workspace(tmp_path).tools(), lambda text: asked.append(text) or "no")
    )
    call_tool(tools, "write_file", {"path": "a.bin", "content": "z\n"})
    assert asked[0].splitlines()[3:] == [
        "-(This is not text in UTF-8 or UTF-16: see its byte 1.)",
        "+z",
    ]


def asked_to_write(folder, path, content):
    """Return the question before this is written."""
    asked = []
    tools = by_name(
        approval.with_approval(Workspace(folder).tools(), lambda text: asked.append(text) or "no")
    )
    call_tool(tools, "write_file", {"path": path, "content": content})
    return escape.command(asked[0])


@pytest.mark.parametrize(
    "old, new, seen",
    [
        (
            "# new\nif not a: stop()\n",
            "# new\fif not a: stop()\n",
            "-# new\n-if not a: stop()\n+# new\\x0cif not a: stop()",
        ),
        ("# new\nrun()\n", "# new\u2028run()\n", "-# new\n-run()\n+# new\\u2028run()"),
        ("a\nb\n", "a\r\nb\r\n", "-a\n-b\n+a\\r\n+b\\r"),
        ("a\r\nb\r\n", "a\r\nc\r\n", " a\n-b\n+c"),
        ("a", "a\n", "-a\n\\ No newline at end of file\n+a"),
        ("a\n", "a", "-a\n+a\n\\ No newline at end of file"),
        ("a\n", "", "-a"),
    ],
)
def test_diff_shows_whitespace_and_line_end_changes(tmp_path, old, new, seen):
    (tmp_path / "a.py").write_text(old, newline="")
    assert asked_to_write(tmp_path, "a.py", new).endswith("@@\n" + seen)


def test_diff_of_a_new_empty_file(tmp_path):
    assert asked_to_write(tmp_path, "conftest.py", "") == "--- /dev/null\n+++ conftest.py"
    (tmp_path / "a").write_text("x")
    assert asked_to_write(tmp_path, "a", "x") == "The text of a would not change."


def test_diff_names_the_resolved_file(tmp_path):
    (tmp_path / "Makefile").write_text("all:\n")
    (tmp_path / "notes.txt").symlink_to("Makefile")
    assert asked_to_write(tmp_path, "notes.txt", "x\n").startswith("--- Makefile\n+++ Makefile\n@@")
    path = "notes\n@@ -0,0 +1 @@\n+harmless\n/../Makefile"
    assert asked_to_write(tmp_path, path, "x\n").startswith("--- Makefile\n+++ Makefile\n@@")
    path = "notes\n@@ -0,0 +1 @@\n+harmless"
    head, name, *_ = asked_to_write(tmp_path, path, "x\n").split("\n")
    assert (head, name) == ("--- /dev/null", f"+++ {path!r}")
    assert "+++ 'Makefile '" in asked_to_write(tmp_path, "Makefile ", "x\n")


def test_diff_of_a_very_large_file(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"x\n" * (6 * 2**20))
    assert "-(This is a file of 12,582,912 bytes)\n+x" in asked_to_write(tmp_path, "a.txt", "x\n")
