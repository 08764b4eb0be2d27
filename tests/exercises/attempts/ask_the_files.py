from exercises.cells import SOLUTIONS, slip

PLAIN = SOLUTIONS["ask_the_files"]
LOOK = "        left = missing(workspace)\n"
RUN = "run(client, messages, tools, **settings)"
QUESTION = """{"role": "user", "content": f"Not done yet: {'; '.join(left)}"}"""
BLOCKS = "{'role': 'user', 'content': [{'type': 'text', 'text': one} for one in left]}"
RIGHT = {"one message, with a block for each": slip(PLAIN, (QUESTION, BLOCKS))}
# These are in docs/teach.md.
LIKELY = [
    (
        "silent",
        (LOOK, ""),
        ("    asked = 0\n", f"    asked = 0\n{LOOK[4:]}"),
        "After two requests nothing is missing",
    ),
]
WRONG = [
    ("names_it", ("'; '.join(left)", "left[0]")),
    ("names_it", ('"user"', '"assistant"')),
    ("checks_again", ("asked == 10", "asked == 1")),
    ("ten_times", ("asked == 10", "asked == 9")),
    ("prints", ("print(asked", "print('some'")),
    ("silent", ("missing(workspace)", "missing(messages)")),
    (
        "names_it",
        (QUESTION, "'Not done yet'"),
        (RUN, f"try: {RUN}\n        except Exception: pass"),
    ),
    (
        "names_it",
        ("messages.append(", "messages.extend("),
        (QUESTION, "{'role': 'user', 'content': one} for one in left"),
    ),
    ("ten_times", ("    while True:", "    for _ in range(10):")),
    ("prints", ("print(asked", "print(*range(11)")),
]
