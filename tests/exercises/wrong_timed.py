"""Wrong solutions of TimedTodo: each has one mistake, and the rule that must fail first."""

import time
from datetime import timedelta

from agentlib import TodoManager

from .marks import caught_by
from .right_timed import ByALog, ByBeforeAndAfter


@caught_by("still_a_list")
class NoWayToGiveAClock(TodoManager):
    def __init__(self):
        super().__init__()
        self.log = []

    def summary(self):
        return {"session": 0, "tasks": {}}


@caught_by("still_a_list")
class TheTimeInsteadOfTheClock(ByALog):
    """time.monotonic() in the signature is a number, read once."""

    def __init__(self, clock=time.monotonic()):  # noqa: B008
        super().__init__(clock)


@caught_by("still_a_list")
class ForgetsSuper(ByBeforeAndAfter):
    def __init__(self, clock=time.monotonic):
        self.clock = clock


@caught_by("when")
class NumbersForIds(ByALog):
    def summary(self):
        whole = super().summary()
        return whole | {
            "tasks": {int(id) if id.isdigit() else id: task for id, task in whole["tasks"].items()}
        }


@caught_by("shape")
class IdsMustBeNumbers(ByALog):
    def summary(self):
        whole = super().summary()
        return whole | {"tasks": {str(int(id)): task for id, task in whole["tasks"].items()}}


@caught_by("when")
class TheClockForItsReading(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            task["started"] = task["started"] and self.clock
        return whole


@caught_by("took")
class Timedeltas(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            task["seconds"] = timedelta(seconds=task["seconds"])
        return whole


@caught_by("shape")
class SummaryIsAProperty(ByALog):
    @property
    def summary(self):
        return ByALog.summary(self)


@caught_by("so_far")
class NothingUntilItIsCompleted(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            if task["completed"] is None:
                task["seconds"] = 0
        return whole


@caught_by("goes_on")
class EachUpdateRestartsTheClock(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        for item in self.items:
            if item["status"] == "in_progress":
                self.running[item["id"]] = self.clock()
        return text


@caught_by("paused")
class FromFirstStartToCompletion(ByALog):
    """The pause counts as work."""

    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            if None not in (task["started"], task["completed"]):
                task["seconds"] = task["completed"] - task["started"]
        return whole


@caught_by("paused")
class APauseForgetsTheStart(ByBeforeAndAfter):
    """Deletes the start time when an item goes back to pending."""

    def update(self, items):
        text = super().update(items)
        for item in self.items:
            if item["status"] == "pending":
                self.started.pop(item["id"], None)
        return text


@caught_by("renamed")
class KnownByPlace(ByBeforeAndAfter):
    """Compares items by position instead of id."""

    def update(self, items):
        before = [item["status"] for item in self.items]
        text = TodoManager.update(self, items)
        now = self.clock()
        self.first = now if self.first is None else self.first
        for place, item in enumerate(self.items):
            old, new = before[place] if place < len(before) else None, item["status"]
            self.total.setdefault(item["id"], 0)
            if old == "in_progress" != new:
                self.total[item["id"]] += now - self.running.pop(item["id"], now)
            if new == "in_progress" != old:
                self.running[item["id"]] = now
                self.started.setdefault(item["id"], now)
            if new == "completed" != old:
                self.completed[item["id"]] = now
        return text


@caught_by("dropped")
class ForgetsTheDropped(ByALog):
    def summary(self):
        whole = super().summary()
        ids = {item["id"] for item in self.items}
        return whole | {"tasks": {id: task for id, task in whole["tasks"].items() if id in ids}}


@caught_by("dropped")
class ForgetsTheDroppedThatWereNeverStarted(ByALog):
    def summary(self):
        whole = super().summary()
        ids = {item["id"] for item in self.items}
        return whole | {
            "tasks": {
                id: task
                for id, task in whole["tasks"].items()
                if id in ids or task["seconds"] or task["completed"]
            }
        }


@caught_by("straight")
class SubtractsFromNone(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        for item in self.items:
            if item["status"] == "completed":
                self.completed[item["id"]] - self.started[item["id"]]
        return text


@caught_by("session")
class ARejectedUpdateBeginsTheSession(ByBeforeAndAfter):
    def update(self, items):
        if self.first is None:
            self.first = self.clock()
        return super().update(items)


@caught_by("before")
class CrashesBeforeTheFirstUpdate(ByALog):
    def summary(self):
        return super().summary() | {"session": self.clock() - self.log[0][0]}


@caught_by("clean")
class ReadsWhatWasPassedIn(ByALog):
    def update(self, items):
        text = TodoManager.update(self, items)
        self.log.append((self.clock(), {item["id"]: item["status"] for item in items}))
        return text


@caught_by("same_as_todomanager")
class ChecksNothing(ByALog):
    def update(self, items):
        try:
            return super().update(items)
        except ValueError as problem:
            return f"Error: {problem}"


@caught_by("same_as_todomanager")
class LosesTheActiveForm(ByALog):
    def check(self, item, position):
        clean = super().check(item, position)
        clean.pop("activeForm", None)
        return clean


@caught_by("rejected")
class RejectedTasksAreInTheSummary(ByALog):
    """Adds tasks before TodoManager has accepted the list."""

    def __init__(self, clock=time.monotonic):
        super().__init__(clock)
        self.known = {}

    def update(self, items):
        for position, item in enumerate(items if isinstance(items, list) else [], 1):
            if isinstance(item, dict):
                self.known.setdefault(str(item.get("id", position)))
        return super().update(items)

    def summary(self):
        whole = super().summary()
        never = {"started": None, "completed": None, "seconds": 0}
        return whole | {"tasks": {id: whole["tasks"].get(id, never) for id in self.known}}


@caught_by("own_times")
class SharedByADefault(ByBeforeAndAfter):
    def __init__(self, clock=time.monotonic, total={}):  # noqa: B006
        super().__init__(clock)
        self.total = total


@caught_by("own_times")
class SharedByTheClass(ByBeforeAndAfter):
    started, completed, total, running = {}, {}, {}, {}

    def __init__(self, clock=time.monotonic):
        TodoManager.__init__(self)
        self.clock, self.first = clock, None


@caught_by("zero")
class ZeroIsNothing(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        if not self.first:
            self.first = self.clock()
        return text

    def summary(self):
        whole = super().summary()
        return whole | {"session": self.clock() - self.first if self.first else 0}
