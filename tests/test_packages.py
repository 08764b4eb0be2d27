"""agentlib is the agent: it works without the lesson around it."""

import subprocess
import sys


def test_agentlib_imports_neither_the_lesson_nor_the_sdk():
    script = (
        "import pkgutil, sys, agentlib\n"
        "for module in pkgutil.walk_packages(agentlib.__path__, 'agentlib.'):\n"
        "    __import__(module.name)\n"
        "print(*sys.modules.keys() & {'lesson', 'anthropic', 'httpx2', 'IPython', 'ipywidgets'})"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "\n", done.stdout + done.stderr
