"""Recognize the steps of a task in any text: by their names, files, code names and key words.

A message that uses other words than the task, or another language, still names a step if it
contains a file or a code name that only this step changes, or two words that only this step has.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from .tasks import Step, Task, load

COMPLETED = re.compile(r"\[x\]|\bcompleted\b|\(done\)|[✓✔☑✅]|\berledigt\b", re.IGNORECASE)
# Next to a word for completed: "not really completed", "must be completed", "3 of 10 completed"
DOUBT = re.compile(
    r"\b(?:not|never|no|none|nothing|cannot|must|should|ha(?:s|ve) to|needs?|missing|[0-9]+ of|"
    r"nicht|noch|nie|kein\w*|muss|müssen|sollte\w*|fehl\w*)\b|n['’]t\b|[0-9]/",
    re.IGNORECASE,
)
IN_PROGRESS = re.compile(r"\[>\]|in[_ ]progress|in Arbeit", re.IGNORECASE)
FILE = re.compile(r"[\w./-]*\w\.[A-Za-z]\w*")
WORD = re.compile(r"\w+")
# Names that are written only in code: with an underscore, in CamelCase, or after `def`.
CODE_NAME = re.compile(r"\b(?:\w+_\w+|(?:[A-Z][a-z]+){2,})\b|(?<=\bdef )\w{8,}")
STEM = 4  # characters that count: "splitting" and "split" are the same word
# Words that a message about any step may contain, and their forms
COMMON = """about again before bring call check code compare copy date each file following from have
    instead item keep left list look make missing name need open order place return
    same step still task than that their them then there this todo turn update what where with
    work write your""".split()
LONG = 8  # characters of a word that names a step alone, if no other word does


@dataclass(frozen=True)
class Mention:
    """A step that a line of text names, and the text around the name.

    If a line names several steps, the text of each ends before the name of the next.
    """

    step: Step
    words: str

    @property
    def status(self) -> str:
        """Return the status in the text; pending if there is none."""
        if COMPLETED.search(self.words) and not DOUBT.search(self.words):
            return "completed"
        return "in_progress" if IN_PROGRESS.search(self.words) else "pending"


@dataclass(frozen=True)
class Clues:
    """What a text about a step may contain: its files, and the words that no other step has."""

    files: frozenset[str]
    own_names: frozenset[str]
    own_stems: frozenset[str]


def find_all_mentions(text: str, task: Task, *, exact: bool = False) -> list[Mention]:
    """Return the first mention of each step of `task` in `text`, in their order."""
    found: list[Mention] = []
    for line in text.splitlines():
        known = [mention.step for mention in found]
        mentions = find_mentions(line, task, exact=exact)
        found += [mention for mention in mentions if mention.step not in known]
    return found


def find_mentions(line: str, task: Task, *, exact: bool = False) -> list[Mention]:
    """Return the steps of `task` that a line names, in their order in the line.

    With `exact`, find only the steps whose text is in the line word for word.
    """
    folded, rest = line.casefold(), line
    starts: dict[int, int] = {}  # where each step is named first, by the number of the step
    for number, step in enumerate(task.steps):
        for name in (step.text, step.activeForm):
            start = folded.find(name.casefold())
            if start >= 0:
                starts[number] = min(start, starts.get(number, start))
                # The rest of the line keeps its length, so that places in it stay comparable.
                rest = re.sub(re.escape(name), " " * len(name), rest, flags=re.IGNORECASE)
    if not exact:
        starts = find_by_clues(rest, task) | starts
    places = sorted((start, number) for number, start in starts.items())
    if len(places) < 2:
        return [Mention(task.steps[number], line) for _, number in places]
    ends = [start for start, _ in places[1:]] + [len(line)]
    return [
        Mention(task.steps[number], line[start:end])
        for (start, number), end in zip(places, ends, strict=True)
    ]


def find_by_clues(line: str, task: Task) -> dict[int, int]:
    """Return the number of each step that a line names in other words, and where it does so.

    A step's own file or code name is enough, and so are two of its own words, or one of them and
    its file. A file of several steps names those that its other words fit, or else all of them.
    """
    all_clues = clues(task.name)
    files = {found.start(): found[0] for found in FILE.finditer(line)}
    words = {found.start(): found[0] for found in WORD.finditer(FILE.sub(blank, line))}
    names = {word: at for at, word in words.items()}
    named: dict[int, int] = {}
    unsure: dict[str, list[tuple[int, int]]] = {}  # steps of a file that have no other clue
    for number, clue in enumerate(all_clues):
        at_files = {at: name for at, text in files.items() if (name := match(text, clue.files))}
        at_files |= {at: name for at, text in words.items() if (name := match_bare(text, clue))}
        at_names = [names[name] for name in clue.own_names if name in names]
        stems = {stem(word): at for at, word in reversed(words.items())}
        at_stems = [stems[own] for own in clue.own_stems if own in stems]
        is_own = any(
            sum(name in other.files for other in all_clues) == 1 for name in at_files.values()
        )
        places = [*at_files, *at_names, *at_stems]
        score = len(at_stems) + 2 * bool(at_names) + (2 if is_own else bool(at_files))
        is_only = len(clue.own_stems) == 1 and any(len(words[at]) >= LONG for at in at_stems)
        if score >= 2 or is_only:
            named[number] = min(places)
        elif at_files:
            for at, name in at_files.items():
                unsure.setdefault(name, []).append((number, at))
    for name, steps in unsure.items():
        if not any(name in all_clues[number].files for number in named):
            named |= dict(steps)
    return named


def match(text: str, files: frozenset[str]) -> str | None:
    """Return the file that `text` means, with or without its folder; None if there is none."""
    text = text.removeprefix("./")
    return next((f for f in sorted(files) if f == text or f.endswith("/" + text)), None)


def match_bare(word: str, clue: Clues) -> str | None:
    """Return the file that a word names without its suffix, as "README" does."""
    return next((f for f in clue.files if word.isupper() and f.startswith(word + ".")), None)


def blank(found: re.Match[str]) -> str:
    """Return spaces in place of a match."""
    return " " * len(found[0])


def stem(word: str) -> str:
    """Return the start of a word. Write k as c, because "Konstanten" are "constants"."""
    start = word.casefold()[:STEM].replace("k", "c")
    return start if len(start) == STEM and start not in COMMON_STEMS else ""


COMMON_STEMS = frozenset(word[:STEM].replace("k", "c") for word in COMMON)


@cache
def clues(name: str) -> tuple[Clues, ...]:
    """Return the clues of each step of the task `name`."""
    steps = load(name).steps
    names = [find_code_names(step) for step in steps]
    stems = [find_stems(step) for step in steps]
    return tuple(
        Clues(frozenset(step.done), keep_own(step_names, names), keep_own(step_stems, stems))
        for step, step_names, step_stems in zip(steps, names, stems, strict=True)
    )


def keep_own(own: set[str], all_steps: list[set[str]]) -> frozenset[str]:
    """Return the members of `own` that no other step has."""
    counts = Counter(member for step in all_steps for member in step)
    return frozenset(member for member in own if counts[member] == 1)


def find_stems(step: Step) -> set[str]:
    """Return the stems of the words of a step's name that are not files."""
    text = FILE.sub(" ", f"{step.text} {step.activeForm}")
    return {stem(word) for word in WORD.findall(text)} - {""}


def find_code_names(step: Step) -> set[str]:
    """Return the code names that a step adds to a program or removes from it."""
    edits = [a.input for a in step.actions if str(a.input.get("path")).endswith(".py")]
    before = set(CODE_NAME.findall("\n".join(str(edit.get("old_text", "")) for edit in edits)))
    after = "\n".join(str(edit.get("new_text", edit.get("content", ""))) for edit in edits)
    return before ^ set(CODE_NAME.findall(after))
