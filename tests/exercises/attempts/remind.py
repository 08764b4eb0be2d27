from exercises.cells import SOLUTIONS, slip

PLAIN = SOLUTIONS["remind"]
OUTPUT = "output = call_tool(dispatch, use.name, use.input).output"
CALLS = slip(
    PLAIN,
    ("results = []", "results, calls = [], []"),
    (OUTPUT, f"calls.append(call_tool(dispatch, use.name, use.input))\n{' ' * 12}{OUTPUT}"),
    ("call_tool(dispatch, use.name, use.input).output\n", "calls[-1].output\n"),
    ("remind(uses)", "remind(calls)"),
)
RIGHT = {"with the calls of agentlib": CALLS}
INSIDE = 'results[-1]["content"] = [output, {"type": "text", "text": text}]'
TEXT = '{"type": "text", "text": text}'
STALE = (
    ("    while True:", "    text = None\n    while True:"),
    ("remind(uses) if remind else None", "(remind(uses) if remind else None) or text"),
)
WRONG = [
    ("called", ("remind(uses)", "[remind([use]) for use in uses][-1]")),
    ("called", ("remind(uses) if remind else None", "remind(uses)"), "only if it was given"),
    ("called", ("remind(uses)", "remind()"), "TypeError: remind() missing"),
    ("inside", (INSIDE, f"results.insert(0, {TEXT})"), "next to the results"),
    ("inside", (INSIDE, f"results.append({TEXT})"), "next to the results"),
    ("inside", (INSIDE, 'results[-1]["content"] += text'), "a second text block"),
    ("inside", ("if text:", "if True:"), "`remind` may return None"),
    ("inside", ('results[-1]["content"] = [', 'results[0]["content"] = ['), "another result"),
    ("inside", ('results[-1]["content"]}', 'results[0]["content"]}'), "of another call"),
    ("called", ("remind(uses)", "remind(uses) and remind(uses)"), "counts as a round"),
    ("called", ("remind(uses)", "remind(results)"), "the blocks with the calls"),
    (
        "inside",
        ("[output, ", '[{"type": "text", "text": output}, '),
        "not None or another block",
    ),
    ("inside", (f"[output, {TEXT}]", f"[{TEXT}, output]"), "a second text block"),
    ("inside", (f"[output, {TEXT}]", "[output['text'], text]"), "a content list is a dict"),
    ("inside", (TEXT, TEXT.replace("text", "reminder", 1)), "a second text block"),
    (
        "called",
        CALLS,
        ("remind(calls) if", "remind([one for one in calls if one.ok]) if"),
    ),
    ("inside", *STALE),
    ("inside", ("if text:", "if text and not output.startswith('Error'):")),
    ("inside", (INSIDE, "results *= 2"), "A call has two results"),
    ("inside", ('"text": text}', '"text": str(text)}'), ("if text:", "if remind:")),
]
