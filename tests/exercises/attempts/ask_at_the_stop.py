"""Right and wrong cells of `ask_at_the_stop`."""

PLAIN = '''def ask_at_the_stop(run, messages, missing):
    """Play the loop, and ask for what is missing each time that the model stops."""
    asked = 0
    while True:
        run()
        left = missing()
        if not left or asked == 10:
            break
        asked += 1
        question = f"The program asks, not the user: this is missing: {'; '.join(left)}"
        messages.append({"role": "user", "content": question})
'''
FOR = """
def ask_at_the_stop(run, messages, missing):
    run()
    for _ in range(10):
        left = missing()
        if not left:
            return
        question = f"The program asks, not the user: this is missing: {left}?"
        messages += [{"role": "user", "content": question}]
        run()
"""
IN_LINES = """
def ask_at_the_stop(run, messages, missing):
    for asked in range(11):
        run()
        left = missing()
        if not left or asked == 10:
            print(f"{asked} questions")
            return asked
        lines = ["The program asks, not the user: this is missing:", *left, "Please go on."]
        text = "\\n".join(lines)
        messages.append({"role": "user", "content": [{"type": "text", "text": text}]})
"""
RIGHT = {
    "with for": FOR,
    "in lines and a block, and it prints": IN_LINES,
}
LOOK, RUN = "        left = missing()\n", "        run()\n"
END = "        if not left or asked == 10:\n            break\n"
ASKS_ONCE = """
def ask_at_the_stop(run, messages, missing):
    run()
    left = missing()
    if left:
        question = "The program asks, not the user: this is missing: " + ", ".join(left)
        messages.append({"role": "user", "content": question})
        run()
"""
THIS = "The program asks, not the user: this"


def catching(line, error, does):
    """Return a change that puts a line of the loop into a `try`."""
    return line, f"        try:\n    {line}        except {error}:\n            {does}\n"


COUNT = "sum('The program asks' in str(one['content']) for one in messages)"
SENTENCES = {
    "A reply without a tool call ends the run.": None,
    "Write `ask_at_the_stop(run, messages, missing)`, a loop around the loop:": (
        "first:looks_again",
        ASKS_ONCE,
        "followed by a new look",
    ),
    "1. `run()` plays your agent loop on `messages` until the model stops.": None,
    "2. Then call `missing()`,": (
        "first:asks_nothing",
        (LOOK, ""),
        ("    asked = 0\n", f"    asked = 0\n{LOOK[4:]}"),
        "First call",
    ),
    "once at each stop.": (
        "first:asks_nothing",
        ("if not left", "if not missing()"),
        "was called again",
    ),
    "It returns a list of strings that say what is missing, and an empty list if the work is "
    "done.": ("first:asks_nothing", ("if not left or", "if"), "returns an empty list then"),
    "Do not change this list.": (
        "looks_again",
        (LOOK, f"{LOOK}        left.sort()\n"),
        "Only read it",
    ),
    '3. If something is missing, append one user message, `{"role": "user", "content": '
    '"…"}`,': None,
    "and names all of it.": (
        "names_it",
        ("join(left)", "join(left[:3])"),
        "exactly what",
    ),
    "Then call `run()` again.": (
        "first:names_it",
        (RUN, ""),
        ("    while", f"{RUN[4:]}    while"),
        "call `run()` again",
    ),
    "that begins with the given `WHO`": (
        "first:says_who_asks",
        (THIS, "This"),
        "begins with the given `WHO`",
    ),
    "at which something is missing,": (
        "all_together",
        ("if not left or", "if not left or asked > 2 and len(left) > 4 or"),
        "has stopped asking",
    ),
    "4. Ask at each stop": (
        "first:looks_again",
        ("    asked = 0\n", "    asked, before = 0, None\n"),
        ("if not left or", "if not left or left == before or"),
        ("        asked += 1\n", "        asked, before = asked + 1, left\n"),
        "has stopped asking",
    ),
    "but at most ten times.": ("has_a_limit", (" == 10", " == 11"), "Ask at most 10 times"),
    "After the tenth question, call `run()` a last time, and return, whatever is missing. (You may "
    "call `missing()` there; it changes nothing.)": None,
    "`WHO` says who asks: if the model has just asked the user something, it could believe that "
    "this message is the user's answer. In one product, which had no limit, a finished run could "
    "go on [rewriting its list without end](../docs/sources.md#at-the-stop).": None,
    "An error of `run` or `missing` is not caught.": (
        "lets_errors_through",
        catching(LOOK, "OSError", "left = []"),
        "catches what",
    ),
}
WRONG = [
    *((row[0].removeprefix("first:"), *row[1:]) for row in SENTENCES.values() if row),
    ("has_a_limit", ("asked == 10", f"{COUNT} == 10"), "count from 0 in each call"),
    ("asks_nothing", FOR.replace("left = missing()", "left = missing"), "called `missing`"),
    (
        "lets_errors_through",
        catching(LOOK, "OSError", "if asked < 3:\n                raise\n            return"),
        "catches what",
    ),
    (
        "lets_errors_through",
        catching(RUN, "OSError", "if asked < 10:\n                raise\n            return"),
        "catches what",
    ),
    (
        "names_it",
        ("        question =", "        for one in left:\n            question ="),
        ("{'; '.join(left)}", "{one}"),
        ("        messages", "            messages"),
        "two questions at one stop",
    ),
    ("names_it", ("messages.append(", "messages[-1].update("), "only append"),
    (
        "names_it",
        (LOOK, "        missing = missing()\n"),
        ("not left", "not missing"),
        ("join(left)", "join(missing)"),
        "hides",
    ),
    ("names_it", ("join(left)", "join(missing)"), "is a function: call it"),
    ("names_it", (""" {'; '.join(left)}\"""", '" + left'), "and not one string"),
    ("lets_errors_through", catching(LOOK, "KeyboardInterrupt", "return"), "catches what"),
    # The most natural unfinished ones: what they did is not what they are told that they lack.
    (
        "looks_again",
        ASKS_ONCE,
        ("        run()\n", "        run()\n        missing()\n"),
        "stopped asking",
    ),
    ("looks_again", ASKS_ONCE, ("    if left:", "    while left:"), "use the new result"),
    ("names_it", ("join(left)", "join(left[:12])"), "exactly what"),
    (
        "looks_again",
        ("    asked = 0\n", "    asked, before = 0, []\n"),
        ("if not left or", "if not left or (before and len(left) > len(before)) or"),
        ("        asked += 1\n", "        asked, before = asked + 1, left\n"),
        "stopped asking",
    ),
    (
        "looks_again",
        ("if not left or", "if not left or str(messages[-1]['content']).endswith('?') or"),
        "stopped asking",
    ),
    (
        "looks_again",
        ("        run()\n", "        before = len(messages)\n        run()\n"),
        ("if not left or", "if not left or len(messages) == before or"),
        "stopped asking",
    ),
    (
        "has_a_limit",
        ("def ask", "asked = 0\n\n\ndef ask"),
        ("    asked = 0\n", "    global asked\n"),
        ("            break\n", "            asked = 0\n            break\n"),
        "not the first call",
    ),
    ("names_it", ("        asked += 1\n", "        return\n"), "no question was appended"),
    ("names_it", ("messages.append(", "messages = messages + list("), "no question was appended"),
    ("asks_nothing", (RUN, f"{RUN}{RUN}"), "nobody has looked"),
    (
        "looks_again",
        ('f"The program asks, not the user: this', "f\"{WHO if asked == 1 else ''}this"),
        ("    asked = 0\n", "    WHO = 'The program asks, not the user: '\n    asked = 0\n"),
        "begin",
    ),
    ("says_who_asks", (f'f"{THIS}', f'f"\\n{THIS}'), "begins with whitespace"),
    ("says_who_asks", (THIS, "The program asks, not the user, this"), "begins with the given"),
    ("says_who_asks", (THIS, "The program asks, not the user. This"), "begins with the given"),
    (
        "looks_again",
        ("user: this", "user{': ' if asked < 2 else ', '}this"),
        "begins with the given",
    ),
    *(
        ("lets_errors_through", catching(line, error, "return"), error)
        for line in (LOOK, RUN)
        for error in ("FileNotFoundError", "TimeoutError", "ValueError")
    ),
    (
        "lets_errors_through",
        ("def ask", "import subprocess\n\n\ndef ask"),
        catching(LOOK, "subprocess.TimeoutExpired", "return"),
        "TimeoutExpired",
    ),
    ("lets_errors_through", FOR, catching(RUN, "Exception", "return"), "Got: no error"),
    (
        "lets_errors_through",
        catching(LOOK, "OSError as error", "raise RuntimeError('no check') from error"),
        "cause: Your code catches what",
    ),
    ("names_it", ("{'; '.join(left)}", "{len(left)}"), "exactly what"),
    ("names_it", ("join(left)", "join(one.splitlines()[0] for one in left)"), "exactly what"),
    ("names_it", ("join(left)", "join(left).encode('ascii', 'ignore').decode()"), "exactly what"),
    ("names_it", ('f"The', '"The'), "an f-string"),
    (
        "asks_nothing",
        (RUN, "        if messages and messages[-1]['role'] == 'user':\n            run()\n"),
        "First",
    ),
    ("asks_nothing", (RUN, f"        del messages[:-50]\n{RUN}"), "only append"),
    ("asks_nothing", (RUN, "        run(messages)\n"), "without arguments"),
    (
        "asks_nothing",
        FOR,
        ("            return\n", "            continue\n"),
        "Nothing is missing here",
    ),
    ("names_it", ("messages.append(", "messages.extend("), "take the dict apart"),
    ("says_who_asks", (THIS, THIS.upper()), "begins with the given"),
    (
        "names_it",
        FOR,
        ("        question =", "        run()\n        question ="),
        ("question}]\n        run()", "question}]"),
        "append it first",
    ),
    (
        "names_it",
        FOR,
        ("        messages +=", "    messages +="),
        ('content": question}]\n        run', 'content": question}]\n    run'),
        "in the same loop",
    ),
    ("has_a_limit", f"{FOR}    run()\n", "Ask at most 10 times"),
    ("names_it", ("question})", "left})"), "dict with a text of its"),
    ("names_it", ('"role": "user"', '"role": "system"'), "The role of the message is `user`"),
    ("has_a_limit", FOR, ("range(10)", "range(9)"), "has asked fewer than 10 questions"),
    ("has_a_limit", f"{FOR}    raise RuntimeError(left)\n", "Only return then"),
    (
        "has_a_limit",
        FOR,
        (
            "    for _ in range(10):",
            "    while sum(one['role'] == 'user' for one in messages) < 12:",
        ),
        "count from 0 in each call",
    ),
    (
        "looks_again",
        ("{'; '.join(left)}", "{'; '.join(left.pop() for _ in [*left])}"),
        "Only read it",
    ),
    (
        "looks_again",
        ("if not left or", 'if not left or "?" in messages[-1]["content"] or'),
        "whatever the model has said",
    ),
    ("has_a_limit", (" or asked == 10", ""), "Ask at most 10 times"),
    ("looks_again", ("asked == 10", "asked == 3"), "has stopped asking"),
    (
        "has_a_limit",
        ("messages, missing)", "messages, missing, count=[0])"),
        ("asked == 10", "count[0] == 10"),
        ("asked += 1", "count[0] += 1"),
        "The default of `count`",
    ),
]
