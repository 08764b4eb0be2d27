#!/bin/sh
# Run a suite of tests, and print what pytest says at its end, because several suites run at a time.
#     tools/run_suite.sh NAME ARGUMENTS_OF_PYTEST...
# `make test` reads .venv/NAME.txt for the tests that were skipped.
output=.venv/$1.txt
shift
.venv/bin/python -m pytest "$@" > "$output" 2>&1
code=$?
cat "$output"
exit $code
