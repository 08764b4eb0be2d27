#!/bin/sh
# Check format, style and types of the JavaScript with npm's programs, which are installed first.
if ! command -v npm > /dev/null; then
  echo "No npm here: the widgets' JavaScript was not checked."
  exit
fi
if ! [ node_modules/.package-lock.json -nt package-lock.json ]; then
  # Not `npm ci`, which requires the programs of every other system in the lock.
  npm install --no-save --no-audit --no-fund --ignore-scripts || exit 1
  touch node_modules/.package-lock.json
fi
npm run --silent check
