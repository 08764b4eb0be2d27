"""agentlib works without the lesson around it; what tools can see of both packages."""

import subprocess
import sys
from pathlib import Path

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
