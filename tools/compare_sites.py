"""Compare two built sites of the browser edition: `tools/compare_sites.py OTHER SITE [PAIRS]`.

Each is a folder that `make site` has written (build/site). They are visited in turn, PAIRS times
(6), with a new profile of Chromium each time, and the medians and their ratio are printed: below 1
if SITE has less. A visit opens the first notebook, waits 5 s, runs its first cell, waits until the
picture is drawn and 1 s more, and runs the first cell that plays, as JupyterLab runs a cell. A slow
line is one of 20 Mbit/s for all connections together, with 40 ms before each answer. Only an idle
machine gives times, so a visit waits for one.
"""

import functools
import json
import statistics
import sys
import tempfile
import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psutil
from playwright.sync_api import Playwright, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests" / "browser"))
from lab import AS_ROOT, QUIET, QuietHandler, find_browser  # noqa: E402

NOTEBOOK = "00_start_here.ipynb"
BYTES_PER_SECOND, DELAY_SECONDS = 20e6 / 8, 0.04  # of the slow line
IDLE_SECONDS, DRAWN_SECONDS, CALM_SECONDS = 5, 1, 20
VISIT = """async ([notebook, idle, drawn]) => {
  const wait = seconds => new Promise(done => setTimeout(done, 1000 * seconds));
  const until = async find => {
    for (let one; ; await wait(0.005)) if (one = find()) return one;
  };
  const found = {};
  const app = await until(() => window.jupyterapp);
  const panel = await until(() => [...app.shell.widgets('main')].find(
    one => one.context?.path === notebook && one.isVisible && one.node.querySelector('.jp-Cell')));
  found.shown = performance.now();
  await panel.sessionContext.ready;
  const kernel = await until(() => panel.sessionContext.session?.kernel);
  await kernel.info;
  await until(() => kernel.status === 'idle' && kernel._targetRegistry?.['jupyter.widget']);
  found.idle = performance.now();
  const run = async text => {
    const place = panel.content.widgets.findIndex(one => one.model.type === 'code'
      && one.model.sharedModel.getSource().includes(text));
    await panel.content.scrollToItem(place);
    panel.content.activeCellIndex = place;
    panel.content.deselectAll();
    const cell = panel.content.activeCell, begin = performance.now();
    await app.commands.execute('notebook:run-cell', {semanticWidget: panel.id});
    await until(() => cell.node.querySelector('.jp-OutputArea-output .lesson-picture'));
    return performance.now() - begin;
  };
  await wait(idle);
  found.seat = await run('Seat()');
  await wait(drawn);
  found.play = await run('play(');
  return found;
}"""
ROWS = {  # what is measured at which visit
    "20 Mbit/s: notebook shown, s": ("slow", "shown"),
    "20 Mbit/s: kernel idle, s": ("slow", "idle"),
    "20 Mbit/s: first play, without the waits, s": ("slow", "whole"),
    "notebook shown, s": ("first", "shown"),
    "kernel idle, s": ("first", "idle"),
    "the seat's cell, s": ("first", "seat"),
    "the first play's cell, s": ("first", "play"),
    "second visit: the first play's cell, s": ("second", "play"),
    "sent, MB": ("first", "sent"),
    "the browser's memory, MB (PSS)": ("first", "memory"),
}


class Handler(QuietHandler):
    """Serve files and count what is sent, if asked for at the speed of a slow line."""

    sent, free_at, lock, is_slow = 0, 0.0, threading.Lock(), False

    def do_GET(self) -> None:
        if Handler.is_slow:
            time.sleep(DELAY_SECONDS)
        super().do_GET()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        while part := source.read(16384):
            with Handler.lock:
                Handler.sent += len(part)
                begin = max(time.monotonic(), Handler.free_at)
                Handler.free_at = begin + len(part) / BYTES_PER_SECOND
            if Handler.is_slow:
                time.sleep(max(0, begin - time.monotonic()))
            outputfile.write(part)


def serve(site: Path) -> str:
    """Serve a site until the end. Return its address, which its second visit needs as well."""
    handler = functools.partial(Handler, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/lab/index.html?path={NOTEBOOK}"


def visit(playwright: Playwright, address: str, profile: str, is_slow: bool = False) -> dict:
    """Return what is measured at one visit."""
    Handler.sent, Handler.is_slow = 0, is_slow
    browser = playwright.chromium.launch_persistent_context(
        profile, executable_path=find_browser(), args=QUIET, chromium_sandbox=not AS_ROOT
    )
    end = time.monotonic() + CALM_SECONDS
    while psutil.cpu_percent(1) > 25 and time.monotonic() < end:
        pass
    browser.pages[0].goto(address, wait_until="commit")
    found = browser.pages[0].evaluate(VISIT, [NOTEBOOK, IDLE_SECONDS, DRAWN_SECONDS])
    found = {name: number / 1000 for name, number in found.items()}
    below = psutil.Process().children(recursive=True)
    processes = [one for one in below if "chrom" in one.name()]
    found["whole"] = found["idle"] + found["seat"] + found["play"]
    found["memory"] = sum(one.memory_full_info().pss for one in processes) / 1e6
    found["sent"] = Handler.sent / 1e6
    browser.close()
    return found


def main() -> None:
    sites = [Path(one) for one in sys.argv[1:3]]
    visits: dict[Path, list[dict]] = {site: [] for site in sites}
    addresses = {site: serve(site) for site in sites}
    with sync_playwright() as playwright:
        for pair in range(int((sys.argv[3:] or ["6"])[0])):
            for site in sites[:: -1 if pair % 2 else 1]:
                address, new = addresses[site], tempfile.TemporaryDirectory
                with new(ignore_cleanup_errors=True) as profile:
                    found = {"first": visit(playwright, address, profile)}
                    found["second"] = visit(playwright, address, profile)
                with new(ignore_cleanup_errors=True) as profile:
                    found["slow"] = visit(playwright, address, profile, is_slow=True)
                visits[site].append(found)
                print(site, json.dumps(found), file=sys.stderr, flush=True)
    print(f"{'':44}{'other':>10}{'this':>10}{'ratio':>8}")
    for name, (one, what) in ROWS.items():
        before, after = (statistics.median(v[one][what] for v in visits[site]) for site in sites)
        print(f"{name:44}{before:10.2f}{after:10.2f}{after / before:8.2f}")


if __name__ == "__main__":
    main()
