"""A server on a loopback socket that sends the bytes that a test specifies."""

import json
import socket
import struct
import threading
import time
from contextlib import suppress

import anthropic._base_client
from support.blocks import reply, text

from lesson import connect

anthropic._base_client.INITIAL_RETRY_DELAY = 0.01  # seconds, so that retries are fast
KEY = "a-key-that-nobody-may-ever-read"
CUT = "cut"  # in an answer: reset the connection
PROMPT = [{"role": "user", "content": "Go"}]
SILENCE = "silence"  # in an answer: send nothing until the client closes the connection


def http(status, body, *headers, length=None):
    """Return the bytes of an HTTP response. `body` is bytes, a string, or data for JSON."""
    if not isinstance(body, (bytes, str)):
        body, headers = json.dumps(body), ("content-type: application/json", *headers)
    body = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status} X", f"content-length: {length or len(body)}", "connection: close"]
    return "\r\n".join([*lines, *headers, "", ""]).encode() + body


def message(*content, **more):
    """Return an HTTP response with a reply; `more` is that of `reply`."""
    return http(200, reply(*content, **more))


def error(status, words, kind="some_error", *headers):
    """Return an HTTP response with an error of the API."""
    return http(status, {"type": "error", "error": {"type": kind, "message": words}}, *headers)


class Server:
    """A server that answers each message request with the next of `answers`, then with `Done.`

    An answer is bytes, or a list of bytes to send, seconds to wait, events to wait for, SILENCE
    and CUT. `models` is the answer to a request for a model's name. `requests` are the bodies
    received, `heads` all request heads. `was_left` is set if a client closes the connection
    before the answer is complete.
    """

    def __init__(self, *answers, models=None):
        self.answers = list(answers)
        self.models = models or error(404, "no such page")
        self.requests, self.heads = [], []
        self.was_left = threading.Event()
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with suppress(OSError):  # close() alone does not wake the thread that waits in accept()
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=[connection], daemon=True).start()

    def answer(self, connection):
        with connection:
            try:
                self.send(connection, self.choose(*self.read(connection)))
            except OSError:  # the client has closed the connection
                self.was_left.set()

    def read(self, connection):
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.receive(connection)
        head, _, body = data.partition(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if b"content-length:" in line]
        while lengths and len(body) < int(lengths[0].split(b":")[1]):
            body += self.receive(connection)
        return head.decode(), body

    def receive(self, connection):
        data = connection.recv(2**16)
        if not data:
            raise OSError("the connection was closed")
        return data

    def choose(self, head, body):
        self.heads.append(head)
        if head.startswith("GET"):
            return self.models
        self.requests.append(json.loads(body))
        return self.answers.pop(0) if self.answers else message(text("Done."))

    def send(self, connection, answer):
        for part in [answer] if isinstance(answer, bytes) else answer:
            if part == CUT:
                linger = struct.pack("ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                return
            if isinstance(part, bytes):
                connection.sendall(part)
            elif isinstance(part, threading.Event):
                part.wait(60)
            elif part == SILENCE:
                self.receive(connection)
            else:
                time.sleep(part)


def reach(server, name="some-model", **options):
    """Connect to a Server. Return the connection and the lines it printed."""
    said = []
    env = {"ANTHROPIC_BASE_URL": server.url, "ANTHROPIC_API_KEY": KEY}
    model = connect(name, env=env, say=said.append, **options)
    model.client.max_retries = 2
    return model, said
