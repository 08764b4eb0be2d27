"""Right and wrong cells of `ask_at_the_stop`."""

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
WRONG = [
    (
        "asks_nothing",
        FOR.replace("            return\n", "            continue\n"),
        "and your code goes on",
    ),
    ("has_a_limit", f"{FOR}    run()\n", "Ask at most ten times"),
    ("asks_nothing", FOR.replace("return", "yield"), "makes a generator"),
    ("asks_nothing", f"async {FOR.strip()}", "instead of `async def`"),
]
