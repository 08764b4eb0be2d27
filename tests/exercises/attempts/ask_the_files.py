from exercises.cells import SOLUTIONS

PLAIN = SOLUTIONS["ask_the_files"]
RIGHT = {
    "with a helper": """
def missing_text(check, workspace):
    return "\\n".join(check(workspace))

def ask_the_files(client, messages, tools, workspace, check, **settings):
    number = 0
    run(client, messages, tools, **settings)
    while number < 10 and (text := missing_text(check, workspace)):
        messages += [{"role": "user", "content": "The files say:\\n" + text}]
        number += 1
        run(client, messages, tools, **settings)
    print("Questions:", number)
""",
}
WRONG = [
    ("silent", ("if not missing or", "if")),
    ("names_it", ("'; '.join(missing)", "len(missing)")),
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
