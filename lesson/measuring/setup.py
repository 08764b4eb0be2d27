"""What makes the result of a measurement: it is kept with each run.

Two runs with different setups say nothing about each other, so a run of another setup is named, and
never shown as one of this measurement.
"""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from ..real_model.connection import ANTHROPIC_URL, make_settings
from ..real_model.limits import Limits
from ..samples.jobs import Job
from ..samples.project_files import read_files

# Raise the number by hand if what a model is sent besides the fields of Setup is changed (the
# system prompt, the tools, the list, the reminder, the window), or how its files are judged. SENT
# is a digest of what is sent first, by which tests/measuring/test_measure.py finds such a change.
VERSION, SENT = 1, "7db5c46a"
# What a field of Setup is called in a sentence about two setups, if its name does not say it.
NAMES = {
    "project": "files of the project",
    "after": "threshold of the reminder",
    "max_tokens": "length of a reply (max_tokens)",
    "max_requests": "limit of requests",
    "max_run_tokens": "limit of tokens",
    "version": "version of the lesson",
}


@dataclass(frozen=True)
class Setup:
    """What is the same for all runs of a measurement, besides their conditions.

    `server` is its address without a path, or "" for a script, and `project` a hash of the files
    with which the job begins. `max_tokens` are those of a reply; the other two are the limits that
    each run has.
    """

    model: str
    server: str
    prompt: str
    steps: str
    project: str
    window: int | None
    after: int
    max_tokens: int
    max_requests: int
    max_run_tokens: int
    version: int = VERSION

    @property
    def digest(self) -> str:
        """Return a few digits that are others for another setup."""
        return digest(asdict(self))

    def to_json(self) -> dict[str, Any]:
        """Return the setup as it is saved. A key in it is hidden then, so its digest is with it."""
        return asdict(self) | {"digest": self.digest}

    def find_difference(self, stored: Any) -> str:
        """Return in which a setup that was saved differs from this one, or ""."""
        if not isinstance(stored, dict):
            return "by an older lesson, which did not say what it had sent"
        if stored.get("digest") == self.digest:
            return ""
        own = asdict(self)
        names = [NAMES.get(name, name) for name in own if stored.get(name) != own[name]]
        return f"with a different {' and '.join(names) or 'setup'}"


def make_setup(model: str, job: Job, window: int | None, after: int, is_script: bool) -> Setup:
    """Return the setup of a measurement that begins now."""
    url = os.environ.get("ANTHROPIC_BASE_URL", "").strip() or ANTHROPIC_URL
    settings = make_settings(model)
    return Setup(
        settings["model"],
        "" if is_script else urlsplit(url).netloc,
        job.prompt,
        job.name_steps(""),
        digest(sorted(read_files(job.folder).texts.items())),
        window,
        after,
        settings["max_tokens"],
        Limits.max_requests,
        Limits.max_tokens,
    )


def digest(value: Any) -> str:
    """Return a few digits of a hash of what JSON can contain."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:8]
