"""What holds for every test: no key of the person who runs it is used, and runs repeat."""

import os
import signal

import pytest
from hypothesis import settings

from agentlib.sandbox import import_guard

# The same examples on every machine, and no deadline: a loaded machine is not a bug.
settings.register_profile("lesson", deadline=None, derandomize=True, print_blob=False)
settings.register_profile("fuzz", deadline=None, max_examples=20_000)
settings.load_profile("lesson")

# A shell starts what runs in the background deaf to Ctrl-C, and these tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def nothing_personal(tmp_path_factory):
    """Hide the reader's key, endpoint, model and saved runs from the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        for name in list(os.environ):
            if name.startswith("ANTHROPIC_") or name == "MODEL_ID":
                patch.delenv(name)
        yield


@pytest.fixture(autouse=True)
def workspaces_are_forgotten():
    """What one test has opened as a workspace, another may import from."""
    yield
    import_guard.agent_folders.clear()
