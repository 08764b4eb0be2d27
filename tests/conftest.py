"""Settings for all tests: the user's API key and files are not used, and runs are repeatable."""

import os
import signal
import sys

import pytest
from hypothesis import settings

from agentlib.safety import import_guard

# The same examples on every machine, and no deadline, because a machine may be loaded.
settings.register_profile("lesson", deadline=None, derandomize=True, print_blob=False)
settings.register_profile("fuzz", deadline=None, max_examples=20_000)
settings.load_profile("lesson")

# These modules start many processes or play many runs, so `make check` leaves them out.
SLOW_MODULES = (
    *("test_interrupts", "test_my_agent"),
    "test_mutants",
    *("test_setup", "test_shell", "test_commands", "test_time_limit"),
)

# A shell starts background processes with SIGINT ignored, and some tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.stem in SLOW_MODULES:
            item.add_marker("slow")


@pytest.fixture(autouse=True, scope="session")
def hide_user_settings(tmp_path_factory):
    """Hide the user's key, endpoint, model and saved runs from the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        for name in list(os.environ):
            if name.startswith("ANTHROPIC_") or name == "MODEL_ID":
                patch.delenv(name)
        yield


@pytest.fixture
def notebook(monkeypatch, tmp_path, tmp_path_factory):
    """Return a new notebook in an empty folder, which is the current one."""
    from support.notebook import Notebook

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    monkeypatch.chdir(tmp_path)
    notebook = Notebook()
    yield notebook
    notebook.shell.clear_instance()


@pytest.fixture(autouse=True)
def unregister_workspaces():
    """Unregister the workspaces of a test: another test may import from the same folder."""
    yield
    import_guard.agent_folders.clear()
