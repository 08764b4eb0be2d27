"""One JupyterLab and one page at it for the whole session; a folder of its own for each file."""

import contextlib
import os
import re
import shutil
from pathlib import Path

import pytest

try:
    from lab import AS_ROOT, QUIET, Lab, find_browser, server
    from playwright.sync_api import sync_playwright

    MISSING = None if find_browser() else "no Chromium or Chrome on this machine"
except ImportError as error:
    MISSING = f"the browser extra is not installed: {error}"

REPOSITORY = Path(__file__).parents[2]
PATIENCE_MS = 120_000  # an upper bound: what is waited for takes a second where all is well


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def installed():
    """Skips the test where there is no browser; in CI there must be one."""
    if MISSING and os.environ.get("CI"):
        pytest.fail(f"The browser tests must run in CI: {MISSING}.")
    if MISSING:
        pytest.skip(MISSING)


@pytest.fixture(scope="session")
def lab_server(installed, tmp_path_factory):
    """The address of a running JupyterLab and its root folder."""
    with server(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="session")
def chromium(installed):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=QUIET, chromium_sandbox=not AS_ROOT
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab_page(chromium):
    """The page at JupyterLab: it takes seconds to load, and a notebook in it does not."""
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE_MS)
    return page


@pytest.fixture(scope="session")
def pictures():
    """The folder for screenshots: build/screenshots, which git does not see."""
    folder = REPOSITORY / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def new_lab(lab_server, lab_page, pictures):
    """A context with the page at JupyterLab beside a copy of notebooks/, which may be spoiled."""
    url, root = lab_server

    @contextlib.contextmanager
    def make(name):
        folder = re.sub(r"\W+", "-", name)
        shutil.copytree(
            REPOSITORY / "notebooks", root / folder, ignore=shutil.ignore_patterns(".*")
        )
        lab_page.set_viewport_size({"width": 1280, "height": 900})
        lab = Lab(lab_page, url, folder, pictures)
        yield lab
        lab.close()
        shutil.rmtree(root / folder)

    return make


@pytest.fixture(scope="module")
def lab(new_lab, request):
    """The page and a folder for the tests of a file."""
    with new_lab(request.node.name) as lab:
        yield lab
