#!/usr/bin/env bash
# mcp-server-fetch 2026.10.24 and smolagents 1.26.0, both with markdownify 1.2.3, and markitdown
# 0.1.9. Seen on 1 December 2026.
# A good guess: an agent that reads a page with a list of tasks can tell which of them are done.
# A page with a list of tasks, such as an issue on GitHub, has a checkbox before each of them. Tools
# with which agents read pages turn a page into Markdown with markdownify, which drops checkboxes: the
# model reads the tasks, and not which of them are done. A page with all tasks open, and one with all
# done, are the same text to it. markitdown, which is built on markdownify as well, writes [ ] and [x].
# Seen, whether two pages that differ in their ticks are the same text: in the conversion of the fetch
# server yes, in VisitWebpageTool yes, in markitdown no
# Took 194 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "mcp-server-fetch==2026.10.24" \
    "smolagents==1.26.0" "markdownify==1.2.3" "markitdown==0.1.9" requests
cd "$folder"
# Without a path, no Node.js is found, which the fetch server would use for the page's main part.
PATH= bin/python - 2> errors <<'PYTHON' || { cat errors >&2; exit 1; }
import io
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from markitdown import MarkItDown
from mcp_server_fetch.server import extract_content_from_html
from smolagents import VisitWebpageTool

STEPS = ["Read the report", "Count the files", "Write the summary"]


def page(tick):
    """Return the page of a list as GitHub writes it, with all or none of its tasks done."""
    box = f'<input type="checkbox" disabled {tick}>'
    items = "".join(f'<li class="task-list-item">{box} {step}</li>' for step in STEPS)
    text = f"<h1>Plan</h1><p>What is left.</p><ul>{items}</ul>"
    return f"<html><head><title>Plan</title></head><body><main>{text}</main></body></html>"


class Server(BaseHTTPRequestHandler):
    """Serve the list with all tasks open at /, and with all tasks done at /checked."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(page(self.path[1:]).encode())

    def log_message(self, *_):
        pass


def marked(html):
    """Return what markitdown makes of a page."""
    return MarkItDown().convert_stream(io.BytesIO(html.encode()), file_extension=".html").markdown


server = HTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
visit, url = VisitWebpageTool(), f"http://127.0.0.1:{server.server_port}/"
texts = {
    "fetch": [extract_content_from_html(page(tick)) for tick in ("", "checked")],
    "VisitWebpageTool": [visit(url + tick) for tick in ("", "checked")],
    "markitdown": [marked(page(tick)) for tick in ("", "checked")],
}
if not all(step in text for pair in texts.values() for text in pair for step in STEPS):
    sys.exit(f"CHANGED: a step is missing: {texts}")
seen = {name: still == done for name, (still, done) in texts.items()}
expected = {"fetch": True, "VisitWebpageTool": True, "markitdown": False}
if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
