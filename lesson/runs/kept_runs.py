"""The file of the runs that need not be played again.

A run of the practice model has no randomness: the same setting always gives the same run. So every
run of the ten steps and every cell of the arena is kept in FILE, which `make runs` writes.
"""

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("kept_runs.json.gz")


@cache
def read_file() -> dict[str, Any]:
    """Return what `lesson.runs.play_all` has written."""
    return json.loads(gzip.decompress(FILE.read_bytes()))
