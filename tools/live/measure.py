"""Measure the start of the lesson in a browser: the page, Python, and the first widget.

    python tools/live/measure.py

It opens s03 in a new Chromium, without cache and network, from a local file server, and runs all
cells. It prints each time, and the CPU time of Chromium up to it.
"""

import functools
import http.server
import os
import sys
import threading
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "browser"))

from lab import AS_ROOT, QUIET, find_browser  # noqa: E402  # it needs the path above

NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
NOTEBOOK = "s03_todo_write.ipynb"
# JavaScript expressions that become true when a stage is reached.
STAGES = {
    "the notebook": "document.querySelector('.jp-Notebook .jp-CodeCell')",
    "Python": "document.querySelector('#agentlib-progress')?.textContent.startsWith('Ready')",
    "the first widget": "document.querySelector('.jp-OutputArea-output [class^=al-]')",
}
RUN_ALL = """async () => {
    const panel = window.jupyterapp.shell.currentWidget;
    await panel.sessionContext.ready;
    await panel.sessionContext.session.kernel.info;
    void window.jupyterapp.commands.execute('notebook:run-all-cells');
}"""


class FileServer(http.server.SimpleHTTPRequestHandler):
    """A file server that counts the bytes that it sends."""

    sent_bytes = 0

    def copyfile(self, source, outputfile):
        FileServer.sent_bytes += os.fstat(source.fileno()).st_size
        super().copyfile(source, outputfile)

    def log_message(self, *_):
        pass


def cpu_seconds() -> float:
    """Return the CPU time of all running descendants of this process, in seconds."""
    stats = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        stats[int(folder.name)] = int(fields[1]), int(fields[11]) + int(fields[12])
    descendants = {os.getpid()}
    for _ in range(10):  # generations
        descendants |= {pid for pid, (parent, _) in stats.items() if parent in descendants}
    clock_ticks = sum(stats[pid][1] for pid in descendants - {os.getpid()})
    return clock_ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    serve = functools.partial(FileServer, directory=ROOT / "build" / "site")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=[*QUIET, NO_NETWORK], chromium_sandbox=not AS_ROOT
        )
        page = browser.new_page()
        print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        begun, cpu = time.monotonic(), cpu_seconds()
        address = f"http://127.0.0.1:{server.server_port}/live/lab/index.html?path={NOTEBOOK}"
        page.goto(address, wait_until="commit")
        for stage, is_there in STAGES.items():
            # By default Playwright polls with every frame, which makes the page draw each frame.
            page.wait_for_function(is_there, timeout=600_000, polling=100)
            passed, used = time.monotonic() - begun, cpu_seconds() - cpu
            print(f"{stage}: {passed:.1f} s (CPU {used:.1f} s)")
            if stage == "Python":
                page.evaluate(RUN_ALL)
        print(f"sent: {FileServer.sent_bytes / 1e6:.1f} MB")
        browser.close()


if __name__ == "__main__":
    main()
