"""JupyterHub for a class on one machine. Students log in with any name and one shared password.

`make class` starts it. README.md in this folder explains it to teachers.
"""

import asyncio
import json
import os
import resource
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

from jupyterhub.proxy import ConfigurableHTTPProxy
from jupyterhub.spawner import SimpleLocalProcessSpawner
from jupyterhub.utils import wait_for_server

HERE = Path(__file__).parent
FOLDER = Path(os.environ.get("CLASS_FOLDER", HERE.parent / "students")).resolve()
PASSWORD = os.environ.get("CLASS_PASSWORD") or f"{secrets.randbelow(10**9):09}"
PORT = int(os.environ.get("CLASS_PORT", 8000))
# The proxy's API uses this port, and the hub the next one.
INNER_PORT = PORT + 1 if PORT >= 1024 else 8001
COURSE = os.environ.get("CLASS_COURSE", "")
CERTIFICATE, KEY = os.environ.get("CLASS_CERT", ""), os.environ.get("CLASS_KEY", "")
SCHEME = "https" if CERTIFICATE else "http"
USER_IDS = range(60706, 61184)  # no system assigns them: https://systemd.io/UIDS-GIDS
# The folder that each user id was given to. No id is given twice: a folder of another class, or of
# last year's, stays closed to the students of this one.
GIVEN_IDS = Path(os.environ.get("CLASS_IDS", "/var/lib/planning-agent-class.json"))
MIN_PASSWORD_CHARS = 8  # JupyterHub requires it
MAX_PROCESSES = 500  # processes and threads of one student
IDLE_SECONDS = 3600  # a server without activity is stopped after this time


class StudentServer(SimpleLocalProcessSpawner):
    """A server in the student's folder, with a separate user id.

    The user id is the owner of the folder: no account is created on the machine. The server
    listens on a Unix socket, because any student could take a port and answer in its place.
    """

    home_dir_template = f"{FOLDER}/{{username}}"
    # The path of a socket may have 107 bytes, and JupyterHub reads this one in lower case.
    runtime = tempfile.TemporaryDirectory(prefix="class-", dir="/tmp")
    starts = asyncio.Semaphore(os.cpu_count() or 1)
    user_id: int | None = None

    async def start(self):
        """Start the server, as many at a time as there are cores. The others wait."""
        async with self.starts:
            self.user_id = own(Path(self.home_dir))
            self.end_processes()
            for folder in (self.kernels, self.socket.parent):
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(mode=0o700)
                os.chown(folder, self.user_id, self.user_id)
            await super().start()
            await wait_for_server(
                str(self.socket), None, timeout=self.http_timeout, unix_socket=True
            )
            keep(self.socket, self.user_id)
            return f"http+unix://{quote(str(self.socket), safe='')}"

    @property
    def kernels(self):
        """The folder for the sockets of the student's kernels."""
        return Path(self.runtime.name, str(self.user.id))

    @property
    def socket(self):
        """The socket of the student's server. Only the student's user can enter its folder."""
        return Path(self.runtime.name, f"{self.user.id}-server", "socket")

    def end_processes(self):
        """Kill every process with the student's user id."""
        if self.user_id in USER_IDS:
            command = ["sh", "-c", "kill -KILL -1"]
            subprocess.run(command, user=self.user_id, stderr=subprocess.DEVNULL, check=False)

    def get_args(self):
        return [*super().get_args(), f"--ServerApp.sock={self.socket}"]

    def user_env(self, env):
        return super().user_env(env) | {"JUPYTER_RUNTIME_DIR": str(self.kernels)}

    def make_preexec_fn(self, name):
        def become_student():
            resource.setrlimit(resource.RLIMIT_DATA, (self.mem_limit, self.mem_limit))
            resource.setrlimit(resource.RLIMIT_NPROC, (MAX_PROCESSES, MAX_PROCESSES))
            os.setgroups([])
            os.setgid(self.user_id)
            os.setuid(self.user_id)
            os.umask(0o077)
            os.chdir(self.home_dir)

        return become_student


class SocketProxy(ConfigurableHTTPProxy):
    """The proxy, which writes the address of a socket differently from the hub."""

    async def add_route(self, routespec, target, data):
        path = target.removeprefix("http+unix://")
        if path != target:
            target = f"unix+http://{path.removesuffix(':80')}"
        await super().add_route(routespec, target, data)

    async def get_all_routes(self):
        """Return all routes, with the addresses that the hub compares."""
        routes = await super().get_all_routes()
        for route in routes.values():
            path = route["target"].removeprefix("unix+http://")
            if path != route["target"]:
                route["target"] = f"http+unix://{path}:80"
        return routes


class NoStudentsFolderError(Exception):
    """A student's folder cannot be used, or not be created."""

    @property
    def jupyterhub_message(self) -> str:
        """Return the message on the student's page."""
        return str(self)


def own(home: Path) -> int:
    """Return the user id of a student's folder. Create the folder if it is missing.

    Raise NoStudentsFolderError if another user owns it. Otherwise a student could log in with its
    name and get access to it. Raise it also if its id was given to another folder that exists.
    """
    given = json.loads(GIVEN_IDS.read_text()) if GIVEN_IDS.exists() else {}
    if not home.exists():
        taken = {folder.lstat().st_uid for folder in FOLDER.iterdir()} | set(map(int, given))
        user_id = min(set(USER_IDS) - taken, default=None)
        if user_id is None:
            raise NoStudentsFolderError(
                f"All user ids are taken. The teacher removes those of deleted folders from "
                f"{GIVEN_IDS}."
            )
        home.mkdir(mode=0o700)
        os.chown(home, user_id, user_id)
    owner = home.lstat().st_uid
    if owner not in USER_IDS:
        raise NoStudentsFolderError(
            f"The folder {home} does not belong to a student, but to user id {owner}. Log in under "
            f"another name; or the teacher changes its owner with chown -R to an unused id between "
            f"{USER_IDS[0]} and {USER_IDS[-1]}."
        )
    other = Path(given.get(str(owner), home))
    if other != home and other.exists() and other.lstat().st_uid == owner:
        raise NoStudentsFolderError(
            f"The folders {home} and {other} belong to the same user id, so each student could "
            f"read the other's work. The teacher changes the owner of one of them with chown -R."
        )
    new = GIVEN_IDS.with_suffix(".new")
    new.write_text(json.dumps(given | {str(owner): str(home)}))
    new.replace(GIVEN_IDS)
    return owner


def keep(path: Path, user_id: int) -> None:
    """Take the folder of a socket from the student, and check that it is the student's socket.

    The proxy runs as root: with a link in its place, a student could reach any other socket.
    """
    os.chown(path.parent, 0, 0)
    found = path.lstat()
    if not stat.S_ISSOCK(found.st_mode) or found.st_uid != user_id:
        raise PermissionError(f"{path} is not the socket of the student's server.")


def check_setup() -> None:
    """Raise SystemExit with instructions if the class cannot be started safely."""
    if len(PASSWORD) < MIN_PASSWORD_CHARS:
        raise SystemExit(f"CLASS_PASSWORD must have {MIN_PASSWORD_CHARS} characters or more.")
    for port in (PORT, INNER_PORT, INNER_PORT + 1):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # for a restart
            try:
                probe.bind(("", port))
            except OSError as problem:
                raise SystemExit(
                    f"Port {port} cannot be used: {problem.strerror}. Is a class running? "
                    "Choose another with CLASS_PORT."
                ) from None
    if os.geteuid() != 0:
        raise SystemExit(
            "Without root, every student's code would run as your user, and could read and change "
            "your files and those of other students. Start it with sudo, so that each student "
            "gets a separate user id."
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

c = get_config()  # noqa: F821  # JupyterHub defines it
c.JupyterHub.bind_url = f"{SCHEME}://:{PORT}"
c.JupyterHub.hub_bind_url = f"http://127.0.0.1:{INNER_PORT + 1}"
# In memory: a class that was killed leaves no servers behind that the next one would look for, and
# no full disk stops a login.
c.JupyterHub.db_url = "sqlite:///:memory:"
c.JupyterHub.cookie_secret = secrets.token_bytes(32)
c.JupyterHub.log_level = "ERROR"
c.JupyterHub.ssl_cert = CERTIFICATE
c.JupyterHub.ssl_key = KEY
c.JupyterHub.template_paths = [str(HERE / "templates")]
c.JupyterHub.proxy_class = SocketProxy
c.SocketProxy.api_url = f"http://127.0.0.1:{INNER_PORT}"
# The proxy ends with the hub, also if that is killed or its terminal is closed.
c.SocketProxy.command = [
    "setpriv",
    "--pdeathsig=KILL",
    f"{HERE}/node_modules/.bin/configurable-http-proxy",
    "--no-prepend-path",
]
c.SocketProxy.log_level = "error"
c.SocketProxy.pid_file = f"{StudentServer.runtime.name}/proxy.pid"

c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = PASSWORD
c.Authenticator.allow_all = True
c.Authenticator.username_pattern = r"^\w[\w.-]{0,29}\Z"  # it is the name of a folder

c.JupyterHub.spawner_class = StudentServer
c.Spawner.port = 8888  # not used, but Jupyter accepts a socket only together with its default port
c.Spawner.post_stop_hook = StudentServer.end_processes
# Each start adds new notebooks to my_lesson, and changes none of the student's. If the teacher has
# a course, gitpuller merges what is new there with the student's changes.
c.Spawner.cmd = [
    "sh",
    "-c",
    "exec >> .server.log 2>&1; planning-agent lesson my_lesson; "
    '[ -z "$CLASS_COURSE" ] || timeout 60 gitpuller "$CLASS_COURSE" main course; '
    'exec jupyterhub-singleuser "$@"',
    "sh",
]
c.Spawner.args = [
    "--KernelManager.transport=ipc",  # two kernels can race for one TCP port
    f"--MappingKernelManager.cull_idle_timeout={IDLE_SECONDS}",
    f"--ServerApp.shutdown_no_activity_timeout={IDLE_SECONDS}",
    # A login shell, which JupyterLab would start, resets the PATH below.
    "--ServerApp.terminado_settings=shell_command=bash",
]
c.Spawner.environment = {
    "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    "CLASS_COURSE": COURSE,
}
c.Spawner.default_url = "/lab/tree/my_lesson/00_start_here.ipynb"
c.Spawner.mem_limit = "1G"  # for each process of a student
c.Spawner.start_timeout = 600  # seconds, with the time in the queue
c.Spawner.http_timeout = 120  # seconds, until a server that was started answers

print(f"The class: {SCHEME}://{address()}:{PORT}   password: {PASSWORD}", flush=True)
