"""shell.py: output, timeout, interrupt, process group, environment, resource limits, sandbox."""

import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import pytest
from support.processes import gone, interrupt_when, started

from lesson.practice.model_choice import describe_protection
from safetylib.guard import bubblewrap, processes, shell

pytestmark = pytest.mark.slow
PYTHON = os.path.basename(sys.executable)  # without a venv there may be no "python"
linux = pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is for Linux only")


@pytest.fixture
def run_sandboxed(tmp_path):
    """Run a command in an empty folder, in the sandbox."""
    if not bubblewrap.sandbox_works():
        pytest.skip("bubblewrap does not work here")
    return partial(shell.run_command, folder=tmp_path)


@pytest.fixture(params=["sandbox", "plain"])
def run(request, tmp_path, monkeypatch):
    """Run a command in an empty folder, in the sandbox and without it."""
    if request.param == "sandbox":
        return request.getfixturevalue("run_sandboxed")
    monkeypatch.setattr(shell, "sandbox_works", lambda: False)
    return partial(shell.run_command, folder=tmp_path)


@pytest.fixture
def sleeper(tmp_path):
    """Return a unique sleep command as words; ./sleeper creates `begun`, then runs it."""
    words = ("sleep", f"71.{time.monotonic_ns()}")
    script = tmp_path / "sleeper"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/begun\nexec {' '.join(words)}\n")
    script.chmod(0o755)
    return words


BEGUN = "until [ -e begun ]; do sleep 0.01; done"  # waits for a sleeper


# Output and exit code


@pytest.mark.parametrize(
    "command, output, code",
    [
        ("echo; echo '  indented'; echo", "\n  indented", 0),
        ("echo out; echo err >&2; echo out; exit 7", "out\nerr\nout", 7),
        ("kill -9 $$", "", 137),
        (r"printf '\xff\xfe|\xc3\xa9|\xc3'", "\ufffd\ufffd|é|\ufffd", 0),
        (r"printf '\xe2'; sleep 0.2; printf '\x98\x83'", "☃", 0),  # one character, two reads
        ("cat; read line; echo [$line]", "[]", 0),
        ("no-such-program", "bash: line 1: no-such-program: command not found", 127),
    ],
)
def test_output_and_exit_code(run, command, output, code):
    assert run(command, timeout=60) == (output, code)


def test_deleted_folder_and_missing_bash_are_reported(run, tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match="folder is gone"):
        run("ls", folder=tmp_path / "gone")
    monkeypatch.setenv("PATH", "/nowhere")
    output, code = run("ls")
    assert output.startswith("There is no shell here, so nothing was run") and code == 127


def test_long_output_is_truncated_in_the_middle(run):
    output, _ = run("seq 1 100000")  # 588,895 characters with the last line break
    assert len(output) <= shell.MAX_OUTPUT_CHARS
    assert output.startswith("1\n2\n3\n") and output.endswith("\n99999\n100000")
    head, count, tail = re.split(r"\n\.\.\. \((\d+) characters left out\) \.\.\.\n", output)
    assert len(head) + int(count) + len(tail) == 588_894


# Resource limits


def test_file_size_and_memory_of_a_process_are_limited(run, tmp_path):
    output, code = run(f"{PYTHON} -c \"open('big', 'wb').truncate(2**31)\"")
    assert code != 0 and "File too large" in output
    assert (tmp_path / "big").stat().st_size <= processes.MAX_FILE_KIB * 1024
    output, code = run(f"{PYTHON} -c 'bytearray({processes.MAX_MEMORY_KIB * 1024 + 2**20})'")
    assert code == 1 and "MemoryError" in output


# Timeout, background processes, orphans


@pytest.mark.parametrize(
    "stubborn",
    [
        "trap '' TERM INT HUP; ./sleeper",
        "exec >&- 2>&-; ./sleeper",
        f"./sleeper & {BEGUN}; kill -STOP $$",
    ],
)
def test_timeout_kills_the_process_group_and_returns_the_output(run, tmp_path, sleeper, stubborn):
    begun = tmp_path / "begun"
    for timeout in (0.3, 3, 30):  # on a busy machine, it may begin late
        if not begun.exists():
            with pytest.raises(TimeoutError) as caught:
                run(f"echo hello; {stubborn}", timeout=timeout)
    message = str(caught.value)
    assert begun.exists()
    assert re.match(r"Timeout \([\d.]+s\): the command was still running, so it was kill", message)
    assert message.endswith("Output so far:\nhello")
    assert gone(*sleeper)


@pytest.mark.parametrize(
    "waiting",
    [
        "python -c 'import os; os.wait()' 2>&1 | tail -1",
        "exec python -c 'import os; os.wait()' 2>&1",
        "true & wait",
    ],
)
def test_command_that_waits_for_all_its_children_ends(run, waiting):
    """The process that ends it with Python is not one of them, though bash may replace itself."""
    output, _ = run(waiting, timeout=30)
    assert "No child processes" in output or output == "(no output)" or not output


def test_background_process_is_killed_when_the_shell_ends(run, sleeper):
    output, code = run(f"nohup ./sleeper & disown\n{BEGUN}\necho done", timeout=65)
    assert (output.splitlines()[-1], code) == ("done", 0)
    assert gone(*sleeper)


def test_sandbox_kills_daemons_of_another_session(run_sandboxed, tmp_path, sleeper):
    start = "(trap '' TERM HUP; setsid bash -c '(./sleeper &) ; ./sleeper' >/dev/null 2>&1 &)"
    assert run_sandboxed(f"{start}\n{BEGUN}\necho done", timeout=60)[1] == 0
    assert gone(*sleeper)
    (tmp_path / "begun").unlink()
    with pytest.raises(KeyboardInterrupt), interrupt_when((tmp_path / "begun").exists):
        run_sandboxed(f"{start}\nsleep 60")
    assert gone(*sleeper)


# Interrupt


@pytest.mark.parametrize("delay", [0, 0.01, 0.1])
def test_interrupt_at_any_instant_kills_the_command(run, sleeper, delay):
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(delay, os.kill, [os.getpid(), signal.SIGINT]).start()
        run("./sleeper & ./sleeper")
    assert gone(*sleeper)


# Environment


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGKILL])
def test_a_command_ends_with_python_whatever_ends_it(run, tmp_path, sleeper, number):
    """A terminal that is closed sends SIGHUP, and a kernel that is shut down may get SIGKILL."""
    code = "from pathlib import Path; from safetylib.guard import shell; "
    code += "" if shell.sandbox_works() else "shell.sandbox_works = lambda: False; "
    code += "shell.run_command('./sleeper & wait', Path.cwd())"
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)  # `nohup` ignores SIGHUP
    python = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    with python:
        assert started(*sleeper)
        python.send_signal(number)
    assert gone(*sleeper)


def test_no_key_reaches_the_environment_of_a_command(run, monkeypatch):
    for name in ("ANTHROPIC_API_KEY", "GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "BASH_ENV", "ENV"):
        monkeypatch.setenv(name, "very-secret")
    monkeypatch.setenv("BASH_FUNC_ls%%", "() { echo very-secret; }")
    output, code = run("env; export; declare -f; ls; cat /proc/self/environ; true")
    assert code == 0 and "very-secret" not in output
    names = {line.split("=")[0] for line in run("env")[0].splitlines()}
    set_by_bash = {"PWD", "SHLVL", "_", "OLDPWD"}
    assert names - set_by_bash <= {*processes.INHERITED, *processes.command_environment()}


def test_python_is_the_running_python_and_messages_are_english(run, tmp_path, monkeypatch):
    for name, value in [("LANG", "de_DE.UTF-8"), ("LANGUAGE", "de"), ("LC_MESSAGES", "de_DE")]:
        monkeypatch.setenv(name, value)
    (tmp_path / "module.py").touch()
    output, _ = run(f"{PYTHON} -c 'import sys, module; print(sys.prefix)'; ls; cat nothing")
    assert output.splitlines()[:2] == [sys.prefix, "module.py"]  # and no __pycache__
    assert "No such file or directory" in output


# The sandbox

DENIED = "echo 'setting up uid map: Permission denied' >&2; exit 1"


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Return a function that makes these the only programs: bash, sleep, and a bwrap if given."""
    place = tmp_path / "programs"

    def use(bwrap):
        for name in ("bash", "sleep"):
            (place / name).symlink_to(shutil.which(name))
        if bwrap:
            (place / "bwrap").write_text(f"#!/bin/sh\n{bwrap}\n")
            (place / "bwrap").chmod(0o755)
        monkeypatch.setenv("PATH", str(place))

    place.mkdir()
    bubblewrap.start_once.cache_clear()
    yield use
    bubblewrap.start_once.cache_clear()


@linux
@pytest.mark.parametrize(
    "bwrap, restricted, why",
    [
        (None, "1\n", "bubblewrap is not installed"),
        (DENIED, "0\n", "may not be used on this"),
        (DENIED, None, "may not be used on this"),
        (
            DENIED,
            "1\n",
            "AppArmor does not allow bubblewrap here, as on Ubuntu 24.04: docs/install.md",
        ),
    ],
)
def test_without_bubblewrap_commands_run_and_protection_says_why(
    programs, tmp_path, monkeypatch, bwrap, restricted, why
):
    monkeypatch.setattr(bubblewrap, "APPARMOR", tmp_path / "restricted")
    if restricted:
        bubblewrap.APPARMOR.write_text(restricted)
    programs(bwrap)
    sentence = describe_protection()
    assert sentence.startswith("Commands run without a sandbox (") and why in sentence
    assert shell.run_command("echo hi", tmp_path) == ("hi", 0)


@linux
def test_timeout_of_the_probe_runs_nothing_and_is_not_cached(programs, tmp_path, monkeypatch):
    programs("exec sleep 71")
    with monkeypatch.context() as patch:
        patch.setattr(bubblewrap, "PROBE_SECONDS", 0.1)
        with pytest.raises(
            TimeoutError, match=r"did not start within 0\.1 seconds, so nothing was"
        ):
            shell.run_command("echo > ran", tmp_path)
    assert not (tmp_path / "ran").exists()
    (tmp_path / "programs" / "bwrap").unlink()
    assert shell.run_command("echo > ran", tmp_path) == ("", 0)


@linux
@pytest.mark.parametrize(
    "bwrap", ['echo "Can\'t fork: Resource temporarily unavailable" >&2; exit 1', "kill -9 $$"]
)
def test_a_failure_of_the_probe_never_switches_the_sandbox_off(
    programs, tmp_path, bwrap, monkeypatch
):
    path, outside = os.environ["PATH"], tmp_path.parent / "outside"
    programs(bwrap)
    assert describe_protection().startswith("No command runs now. The sandbox failed")
    with pytest.raises(OSError, match="The sandbox failed, so nothing was run"):
        shell.run_command(f"echo > {outside}", tmp_path)
    monkeypatch.setenv("PATH", path)  # the next command tries again
    if bubblewrap.sandbox_works():
        shell.run_command(f"echo > ran; echo > {outside}", tmp_path)
        assert (tmp_path / "ran").exists()
    assert not outside.exists()


def test_sandbox_writes_only_in_the_folder_and_cannot_be_remounted(run_sandboxed, tmp_path):
    for place in ("..", "/etc", "/usr", "/tmp"):
        run_sandboxed(f"echo x > {place}/agentlib-test")
        assert not (tmp_path / place / "agentlib-test").exists()
    remount = "mount -o remount,rw"
    for undo in (f"{remount} /", f"{remount},bind / /", f"unshare -Urm {remount} /"):
        assert run_sandboxed(f"{undo} && touch /usr/agentlib-test")[1] != 0
    assert not Path("/usr/agentlib-test").exists()


def test_sandbox_has_no_writable_kernel_setting_and_only_harmless_devices(run_sandboxed):
    find = "find /proc/sys /proc/sysrq-trigger /sys -writable 2>/dev/null"
    assert run_sandboxed(find)[0] == ""
    devices = run_sandboxed("ls /dev")[0].split()
    assert {"null", "zero", "urandom"} <= set(devices) and len(devices) < 20


def test_sandbox_hides_the_home_folder_except_python_and_the_folder(
    run_sandboxed, tmp_path, monkeypatch
):
    home, work = tmp_path / "home", tmp_path / "home" / "work"
    work.mkdir(parents=True)
    (home / ".netrc").write_text("very-secret")
    monkeypatch.setenv("HOME", str(home))
    look = f"cat ~/.netrc; ls -A ~; {PYTHON} -c 'print(1)'; touch new"
    output, code = shell.run_command(look, work)
    assert output.splitlines()[1:] == ["work", "1"] and "very-secret" not in output
    assert (work / "new").exists()
    other = Path(pwd.getpwuid(os.getuid()).pw_dir)  # the system's entry, which HOME hides
    shown = [other / name for name in shell.run_command(f"ls -A {other}", work)[0].splitlines()]
    python = [Path(sys.prefix), Path(sys.base_prefix)]
    assert all(any(place.is_relative_to(name) for place in python) for name in shown), shown


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can read such files")
def test_sandbox_of_root_hides_what_only_root_can_read_also_a_new_file(run_sandboxed):
    run_sandboxed("true")
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        folder = Path(name)
        file = folder.with_suffix(".key")
        try:
            for place in (folder / "key", file):
                place.write_text("very-secret")
                place.chmod(0o600)
            look = f"cat {folder}/key {file} /etc/shadow; ls -A {folder}"
            output, code = run_sandboxed(look)
            assert (len(bubblewrap.private_places()) > 2) and "very-secret" not in output
            assert output.count("\n") == 2 and "root:" not in output
            assert shell.run_command("cat key", folder) == ("very-secret", 0)  # its workspace
        finally:
            file.unlink()
    assert run_sandboxed("echo hi") == ("hi", 0)  # although the places are gone


@pytest.fixture
def vanishing(monkeypatch):
    """Return a function that lets a place vanish after it is listed, at the first `times` attempts.

    It returns the list of these attempts.
    """
    listed, private, needed = [], bubblewrap.private_places, bubblewrap.needed_places
    place = Path(f"/var/tmp/agentlib-gone-{os.getpid()}")
    bubblewrap.start_once.cache_clear()

    def vanish(times):
        def list_places():
            if len(listed) == times:
                return private()
            listed.append(place)
            place.mkdir()
            return [*private(), place]

        def remove(network):
            if place.exists():
                place.rmdir()
            return needed(network)

        monkeypatch.setattr(bubblewrap, "private_places", list_places)
        monkeypatch.setattr(bubblewrap, "needed_places", remove)
        return listed

    yield vanish
    bubblewrap.start_once.cache_clear()


@pytest.mark.parametrize("times", [1, 2])
def test_place_that_vanishes_before_the_sandbox_starts_is_left_out(
    run_sandboxed, vanishing, tmp_path, times
):
    assert bubblewrap.sandbox_works()
    listed = vanishing(times)
    assert run_sandboxed("echo hi >> ran; cat ran") == ("hi", 0)  # it has run once
    assert len(listed) == times


def test_sandbox_that_fails_is_never_switched_off_and_its_words_are_no_output(
    run_sandboxed, vanishing, tmp_path
):
    listed = vanishing(2)
    assert bubblewrap.sandbox_works()
    assert len(listed) == 2
    vanishing(1000)
    bubblewrap.start_once.cache_clear()
    with pytest.raises(OSError, match="The sandbox failed, so nothing was run .bwrap: Can't mkdir"):
        run_sandboxed("touch ran")
    assert not (tmp_path / "ran").exists()


def test_command_that_speaks_like_bubblewrap_runs_once(run_sandboxed):
    error = "bwrap: Can't mkdir /x: Read-only file system"
    command = f'echo "{error}"; echo x >> ran; wc -l < ran; exit 1'
    assert run_sandboxed(command) == (f"{error}\n1", 1)


def test_command_in_the_sandbox_has_no_capability_and_no_open_pipe(run_sandboxed):
    sets, _ = run_sandboxed("grep Cap /proc/self/status; ls /proc/$$/fd; true")
    none = [f"Cap{name}:\t{'0' * 16}" for name in ("Inh", "Prm", "Eff", "Bnd", "Amb")]
    assert sets.splitlines() == [*none, "0", "1", "2"]


def test_sandbox_hides_other_processes_and_their_environment(run_sandboxed, sleeper):
    with subprocess.Popen(sleeper, env={"KEY": "very-secret"}) as other:
        look = f"cat /proc/*/environ /proc/{other.pid}/environ; cat /proc/*/cmdline"
        output, _ = run_sandboxed(look)
        assert "very-secret" not in output and sleeper[1] not in output
        run_sandboxed(f"kill -9 {other.pid}")
        assert other.poll() is None
        other.kill()


CONNECT = "import socket; socket.create_connection(('127.0.0.1', {}), 3).close()"


def test_sandbox_has_no_network_unless_allowed_and_no_socket_of_the_system(run_sandboxed):
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = f'{PYTHON} -c "{CONNECT.format(server.getsockname()[1])}"'
        assert run_sandboxed(command)[1] == 1
        assert run_sandboxed(command, network=True) == ("", 0)
    assert run_sandboxed("ls -A /run")[0] in ("", "current-system")
    place = Path(f"/tmp/agentlib-test-{os.getpid()}")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place))
        output, _ = run_sandboxed(f"ls {place}")
        place.unlink()
    assert "No such file" in output
