from exercises.cells import SOLUTIONS

PLAIN = SOLUTIONS["ask_the_files"]
RIGHT: dict[str, str] = {}
WRONG = [
    ("silent", ("if not left or", "if")),
    ("names_it", ("'; '.join(left)", "left[0]")),
    ("names_it", ('"user"', '"assistant"')),
    ("checks_again", ("asked == 10", "asked == 1")),
    (
        "checks_again",
        ("    while True:", "    left = None\n    while True:"),
        ("left = missing(workspace)", "left = missing(workspace) if left is None else []"),
    ),
    ("ten_times", ("asked == 10", "asked == 9")),
    ("prints", ("print(asked", "print('some'")),
]
