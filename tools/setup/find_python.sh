#!/bin/sh
# Print the first Python of this machine that is new enough (3.11), or end with an error message.
#     tools/setup/find_python.sh [PYTHON]    look only at this one
missing="No Python 3.11 or newer was found: install one, or 'make PYTHON=/path/to/it'"
if [ -n "$1" ]; then
  missing="$1 is no Python 3.11 or newer."
else
  set -- python3 python3.14 python3.13 python3.12 python3.11 python
fi
for name in "$@"; do
  if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then
    echo "$name"
    exit
  fi
done
echo "$missing" >&2
exit 1
