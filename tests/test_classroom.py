"""The hub for a class, with simulated students, and updates of a teacher's notebooks.

These tests need `make classroom/ready`. .ci/run does it.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest
import yaml

REPOSITORY = Path(__file__).parent.parent
CLASSROOM = REPOSITORY / "classroom"
PROGRAMS = CLASSROOM / ".venv" / "bin"
TIMEOUT_SECONDS = 1200  # for two students on a slow machine
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

pytestmark = pytest.mark.skipif(
    not (PROGRAMS / "jupyterhub").exists(), reason="needs `make classroom/ready`"
)


@pytest.fixture(scope="module")
def students():
    """Yield the students' folder of a class after two students have done s03."""
    with tempfile.TemporaryDirectory() as folder:  # other users cannot enter pytest's folders
        os.chmod(folder, 0o711)
        settings = {"CLASS_FOLDER": f"{folder}/students"}
        if not IS_ROOT:
            settings["CLASS_SHARED_ACCOUNT"] = "yes"
        command = [PROGRAMS / "python", CLASSROOM / "simulate_students.py", "2"]
        played = subprocess.run(
            command,
            env=os.environ | settings,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
        )
        assert played.returncode == 0, played.stdout + played.stderr
        assert "2 of 2 students did all of it." in played.stdout
        yield Path(folder, "students")


def test_each_student_has_a_private_copy_of_the_lesson(students):
    folders = {folder.name for folder in students.iterdir()}
    assert folders == {".hub", "simulated-01", "simulated-02"}
    lesson = {path.name for path in (REPOSITORY / "notebooks").glob("*.ipynb")}
    for student in students.glob("simulated-*"):
        assert {path.name for path in (student / "my_lesson").glob("*.ipynb")} == lesson
        assert student.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(not IS_ROOT, reason="only root can start servers for other users")
def test_each_student_has_a_separate_user_id(students):
    owners = {student.stat().st_uid for student in students.glob("simulated-*")}
    assert len(owners) == 2
    assert 0 not in owners


def test_hub_without_root_is_rejected_unless_the_account_may_be_shared(tmp_path):
    command = [PROGRAMS / "python", "-m", "jupyterhub", "-f", CLASSROOM / "jupyterhub_config.py"]
    settings = os.environ | {"CLASS_FOLDER": str(tmp_path / "students")}
    settings.pop("CLASS_SHARED_ACCOUNT", None)
    user = 65534 if IS_ROOT else None  # the account "nobody"
    done = subprocess.run(command, env=settings, cwd="/", user=user, capture_output=True, text=True)
    assert done.returncode != 0
    assert "Start it with sudo" in done.stderr
    assert not (tmp_path / "students").exists()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"CLASS_PASSWORD": "short"}, "CLASS_PASSWORD must have 8 characters or more."),
        ({"CLASS_CERT": "/no/such.pem"}, "There is no file /no/such.pem"),
        ({"CLASS_PORT": "taken"}, "cannot be used: Address already in use."),
    ],
)
def test_invalid_setting_is_rejected_with_an_error_message(settings, message, tmp_path):
    with socket.create_server(("", 0)) as taken:
        port = settings.get("CLASS_PORT", "0").replace("taken", str(taken.getsockname()[1]))
        with pytest.raises(subprocess.CalledProcessError) as error:
            run_in_hub("", tmp_path / "students", **settings | {"CLASS_PORT": port})
    assert message in error.value.stderr and "Traceback" not in error.value.stderr
    assert not (tmp_path / "students").exists()


BEGIN = """
import json, os, resource, runpy, sys
from pathlib import Path
from types import SimpleNamespace
from traitlets.config import Config

hub = SimpleNamespace(**runpy.run_path(sys.argv[1], init_globals={"get_config": Config}))
"""


def run_in_hub(script, folder, **settings):
    """Run a script in which `hub` is the hub's configuration. Return its last line, as JSON."""
    command = [PROGRAMS / "python", "-c", BEGIN + script, CLASSROOM / "jupyterhub_config.py"]
    settings = {"CLASS_FOLDER": str(folder), "CLASS_SHARED_ACCOUNT": "", **settings}
    done = subprocess.run(
        command, env=os.environ | settings, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


OWNERS = """
def try_own(name):
    try:
        return hub.own(hub.FOLDER / name)
    except hub.NoStudentsFolderError as problem:
        return problem.jupyterhub_message

print(json.dumps([try_own(name) for name in ("teacher", "root", "anna", "ben", "anna")]))
"""


@pytest.mark.skipif(not IS_ROOT, reason="only root can start servers for other users")
def test_login_with_the_name_of_another_users_folder_is_rejected(tmp_path):
    folder = tmp_path / "students"
    for name, owner in ("teacher", 1000), ("root", 0), ("nobody", 65534):
        (folder / name).mkdir(parents=True)
        os.chown(folder / name, owner, owner)
    teacher, root, anna, ben, anna_again = run_in_hub(OWNERS, folder)
    assert "does not belong to a student, but to user id 1000" in teacher
    assert "does not belong to a student, but to user id 0" in root
    assert (anna, ben, anna_again) == (60706, 60707, 60706)


PROBE = """
def become(name, number):
    student = SimpleNamespace(
        home_dir=str(hub.FOLDER / name),
        user=SimpleNamespace(id=number),
        runtime=hub.StudentServer.runtime,
        mem_limit=2**30,
    )
    return hub.StudentServer.make_preexec_fn(student, name)

def fails(action, path):
    try:
        action(path)
    except OSError:
        return True
    return False

become("anna", 1)
become_ben = become("ben", 2)
if os.fork() == 0:
    become_ben()
    runtime = Path(hub.StudentServer.runtime.name)
    print(json.dumps({
        "user": [os.getuid(), os.getgid(), os.getgroups()],
        "limits": [resource.getrlimit(which)[1] for which in
                   (resource.RLIMIT_DATA, resource.RLIMIT_NPROC)],
        "closed": [fails(os.listdir, path) for path in
                   (hub.FOLDER / "anna", runtime / "1", hub.STATE, hub.FOLDER, runtime)],
        "fixed": fails(os.mkdir, hub.FOLDER / "carl") and fails(os.mkdir, hub.HERE / "carl"),
        "own": [fails(os.listdir, path) for path in (hub.FOLDER / "ben", runtime / "2")],
    }), flush=True)
    os._exit(0)
os.wait()
"""


@pytest.mark.skipif(not IS_ROOT, reason="only root can start servers for other users")
def test_server_of_a_student_is_limited_and_cannot_read_other_folders():
    with tempfile.TemporaryDirectory() as folder:  # other users cannot enter pytest's folders
        os.chmod(folder, 0o711)
        found = run_in_hub(PROBE, Path(folder, "students"))
    assert found == {
        "user": [60707, 60707, []],
        "limits": [2**30, 500],
        "closed": [True] * 5,
        "fixed": True,
        "own": [False, False],
    }


PORTS = "print(json.dumps([hub.c.JupyterHub.bind_url[-5:], hub.INNER_PORT]))"


@pytest.mark.parametrize(("port", "inner"), [("18000", 18001), ("443", 8001)])
def test_ports_of_the_students_need_no_root(port, inner, tmp_path):
    shared = {} if IS_ROOT else {"CLASS_SHARED_ACCOUNT": "yes"}
    settings = {"CLASS_PORT": port, **shared}
    address, found = run_in_hub(PORTS, tmp_path / "students", **settings)
    assert address.endswith(port) and found == inner


def test_kubernetes_and_one_machine_open_the_same_notebook():
    values = yaml.safe_load((CLASSROOM / "kubernetes" / "values.yaml").read_text())
    address = values["singleuser"]["defaultUrl"]
    assert f'"{address}"' in (CLASSROOM / "jupyterhub_config.py").read_text()
    assert (REPOSITORY / "notebooks" / Path(address).name).exists()


def git(*arguments, folder):
    """Run git as the teacher."""
    author = ["-c", "user.name=Teacher", "-c", "user.email=teacher@example.org"]
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


def pull(course, student):
    """Pull the course into the student's folder, as a link of nbgitpuller does."""
    command = [PROGRAMS / "gitpuller", course.as_uri(), "main", student]
    subprocess.run(command, check=True, capture_output=True)


def change(path, cell, text):
    """Append `text` to a cell's source and, in a code cell, set an output."""
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[cell].source += f"\n# {text}"
    if notebook.cells[cell].cell_type == "code":
        notebook.cells[cell].execution_count = 7
        notebook.cells[cell].outputs = [nbformat.v4.new_output("stream", text=f"{text}\n")]
    nbformat.write(notebook, path)


def sources(path):
    """Return the sources of all cells of a notebook, after a validation."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return "\n".join(cell.source for cell in notebook.cells)


@pytest.fixture(params=["with outputs", "without outputs"])
def course(request, tmp_path):
    """Return a teacher's git repository with the notebooks."""
    course = tmp_path / "course"
    if request.param == "with outputs":
        shutil.copytree(REPOSITORY / "notebooks", course)
    else:
        command = [sys.executable, "-m", "lesson", "lesson", course]
        subprocess.run(command, check=True, capture_output=True)
    git("init", "-b", "main", folder=course)
    git("add", "-A", folder=course)
    git("commit", "-m", "The lesson", folder=course)
    return course


def test_update_by_the_teacher_keeps_the_work_of_a_student(course, tmp_path):
    student = tmp_path / "student"
    pull(course, student)

    for cell in (1, 5, 8, -1):
        change(student / "s03_todo_write.ipynb", cell, f"mine {cell}")
    (student / "notes.ipynb").write_text(json.dumps(nbformat.v4.new_notebook()))
    change(student / "exercises.ipynb", 1, "my solution")
    (student / "s02_tool_use.ipynb").unlink()

    for cell in (1, 6, 20, -1):
        change(course / "s03_todo_write.ipynb", cell, f"the teacher's {cell}")
    change(course / "00_start_here.ipynb", 0, "welcome")
    shutil.copy(course / "00_start_here.ipynb", course / "notes.ipynb")
    (course / "exercises.ipynb").unlink()
    git("add", "-A", folder=course)
    git("commit", "-m", "The second week", folder=course)
    pull(course, student)

    merged = sources(student / "s03_todo_write.ipynb")
    assert all(f"mine {cell}" in merged for cell in (1, 5, 8, -1))
    assert "the teacher's 20" in merged
    assert "my solution" in sources(student / "exercises.ipynb")
    assert "welcome" in sources(student / "00_start_here.ipynb")
    assert "welcome" in sources(student / "notes.ipynb")
    [kept] = student.glob("notes__*.ipynb")
    assert sources(kept) == ""
    assert (student / "s02_tool_use.ipynb").exists()  # the pull restores deleted files
