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
        question = f"The program asks, not the user: this is not done yet: {'; '.join(left)}"
        messages.append({"role": "user", "content": question})
'''
FOR = """
def ask_at_the_stop(run, messages, missing):
    run()
    for _ in range(10):
        left = missing()
        if not left:
            return
        question = f"The program asks, not the user: what about {left}?"
        messages += [{"role": "user", "content": question}]
        run()
"""
IN_A_REMINDER = """
def ask_at_the_stop(run, messages, missing):
    for asked in range(11):
        run()
        left = missing()
        if not left or asked == 10:
            print(f"{asked} questions")
            return asked
        lines = ["<reminder>The program asks, not the user. Not done:", *left, "</reminder>"]
        text = "\\n".join(lines)
        messages.append({"role": "user", "content": [{"type": "text", "text": text}]})
"""
A_CLASS = """
from dataclasses import dataclass


@dataclass
class Asker:
    run: object
    messages: list
    missing: object

    def play(self):
        self.run()
        for _ in range(10):
            match self.missing():
                case []:
                    return
                case left:
                    self.ask(left)

    def ask(self, left):
        blocks = ["The program asks, not the user:", *left]
        content = [{"type": "text", "text": one} for one in blocks]
        self.messages.append({"role": "user", "content": content})
        self.run()


def ask_at_the_stop(*args):
    Asker(*args).play()
"""
RIGHT = {
    "with for": FOR,
    "in a reminder, and it prints": IN_A_REMINDER,
    "a dataclass, and a block for each": A_CLASS,
}
LOOK = "        left = missing()\n"
RUN = "        run()\n"
QUESTION = (
    "        question = "
    "f\"The program asks, not the user: this is not done yet: {'; '.join(left)}\"\n"
    '        messages.append({"role": "user", "content": question})\n'
)
NAMED = "{'; '.join(left)}"
LOOKED_FIRST = (LOOK, ""), ("    asked = 0\n", f"    asked = 0\n{LOOK[4:]}")
RUN_ONCE = (RUN, ""), ("    while", f"{RUN[4:]}    while")
ONE_EACH = """        for one in left:
            question = f"The program asks, not the user: {one}"
            messages.append({"role": "user", "content": question})
"""
STATE = """
ASKED = []


def ask_at_the_stop(run, messages, missing):
    run()
    while (left := missing()) and len(ASKED) < 10:
        ASKED.append(left)
        question = f"The program asks, not the user: {'; '.join(left)}"
        messages.append({"role": "user", "content": question})
        run()
"""
WRONG = [
    ("asks_nothing", *LOOKED_FIRST, "before `run()`"),
    ("asks_nothing", ("if not left or", "if"), "returns an empty list then"),
    (
        "asks_nothing",
        ("if not left", "print(missing())\n        if not left"),
        "called twice at one stop",
    ),
    ("names_it", (NAMED, "{len(left)}"), "join(left)"),
    ("names_it", (QUESTION, ONE_EACH), "one message with all the strings"),
    ("says_who_asks", ("The program asks, not the user: this", "This"), "begins with who asks"),
    ("names_it", *RUN_ONCE, "call `run()` again"),
    ("has_a_limit", (" or asked == 10", ""), "without end: return after 10"),
    ("has_a_limit", STATE, "in each call of your function"),
    (
        "as_the_solution",
        ("'; '.join(left)", "__import__('html').escape('; '.join(left))"),
        "unchanged",
    ),
]
