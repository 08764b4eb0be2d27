from exercises.cells import SOLUTIONS, slip

PLAIN = SOLUTIONS["ask_the_files"]
LOOK = "        left = missing(workspace)\n"
LOOKED_FIRST = slip(PLAIN, (LOOK, ""), ("    asked = 0\n", f"    asked = 0\n{LOOK[4:]}"))
RUN = "run(client, messages, tools, **settings)"
RUN_ONCE = slip(PLAIN, (f"        {RUN}\n", ""), ("    while", f"    {RUN}\n    while"))
QUESTION = """{"role": "user", "content": f"Not done yet: {'; '.join(left)}"}"""
EACH_ALONE = (QUESTION, "{'role': 'user', 'content': one} for one in left")
BLOCKS = "{'role': 'user', 'content': [{'type': 'text', 'text': one} for one in left]}"
RIGHT = {"one message, with a block for each": slip(PLAIN, (QUESTION, BLOCKS))}
WRONG = [
    ("silent", LOOKED_FIRST, "what was missing before `run`"),
    ("names_it", ("'; '.join(left)", "left[0]")),
    ("names_it", ('"user"', '"assistant"')),
    ("checks_again", ("asked == 10", "asked == 1")),
    ("has_a_limit", ("asked == 10", "asked == 9"), "once more after the last one"),
    ("names_it", RUN_ONCE, "You ask the same again"),
    ("names_it", ("left", "missing"), "choose another name"),
    ("names_it", ("'; '.join(left)", "left"), ('f"Not done yet: {left}"', "left"), "makes one"),
    ("counted", ("print(asked", "print('some'")),
    ("silent", ("missing(workspace)", "missing(messages)")),
    ("names_it", (QUESTION, "'Go on.'"), (RUN, f"try: {RUN}\n        except Exception: pass")),
    ("names_it", ("messages.append(", "messages.extend("), EACH_ALONE),
]
