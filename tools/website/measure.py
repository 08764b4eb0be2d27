"""Measure the site in Chromium, from a plain file server: sizes, first picture, redrawing.

PYTHONPATH=tools:tests/browser python -m website.measure [PAGE ...]
"""

import gzip
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from statistics import median

from lab import AS_ROOT, QUIET, find_browser
from playwright.sync_api import Page, sync_playwright

from website.__main__ import SITE

PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
# Milliseconds from a key on the strips to the next frame that shows what came of it.
REDRAW = """async () => {
    const strips = document.querySelector('.al-runs-rows[role=slider]');
    const times = [];
    for (let n = 0; n < 30 && strips; n += 1) {
        const key = n % 10 < 5 ? 'ArrowDown' : 'ArrowUp';
        const start = performance.now();
        strips.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
        await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
        times.push(performance.now() - start);
    }
    return times;
}"""


def main() -> None:
    """Print a line for each page."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=QUIET, chromium_sandbox=not AS_ROOT
        )
        for name in sys.argv[1:] or ["index.html", "s03_todo_write.html", "s03_walkthrough.html"]:
            with browser.new_context() as context:
                measure(context.new_page(), f"http://127.0.0.1:{server.server_port}/", name)
        browser.close()


def measure(tab: Page, address: str, name: str) -> None:
    """Open the page and print what it loads and how long things take."""
    loaded: list = []
    tab.on("response", lambda answer: loaded.append(answer))
    tab.goto(address + name, wait_until="networkidle")
    size = sum(len(gzip.compress(answer.body())) for answer in loaded if answer.ok)
    drawn = tab.evaluate("performance.getEntriesByType('mark').at(-1)?.startTime ?? 0")
    times = tab.evaluate(REDRAW)
    redraw = f", redrawn in {median(times):.0f} ms (at most {max(times):.0f})" if times else ""
    painted = tab.evaluate(PAINTED)
    print(
        f"{name}: {size / 1000:.0f} kB gzipped in {len(loaded)} requests, first picture after "
        f"{painted:.0f} ms, all widgets drawn after {drawn:.0f} ms{redraw}"
    )


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server without its log."""

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    main()
