#!/bin/sh
# Open the learner's notebooks in JupyterLab, in this folder or in another one.
#     tools/open_lesson.sh [FOLDER [OPTIONS_OF_JUPYTERLAB...]]
# A terminal in JupyterLab finds `planning-agent` by PATH, which a login shell, the default there,
# might reset: so it is a plain bash.
folder=${1:-$PWD}
[ $# = 0 ] || shift
PATH="$PWD/.venv/bin:$PATH"
export PATH
[ "$(id -u)" != 0 ] || set -- --allow-root "$@"
exec .venv/bin/python -m jupyterlab --ServerApp.root_dir="$folder" \
  --ServerApp.terminado_settings=shell_command=bash \
  --LabApp.default_url=/lab/tree/my_lesson/00_start_here.ipynb "$@"
