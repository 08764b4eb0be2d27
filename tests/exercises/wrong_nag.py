"""Wrong solutions of PriorityNag: each has one mistake, and the rule that must fail first."""

from agentlib import Nag

from .marks import caught_by

PLAIN = "<reminder>Update your todos.</reminder>"


LEVELS = ["high", "medium", "low"]


def said(text):
    return f"<reminder>Update your todos. Next: {text}.</reminder>"


def pending(nag):
    return [item for item in nag.todo.items if item["status"] == "pending"]


def best(items):
    return min(items, key=lambda item: LEVELS.index(item["priority"]))


@caught_by("silent")
class InEveryRound(Nag):
    def __call__(self, calls):
        return self.reminder()


@caught_by("silent")
class CountsCalls:
    """Ignores `after` and counts calls instead of rounds."""

    def __init__(self, todo, after=3):
        self.todo, self.left = todo, 1

    def __call__(self, calls):
        self.left -= len(calls)
        return PLAIN if self.left <= 0 else None


@caught_by("counts")
class ARefusedCallIsNoUse(Nag):
    def __call__(self, calls):
        return super().__call__([call for call in calls if call.ok])


@caught_by("counts")
class OnlyTheFirstCallCounts(Nag):
    def __call__(self, calls):
        return super().__call__(calls[:1])


@caught_by("counts")
class Prints(Nag):
    def reminder(self):
        print(said(best(pending(self))["text"]))


@caught_by("highest")
class AnotherNameForTheMethod(Nag):
    def remind(self):
        return said(best(pending(self))["text"])


@caught_by("highest")
class TheFirstOne(Nag):
    def reminder(self):
        return said(pending(self)[0]["text"]) if pending(self) else PLAIN


@caught_by("alphabet")
class Alphabet(Nag):
    def reminder(self):
        return said(min(pending(self), key=lambda item: item["priority"])["text"])


@caught_by("nothing_pending")
class HighOrTheFirst(Nag):
    def reminder(self):
        items = pending(self)
        high = [item for item in items if item["priority"] == "high"]
        return said((high or items)[0]["text"])


@caught_by("alphabet")
class HighOnly(Nag):
    def reminder(self):
        for item in pending(self):
            if item["priority"] == "high":
                return said(item["text"])
        return super().reminder()


@caught_by("pending")
class OfAllTasks(Nag):
    def reminder(self):
        return said(best(self.todo.items)["text"]) if self.todo.items else PLAIN


@caught_by("pending")
class NotCompleted(Nag):
    def reminder(self):
        items = [item for item in self.todo.items if item["status"] != "completed"]
        return said(best(items)["text"]) if items else PLAIN


@caught_by("only_one")
class NamesThemAll(Nag):
    def reminder(self):
        items = sorted(pending(self), key=lambda item: LEVELS.index(item["priority"]))
        return said(", ".join(item["text"] for item in items)) if items else PLAIN


@caught_by("only_one")
class ShowsTheWholeList(Nag):
    def reminder(self):
        if not pending(self):
            return super().reminder()
        return said(f"{best(pending(self))['text']}. Your list:\n{self.todo.render()}")


@caught_by("tie")
class TheLastOfEquals(Nag):
    def reminder(self):
        found = None
        for item in pending(self):
            rank = LEVELS.index(item["priority"])
            if found is None or rank <= LEVELS.index(found["priority"]):
                found = item
        return said(found["text"]) if found else PLAIN


@caught_by("tie")
class TheAlphabetAmongEquals(Nag):
    def reminder(self):
        ranked = sorted((LEVELS.index(i["priority"]), i["text"]) for i in pending(self))
        return said(ranked[0][1]) if ranked else PLAIN


@caught_by("nothing_pending")
class CrashesOnNothing(Nag):
    def reminder(self):
        return said(best(pending(self))["text"])


@caught_by("as_it_is_now")
class KeepsTheListItWasMadeWith(Nag):
    def __init__(self, todo, after=3):
        super().__init__(todo, after)
        self.known = todo.items

    def reminder(self):
        items = [item for item in self.known if item["status"] == "pending"]
        return said(best(items)["text"]) if items else PLAIN


@caught_by("as_it_is_now")
class RemembersItsFirstChoice(Nag):
    choice = None

    def reminder(self):
        if self.choice is None and pending(self):
            self.choice = best(pending(self))["text"]
        return said(self.choice) if pending(self) else PLAIN


@caught_by("counts")
class LooksForItsOwnItems(Nag):
    def reminder(self):
        return said(best(self.items)["text"])


@caught_by("counts")
class TakesThePriorityOut(Nag):
    def reminder(self):
        items = pending(self)
        return said(min(items, key=lambda i: LEVELS.index(i.pop("priority")))["text"])


@caught_by("looks_only")
class WritesRanksIntoTheItems(Nag):
    def reminder(self):
        for item in self.todo.items:
            item["rank"] = LEVELS.index(item["priority"])
        items = sorted(pending(self), key=lambda item: item["rank"])
        return said(items[0]["text"]) if items else PLAIN


@caught_by("looks_only")
class SortsTheList(Nag):
    def reminder(self):
        self.todo.items.sort(key=lambda item: LEVELS.index(item["priority"]))
        items = pending(self)
        return said(items[0]["text"]) if items else PLAIN


@caught_by("tags")
class NoTags(Nag):
    def reminder(self):
        items = pending(self)
        return f"Next: {best(items)['text']}" if items else super().reminder()


@caught_by("tags")
class BehindTheTag(Nag):
    def reminder(self):
        items = pending(self)
        return super().reminder() + (f" Next: {best(items)['text']}" if items else "")
