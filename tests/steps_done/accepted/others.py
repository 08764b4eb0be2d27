"""The other samples done by hand in another style than the script's: every step is done."""

from steps_done.states import REPORT, original

HELLO = {
    "hello.py": '''# says hello to everybody on the list

from collections.abc import Iterable

PEOPLE: list[str] = ["Ada", "Grace", "Linus", "Guido"]


def greet(name: str, *, loud: bool = False) -> str:
    """Greet one person.

    If `loud` is true, shout.
    """
    greeting = f"Hello, {name}!"
    return greeting.upper() if loud else greeting


def greet_all(names: Iterable[str], loud: bool = False) -> list[str]:
    """Greet many."""
    return [greet(name, loud=loud) for name in names]


if __name__ == "__main__":
    print(*greet_all(PEOPLE), greet("world", loud=True), sep="\\n")
''',
}
AUTH = {
    "app.py": original("auth")["app.py"],
    "auth.py": '''"""Users who log in."""

import hmac
import secrets
from hashlib import pbkdf2_hmac

NAME_LENGTHS = range(3, 21)
LEAST_PASSWORD_LENGTH = 8
MAX_FAILURES = 5
ROUNDS = 600_000

users: dict[str, tuple[bytes, bytes]] = {}
failed: dict[str, int] = {}


def register(name: str, password: str) -> bool:
    """Add a user. Return whether it worked."""
    name = clean(name)
    if name in users or len(name) not in NAME_LENGTHS or is_short(password):
        return False
    failed[name] = 0
    return store(name, password)


def login(name: str, password: str) -> bool:
    """Return whether the password is right and the user is not locked."""
    return is_right(clean(name), password)


def change_password(name: str, old: str, new: str) -> bool:
    """Replace the password. Return whether it worked."""
    return login(name, old) and not is_short(new) and store(clean(name), new)


def clean(name: str) -> str:
    return name.strip().lower()


def is_short(password: str) -> bool:
    return len(password) < LEAST_PASSWORD_LENGTH


def is_right(name: str, password: str) -> bool:
    if name not in users or failed[name] >= MAX_FAILURES:
        return False
    salt, expected = users[name]
    is_same = hmac.compare_digest(make_hash(password, salt), expected)
    failed[name] = 0 if is_same else failed[name] + 1
    return is_same


def store(name: str, password: str) -> bool:
    salt = secrets.token_bytes()
    users.update({name: (salt, make_hash(password, salt))})
    return True


def make_hash(password: str, salt: bytes) -> bytes:
    return pbkdf2_hmac("sha256", password.encode(), salt, ROUNDS)
''',
    "tests/test_logins.py": """import pytest
from auth import change_password, login, register, users


@pytest.fixture(autouse=True)
def ada():
    users.clear()
    assert register("Ada", "engine no 1")


def test_login():
    assert login("ada", "engine no 1") and not login("ada", "engine no 2")


def test_change():
    assert change_password("ada", "engine no 1", "engine no 2")
    assert login("ada", "engine no 2")
""",
    "docs/auth.md": """# Logging in

`register`, `login` and `change_password` say True where it worked, else False.

Passwords are not kept. For each user, `users` has a random salt and a PBKDF2 hash. The numbers
are at the top of `auth.py`. The tests: `pytest`.
""",
}
PACKAGE = {
    "README.md": original("package")["README.md"].replace(
        "TODO: package, tests\n",
        "## How to use it\n\n```python\nimport textkit\n\ntextkit.slugify('Hello')\n```\n",
    ),
    "textkit/__init__.py": "from .utils import *\n",
    "textkit/utils.py": """import re
import textwrap

__all__ = ["slugify", "truncate", "word_count"]

word_count = lambda text: len(text.split())


def slugify(title):
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def truncate(text, width, placeholder="..."):
    return textwrap.shorten(text, width, placeholder=placeholder)
""",
    "tests/test_utils.py": """import textkit


def test_all():
    assert textkit.slugify("Hello, World!") == "hello-world"
    assert textkit.word_count("to be") == 2
    assert textkit.truncate("The quick brown fox", 13) == "The quick..."
""",
}
STYLE = {
    "readings.csv": original("style")["readings.csv"],
    "readings.py": '''"""Reads the measurements of the stations."""

import csv
from contextlib import suppress
from datetime import date


def load(path, skip=None):
    """Return the readings in a file, without those of the stations to `skip`."""
    with open(path, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["station"] not in (skip or [])]
    return [read_row(row) for row in rows]


def read_row(row):
    """Return a reading."""
    temp = None
    with suppress(TypeError, ValueError):
        temp = float(row["temp"])
    return {"station": row["station"], "day": date.fromisoformat(row["day"]), "temp": temp}
''',
    "stats.py": '''"""What can be said of some readings."""

from statistics import mean as average


def known(readings):
    """Return the temperatures that were measured."""
    return [reading["temp"] for reading in readings if reading["temp"] is not None]


def mean(readings):
    """Return the mean temperature, or None."""
    temps = known(readings)
    return round(average(temps), 1) if temps else None


def warmest(readings):
    """Return the warmest reading, or None."""
    measured = [reading for reading in readings if reading["temp"] is not None]
    return max(measured, key=lambda reading: reading["temp"], default=None)


def missing(readings):
    """Return how many temperatures are missing."""
    return len(readings) - len(known(readings))
''',
    "report.py": '''"""Prints the weather report: run this file."""

from itertools import groupby
from operator import itemgetter

from readings import load
from stats import mean, missing, warmest


def show(temp):
    """Return a temperature as text."""
    return "no value" if temp is None else f"{temp:.1f} degrees"


def report(rows):
    """Print the report of these readings."""
    print("Weather report")
    by_station = itemgetter("station")
    for station, found in groupby(sorted(rows, key=by_station), by_station):
        own = list(found)
        best = warmest(own)
        print(
            f"{station}: mean {show(mean(own))}, warmest {show(best['temp'])} on "
            f"{best['day']:%d.%m.}, {missing(own)} of {len(own)} readings missing"
        )


if __name__ == "__main__":
    report(load("readings.csv", skip=["test"]))
''',
    "output/before.log": REPORT,
    "output/after.log": REPORT,
}

ACCEPTED = {"hello": HELLO, "auth": AUTH, "package": PACKAGE, "style": STYLE}
