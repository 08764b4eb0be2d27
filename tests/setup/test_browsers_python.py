"""The lesson in Pyodide, without threads, shell and network, simulated in CPython."""

import asyncio
import importlib
import sys
from types import SimpleNamespace

import pytest

from exerciselib.learners_code import attempt
from lesson import connect, sample
from lesson.runs.run import Run
from safetylib.wire.server.connect import ConnectError


@pytest.fixture(autouse=True)
def no_programs(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(sys, "executable", None)


def test_check_runs_without_a_time_limit(monkeypatch):
    monkeypatch.delattr("signal.SIGALRM")
    assert attempt(lambda: print("done") or 7, seconds=1) == (7, "done\n")


def test_command_returns_an_error_message_and_raises_nothing(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    output = sample("hello").bash("ls")
    assert output.startswith("There is no shell here, so nothing was run: a browser has none")
    assert output.endswith("(exit code 127)")


def test_real_model_is_rejected_with_an_error_message(monkeypatch):
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(ConnectError, match="only the practice model is available"):
        connect("some-model", env={"ANTHROPIC_API_KEY": "a key"})


# The practice model continues with the file tools


def test_run_of_the_ten_steps_does_not_depend_on_the_shell(monkeypatch):
    without = Run(after=5).play()
    assert without.rounds[-1].text.endswith("There is no shell here, so I have run nothing.")
    monkeypatch.undo()
    run = Run(after=5).play()
    assert (without.letters, without.steps) == (run.letters, run.steps)


# Its kernel imports the lesson while it is idle, if it is the lesson's


@pytest.mark.parametrize("cells", [0, 1])
@pytest.mark.parametrize("file, imported", [("00_start_here.ipynb", True), ("mine.ipynb", False)])
def test_kernel_in_the_lessons_folder_imports_it_also_after_a_cell_of_ones_own(
    tmp_path, monkeypatch, file, cells, imported
):
    """A cell that ran as soon as the kernel was there had ended the loading ahead for good."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / file).touch()
    names, shell = [], SimpleNamespace(execution_count=1 + cells)
    shell.events = SimpleNamespace(register=lambda *_: None)
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)

    async def wait():
        ahead = importlib.import_module("site_ahead")
        monkeypatch.setattr(ahead, "import_module", names.append)
        ahead.begin()

    monkeypatch.delitem(sys.modules, "site_ahead", raising=False)
    asyncio.run(wait())
    assert names == (["lesson"] if imported else [])
