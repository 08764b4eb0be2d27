"""Build the requests of the experiment: eight wordings of twelve jobs of six steps.

A job has six files, whose names are one token each. Steps 1 and 2 are done. The open steps 3 to 6
are asked in four rotations, so each open file is once in each place of the list. A model that does
not read the order gives the next file exactly 1/4 on average, whatever it thinks of the names.
"""

import json
import random

NAMES = """cart books tax users mail search login menu stock report image price order theme cache
queue parser weather chat score clock music""".split()
ACTIONS = """Add type hints to|Write docstrings for|Rename the short names in|Sort the imports of|
Remove the dead code from|Split the long function in|Handle the errors in|Name the constants in|
Simplify the loops in|Check the input in""".replace("\n", "").split("|")
EDITS = [
    ("def run(a, b):", "def run(first, second):"),
    ("n = 3", "COPIES = 3"),
    ("import sys, os", "import os\nimport sys"),
    ("except:", "except ValueError:"),
    ("x = f(y)", "total = add(prices)"),
    ("return r", "return result"),
]
TOOLS = {
    "bash": ("Run a command in the folder.", ["command"]),
    "read_file": ("Read a text file.", ["path"]),
    "write_file": ("Create or overwrite a text file.", ["path", "text"]),
    "edit_file": ("Replace one string in a text file.", ["path", "old_text", "new_text"]),
    "todo": ("Write the todo list. Send the whole list each time.", ["items"]),
}
SENTENCE, CONTROL = "Update your todos.", "Water your plants."
DONE, SUNNY = "All six steps are done.", "It is a sunny day today."

# The conditions that contain the job's open steps are asked in four rotations. The request of the
# others is the same in each rotation, so it is asked once, and 1/4 is their mean by arithmetic.
ONCE = ["lost", "sentence", "control sentence", "count line alone", "control list"]
TURNED = ["list in the reminder", "marks one ahead", "plan in the window", "plan in another order"]
FACTORS = ["schemas", "tags", "line ends", "numbers"]


def wordings() -> list[dict[str, bool]]:
    """Return half of the sixteen combinations: each factor and each pair of factors is balanced."""
    rows = [[bool(n & 4), bool(n & 2), bool(n & 1)] for n in range(8)]
    return [dict(zip(FACTORS, [*r, sum(r) % 2 == 1], strict=True)) for r in rows]


def job(number: int) -> dict:
    """Draw a job's files, steps and edits, and the list of another job for the control."""
    draw = random.Random(f"job {number}")
    files = [f"{name}.py" for name in draw.sample(NAMES, 12)]
    actions = draw.sample(ACTIONS, 6) + draw.sample(ACTIONS, 6)
    steps = [f"{action} {file}" for action, file in zip(actions, files, strict=True)]
    named = draw.sample(files[:6], 6)
    return {
        "files": files[:6],
        "steps": steps[:6],
        "other": steps[6:],
        "prompt": "Refactor this program in six steps. Its files are "
        f"{', '.join(named[:-1])} and {named[-1]}.",
        "edits": draw.sample(EDITS, 2),
    }


class Wording:
    """Write messages in one wording, as the text that the model's chat format asks for."""

    def __init__(self, schemas: bool, tags: bool, line_ends: bool, numbers: bool):
        self.schemas, self.numbers = schemas, numbers
        self.end = "\n" if line_ends else ""
        names = "tool_call tool_response system-reminder" if tags else "call result reminder"
        self.call_tag, self.result_tag, self.reminder_tag = names.split()

    def tagged(self, tag: str, text: str) -> str:
        return f"<{tag}>{self.end}{text}{self.end}</{tag}>"

    def message(self, role: str, text: str) -> str:
        return f"<|im_start|>{role}\n{text}<|im_end|>\n"

    def call(self, name: str, **arguments: object) -> str:
        text = json.dumps({"name": name, "arguments": arguments})
        return self.message("assistant", self.tagged(self.call_tag, text))

    def result(self, text: str, reminder: str = "") -> str:
        if reminder:
            text += ("\n\n" if self.end else " ") + self.tagged(self.reminder_tag, reminder)
        return self.message("user", self.tagged(self.result_tag, text))

    def system(self) -> str:
        text = "You are a coding agent. You work in a folder of text files. To use a tool, write "
        text += self.tagged(self.call_tag, '{"name": ..., "arguments": {...}}')
        if not self.schemas:
            return self.message("system", f"{text}\nYour tools are {', '.join(TOOLS)}.")
        schemas = [
            {
                "name": name,
                "description": description,
                "input_schema": {
                    "type": "object",
                    "properties": {
                        p: {"type": "array" if p == "items" else "string"} for p in keys
                    },
                    "required": keys,
                },
            }
            for name, (description, keys) in TOOLS.items()
        ]
        return self.message("system", "\n".join([text, "Your tools:", *map(json.dumps, schemas)]))

    def listed(self, steps: list[str], done: int, started: int | None = None) -> str:
        lines = []
        for i, step in enumerate(steps):
            mark = "x" if i < done else ">" if i == started else " "
            lines.append(f"{f'{i + 1}. ' if self.numbers else ''}[{mark}] {step}")
        return "\n".join([*lines, f"({done} of 6 done)"])

    def edits(self, job: dict, reminder: str = "") -> str:
        out = ""
        for i, (old, new) in enumerate(job["edits"]):
            path = job["files"][i]
            out += self.call("edit_file", path=path, old_text=old, new_text=new)
            out += self.result(f"Edited {path}.", reminder if i == 1 else "")
        return out

    def planned(self, steps: list[str]) -> str:
        statuses = ["in_progress"] + ["pending"] * 5
        items = [{"text": t, "status": s} for t, s in zip(steps, statuses, strict=True)]
        return self.call("todo", items=items) + self.result(self.listed(steps, 0, started=0))

    def request(self, job: dict, condition: str, turn: int = 0) -> str:
        """Return the whole text that the model continues."""
        done, open_ = job["steps"][:2], job["steps"][2:]
        steps = done + open_[turn:] + open_[:turn]
        start = self.system()
        if condition.startswith("plan"):
            # In the other order, 3 is the list's first open step, and 4 follows the last edit.
            order = [0, 1, 2, 3, 4, 5] if condition == "plan in the window" else [2, 1, 3, 0, 4, 5]
            start += self.message("user", job["prompt"])
            start += self.planned([steps[i] for i in order]) + self.edits(job)
        else:
            reminder = {
                "lost": "",
                "sentence": SENTENCE,
                "control sentence": CONTROL,
                "count line alone": f"{SENTENCE}\n(2 of 6 done)",
                "control list": f"{SENTENCE}\n{self.listed(job['other'], 2)}",
                "list in the reminder": f"{SENTENCE}\n{self.listed(steps, 2)}",
                "marks one ahead": f"{SENTENCE}\n{self.listed(steps, 3)}",
            }[condition]
            start += self.message(
                "user", f"{job['prompt']}\n\nEarlier messages were left out here."
            ) + self.edits(job, reminder)
        return f"{start}<|im_start|>assistant\n"

    def to_tool(self) -> str:
        """Return the start of a reply that calls a tool, up to the tool's name."""
        return f'<{self.call_tag}>{self.end}{{"name": "'

    def to_file(self) -> str:
        """Return the start of a reply that edits a file, up to the file's name."""
        return f'{self.to_tool()}edit_file", "arguments": {{"path": "'
