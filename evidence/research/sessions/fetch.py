"""Fetch the repositories of `collections.csv` at their commits, into bare repositories in FOLDER.

    python evidence/research/sessions/fetch.py FOLDER
    python evidence/research/sessions/fetch.py FOLDER --from ADDRESS  from elsewhere than github.com

What is there is not fetched again. A branch can be rewritten by its owner: if a commit is gone, the
command says so, goes on with the others, and ends with 1.
"""

import csv
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

HERE = Path(__file__).parent


def read_table() -> list[dict[str, str]]:
    with (HERE / "collections.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from", dest="address", default="https://github.com")
    given = parser.parse_args()
    missing = []
    for row in read_table():
        place = given.folder / row["repository"].replace("/", "+")
        git = ["git", f"--git-dir={place}"]
        if not place.exists():
            subprocess.run(["git", "init", "-q", "--bare", place], check=True)
        for commit in row["commits"].split():
            known = subprocess.run([*git, "cat-file", "-e", f"{commit}^{{tree}}"], stderr=-3)
            if known.returncode:
                print(f"{row['repository']} {commit[:8]} …", flush=True)
                source = f"{given.address}/{row['repository']}"
                fetched = subprocess.run([*git, "fetch", "-q", "--depth=1", source, commit])
                missing += [f"{row['repository']} {commit}"] if fetched.returncode else []
    sys.exit("\n".join(["These could not be fetched:", *missing]) if missing else 0)


if __name__ == "__main__":
    main()
