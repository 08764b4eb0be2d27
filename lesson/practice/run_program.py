"""Run a program that needs only the SDK, and let the practice model answer it.

    python -m lesson practice whole_agent.py "Refactor hello.py: add type hints."

The program runs in a new temporary folder, in whose folder `project` are the files that the prompt
is about. Its `anthropic.Anthropic()` is the practice model's client, so nothing leaves the machine.
A program that uses another client gets no key of the user and an address that does not exist. Of
the user's environment it gets only the variables that are named here, so no key of another service
and no proxy. It can read the user's files, such as ~/.aws, as any program can.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from safetylib.escape import for_print

from ..samples.copies import copy_sample
from ..samples.find_job import find_job
from ..samples.jobs import Job, list_jobs, load_job
from ..samples.project_files import NotJudgedError, read_files

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
SETTINGS = {
    "ANTHROPIC_API_KEY": "practice-key-opens-nothing",
    "ANTHROPIC_BASE_URL": "http://practice.invalid",
    "MODEL_ID": "practice",
}
# The new process begins with this. Its arguments are the program's file and the prompt.
BEGIN = """\
import runpy
import sys

import anthropic

from lesson import PracticeModel

client = PracticeModel().client()
anthropic.Anthropic = anthropic.Client = lambda *_, **__: client
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


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
    with tempfile.TemporaryDirectory() as folder:
        copy_sample(job.name, Path(folder, "project"))
        command = [sys.executable, "-c", BEGIN, str(file.resolve()), prompt]
        print("The practice model answers. It is a script, and costs nothing.", flush=True)
        try:
            code = subprocess.run(
                command, cwd=folder, env=program_environment(), check=False
            ).returncode
        except KeyboardInterrupt:
            code = 130
        print(f"\n{for_print(describe_files(job, Path(folder, 'project')))}")
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
