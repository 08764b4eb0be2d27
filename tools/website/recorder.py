"""A pytest plugin: while nbval runs the notebooks, record what their widgets show.

    PYTHONPATH=tools python -m pytest notebooks --nbval -p website.recorder

A recording is written when all cells of its notebook have passed. nbval cannot compare a cell that
shows a widget and then changes it (tag nbval-ignore-output). What such a cell prints is compared
here, and the text of its widgets with the recording.
"""

import os
import tempfile
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest
from nbval.plugin import IPyNbCell, coalesce_streams

from website.in_kernel import FILE_VARIABLE
from website.recordings import write_recording

STARTUP = "from website.in_kernel import keep_widgets; keep_widgets(); del keep_widgets\n"


class Recorder:
    """Starts each kernel with a Keeper, and turns what it wrote into recordings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.failed: set[str] = set()  # the beginnings of node ids: paths from the root
        startup = folder / "profile_default" / "startup" / "keep_widgets.py"
        startup.parent.mkdir(parents=True)
        startup.write_text(STARTUP, encoding="utf-8")
        os.environ["IPYTHONDIR"] = str(folder)

    def lines_of(self, path: Path) -> Path:
        """Return the file for the kernel of a notebook."""
        return self.folder / f"{path.parent.name}-{path.stem}.jsonl"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Say where the kernel writes, before nbval starts it."""
        os.environ[FILE_VARIABLE] = str(self.lines_of(item.path))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Run a cell, and compare what it prints if nbval does not."""
        result = yield
        if isinstance(item, IPyNbCell) and not item.options["check"]:
            assert printed(item.test_outputs) == printed(item.cell.outputs), item.cell.source
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        if report.failed:
            self.failed.add(report.nodeid.partition("::")[0])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the recordings of the notebooks without a failure."""
        paths = {item.nodeid.partition("::")[0]: item.path for item in session.items}
        for path in (paths[name] for name in paths.keys() - self.failed):
            write_recording(path, self.lines_of(path).read_text(encoding="utf-8"))


def printed(outputs: Iterable[Any]) -> dict[str, str]:
    """Return the text that a cell has printed, by the name of the stream."""
    streams = [one for one in coalesce_streams(list(outputs)) if one["output_type"] == "stream"]
    return {one["name"]: one["text"] for one in streams}


def pytest_configure(config: pytest.Config) -> None:
    """Add the recorder; its folder is deleted at the end."""
    folder = tempfile.TemporaryDirectory()
    config.add_cleanup(folder.cleanup)
    config.pluginmanager.register(Recorder(Path(folder.name)))
