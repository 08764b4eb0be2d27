"""A real JupyterLab in a real Chromium, and what a test does in it."""

import contextlib
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import ConsoleMessage, Locator, Page, Request, TimeoutError, expect

from lesson.program.open_lab import find_environment

REPOSITORY = Path(__file__).parents[2]
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
TIMEOUT_MS = 120_000  # an upper bound: most waits end within a second
PATIENCE_SECONDS = 300  # for a notebook and its kernel, on a busy machine also in the browser
DISCONNECTED = re.compile("jupyter-widgets-disconnected")
SHOWN = ".jp-NotebookPanel:not(.lm-mod-hidden)"  # not a notebook in another tab
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
# Without these, Chromium sends requests to its maker's hosts. With the last one, it finds no host.
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]

AXE = """async element => {
    const rules = {'target-size': {enabled: true}};
    const {violations} = await axe.run(element, {resultTypes: ['violations'], rules});
    return violations.flatMap(({id, impact, help, nodes}) => nodes.map(
        node => `${id} (${impact}): ${help}: ${node.html}`)); }"""


def find_violations(tab: Page, element: Locator) -> list[str]:
    """Return what axe-core finds in an element, also of the size of targets, and "null" tips."""
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
    tips = element.locator("[title=null]:visible").all()
    return element.evaluate(AXE) + [tip.evaluate("it => it.outerHTML") for tip in tips]


def find_browser() -> str | None:
    """Return the path of the machine's Chromium or Chrome, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def watch(tab, allowed) -> None:
    """Record console errors and requests to other addresses in `tab.problems`."""
    tab.problems = []

    def record_message(message: ConsoleMessage) -> None:
        # JupyterLab says so of a kernel that is shut down soon after it was started.
        is_closing = message.text.startswith("Could not restore the debugger state")
        # And a socket that was about to connect is closed, or told that its kernel is gone.
        is_of_kernel = "/api/kernels/" in f"{message.text} {message.location['url']}"
        is_closing |= is_of_kernel and "404" in message.text
        is_closing |= is_of_kernel and "closed before the connection" in message.text
        # The lesson's extension draws this output again (keep_widgets.js): a gap fails a test.
        is_early = "widget model not found" in message.text
        if message.type == "error" and not is_closing and not is_early:
            tab.problems.append(f"console: {message.text} ({message.location['url']})")

    def record_request(request: Request) -> None:
        if not request.url.startswith(allowed):
            tab.problems.append(f"asked another host: {request.url}")

    def record_error(error: Exception) -> None:
        # The same: a notebook is closed before its kernel has answered all that JupyterLab asks.
        if "Canceled future for" not in str(error):
            tab.problems.append(f"uncaught: {error}")

    tab.on("pageerror", record_error)
    tab.on("console", record_message)
    tab.on("request", record_request)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serve files without a log."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def file_server(folder: Path):
    """Serve the files of a folder, and yield the address."""
    serve = functools.partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextlib.contextmanager
def server(folder: Path):
    """Run JupyterLab like `make lab`; yield its address and the folder that it serves.

    `folder` must be empty: the server writes everything below it. HOME and all of Jupyter's
    folders are new, so that no setting and no API key of the developer has an effect.
    """
    personal = ("JUPYTER", "IPYTHON", "XDG_", "ANTHROPIC_", "MODEL_ID")
    env = {name: value for name, value in os.environ.items() if not name.startswith(personal)}
    for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        env[name] = str(folder / name.lower())
        os.mkdir(env[name])
    root = folder / "root"
    root.mkdir()
    env |= find_environment(str(root))
    command = [sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser"]
    command += [
        f"--ServerApp.root_dir={root}",
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.port=0",
        "--IdentityProvider.token=",
    ]
    command += ["--LabApp.expose_app_in_browser=True"]
    log = folder / "server.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            command, env=env, cwd=REPOSITORY, stdin=subprocess.DEVNULL,
            stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    try:
        yield _address(process, Path(env["JUPYTER_RUNTIME_DIR"]), log), root
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _address(process, runtime: Path, log: Path) -> str:
    end = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < end:
        for file in runtime.glob("jpserver-*.json"):
            with contextlib.suppress(ValueError):  # the server has not finished writing it
                return f"http://127.0.0.1:{json.loads(file.read_text())['port']}"
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start. Its log:\n{log.read_text()}")


def read_states(path: Path) -> dict[str, dict]:
    """Return the widgets that are saved in a notebook, by their ids."""
    widgets = nbformat.read(path, as_version=4).metadata.get("widgets", {})
    return widgets.get("application/vnd.jupyter.widget-state+json", {}).get("state", {})


def check_has_no_kernel(widget: Locator) -> None:
    """Check that a widget says in a line above its picture that its kernel has ended, and is still.

    That line is only in the style sheet, so a saved widget has it on another day as well.
    """
    expect(widget).to_have_class(DISCONNECTED)
    line = widget.evaluate("it => getComputedStyle(it, '::before').content")
    assert "The kernel of this picture has ended" in line
    for handle in widget.locator(".noUi-handle").all():
        assert handle.evaluate("it => { it.focus(); return document.activeElement != it; }")
    expect(widget.get_by_role("button")).to_have_count(0)
    expect(widget.locator("textarea:not([readonly]), [type=checkbox]:enabled")).to_have_count(0)


class Lab:
    """A browser page at a JupyterLab, and a folder below the server's root.

    Several Labs can use one page, one after the other: loading JupyterLab is slow.
    """

    path: Path  # of the notebook to which this has turned
    shown = ""  # the same, below the server's root

    def __init__(self, page: Page, url: str, root: Path, folder: str):
        self.page, self.url, self.root, self.folder = page, url, root, folder
        self.problems = page.problems  # see `watch`
        self.problems.clear()

    def script(self, body: str, argument=None):
        """Run the body of an async JavaScript function in the page and return what it returns.

        The function can use `app` (JupyterLab), `panel` (the notebook to which this Lab has turned)
        and `argument`. Raises an error after PATIENCE_SECONDS: Playwright alone has no timeout.
        """
        return self.page.evaluate(
            """([body, argument, path, ms]) => {
                const run = Object.getPrototypeOf(async () => {}).constructor;
                const app = window.jupyterapp;
                const panel = [...app?.shell.widgets('main') ?? []].find(
                    widget => widget.context?.path === path);
                if (panel && app.shell.currentWidget !== panel) app.shell.activateById(panel.id);
                const late = new Promise((_, no) => setTimeout(
                    () => no(new Error(`not done after ${ms} ms: ${body}`)), ms));
                return Promise.race([late, new run('app', 'panel', 'argument', body)(
                    app, panel, argument)]);
            }""",
            [body, argument, self.shown, PATIENCE_SECONDS * 1000],
        )

    def open(self, notebook: str) -> None:
        """Open `notebook` (a path below the folder) and wait until its kernel answers.

        If the page shows JupyterLab already, open it in a new tab there.
        """
        path = f"{self.folder}/{notebook}".lstrip("/")
        if not self.page.evaluate("'jupyterapp' in window"):
            self.page.goto(self.address)
            self.page.wait_for_function("'jupyterapp' in window", timeout=PATIENCE_SECONDS * 1000)
        self.script(
            """await app.restored;
               await app.commands.execute('docmanager:open', {path: argument});""",
            path,
        )
        self.shown, self.path = path, self.root / notebook
        # Cells that are run before the kernel has answered never end. A widget that is shown before
        # JupyterLab's widget manager listens to the kernel stays blank, which a busy machine meets.
        self.script(
            """await panel.context.ready;
               await panel.sessionContext.ready;
               const {kernel} = panel.sessionContext.session;
               await kernel.info;
               for (let i = 0; i < 300 && !kernel._targetRegistry?.['jupyter.widget']; i++)
                   await new Promise(done => setTimeout(done, 100));"""
        )

    def open_new(self, name: str, *sources: str) -> None:
        """Write a notebook with these code cells, and open it."""
        path = self.root / f"{name}.ipynb"
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        cells = [new_code_cell(source) for source in sources]
        nbformat.write(new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
        self.open(path.name)

    @property
    def address(self) -> str:
        """Return the URL that opens JupyterLab in a new page, without a notebook.

        With one in the address, JupyterLab would open that later than the next one, if the machine
        is busy, and a test would go on in the wrong tab.
        """
        return f"{self.url}/lab/workspaces/{self.folder}?reset"

    def save(self) -> None:
        """Save the notebook."""
        self.script("await panel.context.save();")

    def reopen(self) -> None:
        """End the kernels, and open the notebook in a new page with a new kernel."""
        self.close_notebooks()
        self.page.goto("about:blank")
        self.open(self.path.name)

    def show(self, place: int, part: str = ".lesson-picture") -> Locator:
        """Scroll to the cell at `place`, and return its picture, or another part of it."""
        self.script("await panel.content.scrollToItem(argument, 'start');", place)
        cell = self.page.locator(f"{SHOWN} .jp-Cell[data-windowed-list-index='{place}']")
        shown = cell.locator(part).first
        shown.wait_for()
        cell.evaluate("it => it.scrollIntoView()")
        return shown

    def run_cell(self, place: int) -> None:
        """Run the cell at `place` (from 0), wait until it has ended, and raise its error."""
        self.script(
            """panel.content.activeCellIndex = argument;
               panel.content.deselectAll();
               const cell = panel.content.activeCell;
               const us = {semanticWidget: panel.id};
               const hasRun = await app.commands.execute('notebook:run-cell', us);
               const outputs = cell.model.outputs.toJSON();
               const error = outputs.find(output => output.output_type === 'error');
               if (error) throw new Error(`${error.ename}: ${error.evalue}`);
               if (!hasRun) throw new Error('JupyterLab has not run the cell to its end');""",
            place,
        )

    def notebook(self) -> dict:
        """Return the notebook with its unsaved changes."""
        return self.script("return panel.content.model.toJSON();")

    def blank_widgets(self) -> list[str]:
        """Wait until the widgets are drawn and return the placeholders that are left."""
        placeholders = self.page.get_by_text(
            re.compile("^(Loading widget|Error displaying widget)")
        )
        # Not innerText, which leaves out the cells that are far from the window.
        with contextlib.suppress(TimeoutError):
            self.page.wait_for_function(
                """() => !window.jupyterapp.shell.currentWidget.node.textContent.includes(
                       'Loading widget')""",
                timeout=PATIENCE_SECONDS * 1000,
            )
        return placeholders.all_text_contents()

    def theme(self, name: str) -> None:
        """Switch to the theme `name`: "light", "dark" or "dark high contrast"."""
        theme = f"JupyterLab {name.title()}"
        self.script("await app.commands.execute('apputils:change-theme', argument);",
                    {"theme": theme})  # fmt: skip
        self.page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=theme)
        # A second switch before the splash of the first is gone would remove it twice.
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def close_notebooks(self) -> None:
        """Close the notebooks of this folder and stop their kernels."""
        self.script(
            """for (const panel of [...app.shell.widgets('main')]) panel.dispose();
               await app.commands.execute('filebrowser:open-path', {path: '/'});
               const sessions = app.serviceManager.sessions;
               await sessions.refreshRunning();
               const opened = [...sessions.running()].filter(
                   session => session.path.startsWith(argument));
               await Promise.all(opened.map(session => sessions.shutdown(session.id)));""",
            f"{self.folder}/",
        )
