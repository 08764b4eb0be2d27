"""Workers of pytest-xdist that are forked when the tests are imported.

Four new Pythons would import, and after a change compile, the SDK and all tests four times.
"""

import os
import random
import signal
import sys

from _pytest.python import importtestmodule
from execnet.gateway_base import Popen2IO


def import_tests(config):
    """Import the modules that the workers collect."""
    for argument in config.args:
        path = config.invocation_params.dir / argument.partition("::")[0]
        for file in sorted(path.rglob("test_*.py")) if path.is_dir() else [path]:
            if not config.hook.pytest_ignore_collect(collection_path=file, config=config):
                importtestmodule(file, config)


class Fork(Popen2IO):
    """A worker and the pipes to it, as execnet has them for a new Python."""

    def __init__(self, spec, execmodel):
        (stdin, to_worker), (from_worker, stdout) = os.pipe(), os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if not self.pid:
            try:
                os.close(to_worker)  # or it would not see that this process has ended
                os.dup2(stdin, 0)
                os.dup2(stdout, 1)
                sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)
                random.seed()
                exec(eval(sys.stdin.readline()), {})  # what execnet sends to a new Python
            finally:
                os._exit(0)
        os.close(stdin)
        os.close(stdout)
        super().__init__(open(to_worker, "wb"), open(from_worker, "rb"), execmodel)

    def wait(self):
        return os.waitpid(self.pid, 0)[1]

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)


# Python gets 16 KB for frames at a time: a call at their end gets the next, and gives them back, as
# often as it is made. After this large frame, there is room for those of all tests.
Fork.__init__.__code__ = Fork.__init__.__code__.replace(co_stacksize=40_000)
