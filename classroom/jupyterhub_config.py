"""JupyterHub for a class on one machine. Students log in with any name and one shared password.

`make class` starts it. README.md in this folder explains it to teachers.
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
# The proxy's API uses this port, the hub the next one, and the students' servers those after it.
# Below 1024, only root can use a port, and the students' servers do not run as root.
INNER_PORT = PORT + 1 if PORT >= 1024 else 8001
CERTIFICATE, KEY = os.environ.get("CLASS_CERT", ""), os.environ.get("CLASS_KEY", "")
SCHEME = "https" if CERTIFICATE else "http"
IS_SHARED = bool(os.environ.get("CLASS_SHARED_ACCOUNT"))
USER_IDS = range(60706, 61184)  # no system assigns them: https://systemd.io/UIDS-GIDS
MIN_PASSWORD_CHARS = 8  # JupyterHub requires it
MAX_PROCESSES = 500  # processes and threads of one student
IDLE_SECONDS = 3600  # a server without activity is stopped after this time


class StudentServer(SimpleLocalProcessSpawner):
    """A server in the student's folder, with a separate user id unless the account is shared.

    The user id is the owner of the folder: no account is created on the machine.
    """

    home_dir_template = f"{FOLDER}/{{username}}"
    # It contains the kernels' sockets. The path of a socket may have 107 bytes.
    runtime = tempfile.TemporaryDirectory(prefix="class-")
    starts = asyncio.Semaphore(os.cpu_count() or 1)

    async def start(self):
        """Start the server, as many at a time as there are cores. The others wait."""
        async with self.starts:
            # A fixed port: one that is found to be free can be taken before the server uses it.
            self.port = INNER_PORT + 1 + self.user.id
            address = await super().start()
            await wait_for_server(*address, timeout=self.http_timeout)
            return address

    def user_env(self, env):
        """Return the environment variables of the student's server."""
        env = super().user_env(env)
        env["JUPYTER_RUNTIME_DIR"] = str(Path(self.runtime.name, str(self.user.id)))
        return env

    def make_preexec_fn(self, name):
        """Return the function that the new process calls before it runs the student's server."""
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
    """The folder with a student's name belongs to another user."""

    @property
    def jupyterhub_message(self) -> str:
        """Return the message on the student's page."""
        return str(self)


def own(home: Path) -> int:
    """Return the user id of a student's folder. Create the folder if it is missing.

    Raise NoStudentsFolderError if another user owns it. Otherwise a student could log in with its
    name and get access to it.
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
            f"another name; or the teacher changes its owner with chown -R to an unused id between "
            f"{USER_IDS[0]} and {USER_IDS[-1]}."
        )
    return owner


def check_settings() -> None:
    """Raise SystemExit with an error message if a setting is invalid."""
    if len(PASSWORD) < MIN_PASSWORD_CHARS:
        raise SystemExit(f"CLASS_PASSWORD must have {MIN_PASSWORD_CHARS} characters or more.")
    for file in filter(None, (CERTIFICATE, KEY)):
        if not Path(file).is_file():
            raise SystemExit(f"There is no file {file}. Check CLASS_CERT and CLASS_KEY.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # for a restart of the class
        try:
            probe.bind(("", PORT))
        except OSError as problem:
            raise SystemExit(
                f"Port {PORT} cannot be used: {problem.strerror}. Choose another with CLASS_PORT."
            ) from None


def check_setup() -> None:
    """Raise SystemExit with instructions if the class cannot be started safely."""
    check_settings()
    if IS_SHARED:
        return
    if os.geteuid() != 0:
        raise SystemExit(
            "Without root, every student's code would run as your user, and could read and change "
            "your files and those of other students. Start it with sudo, so that each student "
            "gets a separate user id. In an account without other files, you can instead set "
            "CLASS_SHARED_ACCOUNT=yes."
        )
    for path in (HERE, Path(sys.executable), Path(sys.executable).resolve()):
        for folder in path.parents:
            if not folder.stat().st_mode & 0o001:
                raise SystemExit(
                    f"The students' servers cannot read {path}, because only its owner may "
                    f"enter {folder}. Move the lesson and Python to folders that all users may "
                    "read, for example to /srv."
                )


def address() -> str:
    """Return the machine's IP address in the local network, or its host name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # selects a network interface; UDP sends nothing here
        except OSError:
            return socket.gethostname()
        return probe.getsockname()[0]


check_setup()
FOLDER.mkdir(parents=True, exist_ok=True)
FOLDER.chmod(0o711)
os.chmod(StudentServer.runtime.name, 0o711)
STATE = FOLDER / ".hub"
STATE.mkdir(mode=0o700, exist_ok=True)

c = get_config()  # noqa: F821  # JupyterHub defines it
c.JupyterHub.bind_url = f"{SCHEME}://:{PORT}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{INNER_PORT + 1}"
c.JupyterHub.db_url = f"sqlite:///{STATE}/hub.sqlite"
c.JupyterHub.cookie_secret_file = f"{STATE}/cookie_secret"
c.JupyterHub.log_level = "ERROR"
c.JupyterHub.ssl_cert = CERTIFICATE
c.JupyterHub.ssl_key = KEY
c.JupyterHub.template_vars = {
    "announcement_login": "The lesson <strong>An agent that plans</strong>. Choose a username, and "
    "use it again next time: your notebooks are kept under it. The password is the same for the "
    "whole class. Your teacher has it."
}
c.ConfigurableHTTPProxy.api_url = f"http://127.0.0.1:{INNER_PORT}"
c.ConfigurableHTTPProxy.command = [f"{HERE}/node_modules/.bin/configurable-http-proxy"]
c.ConfigurableHTTPProxy.log_level = "error"
c.ConfigurableHTTPProxy.pid_file = f"{STATE}/proxy.pid"

c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = PASSWORD
c.Authenticator.allow_all = True
c.Authenticator.username_pattern = r"^\w[\w.-]{0,29}\Z"  # it is the name of a folder

c.JupyterHub.spawner_class = StudentServer
# Each start adds new notebooks to my_lesson, and changes none of the student's.
c.Spawner.cmd = [
    "sh",
    "-c",
    'exec >> .server.log 2>&1; planning-agent lesson my_lesson; exec jupyterhub-singleuser "$@"',
    "sh",
]
c.Spawner.args = [
    "--KernelManager.transport=ipc",  # two kernels can race for one TCP port
    f"--MappingKernelManager.cull_idle_timeout={IDLE_SECONDS}",
    f"--ServerApp.shutdown_no_activity_timeout={IDLE_SECONDS}",
    f"--ServerApp.allow_root={IS_SHARED}",
]
c.Spawner.environment = {
    "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    # `make class` has played all runs, so that the students' kernels do not.
    "LESSON_MEASURED_RUNS": str(MEASURED) if MEASURED.exists() else "",
}
c.Spawner.default_url = "/lab/tree/my_lesson/00_start_here.ipynb"
c.Spawner.mem_limit = "1G"  # for each process of a student
c.Spawner.start_timeout = 600  # seconds, with the time in the queue

print(f"The class: {SCHEME}://{address()}:{PORT}   password: {PASSWORD}", flush=True)
