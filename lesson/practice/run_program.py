"""Serve the practice model on this machine, and run a program that needs only the SDK with it.

    planning-agent practice
    planning-agent practice my_agent "Refactor hello.py: add type hints." -- --check "make test"

The program is a file, a folder or a zip that Python runs. It starts in a new folder with the files
that the prompt is about. Of the user's environment it gets only the variables that are named here,
so no key of a service and no proxy, and the practice model's address. It can read the user's files,
such as ~/.aws, as any program can.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from agentlib.terminal.changes import list_files
from safetylib.guard.escape import for_print

from ..common.file_errors import describe_file_error
from ..common.lesson_folder import NO_PROGRAM, PROGRAM, find_in_lesson
from ..common.message_blocks import WINDOW
from ..common.solutions import SOLUTIONS
from ..samples.copies import copy_project
from ..samples.find_job import find_job, list_prompts
from ..samples.jobs import Job
from ..samples.project_files import NotJudgedError, read_files
from .model_choice import SERVED
from .practice_model import PracticeModel

if TYPE_CHECKING:
    import httpx2

# The user's variables that the program gets: what Python and a terminal need. Any other one may be
# a key.
INHERITED = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "COLUMNS", "LINES"),
    *("TERM", "NO_COLOR", "WT_SESSION"),
    *("TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH", "VIRTUAL_ENV"),
    *("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONNOUSERSITE"),
    *("PYTHONUTF8", "PYTHONIOENCODING", "PYTHONDONTWRITEBYTECODE"),
    # of Windows
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA"),
    *("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMDATA", "NUMBER_OF_PROCESSORS"),
)
# What programs look for before they send a request, in place of the user's own settings.
SETTINGS = {
    "ANTHROPIC_API_KEY": "practice-key-opens-nothing",
    "MODEL_ID": SERVED,
    "MY_AGENT_WINDOW": str(WINDOW),  # how many messages the learner's program sends, as in `play`
}
MAX_BODY = 50_000_000  # bytes of a request: a conversation of 60 rounds has a hundredth
DELETED = "They were in a temporary folder, which is deleted now."
KEPT = "They stay in {}."
UNCHANGED = "No file has changed, so the copy was deleted."
KEPT_COPIES = "made"  # the name of the folder with the copies that the learner's program changed


class Handler(BaseHTTPRequestHandler):
    """Answer each request with the practice model of the server."""

    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        with suppress(ConnectionError):  # the program has ended
            super().handle()

    def do_POST(self) -> None:
        import httpx2

        try:
            body = self.rfile.read(self.read_length())
            response = self.server.answer(self.path, body, [*self.headers.items()])
        except (httpx2.InvalidURL, RecursionError, ValueError) as problem:
            error = {"type": "invalid_request_error", "message": f"not understood: {problem}"}
            response = httpx2.Response(400, json={"type": "error", "error": error})
            self.close_connection = True  # the rest of the body may follow
        self.send_response(response.status_code)
        for name, value in {**response.headers, "content-length": len(response.content)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(response.content)

    def read_length(self) -> int:
        """Return the length of the body in bytes. Raise ValueError if it must not be read."""
        if self.headers.get("host", "").rpartition(":")[0] not in ("127.0.0.1", "localhost"):
            raise ValueError("a page of another host asks")
        if "transfer-encoding" in self.headers:
            raise ValueError("send the body whole, with its content-length, and not in chunks")
        length = int(self.headers.get("content-length") or 0)
        if not 0 <= length <= MAX_BODY:
            raise ValueError(f"content-length must be at most {MAX_BODY:,}, not {length:,}")
        return length

    do_GET = do_POST  # such as a question about models, which it does not know

    def log_message(self, *_: Any) -> None:
        pass


class PracticeServer(ThreadingHTTPServer):
    """The practice model at an address of this machine, which is in `url`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.model = PracticeModel()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        # Import now what an answer needs: a program waits only a few seconds for its first one.
        self.answer("/v1/models/practice", b"", [])

    def answer(
        self, path: str, content: bytes, headers: list[tuple[str, str]]
    ) -> "httpx2.Response":
        """Return the practice model's answer. Raise InvalidURL, RecursionError or ValueError."""
        import httpx2

        url = f"http://practice.invalid{path}"
        return self.model.respond(httpx2.Request("POST", url, content=content, headers=headers))


def serve() -> int:
    """Serve the practice model until Ctrl-C, and print the variables that a program needs."""
    with PracticeServer() as server:
        print("The practice model answers until Ctrl-C. It is a script, and costs nothing.")
        print("In another terminal, set these variables, and start your program:\n")
        for name, value in (SETTINGS | {"ANTHROPIC_BASE_URL": server.url}).items():
            print(f"    {show_variable(name, value)}")
        python = for_print(sys.executable)
        print(f"\nThis Python has the package anthropic, if yours lacks it: {python}", flush=True)
        server.serve_forever()
    return 0


def show_variable(name: str, value: str) -> str:
    """Return the line that sets a variable in JupyterLab's terminal: PowerShell on Windows."""
    return f'$env:{name} = "{value}"' if os.name == "nt" else f"export {name}={value}"


def run_with_practice_model(program: Path, prompt: str, more: Sequence[str] = ()) -> int:
    """Run a Python program with a prompt and the practice model, and print what its files show.

    `more` are further arguments of the program. It works in a copy of the job's files, which is in
    the folder of `name_kept_copy` or in a temporary one.

    Return the program's exit status, or 2 if there is no such program, no job for this prompt, or
    if no folder can be created.
    """
    job, program = find_job(prompt), find_in_lesson(program)
    if not (program.is_file() or (program / "__main__.py").is_file()):
        print(for_print(NO_PROGRAM.format(program)), file=sys.stderr)
        return 2
    if job is None:
        print(list_known_prompts(), file=sys.stderr)
        return 2
    kept = name_kept_copy(program, job)
    try:
        if kept:
            kept.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        print(for_print(f"{kept}: {describe_file_error(problem)}"), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, PracticeServer() as server:
        project = kept or Path(folder, "project")
        copy_project(job, project)
        copied = list_files(project)
        Thread(target=server.serve_forever, daemon=True).start()
        print("The practice model answers. It is a script, and costs nothing.")
        shown = show_path(kept) if kept else ""
        end = f"in {shown}, which stays" if kept else "which is deleted at the end"
        print(for_print(f"The program works in a copy of the files, {end}."), flush=True)
        env = program_environment() | {"ANTHROPIC_BASE_URL": server.url}
        code = wait_for([sys.executable, str(program.resolve()), prompt, *more], project, env)
        server.shutdown()
        where = KEPT.format(shown) if kept else DELETED
        changes = describe_files(job, project)
        if kept and copied and list_files(kept) == copied:  # such as a run that ended at once
            shutil.rmtree(kept)
            with suppress(OSError):  # others are in it
                kept.parent.rmdir()
            where = UNCHANGED
        print(for_print(f"\n{changes} {where}"))
    return code


def show_path(path: Path) -> Path:
    """Return a path as one types it: from the current folder, if it is in there."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def name_kept_copy(program: Path, job: Job) -> Path | None:
    """Return a new folder for the copy that a program changes, or None if it is not kept.

    What the learner's program and the solutions do is kept. The folder is named after the job:
    made/hello, and then made/hello_2. It is beside the learner's program, and for the solutions in
    the current folder.
    """
    program = Path(os.path.abspath(program))
    if program.resolve() == SOLUTIONS.resolve():
        place = Path.cwd()
    elif program.name == PROGRAM and (program / ".checked.json").is_file():
        place = program.parent
    else:
        return None
    number, path = 1, place / KEPT_COPIES / job.name
    while os.path.lexists(path):
        number += 1
        path = path.with_name(f"{job.name}_{number}")
    return path


def list_known_prompts() -> str:
    prompts = "\n".join(f"    {prompt}" for prompt in list_prompts())
    return f"The practice model knows only these prompts:\n\n{prompts}"


def wait_for(command: Sequence[str], folder: Path, env: Mapping[str, str]) -> int:
    """Run a program, and return its exit status: 128 + N after a signal N, as in a shell.

    Ctrl-C reaches the program as well, which may go on with the next prompt. So this waits until
    the program ends by itself.
    """
    with subprocess.Popen(command, cwd=folder, env=env) as process:
        while True:
            with suppress(KeyboardInterrupt):
                code = process.wait()
                return code if code >= 0 else 128 - code


def program_environment() -> dict[str, str]:
    """Return the environment of the program: what it needs of the user's, and SETTINGS."""
    names = [name for name in os.environ if name in INHERITED or name.startswith("LC_")]
    return {name: os.environ[name] for name in names} | SETTINGS


def describe_files(job: Job, root: Path) -> str:
    """Return sentences on which files have changed in `root`, and how much of the job they show."""
    before, after = read_files(job.folder).texts, read_files(root)
    changed = [name for name, text in sorted(after.texts.items()) if text != before.get(name)]
    changes = f"Changed or new: {', '.join(changed) or 'nothing'}."
    try:
        done = job.judge(after)
    except NotJudgedError as problem:
        return f"{changes} The files are {problem}."
    return f"{changes} The files show {sum(done)} of {len(done)} steps."
