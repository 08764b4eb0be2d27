"""One column of the arena: a scripted model, and what is known about its failure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .policy.steps import Reply


@dataclass(frozen=True)
class ScriptedModel:
    """A model of the arena, as everything that shows the arena reads it.

    `does` completes a sentence that begins with the name. `rescued_by` is the name of the row in
    `lesson.runs.arena_rows` whose new part ends its failure; a model without one needs no help.
    `imitates` says what the `reports` say of real models; without it, the model is made up.
    """

    name: str
    policy: Callable[[Mapping[str, Any]], Reply]
    does: str
    rescued_by: str = ""
    imitates: str = ""
    reports: tuple[str, ...] = ()
