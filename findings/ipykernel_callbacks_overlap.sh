#!/usr/bin/env bash
# ipykernel 7.4.0 and 7.3.0, ipywidgets 8.1.9. Seen on 1 December 2026.
# A good guess: the callbacks of two controls run one after the other, in the subshell that
# JupyterLab names.
# A field and a button have the same callback, which shows the field's value. The messages are those
# of JupyterLab 4.6.6, which sends all widgets' messages to one subshell. With 7.3.0, the callbacks
# run one after the other in this subshell. With 7.4.0, a widget's first message is handled where
# the widget was made, in the main thread, and its next one in the subshell. So the callback of the
# next letter begins and ends while that of the click is still running, which then shows the value
# from before, and nothing shows the new one.
# Seen: 7.3.0: shown "ab", the field has "ab", threads of the calls: subshell, subshell, subshell /
# 7.4.0: shown "a", the field has "ab", threads of the calls: main, main, subshell
# Took 219 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
cat > "$folder/run.py" <<'PYTHON'
import time

from jupyter_client.manager import start_new_kernel

CELL = """
import threading, time
from ipywidgets import Button, Label, Text

field, button, shown, calls = Text(), Button(), Label(), []

def show(given):
    is_main = threading.current_thread() is threading.main_thread()
    calls.append("main" if is_main else "subshell")
    value = field.value
    if given is button:
        time.sleep(3)  # drawing a table takes a moment
    shown.value = value

field.observe(show, "value")
button.on_click(show)
"""
manager, client = start_new_kernel()


def send(channel, kind, content, **header):
    message = client.session.msg(kind, content)
    message["header"] |= header
    channel.send(message)
    return message["header"]["msg_id"]


def wait(get, sent, **expected):
    while True:
        reply = get(timeout=60)
        content = reply["content"]
        if reply["parent_header"].get("msg_id") == sent and expected.items() <= content.items():
            return content


def run(code, *values):
    content = {"code": code, "user_expressions": dict(zip(values, values))}
    sent = send(client.shell_channel, "execute_request", content)
    reply = wait(client.get_shell_msg, sent, status="ok")
    return [eval(one["data"]["text/plain"]) for one in reply["user_expressions"].values()]


def tell(widget, **data):
    content = {"comm_id": widget, "data": data}
    return send(client.shell_channel, "comm_msg", content, subshell_id=subshell)


def write(value):
    return tell(field, method="update", state={"value": value}, buffer_paths=[])


try:
    sent = send(client.control_channel, "create_subshell_request", {})
    subshell = wait(client.get_control_msg, sent)["subshell_id"]
    field, button = run(CELL, "field.model_id", "button.model_id")
    wait(client.get_iopub_msg, write("a"), execution_state="idle")
    click = tell(button, method="custom", content={"event": "click"})
    wait(client.get_iopub_msg, click, execution_state="busy")
    time.sleep(1)  # the callback of the click is running now
    write("ab")
    time.sleep(5)
    print(*run("", "shown.value", "field.value", "' '.join(calls)"))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
PYTHON
seen=""
for version in 7.3.0 7.4.0; do
  python3 -m venv "$folder/$version"
  "$folder/$version/bin/python" -m pip install -q --no-compile "ipykernel==$version" \
    "ipywidgets==8.1.9"
  (cd "$folder" && "$folder/$version/bin/python" run.py) > "$folder/seen" 2> "$folder/errors" ||
    { cat "$folder/errors" >&2; exit 1; }
  seen="$seen$version: $(cat "$folder/seen"); "
done
expected="7.3.0: ab ab subshell subshell subshell; 7.4.0: a ab main main subshell; "
if [ "$seen" != "$expected" ]; then
  echo "CHANGED: expected $expected got $seen"
  exit 1
fi
echo "as described: $seen"
