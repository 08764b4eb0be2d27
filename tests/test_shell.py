"""What shell.py promises: every command ends, with all that it started, and sees no keys."""

import ctypes
import os
import pwd
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from agentlib.machine import shell

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the bash tool needs Linux or macOS")
PYTHON = os.path.basename(sys.executable)  # outside of a venv there may be no plain "python"
linux = pytest.mark.skipif(sys.platform != "linux", reason="daemons are found on Linux only")


@pytest.fixture(params=[True, False], ids=["sandbox", "plain"])
def sandbox(request):
    """Each claim holds in the sandbox and without one."""
    if request.param and not shell.sandbox_works():
        pytest.skip("bubblewrap does not work here")
    return request.param


@pytest.fixture
def run(tmp_path, sandbox):
    """Run a command in an empty folder."""
    return lambda command, **options: shell.run(command, tmp_path, **{"sandbox": sandbox} | options)


@pytest.fixture
def run_inside(tmp_path):
    """Run a command in an empty folder, in the sandbox."""
    if not shell.sandbox_works():
        pytest.skip("bubblewrap does not work here")
    return lambda command, **options: shell.run(command, tmp_path, **options)


def alive(*words):
    """The processes that were started with these words, one beside the other."""
    if Path("/proc/self").exists():
        lines = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                lines.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
            except OSError:
                pass
    else:
        lines = subprocess.run(["ps", "-Awwo", "args"], capture_output=True, text=True).stdout
        lines = lines.splitlines()
    return [line for line in lines if line.startswith(" ".join(words))]


def gone(*words, seconds=5):
    """Wait until there is no such process; whether that came about."""
    give_up = time.monotonic() + seconds
    while alive(*words) and time.monotonic() < give_up:
        time.sleep(0.02)
    return not alive(*words)


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
    assert shell.run("echo hi > f; cat f", folder, sandbox=sandbox) == ("hi", 0)


@pytest.mark.parametrize("command", ["cat", "read line; echo [$line]", f"{PYTHON} -c 'input()'"])
def test_what_asks_for_input_gets_none_and_does_not_wait(run, command):
    started = time.monotonic()
    run(command, timeout=20)
    assert time.monotonic() - started < 10


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
        shell.run("ls", tmp_path / "gone", sandbox=sandbox)


def test_no_bash_is_told(run, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(FileNotFoundError, match="needs bash"):
        run("ls")


# How much comes back


def test_of_a_long_output_head_and_tail_are_kept_and_the_rest_is_counted(run):
    output, _ = run("seq 1 1000000")
    head, left_out, tail = output.partition(" characters left out) ...\n")
    assert output.startswith("1\n2\n3\n") and tail.endswith("\n999999\n1000000")
    assert len(output) <= shell.PRINTED
    printed = sum(len(f"{number}\n") for number in range(1, 1_000_001))
    head, _, count = head.rpartition("\n... (")
    assert len(head) + int(count) + len(tail) == printed - 1  # the last line break is left off


def test_an_output_that_just_fits_is_not_cut(run):
    output, _ = run(f"head -c {shell.PRINTED - 100} /dev/zero | tr '\\0' x")
    assert output == "x" * (shell.PRINTED - 100)


def test_a_flood_of_output_costs_no_memory(run):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TimeoutError) as caught:
        run("yes", timeout=0.3)
    assert len(str(caught.value)) <= shell.PRINTED + 200
    unit = 1 if sys.platform == "darwin" else 1024
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * unit < 30e6


def test_a_character_that_arrives_in_two_pieces_is_one(run):
    assert run(r"printf '\xe2'; sleep 0.2; printf '\x98\x83'") == ("☃", 0)


def test_a_file_cannot_grow_without_end(run, tmp_path):
    output, code = run(f"{PYTHON} -c \"open('big', 'wb').truncate(2**31)\"")
    assert code != 0 and "File too large" in output
    assert (tmp_path / "big").stat().st_size <= shell.FILE_SIZE * 1024


# When it ends


def test_a_command_that_takes_too_long_is_ended_and_what_it_said_is_told(run):
    started = time.monotonic()
    with pytest.raises(TimeoutError) as caught:
        run("echo begun; sleep 71.001", timeout=0.3)
    assert time.monotonic() - started < 5
    assert str(caught.value).startswith("Timeout (0.3s): ") and str(caught.value).endswith("begun")
    assert not alive("sleep", "71.001")


@pytest.mark.parametrize(
    "stubborn",
    [
        "trap '' TERM INT HUP; sleep {}",
        "exec >&- 2>&-; sleep {}",
        "sleep {} | cat",
        "(sleep {} &) ; wait; sleep 60",
        "bash -c 'bash -c \"sleep {}; true\"; true'; true",
        "kill -STOP $$",
    ],
)
def test_the_time_limit_holds_for_a_stubborn_command(run, stubborn):
    with pytest.raises(TimeoutError):
        run(stubborn.format("71.002"), timeout=0.1)
    assert not alive("sleep", "71.002")


@pytest.mark.parametrize("start", ["sleep {} &", "(sleep {} &)", "nohup sleep {} & disown"])
def test_a_background_process_neither_delays_the_end_nor_outlives_it(run, start):
    started = time.monotonic()
    output, code = run(start.format("71.003") + "\necho done", timeout=20)
    assert (output.splitlines()[-1], code) == ("done", 0)
    assert time.monotonic() - started < 5
    assert not alive("sleep", "71.003")


DAEMONS = [
    "setsid sleep {} &",
    "(setsid setsid sleep {} >/dev/null 2>&1 &)",
    "env -i setsid sleep {} >/dev/null 2>&1 </dev/null &",
    "(trap '' TERM HUP; setsid bash -c '(sleep {} &) ; sleep {}' >/dev/null 2>&1 &)",
    PYTHON + ' -c "import os; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); '
    "os.closerange(0, 99); os.execlp('sleep', 'sleep', '{}')\"",
]


@linux
@pytest.mark.parametrize(
    "start, then",
    [(start, "true") for start in DAEMONS] + [(start, "sleep 60") for start in DAEMONS[-1:]],
)
def test_a_daemon_that_left_group_session_parent_and_environment_is_ended(run, start, then):
    command = start.replace("{}", "71.004") + f"\nsleep 0.1\n{then}"
    try:
        run(command, timeout=0.25)
    except TimeoutError:
        assert then != "true"
    assert not alive("sleep", "71.004")


def test_what_escapes_without_a_sandbox_does_not_keep_the_command_waiting(tmp_path):
    started = time.monotonic()
    escape = "(ulimit -f 1000; exec setsid sleep 2.5 &) ; echo done"
    assert shell.run(escape, tmp_path, sandbox=False) == ("done", 0)
    assert time.monotonic() - started < 2


def test_nothing_escapes_the_sandbox(run_inside):
    run_inside("(ulimit -f 1000; exec setsid sleep 71.013 &) ; sleep 0.1")
    assert gone("sleep", "71.013")


@linux
def test_a_swarm_that_keeps_forking_is_ended(run):
    swarm = "f() { sleep 0.01; f & }; for i in 1 2 3 4 5; do (f &) ; done; sleep 71.005"
    with pytest.raises(TimeoutError):
        run(f"bash -c '{swarm}' swarm-71", timeout=0.2)
    assert gone("sleep 71.005") and gone("bash -c f()", seconds=1)


def test_only_the_commands_own_processes_are_ended(run):
    with subprocess.Popen(["sleep", "71.006"], start_new_session=True) as bystander:
        run("sleep 60 & echo hi")
        assert bystander.poll() is None
        bystander.kill()


def test_commands_may_run_side_by_side(run):
    results = []

    def slow():
        results.append(run("sleep 0.2; echo slow"))

    thread = threading.Thread(target=slow)
    thread.start()
    for number in range(3):
        assert run(f"setsid sleep 60 & echo {number}") == (str(number), 0)
    thread.join()
    assert results == [("slow", 0)]


# When a person stops it


@pytest.mark.parametrize("delay", [0, 0.001, 0.003, 0.006, 0.01, 0.02, 0.1])
def test_ctrl_c_ends_the_command_at_whatever_instant_it_comes(run, delay):
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(delay, os.kill, [os.getpid(), signal.SIGINT]).start()
        run("setsid sleep 71.007 & sleep 71.007")
        time.sleep(5)
    assert not alive("sleep", "71.007")


def test_an_interrupt_in_a_thread_ends_the_command(run):
    caught = []

    def work():
        try:
            run("sleep 71.008")
        except KeyboardInterrupt:
            caught.append(alive("sleep", "71.008"))

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.2)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(KeyboardInterrupt)
    )
    thread.join(5)
    assert caught == [[]]


IN_ANOTHER_PYTHON = """
import sys, threading
from pathlib import Path
from agentlib.machine import shell
work = lambda: shell.run("echo; sleep {seconds}", Path(sys.argv[1]), sandbox={sandbox})
{how}
"""


def another_python(how, seconds, sandbox, folder):
    script = IN_ANOTHER_PYTHON.format(how=how, seconds=seconds, sandbox=sandbox)
    process = subprocess.Popen([sys.executable, "-c", script, folder], stderr=subprocess.PIPE)
    give_up = time.monotonic() + 20
    while not alive("sleep", seconds) and time.monotonic() < give_up:
        time.sleep(0.02)
    assert alive("sleep", seconds)
    return process


def test_ctrl_c_in_a_terminal_ends_the_command(tmp_path, sandbox):
    with another_python("work()", "71.009", sandbox, tmp_path) as process:
        process.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in process.communicate(timeout=10)[1]
    assert not alive("sleep", "71.009")


def test_when_python_ends_the_command_of_a_thread_ends_too(tmp_path, sandbox):
    how = "threading.Thread(target=work, daemon=True).start(); import time; time.sleep(0.25)"
    with another_python(how, "71.010", sandbox, tmp_path) as process:
        process.wait(10)
    assert not alive("sleep", "71.010")


def test_a_python_killed_hard_leaves_nothing_behind(tmp_path, run_inside):
    with another_python("work()", "71.011", True, tmp_path) as process:
        process.kill()
    assert gone("sleep", "71.011")


# What it costs and leaves


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="cannot count descriptors here")
def test_no_descriptor_and_no_thread_stays(run):
    run("true")
    descriptors, threads = len(os.listdir("/dev/fd")), set(threading.enumerate())
    for command in ("echo hi", "sleep 60 &", "exec >&-; sleep 0.1", "sleep 60"):
        try:
            run(command, timeout=0.1)
        except TimeoutError:
            pass
    time.sleep(0.05)  # a watcher says that it is done just before it ends
    assert len(os.listdir("/dev/fd")) <= descriptors
    assert set(threading.enumerate()) <= threads


def test_no_descriptor_of_ours_is_seen_by_the_command(run, tmp_path):
    with open(tmp_path / "ours", "w") as ours:
        os.set_inheritable(ours.fileno(), True)
        output, _ = run(f"{PYTHON} -c \"import os; print(os.listdir('/dev/fd'))\"")
    assert len(output.split()) <= 4  # 0, 1, 2, and the folder that is listed


def test_a_short_command_takes_milliseconds(run):
    run("ls")
    times = []
    for _ in range(10):
        started = time.perf_counter()
        run("ls")
        times.append(time.perf_counter() - started)
    assert min(times) < 0.05


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
    assert names - shells_own <= {*shell.PASSED_ON, "PATH", "LC_ALL", "TERM"} | {
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


def test_what_protects_is_said_in_one_sentence(sandbox):
    sentence = shell.protection(sandbox=sandbox)
    assert ("in a sandbox (bubblewrap)" if sandbox else "without a sandbox") in sentence
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
        "from pathlib import Path; from agentlib.machine import shell;"
        "print(shell.protection()); print(shell.run('echo hi', Path('/')))"
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
    output, code = shell.run(look, work)
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


def test_the_sandbox_hides_the_parents_environment_and_processes(run_inside):
    with subprocess.Popen(["sleep", "71.012"], env={"KEY": "very-secret"}) as other:
        output, _ = run_inside(
            f"cat /proc/*/environ /proc/{other.pid}/environ; cat /proc/*/cmdline"
        )
        assert "very-secret" not in output and "71.012" not in output
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
    assert run_inside(command) == shell.run(command, tmp_path, sandbox=False)
