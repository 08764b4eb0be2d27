"""The files of a measurement: one for each run, written as soon as it has ended."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import fastjsonschema

from safetylib.files import open_regular, write_atomically

from ..common.file_errors import describe_file_error
from ..real_model.hide_keys import HIDDEN, hide_keys
from ..runs.from_messages import plain_messages
from .conditions import CONDITIONS, MeasuredRun
from .setup import Setup

with suppress(ImportError):  # not on Windows
    import fcntl


class MeasureError(Exception):
    """Raised if a measurement cannot begin. The message says why."""


@dataclass(frozen=True)
class StoredRun:
    """What the table needs of one run.

    `letters`, `steps`, `all_done`, `done` and `not_judged` are those of a Record.
    """

    condition: str
    number: int
    letters: str
    steps: str
    all_done: list[bool | None]
    done: list[bool]
    items: list[dict[str, Any]]
    rounds: int
    tokens: int
    problem: str
    last_words: str
    not_judged: str = ""

    @property
    def result(self) -> str:
        """Return how many steps the files show, "not judged", or "" for a job without a judge."""
        return str(sum(self.done)) if self.done else "not judged" if self.not_judged else ""

    @classmethod
    def of(cls, run: MeasuredRun, condition: str, number: int) -> "StoredRun":
        """Return what the table needs of a run that has ended."""
        return cls(
            condition,
            number,
            run.letters,
            run.steps,
            run.all_done,
            [*run.done],
            run.items,
            len(run.rounds),
            run.tokens,
            run.problem,
            run.rounds[-1].text if run.rounds else "",
            run.not_judged,
        )


class OtherRun(NamedTuple):
    """The file of a run that is none of this measurement, and why."""

    file: Path
    why: str


# What a file must contain so that it can be drawn.
WHOLE = {"type": "integer", "minimum": 0}
WORDS = {"type": "string"}
SCHEMA = {
    "type": "object",
    "required": [field.name for field in fields(StoredRun) if field.name != "not_judged"],
    "properties": {
        "condition": {"enum": [*CONDITIONS]},
        "number": {"type": "integer", "minimum": 1},
        "letters": {"type": "string", "pattern": r"\A[pwdelfsuPWDELFSU]*\Z"},
        "steps": {"type": "string", "pattern": r"\A[0-9]*\Z"},
        "all_done": {"type": "array", "items": {"type": ["boolean", "null"]}},
        "done": {"type": "array", "items": {"type": "boolean"}},
        "items": {"type": "array", "items": {"type": "object"}},
        **dict.fromkeys(("rounds", "tokens"), WHOLE),
        **dict.fromkeys(("problem", "last_words", "not_judged"), WORDS),
    },
}
check_file = fastjsonschema.compile(SCHEMA)


def name_folder(model: str, job: str, window: int | None, after: int) -> Path:
    """Return the folder of a measurement. What its name leaves out is in each file: see Setup."""
    words = f"{model}_{job}_window_{window or 'all'}_after_{after}"
    return Path("measured", re.sub(r"[^\w.-]", "_", words))


def name_file(folder: Path, condition: str, number: int, setup: Setup) -> Path:
    """Return the file of a run: another one for another setup, so none replaces another."""
    return folder / f"{condition.replace(' ', '_')}_{number}_{setup.digest}.json"


def save(folder: Path, stored: StoredRun, run: MeasuredRun, setup: Setup) -> None:
    """Write the file of a run, whole or not at all, without keys. Raise OSError."""
    (sent,) = plain_messages([run.sent()])
    whole = hide_keys_in(asdict(stored) | {"setup": setup.to_json(), "sent": sent})
    text = json.dumps(whole, ensure_ascii=False, indent=1)
    write_atomically(name_file(folder, stored.condition, stored.number, setup), text.encode())


def hide_keys_in(value: Any) -> Any:
    """Return what JSON can contain without keys. A text without a key is unchanged."""
    if isinstance(value, str):
        hidden = hide_keys(value)
        return hidden if HIDDEN in hidden else value
    if isinstance(value, dict):
        return {hide_keys_in(name): hide_keys_in(one) for name, one in value.items()}
    return [hide_keys_in(one) for one in value] if isinstance(value, list) else value


def load(folder: Path, setup: Setup) -> tuple[list[StoredRun], list[OtherRun]]:
    """Return the runs in a folder that have this setup, and the files of those with another one.

    Raise MeasureError for a file that is no run, because it could be one that was paid for.
    """
    runs: list[StoredRun] = []
    others: list[OtherRun] = []
    for file in sorted(folder.glob("*.json")):
        try:
            with open_regular(file) as opened:
                read = json.loads(opened.read())
            run = read_run(read)
        except (OSError, ValueError, RecursionError) as problem:
            why = describe_file_error(problem) if isinstance(problem, OSError) else str(problem)
            raise MeasureError(
                f"{file} is no run of a measurement: {why:.200}. Move it to another folder, and "
                "this run is played again."
            ) from None
        if why := setup.find_difference(read.get("setup")):
            others.append(OtherRun(file, why))
        else:
            runs.append(run)
    return sorted(runs, key=lambda run: run.number), others


def read_run(read: Any) -> StoredRun:
    """Return the run in a file. Raise ValueError if it cannot be drawn."""
    if isinstance(read, dict) and "cells" in read:  # of an older lesson
        read["letters"] = read.pop("cells")
    try:
        check_file(read)
    except fastjsonschema.JsonSchemaValueException as problem:
        raise ValueError(str(problem.message).removeprefix("data").strip(" .")) from None
    run = StoredRun(
        **{field.name: read[field.name] for field in fields(StoredRun) if field.name in read}
    )
    if not len(run.letters) == len(run.steps) == run.rounds or len(run.all_done) not in (
        0,
        run.rounds,
    ):
        raise ValueError("its rounds are not of one number")
    return run


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other measurements out of a folder.

    Raise MeasureError if one runs there, or if nothing can be written there.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open(folder / "lock", "w")
    except OSError as problem:
        raise MeasureError(
            f"No run can be saved in {folder}: {describe_file_error(problem)}"
        ) from None
    with lock as file:
        if "fcntl" in globals():
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise MeasureError(f"Another measurement is running in {folder}.") from None
        yield
