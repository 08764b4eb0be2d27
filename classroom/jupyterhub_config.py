"""JupyterHub for a class on one machine: a name, the password of the class, a server for each.

README.md beside this file says what a teacher does with it. `make class` starts it.
"""

import asyncio
import os
import resource
import secrets
import socket
import sys
import tempfile
from pathlib import Path

from jupyterhub.spawner import SimpleLocalProcessSpawner
from jupyterhub.utils import wait_for_server

HERE = Path(__file__).parent
MEASURED = HERE.parent / "build" / "ten_steps.runs.json"
FOLDER = Path(os.environ.get("CLASS_FOLDER", HERE.parent / "students")).resolve()
PASSWORD = os.environ.get("CLASS_PASSWORD") or f"{secrets.randbelow(10**9):09}"
PORT = int(os.environ.get("CLASS_PORT", 8000))
# The proxy's interface takes this port, the hub the next; then come the students, who are not root.
INNER_PORT = PORT + 1 if PORT >= 1024 else 8001
CERTIFICATE, KEY = os.environ.get("CLASS_CERT", ""), os.environ.get("CLASS_KEY", "")
SCHEME = "https" if CERTIFICATE else "http"
IS_SHARED = bool(os.environ.get("CLASS_SHARED_ACCOUNT"))
USER_IDS = range(60706, 61184)  # nobody takes them: https://systemd.io/UIDS-GIDS
MIN_PASSWORD_CHARS = 8  # JupyterHub's own rule
MAX_PROCESSES = 500  # of one student, threads counted
IDLE_SECONDS = 3600


class StudentServer(SimpleLocalProcessSpawner):
    """A server in the student's own folder, under a user id of its own if none is to be shared.

    The id is the folder's owner: no account is made on the machine, and none can be hit upon.
    """

    home_dir_template = f"{FOLDER}/{{username}}"
    # A kernel's sockets lie below it, and a socket's path has 107 bytes at most.
    runtime = tempfile.TemporaryDirectory(prefix="class-")
    places = asyncio.Semaphore(os.cpu_count() or 1)

    async def start(self):
        """Start the server; those that find no place wait, and their pages say so."""
        async with self.places:
            # A port that is found free may be taken a moment later.
            self.port = INNER_PORT + 1 + self.user.id
            address = await super().start()
            await wait_for_server(*address, timeout=self.http_timeout)
            return address

    def user_env(self, env):
        """The environment of the student's server."""
        env = super().user_env(env)
        env["JUPYTER_RUNTIME_DIR"] = str(Path(self.runtime.name, str(self.user.id)))
        return env

    def make_preexec_fn(self, name):
        """What the new process does before it becomes the student's server."""
        home, runtime = Path(self.home_dir), Path(self.runtime.name, str(self.user.id))
        user_id = own(home)
        runtime.mkdir(mode=0o700, exist_ok=True)
        if not IS_SHARED:
            os.chown(runtime, user_id, user_id)

        def become_student():
            resource.setrlimit(resource.RLIMIT_DATA, (self.mem_limit, self.mem_limit))
            if not IS_SHARED:
                resource.setrlimit(resource.RLIMIT_NPROC, (MAX_PROCESSES, MAX_PROCESSES))
                os.setgroups([])
                os.setgid(user_id)
                os.setuid(user_id)
            os.umask(0o077)
            os.chdir(home)

        return become_student


class NoStudentsFolderError(Exception):
    """A folder that a server would work in belongs to somebody who is not a student."""

    @property
    def jupyterhub_message(self) -> str:
        """What the page of the student says."""
        return str(self)


def own(home: Path) -> int:
    """The user id of a student's folder, which is made where it is missing.

    Raises NoStudentsFolderError where it is another's: whoever chose its name would be its owner.
    """
    if not home.exists():
        taken = {folder.stat().st_uid for folder in FOLDER.iterdir()}
        home.mkdir(mode=0o700)
        if not IS_SHARED:
            user_id = max([USER_IDS[0] - 1, *taken.intersection(USER_IDS)]) + 1
            os.chown(home, user_id, user_id)
    owner = home.stat().st_uid
    if not IS_SHARED and owner not in USER_IDS:
        raise NoStudentsFolderError(
            f"The folder {home} does not belong to a student, but to user id {owner}. Log in under "
            f"another name; or the teacher gives it a user id of its own, between {USER_IDS[0]} "
            f"and {USER_IDS[-1]}, with chown -R."
        )
    return owner


def refuse_settings() -> None:
    """Raises SystemExit with a sentence if a class cannot be opened with these settings."""
    if len(PASSWORD) < MIN_PASSWORD_CHARS:
        raise SystemExit(f"CLASS_PASSWORD must have {MIN_PASSWORD_CHARS} characters or more.")
    for file in filter(None, (CERTIFICATE, KEY)):
        if not Path(file).is_file():
            raise SystemExit(f"There is no file {file}, which CLASS_CERT or CLASS_KEY names.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a class may just have ended
        try:
            probe.bind(("", PORT))
        except OSError as problem:
            raise SystemExit(
                f"Port {PORT} cannot be used: {problem.strerror}. Choose another with CLASS_PORT."
            ) from None


def refuse_what_cannot_work() -> None:
    """Raises SystemExit with a sentence that says what to do."""
    refuse_settings()
    if IS_SHARED:
        return
    if os.geteuid() != 0:
        raise SystemExit(
            "Started without root, every student's code would run as you, and could read and "
            "change your files and one another's. Start it with sudo, so that each student gets "
            "a user id of their own; or, in an account that holds nothing else, set "
            "CLASS_SHARED_ACCOUNT=yes."
        )
    for place in (HERE, Path(sys.executable), Path(sys.executable).resolve()):
        for folder in place.parents:
            if not folder.stat().st_mode & 0o001:
                raise SystemExit(
                    f"The students' servers cannot reach {place}, because only its owner may "
                    f"enter {folder}. Put the lesson, and Python, where everybody may read them: "
                    "the lesson for example into /srv."
                )


def address() -> str:
    """The machine's address in the class's network, as far as it can be told."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: this only chooses a way out
        except OSError:
            return socket.gethostname()
        return probe.getsockname()[0]


refuse_what_cannot_work()
FOLDER.mkdir(parents=True, exist_ok=True)
FOLDER.chmod(0o711)
os.chmod(StudentServer.runtime.name, 0o711)
STATE = FOLDER / ".hub"
STATE.mkdir(mode=0o700, exist_ok=True)

c = get_config()  # noqa: F821  # JupyterHub gives it
c.JupyterHub.bind_url = f"{SCHEME}://:{PORT}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{INNER_PORT + 1}"
c.JupyterHub.db_url = f"sqlite:///{STATE}/hub.sqlite"
c.JupyterHub.cookie_secret_file = f"{STATE}/cookie_secret"
c.JupyterHub.log_level = "ERROR"
c.JupyterHub.ssl_cert = CERTIFICATE
c.JupyterHub.ssl_key = KEY
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{INNER_PORT}"
c.ConfigurableHTTPProxy.command = [f"{HERE}/node_modules/.bin/configurable-http-proxy"]
c.ConfigurableHTTPProxy.log_level = "error"
c.ConfigurableHTTPProxy.pid_file = f"{STATE}/proxy.pid"

c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = PASSWORD
c.Authenticator.allow_all = True
c.Authenticator.username_pattern = r"^\w[\w.-]{0,29}\Z"  # it names a folder

c.JupyterHub.spawner_class = StudentServer
# Each start puts there what is new in the lesson. What is there is the student's.
c.Spawner.cmd = [
    "sh",
    "-c",
    'exec >> .server.log 2>&1; planning-agent lesson my_lesson; exec jupyterhub-singleuser "$@"',
    "sh",
]
c.Spawner.args = [
    "--KernelManager.transport=ipc",  # two kernels may want one TCP port
    f"--MappingKernelManager.cull_idle_timeout={IDLE_SECONDS}",
    f"--ServerApp.shutdown_no_activity_timeout={IDLE_SECONDS}",
    f"--ServerApp.allow_root={IS_SHARED}",
]
c.Spawner.environment = {
    "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    # `make class` has played every run, so that no student's kernel has to.
    "LESSON_MEASURED_RUNS": str(MEASURED) if MEASURED.exists() else "",
}
c.Spawner.default_url = "/lab/tree/my_lesson/00_start_here.ipynb"
c.Spawner.mem_limit = "1G"  # for each of a student's processes
c.Spawner.start_timeout = 600  # a place in the queue is part of it

print(f"The class: {SCHEME}://{address()}:{PORT}   password: {PASSWORD}", flush=True)
