"""Serve the practice model on this machine, so that a program that needs only the SDK can ask it.

    python -m lesson practice whole_agent.py "Refactor hello.py: add type hints."

The program runs in a new temporary folder, in whose folder `project` are the files that the prompt
is about. It gets the address, a model's name and a key that opens nothing from its environment, as
it would get those of a real model.
"""

import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2

from ..samples import copy_sample
from ..samples.find_job import find_job
from ..samples.jobs import SAMPLES, Job, list_jobs, load_job
from ..samples.project_files import read_files
from .api.server import respond
from .policy.next_reply import PracticePolicy

# Variables that would send the requests elsewhere, or that name a file which may be missing. The
# server is on this machine, and speaks HTTP.
NOT_FOR_THE_PROGRAM = re.compile(r".*ANTHROPIC.*|.*_PROXY|SSL_CERT_(FILE|DIR)", re.IGNORECASE)
KEY = "practice-key-opens-nothing"
MODEL = "practice"


class Handler(BaseHTTPRequestHandler):
    """Answer a request to the Messages API as the practice model does."""

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        url = f"http://{self.headers['host']}{self.path}"
        response = respond(
            httpx2.Request(self.command, url, content=body), PracticePolicy(), requests=[]
        )
        self.send_response(response.status_code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(response.content)))
        self.end_headers()
        self.wfile.write(response.content)

    def log_message(self, *_: object) -> None:
        """Print nothing: the program's own output is what the user reads."""


@contextmanager
def serve_practice_model() -> Iterator[str]:
    """Serve the practice model in the block, and yield its address on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=[0.05], daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def run_with_practice_model(file: Path, prompt: str) -> int:
    """Run a Python program with a prompt and the practice model, and print what its files show.

    Return the program's exit status, or 2 if there is no such file or no job for this prompt.
    """
    job = find_job(prompt)
    if not file.is_file():
        print(f"There is no file {file}.", file=sys.stderr)
        return 2
    if job is None:
        prompts = "\n".join(f"    {load_job(name).prompt}" for name in list_jobs())
        print(f"The practice model knows only these prompts:\n\n{prompts}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder, serve_practice_model() as address:
        copy_sample(job.name, Path(folder, "project"))
        command = [sys.executable, str(file.resolve()), prompt]
        print("The practice model answers. It is a script, and costs nothing.", flush=True)
        try:
            env = program_environment(address)
            code = subprocess.run(command, cwd=folder, env=env, check=False).returncode
        except KeyboardInterrupt:
            code = 130
        print(f"\n{describe_files(job, Path(folder, 'project'))}")
    return code


def program_environment(address: str) -> dict[str, str]:
    """Return the environment of the program, in which the practice model is at `address`."""
    kept = {
        name: os.environ[name] for name in os.environ if not NOT_FOR_THE_PROGRAM.fullmatch(name)
    }
    # Without any variable for a proxy, the HTTP library would ask macOS or Windows for theirs.
    own = {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": KEY, "MODEL_ID": MODEL}
    return kept | own | {"NO_PROXY": "*"}


def describe_files(job: Job, root: Path) -> str:
    """Return sentences on which files have changed in `root`, and how much of the job they show.

    Only a job with a judge is counted.
    """
    before, after = read_files(SAMPLES / job.name / "project").texts, read_files(root).texts
    changed = [name for name in sorted(after) if after[name] != before.get(name)]
    said = f"Changed or new: {', '.join(changed) or 'nothing'}."
    if done := job.find_done(root):
        said += f" The files show {sum(done)} of {len(done)} steps."
    return f"{said} They were in a temporary folder, which is deleted now."
