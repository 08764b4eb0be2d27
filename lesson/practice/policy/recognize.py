"""Recognize the steps of a job in any text: by their names, and by the files that they change.

A message in other words still names a step if it contains its file.
"""

import re
from dataclasses import dataclass

from ...samples.jobs import Job, Step

# The sign of a task at the beginning of its line, behind a bullet or a number.
SIGN = re.compile(r"[\s>*+#\d.):-]*(?:\[(?P<box>.)\]|(?P<tick>[✓✔☑✅])|[☐□⬜])")
# Words count only in a line without a sign, and not in the name of a step.
COMPLETED = re.compile(r"\[x\]|\bcompleted\b|\(done\)|[✓✔☑✅]", re.IGNORECASE)
# Next to a word for completed: "not really completed", "must be completed", "3 of 10 completed"
DOUBT = re.compile(
    r"\b(?:not|never|no|none|nothing|cannot|must|should|ha(?:s|ve) to|needs?|missing|[0-9]+ of)"
    r"\b|n['’]t\b|[0-9]/",
    re.IGNORECASE,
)
IN_PROGRESS = re.compile(r"\[>\]|in[_ ]progress", re.IGNORECASE)
FILE_NAME = re.compile(
    r"(?<![\w./-])[\w./-]*\w\.[A-Za-z]\w*|\b[A-Z]+\b"
)  # also README without its suffix


@dataclass(frozen=True)
class Mention:
    """A step that a line of text names, and that line with blanks in place of all names."""

    step: Step
    line: str

    @property
    def claim(self) -> str:
        """Return the status that the line claims; pending if there is none."""
        if sign := SIGN.match(self.line):
            is_done = sign["tick"] or sign["box"] in ("x", "X")
            return "completed" if is_done else "in_progress" if sign["box"] == ">" else "pending"
        if COMPLETED.search(self.line) and not DOUBT.search(self.line):
            return "completed"
        return "in_progress" if IN_PROGRESS.search(self.line) else "pending"


def find_all_mentions(text: str, job: Job, *, exact: bool = False) -> list[Mention]:
    """Return the first mention of each step of `job` in `text`, in their order."""
    mentions: list[Mention] = []
    for line in text.splitlines():
        named = [mention.step for mention in mentions]
        mentions += [m for m in find_mentions(line, job, exact=exact) if m.step not in named]
    return mentions


def find_mentions(line: str, job: Job, *, exact: bool = False) -> list[Mention]:
    """Return the steps of `job` that a line names, in their order in the line.

    With `exact`, find only the steps whose text is in the line word for word. Without it, the name
    of a file outside these names all steps that change it.
    """
    folded, rest = line.casefold(), line
    starts: dict[int, int] = {}  # where each step is named first, by the number of the step
    for number, step in enumerate(job.steps):
        for name in (step.text, step.activeForm):
            start = folded.find(name.casefold())
            if start >= 0:
                starts[number] = min(start, starts.get(number, start))
                # The rest of the line keeps its length, so that places in it stay comparable.
                rest = re.sub(re.escape(name), " " * len(name), rest, flags=re.IGNORECASE)
    for word in () if exact else FILE_NAME.finditer(rest):
        for number, step in enumerate(job.steps):
            if any(is_named(file, word[0]) for file in step.patterns):
                starts.setdefault(number, word.start())
    return [Mention(job.steps[number], rest) for number in sorted(starts, key=starts.__getitem__)]


def is_named(file: str, word: str) -> bool:
    """Return whether a word names a file, with or without its folder, or without its suffix."""
    word = word.removeprefix("./")
    is_whole = file == word or file.endswith("/" + word)
    return is_whole or (word.isupper() and file.startswith(word + "."))
