"""Right solutions of PriorityNag in different styles."""

from functools import partial

from agentlib import Nag

from .marks import right

PLAIN = "<reminder>Update your todos.</reminder>"


def said(text):
    return f"<reminder>Update your todos. Next: {text}.</reminder>"


@right
class ByMin(Nag):
    def reminder(self):
        pending = [item for item in self.todo.items if item["status"] == "pending"]
        if not pending:
            return super().reminder()
        levels = ["high", "medium", "low"]
        return said(min(pending, key=lambda item: levels.index(item["priority"]))["text"])


@right
class ByMax(Nag):
    RANK = {"high": 3, "medium": 2, "low": 1}

    def reminder(self):
        pending = [item for item in self.todo.items if item["status"] == "pending"]
        best = max(pending, key=lambda item: self.RANK[item["priority"]], default=None)
        return PLAIN if best is None else said(best["text"])


@right
class LevelByLevel(Nag):
    def reminder(self):
        for level in ("high", "medium", "low"):
            for item in self.todo.items:
                if item["status"] == "pending" and item["priority"] == level:
                    return f"<reminder>\nGo on with {item['text']}\n(it is {level})\n</reminder>"
        return Nag.reminder(self)


@right
class ByALoop(Nag):
    def reminder(self):
        best, rank = None, 99
        for item in self.todo.items:
            if item["status"] != "pending":
                continue
            mine = {"high": 1, "medium": 2}.get(item["priority"], 3)
            if mine < rank:
                best, rank = item, mine
        if best:
            return said(best["text"])
        return super().reminder()


@right
class ByCall(Nag):
    """Overrides __call__() and adds to the reminder of Nag."""

    def __call__(self, calls):
        text = super().__call__(calls)
        name = self._most_important()
        if text is None or name is None:
            return text
        return text.replace("</reminder>", f" Most important: “{name}”</reminder>")

    def _most_important(self):
        pending = [i for i in self.todo.items if i["status"] == "pending"]
        pending = sorted(pending, key=lambda i: ["high", "medium", "low"].index(i["priority"]))
        return pending[0]["text"] if pending else None


@right
class FromScratch:
    """Implements the interface without Nag."""

    def __init__(self, todo, after=3):
        self.todo, self.after, self.count = todo, after, 0

    def __call__(self, calls):
        if any(call.name == "todo" for call in calls):
            self.count = 0
            return None
        self.count += 1
        if self.count < self.after:
            return ""
        groups = {"high": [], "medium": [], "low": []}
        for item in self.todo.items:
            if item["status"] == "pending":
                groups[item["priority"]].append(item["text"])
        names = [name for group in groups.values() for name in group]
        return said(names[0]) if names else PLAIN


@right
def closure(todo, after=3):
    """Return a function instead of an object."""
    inner = ByMax(todo, after)
    return lambda calls: inner(calls)


@right
class OfManyWords(ByMin):
    def reminder(self):
        return super().reminder().replace("todos. Next", "todos. Tidy up, test, write. Next")


of_a_partial = partial(ByMin)
of_a_partial.__module__ = __name__
right(of_a_partial)
