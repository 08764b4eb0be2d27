"""Fixtures: one JupyterLab and one page for the files of this folder, which is a package for that.

Not for the session: while Playwright runs, no other test in this process can run an event loop.
"""

import os
import re
import shutil

import pytest

from lesson.program.copy_lesson import copy_lesson

try:
    from lab import AS_ROOT, QUIET, TIMEOUT_MS, Lab, find_browser, server, watch
    from playwright.sync_api import expect, sync_playwright

    MISSING = None if find_browser() else "no Chromium or Chrome on this machine"
except ImportError as error:
    MISSING = f"the test extra is not installed: {error}"


@pytest.fixture(scope="package")
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


@pytest.fixture(scope="package")
def lab_server(playwright, tmp_path_factory):
    """Return the address of a running JupyterLab and its root folder."""
    with server(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="package")
def chromium(playwright):
    browser = playwright.chromium.launch(
        executable_path=find_browser(),
        args=QUIET,
        chromium_sandbox=not AS_ROOT,
    )
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def firefox(playwright):
    """Return Debian's own Firefox, which Playwright drives by WebDriver BiDi, or skip the test.

    "unknown command: network.addDataCollector" is of ESR 140: install the newest `firefox-esr`.
    """
    path = shutil.which("firefox-esr")
    if not path:
        pytest.skip("no firefox-esr on this machine, which Debian has")
    browser = playwright.firefox.launch(channel="moz-firefox", executable_path=path)
    yield browser
    browser.close()


@pytest.fixture(scope="package")
def lab_page(chromium, lab_server):
    """Return the page of JupyterLab: it takes seconds to load, a notebook in it does not."""
    page = chromium.new_page()
    page.set_default_timeout(TIMEOUT_MS)
    watch(page, (lab_server[0], "data:", "blob:", "ws:"))
    return page


@pytest.fixture(scope="module")
def lab(lab_server, lab_page, request):
    """Open JupyterLab at a learner's folder, which the tests of a file may change."""
    url, root = lab_server
    folder = re.sub(r"\W+", "-", request.path.stem)
    copy_lesson(root / folder)
    lab_page.set_viewport_size({"width": 1280, "height": 900})
    lab = Lab(lab_page, url, root / folder, folder)
    yield lab
    lab.theme("light")
    lab.close_notebooks()


@pytest.fixture
def notebook(lab, request):
    """Return a function that opens a new notebook with these cells, and closes it after the test.

    The page must have had no problem, and at the end no widget may be missing.
    """

    def open_notebook(*cells):
        lab.open_new(re.sub(r"\W+", "-", request.node.name), *cells)
        return lab

    lab.problems.clear()
    lab.page.set_viewport_size({"width": 1280, "height": 800})
    yield open_notebook
    blank = lab.blank_widgets()
    lab.close_notebooks()
    assert (lab.problems, blank) == ([], [])
