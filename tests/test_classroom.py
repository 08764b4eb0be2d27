"""The hub for a class, with two students.

These tests need root and `make classroom/ready`. .ci/run does it.
"""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import uuid
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
import websocket
from support import processes

REPOSITORY = Path(__file__).parent.parent
CLASSROOM = REPOSITORY / "classroom"
PROGRAMS = CLASSROOM / ".venv" / "bin"
HUB = [PROGRAMS / "python", "-m", "jupyterhub", "-f", CLASSROOM / "jupyterhub_config.py"]
PASSWORD = "correct-horse"
START_SECONDS = 300  # for a hub or a student's server, on a slow machine
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

pytestmark = pytest.mark.skipif(
    not (IS_ROOT and (PROGRAMS / "jupyterhub").exists()),
    reason="needs `make classroom/ready`, and root, who can start servers for other users",
)


def find_port():
    """Return a free port with two free ports after it."""
    while True:
        with socket.create_server(("", 0)) as first:
            port = first.getsockname()[1]
            try:
                for after in (port + 1, port + 2):
                    socket.create_server(("", after)).close()
            except OSError:
                continue
            return port


@contextmanager
def run_class(folder, port):
    """Run the hub, and yield its process and its address when it answers."""
    settings = {
        "CLASS_FOLDER": f"{folder}/students",
        "CLASS_IDS": f"{folder}/ids.json",
        "CLASS_PASSWORD": PASSWORD,
        "CLASS_PORT": str(port),
    }
    address = f"http://127.0.0.1:{port}"
    with Path(folder, "hub.log").open("w") as log:
        hub = subprocess.Popen(HUB, env=os.environ | settings, stdout=log, stderr=log)
    try:
        assert wait_for(lambda: answers(f"{address}/hub/login"))
        yield hub, address
    finally:
        hub.terminate()
        hub.wait()
        print(Path(folder, "hub.log").read_text())  # pytest shows it after a failure


def wait_for(condition):
    """Wait until `condition` is true; return False after START_SECONDS."""
    give_up = time.monotonic() + START_SECONDS
    while not condition():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.5)
    return True


def answers(page):
    """Return whether a page is there."""
    try:
        return requests.get(page).ok
    except requests.ConnectionError:
        return False


class Student:
    """A student's browser, after a login."""

    def __init__(self, address, name):
        self.address, self.path = address, f"/user/{name}/"
        self.browser = requests.Session()
        login = f"{address}/hub/login"
        assert "An agent that plans" in self.browser.get(login).text
        form = {"username": name, "password": PASSWORD, "_xsrf": self.cookies("/hub/")["_xsrf"]}
        assert self.browser.post(login, data=form, allow_redirects=False).status_code == 302
        self.browser.get(f"{address}/hub/spawn").raise_for_status()
        # The hub keeps a browser on its own pages until the server is up.
        assert wait_for(lambda: "/hub/" not in self.open("lab").url)
        self.browser.headers["X-XSRFToken"] = self.cookies(self.path)["_xsrf"]

    def cookies(self, path):
        """Return the cookies for this path."""
        return {one.name: one.value for one in self.browser.cookies if one.path in ("/", path)}

    def open(self, page):
        """Return a page of the student's server."""
        answer = self.browser.get(self.address + self.path + page)
        answer.raise_for_status()
        return answer

    def run(self, code):
        """Run code in a new kernel, as JupyterLab does. Return what it prints."""
        made = self.browser.post(f"{self.address}{self.path}api/kernels", json={})
        header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "version": "5.3"}
        header |= {"username": "", "session": "1", "date": ""}
        request = {"header": header, "channel": "shell", "content": {"code": code}}
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies(self.path).items())
        address = f"ws{self.address.removeprefix('http')}{self.path}"
        address += f"api/kernels/{made.json()['id']}/channels"
        connection = websocket.create_connection(address, cookie=cookie, timeout=START_SECONDS)
        connection.send(json.dumps(request | {"parent_header": {}, "metadata": {}}))
        printed = ""
        while True:
            message = json.loads(connection.recv())
            if message["parent_header"].get("msg_id") != header["msg_id"]:
                continue
            printed += message["content"].get("text", "")
            assert message["msg_type"] != "error", message["content"]
            if message["content"].get("execution_state") == "idle":
                connection.close()
                return printed


# It listens where a student's server could be expected, and tries to take its socket.
IMPOSTOR = """
import glob, os, socket, subprocess, sys
serve = ("from http.server import *; "
         "HTTPServer(('127.0.0.1', {}), BaseHTTPRequestHandler).serve_forever()")
for port in range({port}, {port} + 20):
    subprocess.Popen([sys.executable, "-c", serve.format(port)], stderr=-3, start_new_session=True)
taken = []
for folder in glob.glob("/tmp/class-*"):
    for number in (1, 2):
        for action in (os.mkdir, os.listdir, os.unlink):
            for place in (f"{number}-server", f"{number}-server/socket"):
                try:
                    action(os.path.join(folder, place))
                    taken.append([action.__name__, place])
                except OSError:
                    pass
print(taken)
"""


LEFT = ("sleep", "86399.75")


@pytest.fixture(scope="class")
def students():
    """Yield a class in which anna has tried to answer in ben's place before he came.

    It is the second one: the first was killed, and has left a process of anna's.
    """
    with tempfile.TemporaryDirectory() as folder:  # other users cannot enter pytest's folders
        os.chmod(folder, 0o711)
        with run_class(folder, port := find_port()) as (hub, _):
            hub.kill()
            hub.wait()
        subprocess.Popen(LEFT, user=60706)
        with run_class(folder, port) as (_, address):
            anna = Student(address, "anna")
            taken = anna.run(IMPOSTOR.replace("{port}", str(port)))
            yield Path(folder, "students"), anna, Student(address, "ben"), taken


PROBE = """
import importlib.util, json, os, resource

def fails(action, path):
    try:
        action(path)
    except OSError:
        return True
    return False

runtime = os.path.dirname(os.environ["JUPYTER_RUNTIME_DIR"])
print(json.dumps({
    "user": [os.getuid(), os.getgid(), os.getgroups()],
    "limits": [resource.getrlimit(which)[1] for which in
               (resource.RLIMIT_DATA, resource.RLIMIT_NPROC)],
    "closed": [fails(os.listdir, path) for path in
               ("..", "../anna", runtime, f"{runtime}/1", f"{runtime}/1-server")],
    "fixed": [fails(os.mkdir, path) for path in ("../carl", f"{runtime}/carl", CLASSROOM)],
    "own": [fails(os.listdir, path) for path in (".", f"{runtime}/2")],
    "debugger": importlib.util.find_spec("debugpy") is not None,
}))
"""


class TestTwoStudents:
    def test_class_that_was_killed_starts_again_and_ends_what_was_left_of_it(self, students):
        assert processes.gone(*LEFT)

    def test_each_student_has_a_private_copy_of_the_lesson(self, students):
        folder, *_ = students
        assert {one.name for one in folder.iterdir()} == {"anna", "ben"}
        lesson = {path.name for path in (REPOSITORY / "notebooks").glob("*.ipynb")}
        for student in folder.iterdir():
            assert {path.name for path in (student / "my_lesson").glob("*.ipynb")} == lesson
            assert student.stat().st_mode & 0o077 == 0

    def test_a_student_cannot_answer_in_place_of_another_students_server(self, students):
        _, _, ben, taken = students
        assert taken == "[]\n"
        assert ben.open("lab").url.endswith("/user/ben/lab")
        assert ben.run("from pathlib import Path; print(Path.cwd().name)") == "ben\n"

    def test_no_link_can_pull_a_repository_into_a_students_folder(self, students):
        _, _, ben, _ = students
        pull = f"{ben.address}{ben.path}git-pull?repo={REPOSITORY}&targetPath=.local"
        assert ben.browser.get(pull).status_code == 404
        assert ben.run("import os; print(os.path.exists('.local/README.md'))") == "False\n"

    def test_server_of_a_student_is_limited_and_cannot_read_other_folders(self, students):
        _, _, ben, _ = students
        assert json.loads(ben.run(PROBE.replace("CLASSROOM", repr(f"{CLASSROOM}/carl")))) == {
            "user": [60707, 60707, []],
            "limits": [2**30, 500],
            "closed": [True] * 5,
            "fixed": [True] * 3,
            "own": [False, False],
            "debugger": False,
        }


@pytest.mark.parametrize(
    ("user", "settings", "message"),
    [
        (65534, {}, "Start it with sudo"),  # the account "nobody"
        (0, {"CLASS_PASSWORD": "short"}, "CLASS_PASSWORD must have 8 characters or more."),
        (0, {"CLASS_PORT": "taken"}, "cannot be used: Address already in use."),
    ],
)
def test_class_that_cannot_start_explains_why(user, settings, message, tmp_path):
    with socket.create_server(("", 0)) as taken:
        port = taken.getsockname()[1] if "CLASS_PORT" in settings else find_port()
        env = os.environ | settings | {"CLASS_FOLDER": f"{tmp_path}/none", "CLASS_PORT": str(port)}
        done = subprocess.run(HUB, env=env, cwd="/", user=user, capture_output=True, text=True)
    assert done.returncode != 0 and message in done.stderr
    assert not (tmp_path / "none").exists()


BEGIN = """
import json, os, resource, runpy, sys
from pathlib import Path
from types import SimpleNamespace
from traitlets.config import Config

hub = SimpleNamespace(**runpy.run_path(sys.argv[1], init_globals={"get_config": Config}))
"""


def run_in_hub(script, folder):
    """Run a script in which `hub` is the hub's configuration. Return its last line, as JSON."""
    command = [PROGRAMS / "python", "-c", BEGIN + script, CLASSROOM / "jupyterhub_config.py"]
    env = os.environ | {"CLASS_FOLDER": str(folder), "CLASS_IDS": f"{folder.parent}/ids.json"}
    done = subprocess.run(command, env=env, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


OWNERS = """
def try_own(name):
    try:
        return hub.own(hub.FOLDER / name)
    except hub.NoStudentsFolderError as problem:
        return problem.jupyterhub_message

print(json.dumps([try_own(name) for name in ("teacher", "root", "anna", "ben", "anna")]))
"""


def test_login_with_the_name_of_another_users_folder_is_rejected(tmp_path):
    folder = tmp_path / "students"
    for name, owner in ("teacher", 1000), ("root", 0), ("zed", 61183):
        (folder / name).mkdir(parents=True)
        os.chown(folder / name, owner, owner)
    teacher, root, anna, ben, anna_again = run_in_hub(OWNERS, folder)
    assert "does not belong to a student, but to user id 1000" in teacher
    assert "does not belong to a student, but to user id 0" in root
    assert (anna, ben, anna_again) == (60706, 60707, 60706)


def test_students_of_a_second_folder_have_other_user_ids(tmp_path):
    for name in ("monday", "friday"):
        (tmp_path / name).mkdir()
    script = OWNERS.replace('"teacher", "root", ', "")
    assert run_in_hub(script, tmp_path / "monday") == [60706, 60707, 60706]
    assert run_in_hub(script, tmp_path / "friday") == [60708, 60709, 60708]
    os.chown(tmp_path / "friday" / "anna", 60706, 60706)
    anna, *_ = run_in_hub(script, tmp_path / "friday")
    assert "belong to the same user id" in anna
    shutil.rmtree(tmp_path / "monday")  # nobody is left who could be read
    assert run_in_hub(script, tmp_path / "friday") == [60706, 60709, 60706]


LINK = """
import socket

def is_kept(name):
    try:
        hub.keep(folder / name, 60706)
    except PermissionError:
        return False
    return True

folder = hub.FOLDER / "sockets"
folder.mkdir()
socket.socket(socket.AF_UNIX).bind(str(folder / "own"))
os.chown(folder / "own", 60706, 60706)
(folder / "link").symlink_to("own")
socket.socket(socket.AF_UNIX).bind(str(folder / "root"))
(folder / "file").touch()
print(json.dumps([is_kept(name) for name in ("own", "link", "root", "file")]))
"""


def test_only_a_students_own_socket_is_given_to_the_proxy(tmp_path):
    assert run_in_hub(LINK, tmp_path / "students") == [True, False, False, False]
