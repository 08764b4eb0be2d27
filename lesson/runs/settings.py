"""The settings with which a run begins."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

from agentlib.defaults import AFTER
from agentlib.nag import Nag
from agentlib.todo import TodoManager

from ..common.connection import Connection
from ..practice.practice_model import PracticeModel
from ..samples.jobs import Job
from ..samples.own_job import Steps


@dataclass(frozen=True)
class Settings:
    """The settings of a run, as `play` explains them. Without a part, a run has ours.

    A part is an object, or the name by which `play` chooses one.
    """

    job: str | Job | Steps = "ten_steps"
    _: KW_ONLY
    loop: Any = None
    todo: Any = TodoManager
    nag: Any = Nag
    after: int | None = AFTER
    window: int | str | None = None
    model: str | PracticeModel | Connection | None = None
    at_stop: Any = None
    missing: str | Callable[[], list[str]] | None = None
    trim_messages: Any = None
    read_file: Any = None
    save: str | Path | None = None
