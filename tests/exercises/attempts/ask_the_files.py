from exercises.cells import SOLUTIONS

PLAIN = SOLUTIONS["ask_the_files"]
RIGHT: dict[str, str] = {}
WRONG = [
    ("silent", ("if not missing or", "if")),
    ("names_it", ("'; '.join(missing)", "missing[0]")),
    ("names_it", ('"user"', '"assistant"')),
    ("checks_again", ("asked == 10", "asked == 1")),
    (
        "checks_again",
        ("    while True:", "    missing = None\n    while True:"),
        ("missing = check(workspace)", "missing = check(workspace) if missing is None else []"),
    ),
    ("ten_times", ("asked == 10", "asked == 9")),
    ("prints", ("print(asked", "print('some'")),
]
