"""A pytest plugin: while nbval runs the notebooks, record what their widgets show.

    PYTHONPATH=tools python -m pytest notebooks --nbval --nbval-current-env -p website.nbval_plugin

If all cells of a notebook have passed, its recording is written to build/recorded: the widgets by
the id of the cell that shows them.
"""

import json
import os
import tempfile
from pathlib import Path

import nbformat
import pytest

from notebooks import NOTEBOOKS, WIDGET, begin_without_kept_parts
from website.in_kernel import FILE_VARIABLE

RECORDED = Path(__file__).parents[2] / "build" / "recorded"
STARTUP = "from website.in_kernel import keep_widgets; keep_widgets(); del keep_widgets\n"


class Recorder:
    """Starts each kernel with `keep_widgets`, and turns what it wrote into recordings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.failed: set[str] = set()  # the beginnings of node ids: paths from the root
        startup = folder / "profile_default" / "startup" / "keep_widgets.py"
        startup.parent.mkdir(parents=True)
        startup.write_text(STARTUP, encoding="utf-8")
        os.environ["IPYTHONDIR"] = str(folder)

    def lines_of(self, path: Path) -> Path:
        return self.folder / f"{path.parent.name}-{path.stem}.jsonl"

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if os.environ.get(FILE_VARIABLE) != str(self.lines_of(item.path)):
            os.environ[FILE_VARIABLE] = str(self.lines_of(item.path))
            begin_without_kept_parts(item.path)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid.partition("::")[0])

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the recordings of the notebooks without a failure."""
        paths = {item.nodeid.partition("::")[0]: item.path for item in session.items}
        for path in (paths[name] for name in paths.keys() - self.failed):
            write_recording(path, self.lines_of(path).read_text(encoding="utf-8"))


def file_of(path: Path) -> Path:
    return RECORDED / path.relative_to(NOTEBOOKS).with_suffix(".json")


def write_recording(path: Path, lines: str) -> None:
    """Write the recording of a notebook, from what its kernel wrote.

    Raise AssertionError if a widget's text is not that in the notebook's file: nbval does not
    compare a cell that shows a widget and then changes it.
    """
    cells = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    widgets = {}
    for cell, line in zip(cells, lines.splitlines(), strict=True):
        shown = json.loads(line)
        outputs = [one.data for one in cell.outputs if WIDGET in one.get("data", {})]
        texts = [widget.pop("text") for widget in shown]
        if shown:  # and not plain ipywidgets, such as the slider of s03
            data = [one["text/plain"] for one in outputs]
            assert data == texts, f"{path}: run `make notebooks`"
            widgets[cell.id] = shown
    file = file_of(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(widgets), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Add this plugin; its folder is deleted at the end."""
    folder = tempfile.TemporaryDirectory()
    config.add_cleanup(folder.cleanup)
    config.pluginmanager.register(Recorder(Path(folder.name)))
