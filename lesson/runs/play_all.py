"""Play every run of the ten steps and every cell of the arena, and keep them in the repository.

    python -m lesson.runs.play_all  # or `make runs`

Run this when what a run depends on has changed (see `hash_sources`): a test says so.
"""

import ast
import gzip
import json
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

import agentlib

from .. import at_the_stop, blocks, letters, practice, samples, window
from ..practice.models import MODELS
from . import arena_cells, harnesses, measured, trial
from .arena_cells import describe, set_up
from .harnesses import HARNESSES
from .kept_runs import FILE
from .measured import WINDOWS, Setting, summarize
from .trial import Trial

AGENT = Path(agentlib.__path__[0])
MODULES = (at_the_stop, blocks, letters, window, harnesses, arena_cells, measured, trial)


def rows(windows: Iterable[int] = WINDOWS) -> list[tuple[Setting, ...]]:
    """Return the settings of the ten steps' runs, in rows that differ only in the window."""
    return list(zip(*(Setting(window=window).column() for window in windows), strict=True))


def play_row(row: Iterable[Setting]) -> Iterator[tuple[Setting, Trial]]:
    """Yield each setting of a row with its run, which is played only if the window changes it."""
    trial = None
    for setting in row:
        trial = trial and trial.in_window(setting.window)
        if trial is None:
            trial = setting.trial().play()
        yield setting, trial


def measure_row(row: Iterable[Setting]) -> list[list[Any]]:
    """Return for each run of a row the fields of its setting and those of Measured."""
    return [
        [one.after, one.window, one.plan, *summarize(one, played)[1:]]
        for one, played in play_row(row)
    ]


def play_model(model: str) -> list[list[Any]]:
    """Return for each cell of one model its row, the model, and the fields of Cell."""
    return [
        [row, model, *describe(row, set_up(row, model).play())] for row in range(len(HARNESSES))
    ]


def play_all() -> dict[str, Any]:
    """Play everything, on all processors, and return what FILE contains."""
    with ProcessPoolExecutor() as processors:
        cells = processors.map(play_model, MODELS)
        runs = processors.map(measure_row, rows())
        return {
            "sources": hash_sources(),
            "runs": [run for row in runs for run in row],
            "cells": [cell for model in cells for cell in model],
        }


def hash_sources() -> str:
    """Return a hash of what the runs depend on: the agent, the practice model, the samples.

    A comment changes nothing, and a docstring only in agentlib, where some describe a tool.
    """
    return sha256(b"".join(map(content_of, sources()))).hexdigest()


def sources() -> Iterator[Path]:
    for folder in (AGENT, Path(practice.__path__[0])):
        # A run asks nobody, and how a question looks changes no run.
        yield from (path for path in sorted(folder.rglob("*.py")) if path.name != "approval.py")
    for path in sorted(samples.FOLDER.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path
    yield from (Path(str(module.__file__)) for module in MODULES)


def content_of(path: Path) -> bytes:
    """Return what a run depends on in a file."""
    if path.suffix != ".py" or samples.FOLDER in path.parents:
        return path.read_bytes()
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            if ast.get_docstring(node) is not None and AGENT not in path.parents:
                del node.body[0]
    return json.dumps(as_lists(tree)).encode()


def as_lists(node: Any) -> Any:
    """Return a syntax tree without its empty fields, of which a newer Python has others."""
    if isinstance(node, ast.AST):
        fields = [value for _, value in ast.iter_fields(node) if value not in (None, [])]
        return [type(node).__name__, *map(as_lists, fields)]
    return [as_lists(one) for one in node] if isinstance(node, list) else ascii(node)


if __name__ == "__main__":
    FILE.write_bytes(gzip.compress(json.dumps(play_all(), separators=(",", ":")).encode(), mtime=0))
