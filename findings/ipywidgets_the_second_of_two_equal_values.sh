#!/usr/bin/env bash
# ipywidgets 8.1.9. Seen on 1 December 2026.
# A good guess: whoever selects the second of two tasks with the same status has the second one.
# A SelectMultiple shows a list of tasks, each with its status as the value, and two tasks are
# pending. Whoever selects the second one gets the first one: the kernel looks for the first option
# with this value, and sends its index back to the page. Both selected are the first one twice. A
# Dropdown, a Select, RadioButtons and ToggleButtons keep the second one (since 2019). The script
# calls `set_state`, as a message of the page does. In JupyterLab 4.6.6 (tried once, in Chromium),
# a click on the second task marks the first one.
# Seen, index 1 selected: SelectMultiple (0,), "Count"; both: (0, 0); the others 1, "Order"
# Took 93 seconds on a busy machine. Needs Python.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The home of the script is its folder, and it has no key of yours.
export HOME="$folder"
unset "${!XDG_@}" $(compgen -e | grep -E 'KEY|TOKEN|SECRET' || true)
python3 -m venv "$folder"
"$folder/bin/python" -m pip install -q --no-compile "ipywidgets==8.1.9"
cd "$folder"
bin/python - <<'PYTHON'
import sys

import ipywidgets

TASKS = [("Count", "pending"), ("Order", "pending"), ("Ship", "completed")]


def select(name, index):
    """Select as the page does; return the index and the labels that are selected then."""
    widget = getattr(ipywidgets, name)(options=TASKS)
    widget.set_state({"index": index})
    return widget.index, widget.label


seen = {"second": select("SelectMultiple", [1]), "both": select("SelectMultiple", [0, 1])}
for name in ("Dropdown", "Select", "RadioButtons", "ToggleButtons"):
    seen[name] = select(name, 1)
expected = {"second": ((0,), ("Count",)), "both": ((0, 0), ("Count", "Count"))}
expected |= dict.fromkeys(("Dropdown", "Select", "RadioButtons", "ToggleButtons"), (1, "Order"))

if seen != expected:
    sys.exit(f"CHANGED: expected {expected}, got {seen}")
print(seen)
PYTHON
