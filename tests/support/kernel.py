"""A kernel, and the messages that JupyterLab sends to it when a reader moves a widget."""

import time
from contextlib import contextmanager

from jupyter_client.manager import start_new_kernel


@contextmanager
def running_kernel(**options):
    """Start a kernel with a subshell, as JupyterLab does, and end it."""
    manager, client = start_new_kernel(kernel_name="python3", **options)
    try:
        yield Kernel(client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


class Kernel:
    def __init__(self, client):
        self.client = client
        sent = self.send(client.control_channel, "create_subshell_request", {})
        self.subshell = self.wait_for(client.get_control_msg, sent)["subshell_id"]

    def send(self, channel, kind, content, **header):
        """Send a message, and return its id."""
        message = self.client.session.msg(kind, content)
        message["header"] |= header
        channel.send(message)
        return message["header"]["msg_id"]

    def wait_for(self, receive, sent):
        """Return the content of the reply to a message."""
        while True:
            reply = receive(timeout=60)
            if reply["parent_header"].get("msg_id") == sent:
                return reply["content"]

    def begin(self, code):
        """Begin to run a cell, and return the id of the message."""
        content = {"code": code, "silent": False, "user_expressions": {"last": "last"}}
        return self.send(self.client.shell_channel, "execute_request", content)

    def end(self, sent):
        """Wait for a cell, and return what it has assigned to `last`."""
        reply = self.wait_for(self.client.get_shell_msg, sent)
        assert reply["status"] == "ok", reply
        return eval(reply["user_expressions"]["last"]["data"]["text/plain"])

    def run(self, code):
        return self.end(self.begin(code))

    def move(self, widget, value):
        """Move a slider, as a page does: in the subshell, and without an answer."""
        state = {"method": "update", "state": {"value": value}, "buffer_paths": []}
        content = {"comm_id": widget, "data": state}
        self.send(self.client.shell_channel, "comm_msg", content, subshell_id=self.subshell)

    def run_until(self, code, seconds=30):
        """Run a cell again until its `last` is true. Return it."""
        end = time.monotonic() + seconds
        while not (last := self.run(code)) and time.monotonic() < end:
            time.sleep(0.1)
        return last
