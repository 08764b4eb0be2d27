#!/bin/sh
# End with an error if there is a .venv that does not work: its Python was removed or is too old, or
# this folder was moved, so that the programs in .venv/bin have a wrong address.
[ -e .venv ] || exit 0
made_here() { grep '^command = ' .venv/pyvenv.cfg | grep -qF "$(pwd -P)/"; }
if made_here && tools/setup/find_python.sh "$PWD/.venv/bin/python" 2> /dev/null > /dev/null; then
  exit 0
fi
echo ".venv is broken: run 'make clean', then 'make' again" >&2
exit 1
