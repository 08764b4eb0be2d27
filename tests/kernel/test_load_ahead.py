"""Loading ahead: while the kernel is idle, and never while a cell runs."""

import asyncio
import os
import re
import subprocess
import sys
import time
from types import SimpleNamespace

import psutil
import pytest
from IPython.core.events import EventManager, available_events
from jupyter_server.services.kernels.kernelmanager import ServerKernelManager

from lesson.kernel import load_ahead
from lesson.kernel.load_ahead import BEFORE_A_CELL, MODULES, WARM_UP, LoadAhead
from lesson.program.lab_kernels import AHEAD, LabKernel

pytestmark = pytest.mark.release
MANY = ("first", "second", "third")


@pytest.fixture
def loaded(monkeypatch):
    """Return the names of the modules that have been imported ahead, at once after a cell."""
    names = []
    monkeypatch.setattr(load_ahead, "import_module", names.append)
    monkeypatch.setattr(load_ahead, "MODULES", MANY)
    monkeypatch.setattr(load_ahead, "AFTER_CELL_SECONDS", 0)
    monkeypatch.setattr(load_ahead, "BETWEEN_SECONDS", 0)
    monkeypatch.setattr(load_ahead, "is_watched", lambda: True)
    return names


@pytest.fixture
def shell():
    shell = SimpleNamespace()
    shell.events = EventManager(shell, available_events)
    return shell


async def wait(loaded):
    """Wait until all is loaded, or until nothing more happens."""
    for _ in range(50):
        await asyncio.sleep(0)
    return loaded


def end_a_cell(shell):
    shell.events.trigger("post_execute")


def test_all_is_loaded_after_the_first_cell_and_nothing_while_a_cell_runs(loaded, shell):
    async def run():
        LoadAhead(shell)
        assert await wait(loaded) == []
        end_a_cell(shell)
        assert loaded == []
        while not loaded:
            await asyncio.sleep(0)
        shell.events.trigger("pre_execute")
        assert await wait(loaded) == ["first"]
        for _ in range(2):
            end_a_cell(shell)
            assert await wait(loaded) == [*MANY]

    asyncio.run(run())


def test_a_busy_machine_is_left_to_others_and_an_error_is_that_of_the_cell(
    loaded, shell, monkeypatch
):
    def fail(name):
        loaded.append(name)
        if len(loaded) == 2:
            time.sleep(0.3)  # as a process that waits for its turn
        raise ImportError(name)

    monkeypatch.setattr(load_ahead, "import_module", fail)

    async def run():
        LoadAhead(shell)
        end_a_cell(shell)
        assert await wait(loaded) == ["first", "second"]

    asyncio.run(run())


def test_nothing_is_loaded_ahead_without_a_page(loaded, shell, monkeypatch):
    monkeypatch.setattr(load_ahead, "is_watched", lambda: False)

    async def run():
        LoadAhead(shell)
        end_a_cell(shell)
        assert await wait(loaded) == []

    asyncio.run(run())


def test_in_a_browser_all_is_loaded_before_the_first_cell(loaded, shell, monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")

    async def run():
        LoadAhead(shell)
        assert await wait(loaded) == [*BEFORE_A_CELL, *MANY, WARM_UP]

    asyncio.run(run())


def test_first_play_after_the_warm_up_has_nothing_to_build_and_no_call_is_known():
    """The pydantic models of a reply, and the modules that only a request imports."""
    script = f"""
import sys
for name in {(*BEFORE_A_CELL, *MODULES, WARM_UP)}: __import__(name)
from anthropic.types import Message
from lesson.practice.practice_model import calls_made
from lesson.runs.run import Run
before = {{*sys.modules}}
print(calls_made, Message.__pydantic_complete__)
assert Run("hello", after=2).play().rounds and calls_made
calls = dict(calls_made)
sys.modules.pop("{WARM_UP}")
__import__("{WARM_UP}")
print({{*sys.modules}} - before, calls == calls_made)
"""
    printed = subprocess.check_output([sys.executable, "-c", script], text=True)
    assert printed == "{} True\nset() True\n"


def test_what_the_kernel_has_begun_goes_on_after_any_cell(loaded, shell, monkeypatch):
    monkeypatch.setattr(load_ahead, "is_watched", lambda: False)  # a list of variables asks

    async def run():
        LoadAhead(shell).begin_with_the_kernel()
        shell.events.trigger("pre_execute")
        assert await wait(loaded) == []
        end_a_cell(shell)
        assert await wait(loaded) == [*MANY]

    asyncio.run(run())


IS_LOADED = "import sys; print('lesson.exercises.agent_loop' in sys.modules)"


@pytest.mark.parametrize(
    "path, kernel_class, is_lessons",
    [
        ("a/s03a_todo_write.ipynb", LabKernel, True),
        ("a/my_own.ipynb", LabKernel, False),
        ("a/s03a_todo_write.ipynb", ServerKernelManager, False),  # plain `jupyter lab`
    ],
)
def test_kernel_of_the_lab_loads_the_lesson_if_its_notebook_is_the_lessons(
    path, kernel_class, is_lessons
):
    async def run():
        kernel = kernel_class(kernel_name="python3")
        await kernel.start_kernel(env={**os.environ, "JPY_SESSION_NAME": path})
        client = kernel.client()
        client.start_channels()
        try:
            await client.wait_for_ready(timeout=60)
            command = psutil.Process(kernel.provisioner.pid).cmdline()
            printed = await ask(client, is_lessons)
        finally:
            client.stop_channels()
            await kernel.shutdown_kernel(now=True)
        return printed, [*filter(re.compile("lesson").search, command)]

    assert asyncio.run(run()) == (is_lessons, [AHEAD] if is_lessons else [])


async def ask(client, is_lessons):
    """Return whether the lesson is loaded, of which only the kernel itself knows; wait for it."""
    printed = []
    while len(printed) < 3 or is_lessons and "True" not in str(printed):
        await asyncio.sleep(1)
        await client.execute_interactive(IS_LOADED, output_hook=printed.append)
    return "True" in str(printed)
