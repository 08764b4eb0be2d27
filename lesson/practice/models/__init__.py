"""Seven scripted models: one keeps track, and six fail, each in one way.

Each is a function from a request to the content blocks of a reply. It uses nothing but the request:
it has no memory, no clock and no randomness. **We wrote these models.** The reports in their
docstrings show that such failures exist; how often they happen is not known.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..policy.steps import Reply
from .drops_tasks import drops_tasks
from .forgets import forgets
from .keeps_track import keeps_track
from .repeats import repeats
from .starts_everything import starts_everything
from .stops_early import stops_early
from .ticks_only import ticks_only

MODELS: dict[str, Callable[[Mapping[str, Any]], Reply]] = {
    "keeps track": keeps_track,
    "forgets": forgets,
    "starts everything": starts_everything,
    "drops tasks": drops_tasks,
    "ticks only": ticks_only,
    "stops early": stops_early,
    "repeats": repeats,
}
