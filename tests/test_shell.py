"""What shell.py promises: every command ends, with all that it started, and sees no keys."""

import contextlib
import ctypes
import itertools
import os
import pwd
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from support.processes import alive, comes_true, gone, interrupt_when, started

from agentlib.sandbox import bubblewrap as boxes
from agentlib.sandbox import processes, shell

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the bash tool needs Linux or macOS")
PYTHON = os.path.basename(sys.executable)  # outside of a venv there may be no plain "python"
linux = pytest.mark.skipif(sys.platform != "linux", reason="daemons are found on Linux only")


@pytest.fixture(params=[True, False], ids=["sandbox", "plain"])
def sandbox(request):
    """Each claim holds in the sandbox and without one."""
    if request.param and not boxes.works():
        pytest.skip("bubblewrap does not work here")
    return request.param


@pytest.fixture
def run(tmp_path, sandbox):
    """Run a command in an empty folder."""
    return lambda command, **options: shell.run_command(
        command, tmp_path, **{"sandbox": sandbox} | options
    )


@pytest.fixture
def run_inside(tmp_path):
    """Run a command in an empty folder, in the sandbox."""
    if not boxes.works():
        pytest.skip("bubblewrap does not work here")
    return lambda command, **options: shell.run_command(command, tmp_path, **options)


numbers = itertools.count(1)


@pytest.fixture
def sleeper(tmp_path):
    """The words of a sleep that no other test has; ./sleeper makes `begun`, then sleeps so."""
    words = ("sleep", f"71.{os.getpid()}{next(numbers):03}")
    script = tmp_path / "sleeper"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/begun\nexec {' '.join(words)}\n")
    script.chmod(0o755)
    return words


BEGUN = "until [ -e begun ]; do sleep 0.01; done"  # waits for a sleeper


def run_out_of_time(run, folder, command):
    """Give `command` ever longer time limits, until one comes after it has made `begun`."""
    for timeout in (0.3, 3, 30):
        (folder / "begun").unlink(missing_ok=True)
        with pytest.raises(TimeoutError) as caught:
            run(command, timeout=timeout)
        if (folder / "begun").exists():
            return str(caught.value)
    raise AssertionError("it never began")


# What comes back


@pytest.mark.parametrize(
    "command, output, code",
    [
        ("echo hello", "hello", 0),
        ("printf hello", "hello", 0),
        ("echo; echo '  indented'; echo", "\n  indented", 0),
        ("true", "", 0),
        ("", "", 0),
        ("false", "", 1),
        ("echo out; echo err >&2; echo out; exit 7", "out\nerr\nout", 7),
        ("kill -9 $$", "", 137),
        ("kill -TERM $$", "", 143),
        (r"printf '\xff\xfe|\xc3\xa9|\xc3'", "\ufffd\ufffd|é|\ufffd", 0),
        ("echo 'ü ☃ 𝄞'", "ü ☃ 𝄞", 0),
        ("cat <<'end'\na $x `y`\nend", "a $x `y`", 0),
        ("echo $0 $# [$*]", "bash 0 []", 0),
        ("echo one\necho two # three", "one\ntwo", 0),
        ("set -o pipefail; yes | head -2", "y\ny", 141),
        ("[[ -t 1 ]] || echo no terminal", "no terminal", 0),
    ],
)
def test_output_and_exit_code_come_back(run, command, output, code):
    assert run(command) == (output, code)


def test_a_mistake_in_the_command_is_told_by_bash(run):
    output, code = run("echo 'open")
    assert code != 0 and "unexpected EOF" in output
    output, code = run("no-such-program")
    assert code == 127 and "no-such-program: command not found" in output


def test_the_command_runs_in_the_folder_and_sees_it_under_its_own_path(run, tmp_path):
    assert run("pwd && pwd -P && touch here") == (f"{tmp_path}\n{tmp_path}", 0)
    assert (tmp_path / "here").exists()


@pytest.mark.parametrize("name", ["a b", "ü", "-n", "$HOME", 'quo"te', "line\nbreak"])
def test_a_folder_may_have_any_name(tmp_path, sandbox, name):
    folder = tmp_path / name
    folder.mkdir()
    assert shell.run_command("echo hi > f; cat f", folder, sandbox=sandbox) == ("hi", 0)


def test_a_socket_that_goes_while_the_sandbox_starts_does_not_matter(
    run_inside, monkeypatch, tmp_path
):
    gone = "/usr/gone-a-moment-ago.sock"
    calls = []

    def options(*asked):
        calls.append(asked)
        late = ["--ro-bind-try", "/dev/null", gone, "--"] if len(calls) == 1 else ["--"]
        return boxes.arguments(*asked)[:-1] + late

    monkeypatch.setattr(shell, "sandbox_arguments", options)
    assert run_inside("echo ran >> log; cat log") == ("ran", 0)
    assert len(calls) == 2


def test_a_command_cannot_pretend_that_it_never_ran(run_inside, tmp_path):
    words = "bwrap: Can't create file at /usr/gone.sock: Read-only file system"
    assert run_inside(f'echo ran >> log; echo "{words}"; exit 1') == (words, 1)
    assert (tmp_path / "log").read_text() == "ran\n"


@pytest.mark.parametrize("command", ["cat", "read line; echo [$line]", f"{PYTHON} -c 'input()'"])
def test_what_asks_for_input_gets_none_and_does_not_wait(run, command):
    run(command, timeout=60)


@pytest.mark.parametrize(
    "command, reason",
    [
        (5, "must be a string, not int"),
        (None, "must be a string, not NoneType"),
        ("echo \0", "NUL or a surrogate"),
        ("echo \ud800", "NUL or a surrogate"),
        ("echo " + "x" * 200_000, "too long"),
    ],
)
def test_what_bash_cannot_take_is_refused_in_a_sentence(run, command, reason):
    with pytest.raises(ValueError, match=reason):
        run(command)


def test_a_folder_that_is_gone_is_told(tmp_path, sandbox):
    with pytest.raises(FileNotFoundError, match="folder is gone"):
        shell.run_command("ls", tmp_path / "gone", sandbox=sandbox)


def test_no_bash_is_told(run, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    said, code = run("ls")
    assert said.startswith("There is no shell here, so nothing was run")
    assert code == 127


# How much comes back


def test_of_a_long_output_head_and_tail_are_kept_and_the_rest_is_counted(run):
    output, _ = run("seq 1 1000000")
    head, left_out, tail = output.partition(" characters left out) ...\n")
    assert output.startswith("1\n2\n3\n") and tail.endswith("\n999999\n1000000")
    assert len(output) <= shell.MAX_OUTPUT_CHARS
    printed = sum(len(f"{number}\n") for number in range(1, 1_000_001))
    head, _, count = head.rpartition("\n... (")
    assert len(head) + int(count) + len(tail) == printed - 1  # the last line break is left off


def test_an_output_that_just_fits_is_not_cut(run):
    output, _ = run(f"head -c {shell.MAX_OUTPUT_CHARS - 100} /dev/zero | tr '\\0' x")
    assert output == "x" * (shell.MAX_OUTPUT_CHARS - 100)


def test_a_flood_of_output_costs_no_memory(run, tmp_path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = run_out_of_time(run, tmp_path, "yes | head -c 50000000; touch begun; yes")
    assert len(told) <= shell.MAX_OUTPUT_CHARS + 200
    unit = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 30e6


def test_a_character_that_arrives_in_two_pieces_is_one():
    output, (end, start) = shell.Output(100), os.pipe()
    with open(end, "rb", buffering=0) as pipe:
        for piece in (b"\xe2", b"\x98\x83"):
            os.write(start, piece)
            assert output.read(pipe, 60)
        os.close(start)
        assert not output.read(pipe, 60)
    assert output.text() == "☃"


def test_a_file_cannot_grow_without_end(run, tmp_path):
    output, code = run(f"{PYTHON} -c \"open('big', 'wb').truncate(2**31)\"")
    assert code != 0 and "File too large" in output
    assert (tmp_path / "big").stat().st_size <= processes.MAX_FILE_KIB * 1024


def test_a_process_cannot_take_all_memory(run):
    much = processes.MAX_MEMORY_BYTES + 2**20
    output, code = run(f"{PYTHON} -c 'bytearray({much})'")
    assert code == 1 and "MemoryError" in output


@linux
def test_many_processes_cannot_take_all_memory_either(run, sleeper, monkeypatch):
    monkeypatch.setattr(processes, "MAX_MEMORY_BYTES", 2**27)
    hoard = f"{PYTHON} -c \"import os; x = os.urandom(2**26); os.system('./sleeper')\""
    with pytest.raises(shell.ExcessError, match="it used more than 128 MiB of memory, so it was"):
        run(f"{hoard} & {hoard} & {hoard} & wait", timeout=60)
    assert not alive(*sleeper)


@linux
def test_a_command_cannot_start_processes_without_end(run, sleeper, monkeypatch):
    monkeypatch.setattr(processes, "MAX_PROCESSES", 50)
    with pytest.raises(shell.ExcessError, match="it had more than 50 processes, so it was ended"):
        run("for i in {1..60}; do ./sleeper & done; echo started; wait", timeout=60)
    assert not alive(*sleeper)


def test_in_the_sandbox_nobody_escapes_the_count(run_inside, sleeper, monkeypatch):
    monkeypatch.setattr(processes, "MAX_PROCESSES", 50)
    with pytest.raises(shell.ExcessError, match="it had more than 50 processes"):
        run_inside("ulimit -f 1000; for i in {1..60}; do setsid ./sleeper & done; wait", timeout=60)
    assert gone(*sleeper)


FILL = """
from pathlib import Path
from agentlib.sandbox import shell
try:
    shell.run_command("head -c 40M /dev/zero > big; sleep 60", Path("/mnt"), sandbox=False)
except shell.ExcessError as problem:
    print(problem)
"""


@pytest.mark.skipif(not boxes.works(), reason="needs bubblewrap, to make a small disk")
def test_a_command_cannot_fill_the_disk():
    disk = [
        "--bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        "--size",
        str(2**26),
        "--tmpfs",
        "/mnt",
    ]
    ran = subprocess.run(
        ["bwrap", *disk, sys.executable, "-c", FILL], capture_output=True, text=True
    )
    assert "it left less than 32 MiB free on the disk, so it was ended" in ran.stdout, ran.stderr


def test_a_folder_that_the_command_removes_ends_nothing(tmp_path):
    command = "rm -rf $PWD; sleep 2.2; echo done"
    assert shell.run_command(command, tmp_path, sandbox=False, timeout=60) == ("done", 0)


def test_the_folders_of_the_sandbox_itself_are_small(run_inside):
    limit = boxes.MAX_FOLDER_BYTES
    for place in ("/tmp", "/dev/shm", "~"):
        output, _ = run_inside(f"head -c {limit + 1} /dev/zero > {place}/big; wc -c < {place}/big")
        assert "No space left" in output and int(output.splitlines()[-1]) <= limit
    assert run_inside("touch /dev/new")[1] == 1


# When it ends


def test_a_command_that_takes_too_long_is_ended_and_what_it_said_is_told(run, tmp_path, sleeper):
    told = run_out_of_time(run, tmp_path, "echo hello; ./sleeper")
    assert re.match(r"Timeout \([\d.]+s\): the command was still running, so it was ended", told)
    assert told.endswith("Output so far:\nhello")
    assert not alive(*sleeper)


@pytest.mark.parametrize(
    "stubborn",
    [
        "trap '' TERM INT HUP; ./sleeper",
        "exec >&- 2>&-; ./sleeper",
        "./sleeper | cat",
        "(./sleeper &) ; wait; sleep 60",
        "bash -c 'bash -c \"./sleeper; true\"; true'; true",
        f"./sleeper & {BEGUN}; kill -STOP $$",
    ],
)
def test_the_time_limit_holds_for_a_stubborn_command(run, tmp_path, sleeper, stubborn):
    run_out_of_time(run, tmp_path, stubborn)
    assert not alive(*sleeper)


@pytest.mark.parametrize("start", ["{} &", "({} &)", "nohup {} & disown"])
def test_a_background_process_neither_delays_the_end_nor_outlives_it(run, sleeper, start):
    begun = time.monotonic()
    output, code = run(f"{start.format('./sleeper')}\n{BEGUN}\necho done", timeout=65)
    assert (output.splitlines()[-1], code) == ("done", 0)
    assert time.monotonic() - begun < 60
    assert not alive(*sleeper)


DAEMONS = [
    "setsid ./sleeper &",
    "(setsid setsid ./sleeper >/dev/null 2>&1 &)",
    "env -i setsid ./sleeper >/dev/null 2>&1 </dev/null &",
    "(trap '' TERM HUP; setsid bash -c '(./sleeper &) ; ./sleeper' >/dev/null 2>&1 &)",
    PYTHON + ' -c "import os; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); '
    "os.closerange(0, 99); os.execl('sleeper', 'sleeper')\"",
]


@linux
@pytest.mark.parametrize("start", DAEMONS)
def test_a_daemon_that_left_group_session_parent_and_environment_is_ended(run, sleeper, start):
    assert run(f"{start}\n{BEGUN}\necho done", timeout=60)[1] == 0
    assert not alive(*sleeper)


@linux
@pytest.mark.parametrize("start", DAEMONS[-1:])
def test_a_daemon_is_ended_by_the_time_limit_too(run, tmp_path, sleeper, start):
    run_out_of_time(run, tmp_path, f"{start}\nsleep 60")
    assert not alive(*sleeper)


# It leaves the group and the session, and takes off the tag.
ESCAPE = "setsid bash -c 'ulimit -f 1000; echo $$ > pid; exec ./sleeper' &"


def test_what_escapes_without_a_sandbox_does_not_keep_the_command_waiting(tmp_path, sleeper):
    begun = time.monotonic()
    command = f"{ESCAPE}\n{BEGUN}\necho done"
    assert shell.run_command(command, tmp_path, sandbox=False, timeout=65) == ("done", 0)
    assert time.monotonic() - begun < 60
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)


def test_nothing_escapes_the_sandbox(run_inside, sleeper):
    run_inside(f"{ESCAPE}\n{BEGUN}")
    assert gone(*sleeper)


@linux
def test_a_swarm_that_keeps_forking_is_ended(run, tmp_path, sleeper):
    name = f"swarm{sleeper[1]}"
    swarm = "f() { sleep 0.01; f & }; for i in 1 2 3 4 5; do (f &) ; done; ./sleeper"
    run_out_of_time(run, tmp_path, f"bash -c ': {name}; {swarm}'")
    assert gone(*sleeper) and gone(f"bash -c : {name}")


def test_only_the_commands_own_processes_are_ended(run):
    with subprocess.Popen(["sleep", "71"], start_new_session=True) as bystander:
        run("sleep 60 & echo hi")
        assert bystander.poll() is None
        bystander.kill()


def test_commands_may_run_side_by_side(run, tmp_path):
    results = []
    slow = threading.Thread(
        target=lambda: results.append(run("until [ -e go ]; do sleep 0.01; done; echo slow"))
    )
    slow.start()
    for number in range(3):
        assert run(f"setsid sleep 60 & echo {number}") == (str(number), 0)
    (tmp_path / "go").touch()
    slow.join()
    assert results == [("slow", 0)]


# When a person stops it


@pytest.mark.parametrize("delay", [0, 0.001, 0.003, 0.006, 0.01, 0.02, 0.1])
def test_ctrl_c_ends_the_command_at_whatever_instant_it_comes(run, sleeper, delay):
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(delay, os.kill, [os.getpid(), signal.SIGINT]).start()
        run("setsid ./sleeper & ./sleeper")
    assert not alive(*sleeper)


def test_ctrl_c_ends_what_has_begun(run, tmp_path, sleeper):
    with pytest.raises(KeyboardInterrupt), interrupt_when((tmp_path / "begun").exists):
        run("setsid ./sleeper & sleep 60")
    assert not alive(*sleeper)


def test_an_interrupt_in_a_thread_ends_the_command(run, sleeper):
    caught = []

    def work():
        try:
            run("./sleeper")
        except KeyboardInterrupt:
            caught.append(alive(*sleeper))

    thread = threading.Thread(target=work)
    thread.start()
    assert started(*sleeper)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(KeyboardInterrupt)
    )
    thread.join(60)
    assert caught == [[]]


IN_ANOTHER_PYTHON = """
import sys, threading, time
from pathlib import Path
from agentlib.sandbox import shell
folder = Path(sys.argv[1])
work = lambda: shell.run_command("echo; ./sleeper", folder, sandbox={sandbox})
{how}
"""
IN_A_THREAD = """
threading.Thread(target=work, daemon=True).start()
while not (folder / "begun").exists():
    time.sleep(0.01)
"""


def another_python(how, sandbox, folder):
    script = IN_ANOTHER_PYTHON.format(how=how, sandbox=sandbox)
    process = subprocess.Popen([sys.executable, "-c", script, folder], stderr=subprocess.PIPE)
    assert comes_true((folder / "begun").exists)
    return process


def test_ctrl_c_in_a_terminal_ends_the_command(tmp_path, sandbox, sleeper):
    with another_python("work()", sandbox, tmp_path) as process:
        assert started(*sleeper)
        process.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in process.communicate(timeout=60)[1]
    assert not alive(*sleeper)


def test_when_python_ends_the_command_of_a_thread_ends_too(tmp_path, sandbox, sleeper):
    with another_python(IN_A_THREAD, sandbox, tmp_path) as process:
        process.wait(60)
    assert not alive(*sleeper)


def test_a_python_killed_hard_leaves_nothing_behind(tmp_path, run_inside, sleeper):
    with another_python("work()", True, tmp_path) as process:
        assert started(*sleeper)
        process.kill()
    assert gone(*sleeper)


# What it costs and leaves


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="cannot count descriptors here")
def test_no_descriptor_and_no_thread_stays(run):
    run("true")
    descriptors, threads = len(os.listdir("/dev/fd")), set(threading.enumerate())
    for command, timeout in [
        ("echo hi", 60),
        ("sleep 60 &", 60),
        ("exec >&-; sleep 0.1", 60),
        ("sleep 60", 0.3),
    ]:
        with contextlib.suppress(TimeoutError):
            run(command, timeout=timeout)
    # A watcher says that it is done just before it ends.
    assert comes_true(lambda: set(threading.enumerate()) <= threads)
    assert len(os.listdir("/dev/fd")) <= descriptors


def test_no_descriptor_of_ours_is_seen_by_the_command(run, tmp_path):
    with open(tmp_path / "ours", "w") as ours:
        os.set_inheritable(ours.fileno(), True)
        output, _ = run(f"{PYTHON} -c \"import os; print(os.listdir('/dev/fd'))\"")
    assert len(output.split()) <= 4  # 0, 1, 2, and the folder that is listed


@pytest.mark.parametrize("command", ["echo done", "echo done; exec >&- 2>&-; true"])
def test_the_end_of_a_command_is_heard_and_not_found_at_the_next_look(run, monkeypatch, command):
    monkeypatch.setattr(shell, "POLL_SECONDS", 3600)  # the time limit would end it before
    assert run(command, timeout=60) == ("done", 0)


# What it sees


def test_no_key_and_no_token_reaches_the_command(run, monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "BASH_ENV", "ENV"):
        monkeypatch.setenv(name, "very-secret")
    monkeypatch.setenv("BASH_FUNC_ls%%", "() { echo very-secret; }")
    output, code = run("env; export; declare -f; ls; cat /proc/self/environ; true")
    assert code == 0 and "very-secret" not in output


def test_the_environment_is_what_is_needed_and_no_more(run):
    names = {line.split("=")[0] for line in run("env")[0].splitlines()}
    shells_own = {"PWD", "SHLVL", "_", "OLDPWD"}
    assert names - shells_own <= {*shell.INHERITED, "PATH", "LC_ALL", "TERM"} | {
        "PYTHONDONTWRITEBYTECODE"
    }


def test_python_is_the_python_that_runs_the_lesson_and_leaves_no_bytecode(run, tmp_path):
    (tmp_path / "module.py").touch()
    output, code = run(f"{PYTHON} -c 'import sys, module; print(sys.prefix)'; ls")
    assert output.splitlines() == [sys.prefix, "module.py"]


def test_its_messages_are_the_same_whatever_language_the_machine_speaks(run, monkeypatch):
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    monkeypatch.setenv("LC_MESSAGES", "de_DE.UTF-8")
    assert "No such file or directory" in run("cat nothing")[0]


# What the sandbox adds


def test_what_protects_is_said_in_one_sentence():
    sentence = boxes.protection()
    assert ("in a sandbox (bubblewrap)" if boxes.works() else "without a sandbox") in sentence
    assert sentence.endswith(".") and "\n" not in sentence


@linux
@pytest.mark.parametrize(
    "bwrap, why",
    [
        (None, "bubblewrap is not installed"),
        ("#!/bin/sh\nexit 1\n", "may not be used on this system"),
    ],
)
def test_where_there_is_no_sandbox_commands_run_without_and_it_is_said_why(tmp_path, bwrap, why):
    (tmp_path / "bash").symlink_to(shutil.which("bash"))
    if bwrap:
        (tmp_path / "bwrap").write_text(bwrap)
        (tmp_path / "bwrap").chmod(0o755)
    script = (
        "from pathlib import Path; from agentlib.sandbox import sandbox, shell;"
        "print(sandbox.protection()); print(shell.run_command('echo hi', Path('/')))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        env={"PATH": str(tmp_path), "PYTHONPATH": str(Path(shell.__file__).parents[2])},
        capture_output=True,
        text=True,
    )
    sentence, result = ran.stdout.splitlines()
    assert sentence.startswith("Commands run without a sandbox (") and why in sentence
    assert result == "('hi', 0)"


SLOW_PROBE = """
from pathlib import Path
from agentlib.sandbox import sandbox, shell
sandbox.PROBE_SECONDS = 0.1
for _ in range(2):
    try:
        print(shell.run_command("touch ran", Path(".").resolve()))
    except TimeoutError as problem:
        print(problem)
        Path("bin/bwrap").write_text("#!/bin/sh\\nexit 1\\n")
        sandbox.PROBE_SECONDS = 60
        print(Path("ran").exists())
"""


@linux
def test_where_the_sandbox_is_only_slow_nothing_runs_without_it_and_it_is_tried_again(tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "sleep", "touch"):
        (programs / name).symlink_to(shutil.which(name))
    (programs / "bwrap").write_text("#!/bin/sh\nexec sleep 71\n")
    (programs / "bwrap").chmod(0o755)
    ran = subprocess.run(
        [sys.executable, "-c", SLOW_PROBE],
        env={"PATH": str(programs), "PYTHONPATH": str(Path(shell.__file__).parents[2])},
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    sentence, anything_ran, after = ran.stdout.splitlines()
    assert sentence.startswith("The sandbox did not start within 0.1 seconds, so nothing was run")
    assert (anything_ran, after) == ("False", "('', 0)")


@pytest.mark.parametrize("place", ["..", "/etc", "/usr", "/var", "/dev/shm", "/home"])
def test_the_sandbox_lets_nothing_be_written_outside_the_folder(run_inside, tmp_path, place):
    run_inside(f"echo x > {place}/agentlib-test")
    assert not (tmp_path / place / "agentlib-test").exists()


def test_the_sandbox_does_not_let_root_change_the_kernels_settings(run_inside):
    find = "find /proc/sys /proc/sysrq-trigger /sys -writable 2>/dev/null"
    assert run_inside(find)[0] == ""


@pytest.mark.parametrize(
    "undo",
    ["mount -o remount,rw /", "mount -o remount,rw,bind / /", "unshare -Urm mount -o remount,rw /"],
)
def test_the_sandbox_cannot_be_undone_from_within(run_inside, undo):
    assert run_inside(f"{undo} && touch /usr/agentlib-test")[1] != 0
    assert not Path("/usr/agentlib-test").exists()


def test_the_sandbox_has_a_tmp_of_its_own(run_inside):
    assert run_inside("echo x > /tmp/agentlib-test && cat /tmp/agentlib-test") == ("x", 0)
    assert not Path("/tmp/agentlib-test").exists()


def test_the_sandbox_hides_the_home_folder_but_not_python(run_inside, tmp_path, monkeypatch):
    home, work = tmp_path / "home", tmp_path / "home" / "work"
    work.mkdir(parents=True)
    (home / ".netrc").write_text("very-secret")
    monkeypatch.setenv("HOME", str(home))
    look = f"cat ~/.netrc; ls -A ~; {PYTHON} -c 'print(1)'; touch new"
    output, code = shell.run_command(look, work)
    assert output.splitlines()[1:] == ["work", "1"] and "very-secret" not in output
    assert (work / "new").exists()


def test_the_sandbox_hides_the_home_that_the_system_knows_where_home_names_another(
    run_inside, tmp_path, monkeypatch
):
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    python = [Path(sys.prefix), Path(sys.base_prefix)]
    monkeypatch.setenv("HOME", str(tmp_path))
    output, _ = run_inside(f"ls -A {home}")
    shown = [home / name for name in output.splitlines()]
    assert all(any(place.is_relative_to(name) for place in python) for name in shown), output


def test_the_sandbox_hides_the_parents_environment_and_processes(run_inside, sleeper):
    with subprocess.Popen(sleeper, env={"KEY": "very-secret"}) as other:
        look = f"cat /proc/*/environ /proc/{other.pid}/environ; cat /proc/*/cmdline"
        output, _ = run_inside(look)
        assert "very-secret" not in output and sleeper[1] not in output
        run_inside(f"kill -9 {other.pid}")
        assert other.poll() is None
        other.kill()


CONNECT = "import socket; socket.create_connection(('127.0.0.1', {}), 3).close()"


def test_the_sandbox_has_no_network_unless_it_is_allowed(run_inside):
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = f'{PYTHON} -c "{CONNECT.format(server.getsockname()[1])}"'
        assert run_inside(command)[1] == 1
        assert run_inside(command, network=True) == ("", 0)


def test_the_sandbox_hides_the_sockets_of_services(run_inside):
    assert run_inside("ls -A /run")[0] in ("", "current-system")


CONNECT_UNIX = "import socket; socket.socket(socket.AF_UNIX).connect({!r})"


@pytest.fixture(params=["beside", "inside", "behind a link"])
def service(request, tmp_path):
    """The socket of somebody's service, outside of what is hidden, or in the workspace."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        place = tmp_path if request.param == "inside" else Path(folder, "real")
        place.mkdir(exist_ok=True)
        name = str(place / "socket")
        if request.param == "behind a link":
            Path(folder, "link").symlink_to(place)
            name = str(Path(folder, "link", "socket"))
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(name)
            server.listen()
            yield str(place / "socket")


@pytest.mark.parametrize("network", [False, True])
def test_the_sandbox_does_not_reach_a_service_by_its_socket_on_the_disk(
    run_inside, service, network
):
    connect = f'{PYTHON} -c "{CONNECT_UNIX.format(service)}"'
    output, code = run_inside(connect, network=network)
    assert code == 1 and "ConnectionRefusedError" in output
    assert run_inside(connect, sandbox=False) == ("", 0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root sees into other people's folders")
def test_a_socket_in_a_folder_of_somebody_else_does_not_stop_the_sandbox(run_inside):
    with (
        tempfile.TemporaryDirectory(dir="/var/tmp") as folder,
        socket.socket(socket.AF_UNIX) as server,
    ):
        server.bind(str(Path(folder, "socket")))
        server.listen()
        os.chown(folder, 65534, 65534)
        assert run_inside(f"echo ran; ls {folder}/socket")[0].startswith("ran")


KEYRING = """
import ctypes, platform, sys
call = ctypes.CDLL(None).syscall
keyctl = {"x86_64": 250, "aarch64": 219}.get(platform.machine(), -1)
add_key = {"x86_64": 248, "aarch64": 217}.get(platform.machine(), -1)
SESSION, SEARCH, NEW_SESSION = -3, 10, 1
"""


@linux
def test_a_command_does_not_reach_the_keys_of_the_login(run, tmp_path):
    (tmp_path / "look.py").write_text(
        KEYRING + "print(call(keyctl, SEARCH, SESSION, b'user', b'agentlib-test', 0))"
    )
    script = KEYRING + (
        "from pathlib import Path; from agentlib.sandbox import shell\n"
        "call(keyctl, NEW_SESSION, None)\n"
        "print(call(add_key, b'user', b'agentlib-test', b'x', 1, SESSION) > 0)\n"
        "exec(open('look.py').read())\n"
        f"print(shell.run_command('{PYTHON} look.py', Path('.').resolve()))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    added, seen_by_us, seen_by_the_command = ran.stdout.splitlines()
    if added == "False":
        pytest.skip("this kernel keeps no keys")
    assert int(seen_by_us) > 0 and seen_by_the_command == "('-1', 0)"


def test_a_python_that_was_started_by_a_path_with_dots_is_found(run_inside, tmp_path):
    folder = tmp_path / "notebooks"
    folder.mkdir()
    script = (
        "from pathlib import Path; from agentlib.sandbox import shell\n"
        f"print(shell.run_command('{PYTHON} -c \"print(1)\"', Path({str(tmp_path)!r})))"
    )
    python = os.path.join("..", os.path.relpath(sys.executable, tmp_path))
    ran = subprocess.run([python, "-c", script], cwd=folder, capture_output=True, text=True)
    assert ran.stdout == "('1', 0)\n", ran.stderr


def test_the_devices_are_only_the_harmless_ones(run_inside):
    devices = run_inside("ls /dev")[0].split()
    assert {"null", "zero", "urandom"} <= set(devices) and len(devices) < 20


def test_inside_and_outside_the_sandbox_a_command_prints_the_same(run_inside, tmp_path):
    (tmp_path / "a.py").write_text("print('hello')\n")
    command = (
        f"ls -l --time-style=+; id -u; id -un; hostname; {PYTHON} a.py;"
        f"{PYTHON} -c 'import json, sys; print(sys.path)';"
        "cat missing; nothing; echo $0 $HOME $PATH; ulimit -c; kill -SEGV $$"
    )
    assert run_inside(command) == shell.run_command(command, tmp_path, sandbox=False)
