"""agentlib works without the lesson around it; what tools can see of both packages."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from graphlib import TopologicalSorter
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import lesson
from lesson.kernel.load_ahead import BEFORE_A_CELL

ROOT = Path(lesson.__file__).parents[1]
OURS = {"planning-agent-lesson"}
OWN = ("safetylib", "exerciselib", "agentlib", "lesson")  # each imports only those before it


# What imports none of these: they take seconds.
EACH = """
import agentlib, pkgutil
for module in pkgutil.walk_packages(agentlib.__path__, "agentlib."):
    __import__(module.name)
"""
SPARES = {
    "agentlib": (EACH, "lesson anthropic httpx2 IPython ipywidgets"),
    "the agent": ("import agentlib", "agentlib.terminal"),
    "a practice model": (
        "import lesson.program.my_agent; from lesson import PracticeModel; PracticeModel()",
        "anthropic httpx2 pydantic IPython ipywidgets",
    ),
    "the seat": ("from lesson import Seat; Seat()", "anthropic"),
    "a first cell": (f"for name in {BEFORE_A_CELL}: __import__(name)", "anthropic"),
}


@pytest.mark.parametrize("code, others", SPARES.values(), ids=SPARES)
def test_what_takes_seconds_is_imported_only_when_it_is_used(code, others):
    script = f"{code}\nimport sys; print(*sys.modules.keys() & {others.split()})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "\n", done.stdout + done.stderr


def test_all_places_name_one_version():
    """They are pyproject.toml, `lesson.__version__`, the extension, and the newest change."""
    [newest, *_] = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    extension = json.loads((ROOT / "tools/labextension/package.json").read_text())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {newest, extension["version"], project["version"]} == {lesson.__version__}


def test_every_public_name_is_found():
    for name in lesson.__all__:
        assert getattr(lesson, name).__class__ is not type(lesson), f"{name} is a module"


def read_imports(file):
    """Yield the name of each module that a file imports, also in a function."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            package = file.relative_to(ROOT).parts[: -node.level] if node.level else ()
            module = ".".join(filter(None, [*package, node.module]))
            yield from (f"{module}.{alias.name}" for alias in node.names)
            # Python also runs the `__init__` of each package on the way, unless it runs already.
            own = ".".join(file.relative_to(ROOT).parts[:-1])
            while module and not f"{own}.".startswith(f"{module}."):
                yield module
                module = module.rpartition(".")[0]


def test_only_the_server_folder_of_safetylib_imports_the_sdk():
    allowed = sys.stdlib_module_names | {"safetylib", "annotationlib"}  # which came with 3.14
    for file in ROOT.glob("safetylib/**/*.py"):
        imports = set(read_imports(file))
        if file.parent.name == "server":
            assert not [name for name in imports if name.startswith(("agentlib", "lesson"))], file
        else:
            assert {name.partition(".")[0] for name in imports} <= allowed, file
            assert not [name for name in imports if name.startswith("safetylib.wire.server")], file


def test_agentlib_knows_nothing_of_a_terminal():
    for file in [*ROOT.glob("agentlib/*.py")]:
        imports = read_imports(file)
        assert not [name for name in imports if name.startswith("agentlib.terminal")], file


def test_no_signature_evaluates_annotations():
    """A learner's may name what was not imported, which `def` does not notice from Python 3.14 on.

    What that is like, test_site.py tries, in the Python of the browser edition.
    """
    folders = ("agentlib", "safetylib", "notebooks/solutions")
    files = [file for folder in folders for file in ROOT.glob(f"{folder}/**/*.py")]
    asks = {file for file in files if "inspect.signature" in read_imports(file)}
    asks |= {file for file in files if "import inspect\n" in file.read_text(encoding="utf-8")}
    assert asks == {ROOT / "safetylib/guard/signatures.py"}


@pytest.mark.parametrize("parts", [1, 2, 9], ids=["packages", "folders", "modules"])
def test_nothing_is_imported_in_a_circle(parts):
    files = [file for name in OWN for file in ROOT.glob(f"{name}/**/*.py")]
    files = [file for file in files if "project" not in file.parts]
    names = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]
    modules = {
        name.removesuffix(".__init__"): file for name, file in zip(names, files, strict=True)
    }

    def cut(name):
        return ".".join(name.split(".")[:parts])

    graph = defaultdict(set)
    for name, file in modules.items():
        imported = {cut(other) for other in modules.keys() & set(read_imports(file))}
        graph[cut(name)] |= imported - {cut(name)}
    TopologicalSorter(graph).prepare()  # it raises a CycleError that names the circle


def list_folders():
    """Return the folders that design.md lists, such as "lesson/kernel", in its order."""
    section = (ROOT / "docs/design.md").read_text(encoding="utf-8").split("## The folders")[1]
    folders, top = [], ""
    for indent, name in re.findall(r"(?m)^( *)(\w+)", section.split("```")[1]):
        top = top if indent else name
        folders.append(f"{top}/{name}" if indent else name)
    return folders


def test_folder_of_the_lesson_imports_only_those_above_it_in_the_list():
    folders = [folder for folder in list_folders() if folder.startswith("lesson/")]
    assert {*folders} == {f"lesson/{file.parent.name}" for file in ROOT.glob("lesson/*/*.py")}
    for place, folder in enumerate(folders, 1):
        below = tuple(f"{name.replace('/', '.')}." for name in folders[place:])
        for file in ROOT.glob(f"{folder}/**/*.py"):
            assert not [name for name in read_imports(file) if name.startswith(below)], file


def test_tests_lie_in_the_folders_of_what_they_test():
    """Each folder has tests, and those with the name of a module are in the module's folder.

    All tests use `common`, and only other programs read the two files of `classroom`. The folder of
    safetylib is not divided, and what a page in a browser shows is of several folders.
    """
    homes = defaultdict(set)  # of the modules of a name: where their tests may be
    for file in [file for name in OWN for file in ROOT.glob(f"{name}/**/*.py")]:
        folder = file.parent.relative_to(ROOT / "lesson" if "lesson" in file.parts else ROOT)
        homes[file.stem] |= {folder, *folder.parents}
        homes[file.parent.name] |= {folder}
    folders = set()
    for file in ROOT.glob("tests/**/test_*.py"):
        folder = file.parent.relative_to(ROOT / "tests")
        if folder.name != "browser":
            assert folder in homes.get(file.stem.removeprefix("test_"), {folder}), file
        folders |= {str(folder), str(folder.parent)}
    products = {name.removeprefix("lesson/") for name in list_folders() if name.startswith(OWN)}
    without = {"lesson", "common", "classroom", "safetylib/guard", "safetylib/wire"}
    assert products - folders == without


@pytest.mark.parametrize("folders", [OWN, ("tests", "tools")], ids=str)
def test_what_is_imported_is_declared(folders):
    """Not only what another package brings along today."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    requirements = [*project["dependencies"]]
    if "tests" in folders:
        requirements += [*extras["lab"], *extras["test"]]
    declared = {canonicalize_name(Requirement(text).name) for text in requirements}
    of_lab = {canonicalize_name(Requirement(text).name) for text in extras["lab"]}
    files = [file for folder in folders for file in ROOT.glob(f"{folder}/**/*.py")]
    files = [file for file in files if not file.stem.endswith("_config")]  # copied, not imported
    owners = metadata.packages_distributions()
    missing = {}
    for file in files:
        for name in {name.partition(".")[0] for name in read_imports(file)}:
            packages = {canonicalize_name(package) for package in owners.get(name, ())}
            more = of_lab if file.stem == "lab_kernels" else set()  # only JupyterLab imports it
            if not packages <= declared | more | OURS and "project" not in file.parts:
                missing[name] = str(file)
    assert missing == {}
