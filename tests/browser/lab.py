"""A real JupyterLab in a real Chromium, with the few handles that a test needs."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.resources import files
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Locator, Page, Request, TimeoutError

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
# Chromium looks things up at its maker's hosts all day; a test has no use for that.
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]
# How axe-core is told to look at colours only.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
# Console errors that JupyterLab itself causes: a pattern, and why it is not ours.
KNOWN_NOISE = {}


def find_browser() -> str | None:
    """Return the path of the machine's Chromium or Chrome, or None where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextlib.contextmanager
def server(folder: Path):
    """Run JupyterLab as on a newcomer's machine; give its address and the folder it serves.

    `folder` is empty and takes everything that the server writes. Its HOME and all of Jupyter's
    folders are fresh, so that no setting of the person who tests comes in, and no key either.
    """
    personal = ("JUPYTER", "IPYTHON", "XDG_", "ANTHROPIC_", "MODEL_ID")
    env = {name: value for name, value in os.environ.items() if not name.startswith(personal)}
    for name in ("HOME", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        env[name] = str(folder / name.lower())
        os.mkdir(env[name])
    root = folder / "root"
    root.mkdir()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ServerApp.ip=127.0.0.1"]
    command += ["--ServerApp.port=0", "--IdentityProvider.token=", f"--ServerApp.root_dir={root}"]
    command += ["--LabApp.expose_app_in_browser=True"] + ["--allow-root"] * AS_ROOT
    log = folder / "server.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            command, env=env, cwd=root, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True,
        )  # fmt: skip
    try:
        yield _address(process, Path(env["JUPYTER_RUNTIME_DIR"]), log), root
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _address(process, runtime: Path, log: Path, seconds: int = 180) -> str:
    end = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        for file in runtime.glob("jpserver-*.json"):
            with contextlib.suppress(ValueError):  # it is just being written
                return f"http://127.0.0.1:{json.loads(file.read_text())['port']}"
        time.sleep(0.1)
    raise RuntimeError(f"JupyterLab did not start in {seconds} s. It said:\n{log.read_text()}")


class Lab:
    """A browser page at a JupyterLab, and a folder below the server's root.

    The next Lab may have the same page: to load JupyterLab is dear.
    """

    patience_seconds = 180  # for a notebook and its kernel

    def __init__(self, page: Page, url: str, folder: str, pictures: Path):
        self.page, self.url, self.folder, self.pictures = page, url, folder, pictures
        self.problems: list[str] = []  # what a person with the console open would have seen
        self.listeners = {
            "console": self._on_console,
            "pageerror": self._on_error,
            "request": self._on_request,
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)

    def _on_error(self, error: Exception) -> None:
        self.problems.append(f"uncaught: {error}")

    def _on_console(self, message: ConsoleMessage) -> None:
        text = f"{message.text} ({message.location.get('url', '')})"
        if message.type == "error" and not any(re.search(p, text) for p in KNOWN_NOISE):
            self.problems.append(f"console: {text}")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self.url, "data:", "blob:", "ws:")):
            self.problems.append(f"asked another host: {request.url}")

    def script(self, body: str, argument=None, seconds: float = 120):
        """Run the body of an async JavaScript function in the page and return what it returns.

        It sees `app` (JupyterLab), `panel` (the notebook in front) and `argument`. Playwright
        would wait for ever; this raises after `seconds`.
        """
        return self.page.evaluate(
            """([body, argument, ms]) => {
                const run = Object.getPrototypeOf(async () => {}).constructor;
                const app = window.jupyterapp;
                const late = new Promise((_, no) => setTimeout(
                    () => no(new Error(`not done after ${ms} ms: ${body}`)), ms));
                return Promise.race([late, new run('app', 'panel', 'argument', body)(
                    app, app?.shell.currentWidget, argument)]);
            }""",
            [body, argument, seconds * 1000],
        )

    def open(self, notebook: str) -> None:
        """Open `notebook` (a path below the folder) and wait until its kernel answers."""
        self.turn_to(notebook)
        # Cells that are run before the kernel has answered wait for ever.
        self.script(
            """await panel.sessionContext.ready;
               await panel.sessionContext.session.kernel.info;""",
            seconds=self.patience_seconds,
        )

    def turn_to(self, notebook: str) -> None:
        """Open `notebook`, and wait until it is there, with or without a kernel.

        In a page that shows JupyterLab already, it opens beside what is open there.
        """
        path = f"{self.folder}/{notebook}".lstrip("/")
        if not self.page.evaluate("'jupyterapp' in window"):
            self.page.goto(self.address(path))
            self.page.wait_for_function(
                "'jupyterapp' in window", timeout=self.patience_seconds * 1000
            )
        # What was open before may be restored after what the address names, and then be in front.
        self.script(
            """await app.restored;
               await app.commands.execute('docmanager:open', {path: argument});""",
            path,
            seconds=self.patience_seconds,
        )
        self.page.wait_for_function(
            "path => window.jupyterapp?.shell.currentWidget?.context?.path === path",
            arg=path,
            timeout=self.patience_seconds * 1000,
        )
        self.script("await panel.context.ready;", seconds=self.patience_seconds)

    def address(self, path: str) -> str:
        """Where JupyterLab opens this notebook in a new page."""
        return f"{self.url}/lab/workspaces/{self.folder}/tree/{path}?reset"

    def run_all(self, seconds: float = 300) -> None:
        """Clear all outputs, Run All as from the menu, and wait until nothing runs any more."""
        # The command returns early when a cell fails that is allowed to, so look at the cells.
        self.script(
            """await app.commands.execute('notebook:clear-all-cell-outputs');
               await app.commands.execute('notebook:run-all-cells');
               const busy = () => panel.sessionContext.session.kernel.status !== 'idle'
                   || panel.content.widgets.some(cell => cell.model.executionState === 'running');
               for (let quiet = 0; quiet < 3; quiet = busy() ? 0 : quiet + 1)
                   await new Promise(done => setTimeout(done, 50));""",
            seconds=seconds,
        )

    def notebook(self) -> dict:
        """Return the notebook as JupyterLab holds it now: what it would save."""
        return self.script("return panel.content.model.toJSON();")

    def errors(self) -> list[str]:
        """Return one line for each cell that was not run, or failed without saying it would."""
        lines = []
        for number, cell in enumerate(self.notebook()["cells"]):
            if cell["cell_type"] != "code":
                continue
            if cell["source"] and not cell["execution_count"]:
                lines.append(f"cell {number} was not run")
            if "raises-exception" not in cell["metadata"].get("tags", []):
                failed = [o for o in cell["outputs"] if o["output_type"] == "error"]
                lines += [f"cell {number}: {o['ename']}: {o['evalue']}" for o in failed]
        return lines

    def blank_widgets(self, seconds: float = 180) -> list[str]:
        """Return what stands where a widget should be, once every widget has been drawn."""
        stand_ins = self.page.get_by_text(re.compile("^(Loading widget|Error displaying widget)"))
        with contextlib.suppress(TimeoutError):
            self.page.wait_for_function(
                "() => !document.body.innerText.includes('Loading widget')", timeout=seconds * 1000
            )
        return stand_ins.all_text_contents()

    def theme(self, name: str) -> None:
        """Switch to the theme `name`: "light", "dark" or "dark high contrast"."""
        theme = f"JupyterLab {name.title()}"
        self.script("await app.commands.execute('apputils:change-theme', argument);",
                    {"theme": theme})  # fmt: skip
        self.page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=theme)
        # A second switch, while the first one's splash still fades, would remove that twice.
        self.page.locator("#jupyterlab-splash").wait_for(state="detached")

    def text_size(self, percent: int) -> None:
        """Make the content's text larger, as JupyterLab's "Increase Content Font Size" does."""
        self.page.evaluate(
            """percent => document.documentElement.style.setProperty(
                   '--jp-content-font-size1', `${14 * percent / 100}px`)""",
            percent,
        )

    def picture(self, name: str, selector: str | Locator | None = None) -> Path:
        """Keep a picture of the page, or of the element at `selector`, as `name`.png."""
        path = self.pictures / f"{name}.png"
        if isinstance(selector, str):
            selector = self.page.locator(selector).first
        shown = selector or self.page
        shown.screenshot(path=path, animations="disabled")
        return path

    def axe(self, selector: str, colours_only: bool = False) -> list[str]:
        """Return what axe-core finds wrong below `selector`: rule, impact, reason, element.

        `colours_only` asks only for what a theme can change.

        The element must be in view. JupyterLab's body has no height of its own, so that axe takes
        all of the page for hidden, and judges no colour; it gets one. Where no contrast was judged
        after all, that is a finding, too.
        """
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text())
            self.page.add_style_tag(content="html, body { height: 100% !important; }")
        found = self.script(
            """const [selector, rules] = argument;
               document.querySelector(selector).scrollIntoView();
               const settings = {resultTypes: ['violations', 'passes'], ...rules};
               return await axe.run(selector, settings);""",
            [selector, COLOURS if colours_only else {}],
        )
        problems = [
            f"{rule['id']} ({rule['impact']}): {rule['help']}: {node['html']}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]
        judged = {rule["id"] for rule in (*found["passes"], *found["violations"])}
        return problems if "color-contrast" in judged else [*problems, "no contrast was judged"]

    def press(self, *keys: str) -> None:
        """Press the keys one after the other, as in Playwright: "Tab", "Shift+Tab", "ArrowUp"."""
        for key in keys:
            self.page.keyboard.press(key)

    def focused(self) -> str:
        """Return what has the focus: the element's tag and its name, as in "button: Next"."""
        return self.page.evaluate(
            """() => {
                const it = document.activeElement;
                const name = it.ariaLabel || it.labels?.[0]?.innerText || it.title || it.innerText;
                return `${it.localName}: ${(name || '').trim().slice(0, 80)}`;
            }"""
        )

    def close(self) -> None:
        """Close the notebooks of this folder, stop their kernels, and leave all as it was found."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        if self.page.evaluate("'jupyterapp' in window"):
            self.theme("light")
            self.script(
                """for (const panel of [...app.shell.widgets('main')]) panel.dispose();
                   await app.commands.execute('filebrowser:open-path', {path: '/'});
                   const sessions = app.serviceManager.sessions;
                   await sessions.refreshRunning();
                   const ours = [...sessions.running()].filter(
                       session => session.path.startsWith(argument));
                   await Promise.all(ours.map(session => sessions.shutdown(session.id)));""",
                f"{self.folder}/",
            )
