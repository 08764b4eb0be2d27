"""A server on a loopback socket that sends the bytes that a test specifies."""

import json
import socketserver
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler

import anthropic._base_client
from support.blocks import reply, text

from lesson import connect

anthropic._base_client.INITIAL_RETRY_DELAY = 0.01  # seconds, so that retries are fast
KEY = "a-key-that-nobody-may-ever-read"
PROMPT = [{"role": "user", "content": "Go"}]
SILENCE = "silence"  # in an answer: send nothing until the client closes the connection


def http(status, body, *headers, connection="close"):
    """Return the bytes of an HTTP response. `body` is bytes, a string, or data for JSON."""
    if not isinstance(body, (bytes, str)):
        body, headers = json.dumps(body), ("content-type: application/json", *headers)
    body = body.encode() if isinstance(body, str) else body
    headers = (f"content-length: {len(body)}", f"connection: {connection}", *headers)
    return "\r\n".join([f"HTTP/1.1 {status} X", *headers, "", ""]).encode() + body


def message(*content, **more):
    """Return an HTTP response with a reply; `more` is that of `reply`."""
    return http(200, reply(*content, **more))


def error(status, words, kind="some_error", *headers):
    """Return an HTTP response with an error of the API."""
    return http(status, {"type": "error", "error": {"type": kind, "message": words}}, *headers)


NO_PAGE = error(404, "no such page")


class Handler(BaseHTTPRequestHandler):
    """Answer one request with the bytes that the test specifies."""

    server: "Server"
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.heads.append(f"{self.requestline}\n{self.headers}")
        self.send(self.server.models)

    def do_POST(self):
        if self.path.endswith("/count_tokens"):  # the free question of `connect`
            self.rfile.read(int(self.headers["content-length"]))
            return self.send(self.server.counts.pop(0) if self.server.counts else NO_PAGE)
        self.server.heads.append(f"{self.requestline}\n{self.headers}")
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.requests.append(json.loads(body))
        self.send(self.server.answer(self.server.requests[-1]))

    def send(self, answer):
        is_kept = isinstance(answer, bytes) and b"connection: keep-alive" in answer
        self.close_connection = not is_kept
        for part in [answer] if isinstance(answer, bytes) else answer:
            if part == SILENCE:
                with suppress(OSError):
                    self.rfile.read(1)  # until the client closes the connection
                self.server.was_left.set()
            elif isinstance(part, bytes):
                self.wfile.write(part)
            else:
                time.sleep(part)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingTCPServer):
    """A server that answers each message request with the next of `answers`, then with `Done.`

    An answer is bytes, or a list of bytes to send, seconds to wait, and SILENCE. `models` is the
    answer to a request for a model's name, and `counts` are those to requests for a count of
    tokens. `requests` are the bodies received, `heads` all request heads. `was_left` is set if a
    client closes the connection during a SILENCE.
    """

    daemon_threads = True

    def __init__(self, *answers, models=None, counts=()):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.models, self.counts = models or NO_PAGE, [*counts]
        self.requests, self.heads = [], []
        self.was_left = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def answer(self, request):
        """Return the answer to this request."""
        return self.answers.pop(0) if self.answers else message(text("Done."))

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=[0.02], daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


def reach(server, name="some-model", **options):
    """Connect to a Server. Return the connection and the lines it printed."""
    lines = []
    env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
    model = connect(name, env=env, say=lines.append, **options)
    return model, lines


def send(model):
    """Send one request to a connection's model, and return the reply."""
    return model.client.messages.create(messages=list(PROMPT), **model.settings)
