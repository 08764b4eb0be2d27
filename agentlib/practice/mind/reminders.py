"""What a reminder says to the mind: to see to its list, what its plan is, or what comes next.

A reminder is a text that came with a tool's results and is no tool's output. It is read by its
words, so a reminder that says nothing of the job or of the list says nothing at all.
"""

import re
from dataclasses import dataclass

from .tasks import Step, Task

LIST = r"(?:to-?dos?|todo ?lists?|todo_?write|(?:your|the|its|task|check) ?-?(?:list|plan)s?)"
CARE = (
    r"(?:updat\w*|refresh\w*|revis\w*|review\w*|check\w*|look\w*|mark\w*|tick\w*|us(?:e|ed|ing)|"
    r"(?:re)?writ\w*|touch\w*|keep\w*|bring\w*|maintain\w*|sync\w*|remember\w*|forg[eo]t\w*|"
    r"stale|behind|outdated|old|current|up to date|out of date)"
)
MENTIONS_LIST = re.compile(rf"\b{LIST}\b", re.IGNORECASE)
MENTIONS_CARE = re.compile(rf"\b{CARE}\b", re.IGNORECASE)
LEAVE_IT = re.compile(
    rf"\b(?:ignor\w+|never mind|leave|skip|forget about)\W+(?:\w+\W+)?{LIST}\b"
    rf"|\b(?:do not|don't|never|stop|no need to)\W+(?!forget){CARE}\W+(?:\w+\W+)?{LIST}\b",
    re.IGNORECASE,
)
NOT_THIS = re.compile(r"\b(?:do not|don't|never|not yet|skip|ignore|avoid|leave)\b", re.IGNORECASE)
NEXT = re.compile(r"\bnext\b", re.IGNORECASE)
COMPLETED = re.compile(r"\[x\]|(?<!not )(?<!not yet )\bcompleted\b|\(done\)|[✓✔☑✅]", re.IGNORECASE)
IN_PROGRESS = re.compile(r"\[>\]|in[_ ]progress", re.IGNORECASE)


@dataclass(frozen=True)
class Mention:
    """A step that a line of a reminder names, and the words around it.

    Where a line names several steps, the words of each reach from its name to the next one's.
    """

    step: Step
    words: str

    @property
    def status(self) -> str:
        """The status that the words tell; pending where they tell none."""
        if COMPLETED.search(self.words):
            return "completed"
        return "in_progress" if IN_PROGRESS.search(self.words) else "pending"


def asks_for_list(reminder: str) -> bool:
    """Whether a reminder asks the model to see to its list: "Update your todos."."""
    if LEAVE_IT.search(reminder):
        return False
    return bool(MENTIONS_LIST.search(reminder) and MENTIONS_CARE.search(reminder))


def shown_list(reminder: str, task: Task) -> list[Mention]:
    """The plan that a reminder shows: two steps of `task` or more. Else an empty list."""
    shown: list[Mention] = []
    for line in reminder.splitlines():
        known = [mention.step for mention in shown]
        shown += [mention for mention in mentions(line, task) if mention.step not in known]
    return shown if len(shown) > 1 else []


def next_step(reminder: str, task: Task) -> Step | None:
    """The step that a reminder names as the next: after that word, or as the only one it names."""
    lines = reminder.splitlines()
    for line in lines:
        word = NEXT.search(line)
        step = step_after_next(line[word.end() :], task) if word else None
        if step:
            return step
    named = [mention for line in lines for mention in mentions(line, task)]
    if len(named) != 1 or named[0].status == "completed" or NOT_THIS.search(named[0].words):
        return None
    return named[0].step


def step_after_next(words: str, task: Task) -> Step | None:
    """The first step in these words, or the only one that begins with them: "write tests"."""
    named = mentions(words, task)
    if named:
        return named[0].step
    start = words.casefold().strip(" \t:-–—.…!\"'`[]<>/")
    begun = [step for step in task.steps if step.text.casefold().startswith(start)]
    return begun[0] if len(begun) == 1 and " " in start else None


def mentions(line: str, task: Task) -> list[Mention]:
    """The steps of `task` that a line names, in the order in which it names them."""
    folded = line.casefold()
    places = []
    for step in task.steps:
        names = (step.text.casefold(), step.activeForm.casefold())
        found = [folded.find(name) for name in names if name in folded]
        places += [(min(found), step)] if found else []
    places.sort(key=lambda place: place[0])
    if len(places) < 2:
        return [Mention(step, line) for _, step in places]
    ends = [start for start, _ in places[1:]] + [len(line)]
    return [Mention(step, line[start:end]) for (start, step), end in zip(places, ends, strict=True)]
