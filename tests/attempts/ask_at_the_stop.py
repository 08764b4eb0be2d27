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
RIGHT = {
    "with for": FOR,
    "in a reminder, and it prints": IN_A_REMINDER,
}
LOOK, RUN = "        left = missing()\n", "        run()\n"
WRONG = [
    ("asks_nothing", (LOOK, ""), ("    asked = 0\n", f"    asked = 0\n{LOOK[4:]}"), "First call"),
    ("asks_nothing", ("if not left or", "if"), "returns an empty list then"),
    ("names_it", ("{'; '.join(left)}", "{len(left)}"), "join(left)"),
    ("says_who_asks", ("The program asks, not the user: this", "This"), "begins with who asks"),
    ("names_it", (RUN, ""), ("    while", f"{RUN[4:]}    while"), "call `run()` again"),
    ("has_a_limit", (" or asked == 10", ""), "Ask at most 10 times"),
]
