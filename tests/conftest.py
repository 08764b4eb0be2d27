"""Settings for all tests: the user's API key and files are not used, and runs are repeatable."""

import gc
import os
import re
import signal
import sys
from itertools import count

import pytest
from hypothesis import settings
from support.groups import LONGEST, find_group

from lesson.program.open_lab import leave_out_slow_parser
from safetylib.guard import import_guard

pytest_plugins = ["support.program"]  # the fixtures of the learner's program

# The same examples on every machine, and no deadline, because a machine may be loaded.
settings.register_profile("lesson", deadline=None, derandomize=True, print_blob=False)
settings.load_profile("lesson")

# The SDK's classes live as long as Python runs. To look through all of them again and again, for
# garbage that is not there, took a quarter of the time of the checks' tests. IPython does so twice
# for each new notebook, so what is there is set aside, and looked through once for 20 of them.
gc.set_threshold(200_000, 20, 100)
FREEZE_EVERY, NOTEBOOKS = 20, count()

leave_out_slow_parser()  # nbformat would import it in each worker


def pytest_ignore_collect(collection_path, config):
    """Leave out a module that is marked as slow, or for a release, if this mark is not wanted.

    To import those that `make check` leaves out would take almost as long as to import the others.
    """
    text = collection_path.read_text("utf-8") if collection_path.is_file() else ""
    marks = re.findall(r"(?m)^pytestmark = .*\bmark\.(slow|release)\b", text)
    return True if any(f"not {mark}" in config.option.markexpr for mark in marks) else None


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: not LONGEST.search(item.nodeid))


# A shell starts background processes with SIGINT ignored, and some tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give one worker the tests that share what is slow to make.

    `--dist loadgroup` is for this, but groups nothing with pytest 9.2 and pytest-xdist 3.8:
    https://github.com/pytest-dev/pytest-xdist/issues/1386
    """
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return find_group(nodeid)

    return Groups(config, log)


@pytest.fixture(autouse=True, scope="session")
def hide_user_settings():
    """Hide the user's key, endpoint and model from the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith("ANTHROPIC_") or name in ("MODEL_ID", "MY_AGENT_WINDOW"):
                patch.delenv(name)
        yield


@pytest.fixture
def notebook_of(monkeypatch, tmp_path, tmp_path_factory):
    """Return a function that makes a notebook in an empty folder, which is the current one.

    Its argument says whether the shell keeps a history: nbval and nbclient run cells without one.
    """
    from support.notebook import Notebook

    from lesson.program import folder, newest
    from lesson.program.my_agent import store

    def forget():
        for written in (newest.RAN, store.unwritten, store.unsaved):
            written.clear()

    if next(NOTEBOOKS) % FREEZE_EVERY == 0:
        gc.unfreeze()
        gc.collect()
        gc.freeze()
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
    for name in ("__main__", "my_agent"):
        monkeypatch.setitem(sys.modules, name, sys.modules.get(name, sys.modules["__main__"]))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(folder, "path", tmp_path / folder.FOLDER)
    forget()
    notebooks = []

    def make(history=True):
        notebooks.append(Notebook(history))
        return notebooks[-1]

    yield make
    for each in notebooks:
        each.shell.clear_instance()
    forget()  # or a run in the next test would say "yours needs E2"


@pytest.fixture
def notebook(notebook_of):
    """Return a new notebook in an empty folder."""
    return notebook_of()


@pytest.fixture(autouse=True)
def restore_signals():
    """Restore what a signal does: a program that a test runs in this process may change it."""
    numbers = [getattr(signal, name, signal.SIGINT) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
    before = [(number, signal.getsignal(number)) for number in numbers]
    yield
    for number, handler in before:
        if signal.getsignal(number) is not handler:
            signal.signal(number, handler)


@pytest.fixture(autouse=True)
def unregister_workspaces():
    """Unregister the workspaces of a test: another test may import from the same folder."""
    yield
    import_guard.agent_folders.clear()
