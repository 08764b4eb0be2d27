from exercises.cells import SOLUTIONS

PLAIN = SOLUTIONS["remind"]
RIGHT = {
    "the calls as agentlib's Call": PLAIN.replace("remind(uses)", "remind(calls)")
    .replace(
        "output = call_tool(dispatch, use.name, use.input).output",
        "calls.append(call_tool(dispatch, use.name, use.input))\n            output = calls[-1].output",
    )
    .replace("results = []", "results, calls = [], []")
}
INSIDE = 'results[-1]["content"] = [output, {"type": "text", "text": text}]'
TEXT = '{"type": "text", "text": text}'
WRONG = [
    ("called", ("remind(uses)", "[remind([use]) for use in uses][-1]"), "after the `for` loop"),
    ("called", ("remind(uses) if remind else None", "remind(uses)"), "The default of `remind`"),
    ("called", ("remind(uses)", "remind()")),
    ("inside", (INSIDE, f"results.insert(0, {TEXT})")),
    ("inside", (INSIDE, f"results.append({TEXT})")),
    ("inside", (INSIDE, 'results[-1]["content"] += text')),
    ("inside", ("if text:", "if True:"), "Then the result stays"),
    ("together", ("remind(uses)", "remind(uses[:0])")),
]
