"""agentlib works without the lesson around it; what tools can see of both packages."""

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

import agentlib
import lesson
from lesson.exercises import CHECKS


def test_agentlib_imports_neither_the_lesson_nor_the_sdk():
    script = (
        "import pkgutil, sys, agentlib\n"
        "for module in pkgutil.walk_packages(agentlib.__path__, 'agentlib.'):\n"
        "    __import__(module.name)\n"
        "print(*sys.modules.keys() & {'lesson', 'anthropic', 'httpx2', 'IPython', 'ipywidgets'})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "\n", done.stdout + done.stderr


def test_readme_counts_the_lines_of_the_agent_and_of_its_safety():
    package = Path(agentlib.__file__).parent
    agent = [package / f"{name}.py" for name in ("tools", "loop", "workspace", "todo", "nag")]
    counts = [
        sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
        for files in (agent, package.glob("safety/*.py"))
    ]
    readme = (package.parent / "README.md").read_text(encoding="utf-8")
    sentence = "Their {:,} lines are the agent; the {:,} lines in [safety](agentlib/safety) stand"
    assert sentence.format(*counts) in readme


def test_type_checkers_see_every_public_name():
    assert lesson.read_imports().keys() | CHECKS == set(lesson.__all__)
    for name in lesson.__all__:
        assert getattr(lesson, name).__class__ is not type(lesson), f"{name} is a module"
    for package in (agentlib, lesson):
        assert Path(package.__file__).with_name("py.typed").exists()


def test_a_check_needs_only_the_dependencies_of_the_package():
    project = tomllib.loads(
        (Path(lesson.__file__).parents[1] / "pyproject.toml").read_text("utf-8")
    )
    names, left = set(), [Requirement(one) for one in project["project"]["dependencies"]]
    while left:
        one = left.pop()
        if one.name not in names and (one.marker is None or one.marker.evaluate({"extra": ""})):
            names.add(one.name)
            left += map(Requirement, metadata.requires(one.name) or [])
    ours = {re.sub("[-_.]+", "-", name).lower() for name in names} | {"planning-agent-lesson"}
    others = [
        module
        for module, owners in metadata.packages_distributions().items()
        if ours.isdisjoint(re.sub("[-_.]+", "-", name).lower() for name in owners)
    ]
    script = (
        f"import sys; sys.modules.update(dict.fromkeys({others}))\n"
        "from lesson import *; import lesson.exercises.grading.worker"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
