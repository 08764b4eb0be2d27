"""Fixtures: one JupyterLab, one page and one notebook of widgets for the whole session."""

import os
import re
import shutil
from pathlib import Path

import pytest

try:
    from gallery import Gallery, write_notebook
    from lab import AS_ROOT, QUIET, TIMEOUT_MS, Lab, find_browser, server
    from playwright.sync_api import expect, sync_playwright

    MISSING = None if find_browser() else "no Chromium or Chrome on this machine"
except ImportError as error:
    MISSING = f"the browser extra is not installed: {error}"

REPOSITORY = Path(__file__).parents[2]


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def playwright():
    """Start Playwright. Without it or a browser, skip the tests; in CI, end the run."""
    missing, running = MISSING, None
    if not missing:
        try:
            running = sync_playwright().start()
            expect.set_options(timeout=TIMEOUT_MS)
        except Exception as error:
            missing = f"Playwright does not start (Debian's libatomic1 may be missing): {error}"
    if missing and os.environ.get("CI"):
        pytest.exit(f"The browser tests must run in CI: {missing}", returncode=1)
    if missing:
        pytest.skip(missing)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def lab_server(playwright, tmp_path_factory):
    """Return the address of a running JupyterLab and its root folder."""
    with server(tmp_path_factory.mktemp("lab")) as running:
        write_notebook(running[1] / "gallery")
        yield running


@pytest.fixture(scope="session")
def chromium(playwright):
    browser = playwright.chromium.launch(
        executable_path=find_browser(),
        args=QUIET,
        chromium_sandbox=not AS_ROOT,
    )
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def lab_page(chromium):
    """Return the page of JupyterLab: it takes seconds to load, a notebook in it does not."""
    page = chromium.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    return page


@pytest.fixture(scope="module")
def lab(lab_server, lab_page, request):
    """Open JupyterLab at a copy of notebooks/, which the tests of a file may change.

    A learner has time to watch each round of a run in a board; a test does not wait.
    """
    url, root = lab_server
    folder = re.sub(r"\W+", "-", request.path.stem)
    shutil.copytree(REPOSITORY / "notebooks", root / folder, ignore=shutil.ignore_patterns(".*"))
    for path in (root / folder).glob("*.ipynb"):
        source = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"pause=[\d.]+", "pause=0.01", source), encoding="utf-8")
    lab_page.set_viewport_size({"width": 1280, "height": 900})
    lab = Lab(lab_page, url, folder)
    yield lab
    lab.theme("light")
    lab.close_notebooks()
    shutil.rmtree(root / folder)


@pytest.fixture(scope="module")
def gallery_of_file(lab_server, lab_page, request):
    """Fill the gallery with the test file's CELLS. All files use one notebook and one kernel."""
    lab = Gallery(lab_page, lab_server[0], "gallery")
    lab.height_px = getattr(request.module, "HEIGHT_PX", lab.height_px)
    lab.resize(lab.height_px)
    lab.fill(request.module.CELLS)
    yield lab
    lab.empty()
    lab.theme("light")


@pytest.fixture
def gallery(gallery_of_file):
    """Return the gallery, and require that its page has no problem."""
    yield gallery_of_file
    gallery_of_file.restore()
    assert gallery_of_file.problems == []


@pytest.fixture
def show(gallery):
    """Return a function that runs the cell of a name again and returns its widget."""
    return gallery.show
