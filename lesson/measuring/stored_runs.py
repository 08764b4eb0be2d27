"""The files of a measurement: one for each run, written as soon as it has ended."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from safetylib.files import write_atomically

from ..real_model.hide_keys import HIDDEN, hide_keys
from ..runs.from_messages import plain_messages
from .conditions import MeasuredRun

with suppress(ImportError):  # not on Windows
    import fcntl


class MeasureError(Exception):
    """Raised if a measurement cannot begin. The message says why."""


@dataclass(frozen=True)
class StoredRun:
    """What the table needs of one run. `cells`, `steps` and `all_done` are those of a Record."""

    condition: str
    number: int
    cells: str
    steps: str
    all_done: list[bool]
    done: list[bool]
    items: list[dict[str, Any]]
    rounds: int
    tokens: int
    problem: str
    last_words: str

    @classmethod
    def of(cls, run: MeasuredRun, condition: str, number: int) -> "StoredRun":
        """Return what the table needs of a run that has ended."""
        return cls(
            condition,
            number,
            run.cells,
            run.steps,
            run.all_done,
            [*run.done],
            run.items,
            len(run.rounds),
            run.tokens,
            run.problem,
            run.rounds[-1].text if run.rounds else "",
        )


def name_folder(model: str, job: str, window: int | None, after: int) -> Path:
    """Return the folder of a measurement: another one for each of its settings."""
    words = f"{model}_{job}_window_{window or 'all'}_after_{after}"
    return Path("measured", re.sub(r"[^\w.-]", "_", words))


def find_file(folder: Path, condition: str, number: int) -> Path:
    """Return the file of a run."""
    return folder / f"{condition.replace(' ', '_')}_{number}.json"


def save(folder: Path, stored: StoredRun, run: MeasuredRun) -> None:
    """Write the file of a run, whole or not at all, without keys."""
    (sent,) = plain_messages([run.sent()])
    whole = hide_keys_in(asdict(stored) | {"sent": sent})
    text = json.dumps(whole, ensure_ascii=False, indent=1)
    write_atomically(find_file(folder, stored.condition, stored.number), text.encode())


def hide_keys_in(value: Any) -> Any:
    """Return what JSON can contain without keys. A text without a key is unchanged."""
    if isinstance(value, str):
        hidden = hide_keys(value)
        return hidden if HIDDEN in hidden else value
    if isinstance(value, dict):
        return {hide_keys_in(name): hide_keys_in(one) for name, one in value.items()}
    return [hide_keys_in(one) for one in value] if isinstance(value, list) else value


def load(folder: Path) -> list[StoredRun]:
    """Return the runs in a folder. Raise MeasureError for a file that is none."""
    runs = []
    for file in sorted(folder.glob("*.json")):
        try:
            read = json.loads(file.read_text("utf-8"))
            del read["sent"]
            runs.append(StoredRun(**read))
        except (OSError, ValueError, TypeError, KeyError) as problem:
            raise MeasureError(
                f"{file} is no run of a measurement ({type(problem).__name__}). Delete it to play "
                "this run again."
            ) from None
    return sorted(runs, key=lambda run: run.number)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other measurements out of a folder. Raise MeasureError if one runs there."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as file:
        if "fcntl" in globals():
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise MeasureError(f"Another measurement is running in {folder}.") from None
        yield
