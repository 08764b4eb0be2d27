"""The SDK with deferred imports is the SDK: each name is there, and is the same thing."""

import json
import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.release
OLDEST = "2.10.0"  # that pyproject.toml admits
WORTH_MB = 15  # if it saves less one day, this module goes

# Prints what each attribute path of the SDK leads to, two levels deep, by the path.
LIST_PATHS = """
import importlib, json, psutil, sys
sys.path[:0] = filter(None, [sys.argv[1]])
if sys.argv[2] == "defer":
    from lesson.kernel.deferred_imports import install
    install()
import anthropic

def describe(value):
    kind = type(value).__name__
    if kind == "module":
        return f"module {value.__name__}"
    return f"{kind} {getattr(value, '__module__', '')} {getattr(value, '__qualname__', '')}"

def walk(owner, path, depth, found):
    for name in dir(owner):
        if name.startswith("__"):
            continue
        value = getattr(owner, name)
        found[f"{path}.{name}"] = describe(value)
        if depth and type(value).__name__ == "module" and value.__name__.startswith("anthropic"):
            walk(value, f"{path}.{name}", depth - 1, found)

found = {"version": anthropic.__version__, "MB": psutil.Process().memory_info().rss / 1e6}
found["modules"] = sum("anthropic" in name for name in sys.modules)
for path in json.loads(sys.stdin.read()):  # paths of the other Python
    value = anthropic
    for name in path.split(".")[1:]:
        value = getattr(value, name, "missing")
    found[path] = describe(value)
walk(anthropic, "anthropic", 1, found)
print(json.dumps(found))
"""


def run(code, *more, stdin="", **variables):
    """Return what code prints in a new Python."""
    command, env = [sys.executable, "-c", code, *more], os.environ | variables
    done = subprocess.run(command, input=stdin, env=env, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return done.stdout


def list_paths(folder, how, paths=()):
    return json.loads(run(LIST_PATHS, str(folder), how, stdin=json.dumps([*paths])))


@pytest.fixture(scope="module")
def oldest(tmp_path_factory):
    folder = tmp_path_factory.mktemp("oldest")
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", folder]
    done = subprocess.run([*command, f"anthropic=={OLDEST}"], capture_output=True)
    if done.returncode and not os.environ.get("CI"):
        pytest.skip(f"anthropic {OLDEST} could not be installed")
    assert not done.returncode, done.stderr
    return folder


@pytest.mark.parametrize("version", ["oldest", "newest"])
def test_every_name_of_the_sdk_is_there_and_is_the_same(version, request):
    folder = request.getfixturevalue("oldest") if version == "oldest" else ""
    plain = list_paths(folder, "plain")
    deferred = list_paths(
        folder, "defer", [name for name in plain if name.startswith("anthropic.")]
    )
    assert plain["version"] == deferred["version"]
    assert version == "newest" or plain["version"] == OLDEST
    differ = {
        path: (what, deferred[path])
        for path, what in plain.items()
        if path not in ("modules", "MB") and deferred[path] != what
    }
    assert not differ
    # What only the deferred one has are modules that the other has not imported, and their names.
    more = deferred.keys() - plain.keys()
    for path in more:
        parent = path.rpartition(".")[0]
        assert deferred[path].startswith("module ") or parent in more, path
    assert deferred["modules"] < plain["modules"]
    assert plain["MB"] - deferred["MB"] > WORTH_MB


INSTALL = "from lesson.kernel.deferred_imports import install\ninstall()"
COUNT = "import sys, anthropic\nprint(sum('anthropic' in name for name in sys.modules) > 2000)"
# Which loader imports, or has imported, the SDK. What it leaves out is counted above.
LOADER = "from importlib.util import find_spec\nprint(type(find_spec('anthropic').loader).__name__)"


@pytest.mark.parametrize(
    ("first", "variables", "loader"),
    [
        ("", {}, "SourceFileLoader"),
        (INSTALL, {}, "DeferringLoader"),
        (INSTALL, {"LESSON_DEFER_IMPORTS": "0"}, "SourceFileLoader"),
        ("import anthropic\n" + INSTALL, {}, "SourceFileLoader"),
        ("import agentlib.loop", {}, "SourceFileLoader"),
        ("import lesson", {}, "SourceFileLoader"),  # in no kernel
        ("from IPython.testing.globalipapp import start_ipython\nstart_ipython()\n"
         "import lesson", {}, "DeferringLoader"),
        ("from lesson.__main__ import run\n"
         "run(['practice', 'no_such.py', 'Go'])", {}, "DeferringLoader"),
    ],
)  # fmt: skip
def test_is_installed_in_a_kernel_and_by_practice_and_can_be_switched_off(first, variables, loader):
    assert run(f"{first}\n{LOADER}", **variables).split()[-1] == loader


def test_own_program_with_the_practice_model_has_the_whole_sdk(tmp_path):
    tmp_path.joinpath("own.py").write_text(COUNT, encoding="utf-8")
    command = [sys.executable, "-m", "lesson", "practice", "own.py", "Refactor hello.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "True" in done.stdout.splitlines(), done.stdout


def test_unknown_name_is_an_attribute_error_and_a_submodule_is_imported():
    printed = run(
        f"{INSTALL}\nimport anthropic\nprint(anthropic.types.beta.beta_tool_param.__name__)\n"
        "try:\n    anthropic.types.no_such\nexcept AttributeError as problem:\n    print(problem)"
    )
    assert printed.splitlines() == [
        "anthropic.types.beta.beta_tool_param",
        "module 'anthropic.types' has no attribute 'no_such'",
    ]
