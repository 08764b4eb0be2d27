from exercises.cells import SOLUTIONS, slip

PLAIN = SOLUTIONS["ask_the_list"]
RIGHT = {
    "with for, in a reminder": """
def ask_the_list(client, messages, tools, todo, **settings):
    for asked in range(11):
        for turn in rounds(client, messages, tools, **settings):
            pass
        if all(item["status"] == "completed" for item in todo.items) or asked == 10:
            print(f"{asked} questions")
            return
        text = f"<reminder>You stopped. Your list:\\n{todo.render()}</reminder>"
        text = "\\n".join(line for line in text.splitlines() if "[x]" not in line)
        messages.append({"role": "user", "content": [{"type": "text", "text": text}]})
""",
}
SECOND = "        if asked: settings = {'model': 'practice', 'max_tokens': 8000}\n        run("
RUN = "        run(client, messages, tools, **settings)\n"
RUN_ONCE = slip(PLAIN, (RUN, ""), ("    while", RUN[4:] + "    while"))
WRONG = [
    ("names_them", ("'; '.join(left)", "len(left)")),
    ("has_a_limit", (" or asked == 10", "")),
    ("has_a_limit", ("    while True:\n", "    while True:\n        asked = 0\n")),
    ("silent", ("if not left or", "if")),
    ("silent", ('"completed"', '"done"'), "a completed task is not open"),
    ("silent", ("run(", "rounds("), "It runs the loop"),
    ("silent", ("def ask", "async def ask"), "write `def` instead"),
    ("names_them", RUN_ONCE, "You ask the same again"),
    ("names_them", ("'; '.join(left)", "left[0]")),
    ("names_them", ('if item["status"]', 'if "pending" in str(todo.items) or item["status"]')),
    ("names_them", ('"user"', '"assistant"')),
    ("looks_again", ("asked == 10", "asked == 1")),
    ("has_a_limit", ("asked == 10", "asked == 11")),
    (
        "looks_again",
        ("        run(", SECOND),
        ("    asked = 0\n", "    asked = 0\n    first = settings\n"),
    ),
    ("has_a_limit", ("    while True:", "    for _ in range(10):")),
    ("silent", ("        run(", "        yield from rounds(")),
    ("counted", ("print(asked", "print(*range(11)")),
    ("counted", ("print(asked", "print('some'")),
]
