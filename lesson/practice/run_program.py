"""Serve the practice model on this machine, and run a program that needs only the SDK with it.

    planning-agent practice
    planning-agent practice whole_agent.py "Refactor hello.py: add type hints." -- --its-own-option

The program runs in a new temporary folder, in whose folder `project` are the files that the prompt
is about. One that begins with script metadata (PEP 723), as `agent.py`, starts in `project` itself.
Of the user's environment it gets only the variables that are named here, so no key of a service and
no proxy, and the practice model's address. It can read the user's files, such as ~/.aws, as any
program can.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from safetylib.escape import for_print

from ..samples.copies import copy_sample
from ..samples.find_job import find_job, list_prompts
from ..samples.jobs import Job, list_jobs
from ..samples.project_files import NotJudgedError, read_files
from .practice_model import PracticeModel

# The user's variables that the program gets: what Python and a terminal need. Any other one may be
# a key.
INHERITED = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TERM", "COLUMNS", "LINES"),
    *("TMPDIR", "TMP", "TEMP", "LD_LIBRARY_PATH", "VIRTUAL_ENV"),
    *("PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "PYTHONNOUSERSITE"),
    *("PYTHONUTF8", "PYTHONIOENCODING", "PYTHONDONTWRITEBYTECODE"),
    # of Windows
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA"),
    *("LOCALAPPDATA", "PROGRAMFILES", "PROGRAMDATA", "NUMBER_OF_PROCESSORS"),
)
# What programs look for before they send a request, in place of the user's own settings.
SETTINGS = {"ANTHROPIC_API_KEY": "practice-key-opens-nothing", "MODEL_ID": "practice"}


class Handler(BaseHTTPRequestHandler):
    """Answer each request with the practice model of the server."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        import httpx2

        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        url = f"http://practice.invalid{self.path}"
        response = self.server.model.respond(httpx2.Request("POST", url, content=content))
        self.send_response(response.status_code)
        for name, value in {**response.headers, "content-length": len(response.content)}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(response.content)

    do_GET = do_POST  # such as a question about models, which it does not know

    def log_message(self, *_: Any) -> None:
        pass


class Server(ThreadingHTTPServer):
    """The practice model at an address of this machine, which is in `url`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.model = PracticeModel()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


def serve() -> int:
    """Serve the practice model until Ctrl-C, and print the variables that a program needs."""
    with Server() as server:
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


def run_with_practice_model(file: Path, prompt: str, more: Sequence[str] = ()) -> int:
    """Run a Python program with a prompt and the practice model, and print what its files show.

    `more` are further arguments of the program.

    Return the program's exit status, or 2 if there is no such file or no job for this prompt.
    """
    job = find_job(prompt)
    if not file.is_file():
        print(f"There is no file {file}.", file=sys.stderr)
        return 2
    if job is None:
        prompts = "\n".join(f"    {one}" for one in list_prompts())
        print(f"The practice model knows only these prompts:\n\n{prompts}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, Server() as server:
        project = Path(folder, "project")
        if job.name in list_jobs():
            copy_sample(job.name, project)
        else:  # the user's own
            project.mkdir()
        Thread(target=server.serve_forever, daemon=True).start()
        is_script = file.read_bytes().startswith(b"# /// script")
        print("The practice model answers. It is a script, and costs nothing.", flush=True)
        try:
            code = subprocess.run(
                [sys.executable, str(file.resolve()), prompt, *more],
                cwd=project if is_script else folder,
                env=program_environment() | {"ANTHROPIC_BASE_URL": server.url},
                check=False,
            ).returncode
        except KeyboardInterrupt:
            code = 130
        server.shutdown()
        print(f"\n{for_print(describe_files(job, project))}")
    return code


def program_environment() -> dict[str, str]:
    """Return the environment of the program: what it needs of the user's, and SETTINGS."""
    names = [name for name in os.environ if name in INHERITED or name.startswith("LC_")]
    return {name: os.environ[name] for name in names} | SETTINGS


def describe_files(job: Job, root: Path) -> str:
    """Return sentences on which files have changed in `root`, and how much of the job they show.

    Only a job with a judge is counted.
    """
    before, after = read_files(job.folder).texts, read_files(root).texts
    changed = [name for name in sorted(after) if after[name] != before.get(name)]
    said = f"Changed or new: {', '.join(changed) or 'nothing'}."
    try:
        done = job.find_done(root)
    except NotJudgedError as problem:
        done, said = (), f"{said} The files are {problem}."
    if done:
        said += f" The files show {sum(done)} of {len(done)} steps."
    return f"{said} They were in a temporary folder, which is deleted now."
