from exercises.cells import SOLUTIONS, slip

PLAIN = SOLUTIONS["ask_at_the_stop"]
LOOK = "        left = missing(workspace)\n"
LOOKED_FIRST = slip(PLAIN, (LOOK, ""), ("    asked = 0\n", f"    asked = 0\n{LOOK[4:]}"))
RUN = "        run(client, messages, tools, **settings)\n"
RUN_ONCE = slip(PLAIN, (RUN, ""), ("    while", f"{RUN[4:]}    while"))
SECOND = "        if asked: settings = {'model': 'practice', 'max_tokens': 8000}\n        run("
QUESTION = """{"role": "user", "content": f"Not done yet: {'; '.join(left)}"}"""
EMPTY = "        if not left:\n            messages.append({'role': 'user', 'content': ''})\n"
EACH_ALONE = (QUESTION, "{'role': 'user', 'content': one} for one in left")
BLOCKS = "{'role': 'user', 'content': [{'type': 'text', 'text': one} for one in left]}"
ONCE = """
def ask_at_the_stop(client, messages, tools, workspace, missing, **settings):
    run(client, messages, tools, **settings)
    left, asked = missing(workspace), 0
    while left and asked < 10:
        messages.append({"role": "user", "content": f"Not done yet: {'; '.join(left)}"})
        asked += 1
        run(client, messages, tools, **settings)
    print(asked, "questions")
"""
RUN_FIRST = slip(PLAIN, ("    while", f"{RUN[4:]}    while"))
RIGHT = {
    "one message, with a block for each": slip(PLAIN, (QUESTION, BLOCKS)),
    "with for, in a reminder": """
def ask_at_the_stop(client, messages, tools, workspace, missing, **settings):
    for asked in range(11):
        for turn in rounds(client, messages, tools, **settings):
            pass
        left = missing(workspace)
        if not left or asked == 10:
            print(f"{asked} questions")
            return
        text = "<reminder>You stopped. Not done:\\n" + "\\n".join(left) + "</reminder>"
        messages.append({"role": "user", "content": [{"type": "text", "text": text}]})
""",
}
WRONG = [
    ("silent", LOOKED_FIRST, "what was missing before `run`"),
    ("silent", LOOKED_FIRST, (" or asked == 10", ""), "what was missing before `run`"),
    ("silent", ("if not left or", "if"), "`missing` returns an empty list"),
    ("silent", ("run(", "rounds("), "It runs the loop"),
    ("silent", ("messages, tools, **settings)\n", "messages, **settings)\n"), "Pass on all"),
    ("silent", ("def ask", "async def ask"), "write `def` instead"),
    ("silent", ("        run(", "        yield from rounds(")),
    ("silent", ("missing(workspace)", "missing(messages)")),
    ("names_it", ("'; '.join(left)", "left[0]"), "join the strings"),
    ("names_it", ("'; '.join(left)", "len(left)"), "join the strings"),
    ("names_it", ('"user"', '"assistant"')),
    ("looks_again", ONCE, "and then `missing` again"),
    ("silent", RUN_FIRST, "calls it again"),
    (
        "silent",
        ("        if not left or", EMPTY + "        if not left or"),
        "`missing` returns an empty list",
    ),
    ("names_it", RUN_ONCE, "You ask the same again"),
    ("names_it", ("left", "missing"), "choose another name"),
    ("names_it", ("'; '.join(left)", "left"), ('f"Not done yet: {left}"', "left"), "makes one"),
    (
        "names_it",
        (QUESTION, "'Go on.'"),
        (RUN.strip(), f"try: {RUN.strip()}\n        except Exception: pass"),
    ),
    ("names_it", ("messages.append(", "messages.extend("), EACH_ALONE),
    ("looks_again", ("asked == 10", "asked == 1")),
    (
        "looks_again",
        ("        run(", SECOND),
        ("    asked = 0\n", "    asked = 0\n    first = settings\n"),
    ),
    ("has_a_limit", ("asked == 10", "asked == 9"), "once more after the last one"),
    ("has_a_limit", ("asked == 10", "asked == 11")),
    ("has_a_limit", (" or asked == 10", "")),
    ("has_a_limit", ("    while True:\n", "    while True:\n        asked = 0\n")),
    ("has_a_limit", ("    while True:", "    for _ in range(10):")),
    ("names_it", ("'; '.join(left)", "'; '.join(left[:2])"), "join the strings"),
    ("names_it", ("'; '.join(left)", "left[0] + left[-1]"), "join the strings"),
    (
        "looks_again",
        ("    asked = 0\n", "    asked, first = 0, None\n"),
        ("'; '.join(left)", "'; '.join(first)"),
        ("        asked += 1\n", "        asked += 1\n        first = first or left\n"),
    ),
    ("counted", ("    print(asked", "    if asked: print(asked")),
    ("counted", ("print(asked", "print(asked + 1")),
    ("counted", ("print(asked", "print(*range(11)")),
    ("counted", ("print(asked", "print('some'")),
]
