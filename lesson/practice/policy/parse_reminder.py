"""Parse a reminder: does it ask for an update of the list, contain a plan, or name the next step?

A reminder is text that was sent with tool results and is not a tool's output. The policy searches
it only for words about the job or the list; a reminder without them has no effect.
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
EARLIER = "An earlier conversation about this"  # in agentlib.prompts.carry_on and in summaries
IN_PROGRESS = re.compile(r"\[>\]|in[_ ]progress", re.IGNORECASE)


@dataclass(frozen=True)
class Mention:
    """A step that a line of a reminder names, and the text around the name.

    If a line names several steps, the text of each ends before the name of the next.
    """

    step: Step
    words: str

    @property
    def status(self) -> str:
        """Return the status in the text; pending if there is none."""
        if COMPLETED.search(self.words):
            return "completed"
        return "in_progress" if IN_PROGRESS.search(self.words) else "pending"


def asks_for_list(reminder: str) -> bool:
    """Return True if a reminder asks for an update of the list, as "Update your todos." does."""
    if LEAVE_IT.search(reminder):
        return False
    return bool(MENTIONS_LIST.search(reminder) and MENTIONS_CARE.search(reminder))


def shown_list(reminder: str, task: Task) -> list[Mention]:
    """Return the plan in a reminder: two steps of `task` or more; otherwise an empty list."""
    shown = find_all_mentions(reminder, task)
    return shown if len(shown) > 1 else []


def carried_list(opening: str, task: Task) -> list[Mention] | None:
    """Return the steps in `opening` if it says that it replaces a conversation; otherwise None."""
    return find_all_mentions(opening, task) if EARLIER in opening else None


def find_all_mentions(text: str, task: Task) -> list[Mention]:
    """Return the first mention of each step of `task` in `text`, in their order."""
    found: list[Mention] = []
    for line in text.splitlines():
        known = [mention.step for mention in found]
        found += [mention for mention in find_mentions(line, task) if mention.step not in known]
    return found


def next_step(reminder: str, task: Task) -> Step | None:
    """Return the next step that a reminder names: after the word "next", or the only one named."""
    lines = reminder.splitlines()
    for line in lines:
        word = NEXT.search(line)
        named = find_mentions(line[word.end() :], task) if word else []
        if named:
            return named[0].step
    named = [mention for line in lines for mention in find_mentions(line, task)]
    if len(named) != 1 or named[0].status == "completed" or NOT_THIS.search(named[0].words):
        return None
    return named[0].step


def find_mentions(line: str, task: Task) -> list[Mention]:
    """Return the steps of `task` that a line names, in their order in the line."""
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
