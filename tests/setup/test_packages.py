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
EACH = (
    "import agentlib, pkgutil\nfor one in pkgutil.walk_packages(agentlib.__path__, 'agentlib.'):\n"
)
SPARES = {
    "agentlib": (f"{EACH}    __import__(one.name)", "lesson anthropic httpx2 IPython ipywidgets"),
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
            assert not [one for one in imports if one.startswith(("agentlib", "lesson"))], file
        else:
            assert {one.partition(".")[0] for one in imports} <= allowed, file
            assert not [one for one in imports if one.startswith("safetylib.wire.server")], file


def test_agentlib_knows_nothing_of_a_terminal():
    for file in [*ROOT.glob("agentlib/*.py")]:
        assert not [one for one in read_imports(file) if one.startswith("agentlib.terminal")], file


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
    known = {name.removesuffix(".__init__"): file for name, file in zip(names, files, strict=True)}
    graph = defaultdict(set)
    for name, file in known.items():
        room, *found = [
            ".".join(one.split(".")[:parts])
            for one in (name, *known.keys() & set(read_imports(file)))
        ]
        graph[room] |= set(found) - {room}
    TopologicalSorter(graph).prepare()  # it raises a CycleError that names the circle


@pytest.mark.parametrize("folders", [OWN, ("tests", "tools")], ids=str)
def test_what_is_imported_is_declared(folders):
    """Not only what another package brings along today."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    declared = [*project["dependencies"]]
    declared += [*extras["lab"], *extras["test"]] if "tests" in folders else []
    known = {canonicalize_name(Requirement(one).name) for one in declared}
    files = [file for folder in folders for file in ROOT.glob(f"{folder}/**/*.py")]
    files = [file for file in files if not file.stem.endswith("_config")]  # copied, not imported
    owners = metadata.packages_distributions()
    missing = {}
    for file in files:
        for node in ast.walk(ast.parse(file.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            for name in (name.partition(".")[0] for name in names if "project" not in file.parts):
                if not {canonicalize_name(one) for one in owners.get(name, ())} <= known | OURS:
                    missing[name] = str(file)
    assert missing == {}
