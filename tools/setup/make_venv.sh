#!/bin/sh
# Make .venv, with what installs everything else: requirements/build.lock.
#     tools/setup/make_venv.sh [PYTHON]
# Debian's Python has no pip of its own. Then the pip of this Python is used, or the package that is
# missing is named.
python=$("$(dirname "$0")/find_python.sh" "$1") || exit 1
"$python" -m venv .venv || "$python" -m venv --without-pip .venv || exit 1
set -- install -q --require-hashes -r requirements/build.lock
.venv/bin/python -m pip "$@" || "$python" -m pip --python .venv/bin/python "$@" || {
  echo "No pip: run 'sudo apt install python3-venv' (Debian, Ubuntu), then 'make' again." >&2
  exit 1
}
