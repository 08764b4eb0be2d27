"""What a run is begun with."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any

from agentlib.nag import AFTER, Nag
from agentlib.todo import TodoManager

from ..common.connection import Connection
from ..practice.practice_model import PracticeModel
from ..samples.jobs import Job
from .adapters import ReadFile
from .room import MakeRoom

Steps = Iterable[Sequence[str] | Mapping[str, str]]


@dataclass(frozen=True)
class Settings:
    """The settings of a run, as `play` explains them. A part that is not given is ours."""

    job: str | Job | Steps = "ten_steps"
    _: KW_ONLY
    loop: Callable[..., Any] | str | None = None
    todo: Any = TodoManager
    nag: Callable[[Any, int], Any] | str | None = Nag
    after: int | None = AFTER
    window: int | str | None = None
    model: str | PracticeModel | Connection | None = None
    ask: Callable[..., Any] | str | None = None
    missing: str | Callable[[], list[str]] | None = None
    make_room: MakeRoom | str | None = None
    read_file: ReadFile | str | None = None
    save: str | Path | None = None
