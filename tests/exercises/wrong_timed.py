"""Times, not yet right: each stands for one mistake, and names the rule that must tell."""

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
class UpdateReturnsNothing(ByALog):
    def update(self, items):
        super().update(items)


@caught_by("still_a_list")
class ForgetsSuper(ByBeforeAndAfter):
    def __init__(self, clock=time.monotonic):
        self.clock = clock


@caught_by("still_a_list")
class ForgetsSuperButNotUpdate(ByALog):
    """It works from the first update on."""

    def __init__(self, clock=time.monotonic):
        self.clock, self.log = clock, []


@caught_by("shape")
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
class NoSummary(TodoManager):
    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock, self.times = clock, {}

    def update(self, items):
        text = super().update(items)
        self.times = {item["id"]: self.clock() for item in self.items}
        return text


@caught_by("shape")
class SummaryIsText(ByALog):
    def summary(self):
        return str(super().summary())


@caught_by("shape")
class SummaryIsPrinted(ByALog):
    def summary(self):
        print(super().summary())


@caught_by("shape")
class JustTheSeconds(ByALog):
    def summary(self):
        whole = super().summary()
        return whole | {"tasks": {id: task["seconds"] for id, task in whole["tasks"].items()}}


@caught_by("shape")
class ByText(ByALog):
    def summary(self):
        whole = super().summary()
        names = {item["id"]: item["text"] for item in self.items}
        return whole | {"tasks": {names[id]: task for id, task in whole["tasks"].items()}}


@caught_by("shape")
class SummaryIsAProperty(ByALog):
    @property
    def summary(self):
        return ByALog.summary(self)


@caught_by("when")
class WallClock(ByALog):
    def __init__(self, clock=time.monotonic):
        super().__init__(time.monotonic)


@caught_by("when")
class ReadsTheClockOnce(ByALog):
    def __init__(self, clock=time.monotonic):
        now = clock()
        super().__init__(lambda: now)


@caught_by("when")
class TextsForTimes(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            task.update({name: f"{value} s" for name, value in task.items() if value is not None})
        return whole


@caught_by("when")
class StartedWhenItCameOnTheList(ByALog):
    def summary(self):
        whole = super().summary()
        for id, task in whole["tasks"].items():
            first = next(when for when, statuses in self.log if id in statuses)
            task["started"] = first
        return whole


@caught_by("took")
class CompletedTasksGoOnGrowing(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            if task["started"] is not None:
                task["seconds"] = self.clock() - task["started"]
        return whole


@caught_by("took")
class Minutes(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            task["seconds"] /= 60
        return whole


@caught_by("took")
class WholeSecondsOnly(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            task["seconds"] = int(task["seconds"])
        return whole


@caught_by("took")
class SecondsAsText(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            task["seconds"] = str(task["seconds"])
        return whole


@caught_by("so_far")
class NothingUntilItIsCompleted(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            if task["completed"] is None:
                task["seconds"] = 0
        return whole


@caught_by("so_far")
class AskingStopsTheWatch(ByBeforeAndAfter):
    def summary(self):
        now = self.clock()
        for id, since in self.running.items():
            self.total[id] += now - since
        return super().summary()


@caught_by("so_far")
class AskingStartsItAnew(ByBeforeAndAfter):
    def summary(self):
        whole = super().summary()
        self.running = {id: self.clock() for id in self.running}
        return whole


@caught_by("goes_on")
class EachUpdateStartsItAnew(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        for item in self.items:
            if item["status"] == "in_progress":
                self.running[item["id"]] = self.clock()
        return text


@caught_by("goes_on")
class EachUpdateCompletesItAnew(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        for item in self.items:
            if item["status"] == "completed":
                self.completed[item["id"]] = self.clock()
        return text


@caught_by("goes_on")
class EachUpdateMovesTheStart(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        for item in self.items:
            if item["status"] == "in_progress":
                self.started[item["id"]] = self.clock()
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
class OnlyTheLastStretch(ByBeforeAndAfter):
    def update(self, items):
        before = {item["id"]: item["status"] for item in self.items}
        text = super().update(items)
        for item in self.items:
            if item["status"] == "in_progress" != before.get(item["id"]):
                self.total[item["id"]] = 0
        return text


@caught_by("paused")
class TakenUpAgainItIsStartedAgain(ByBeforeAndAfter):
    def update(self, items):
        before = {item["id"]: item["status"] for item in self.items}
        text = super().update(items)
        for item in self.items:
            if item["status"] == "in_progress" != before.get(item["id"]):
                self.started[item["id"]] = self.running[item["id"]]
        return text


class KnownByText(TodoManager):
    """Keeps its notes by the text, and hands them out by the id."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.inner, self.ids = ByALog(clock), {}

    def update(self, items):
        text = super().update(items)
        self.inner.update([item | {"id": item["text"]} for item in self.items])
        self.ids |= {item["text"]: item["id"] for item in self.items}
        return text

    def summary(self):
        whole = self.inner.summary()
        return whole | {"tasks": {self.ids[name]: task for name, task in whole["tasks"].items()}}


caught_by("renamed")(KnownByText)


@caught_by("paused")
class APauseForgetsTheStart(ByBeforeAndAfter):
    """Given up and yet completed: it was never started, then?"""

    def update(self, items):
        text = super().update(items)
        for item in self.items:
            if item["status"] == "pending":
                self.started.pop(item["id"], None)
        return text


@caught_by("renamed")
class KnownByPlace(ByBeforeAndAfter):
    """Compares the first with the first, the second with the second."""

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
class DroppedTasksRunOn(ByBeforeAndAfter):
    def update(self, items):
        running = dict(self.running)
        total = dict(self.total)
        text = super().update(items)
        ids = {item["id"] for item in self.items}
        for id in running.keys() - ids:
            self.running[id], self.total[id] = running[id], total[id]
        return text


@caught_by("dropped")
class DroppedIsCompleted(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        ids = {item["id"] for item in self.items}
        for id in self.total.keys() - ids:
            self.completed.setdefault(id, self.clock())
        return text


@caught_by("dropped")
class DroppedWasNeverStarted(ByALog):
    def summary(self):
        whole = super().summary()
        ids = {item["id"] for item in self.items}
        for id, task in whole["tasks"].items():
            if id not in ids and task["completed"] is None:
                task["started"] = None
        return whole


@caught_by("never_started")
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


@caught_by("never_started")
class OnlyWhatWasStarted(ByALog):
    def summary(self):
        whole = super().summary()
        begun = {
            id: task
            for id, task in whole["tasks"].items()
            if task["started"] is not None or task["completed"] is not None
        }
        return whole | {"tasks": begun}


@caught_by("never_started")
class NoneForNoSeconds(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            if task["started"] is None and task["completed"] is None:
                task["seconds"] = None
        return whole


@caught_by("straight")
class SubtractsFromNone(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        for item in self.items:
            if item["status"] == "completed":
                self.completed[item["id"]] - self.started[item["id"]]
        return text


@caught_by("straight")
class StartedWhenCompleted(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            if task["started"] is None:
                task["started"] = task["completed"]
        return whole


@caught_by("straight")
class WaitingCountsAsWork(ByALog):
    """A task that was never started took as long as it stood on the list."""

    def summary(self):
        whole = super().summary()
        for id, task in whole["tasks"].items():
            if task["started"] is None and task["completed"] is not None:
                first = next(when for when, statuses in self.log if id in statuses)
                task["seconds"] = task["completed"] - first
        return whole


class NotesBeforeItIsAccepted(ByALog):
    def update(self, items):
        if isinstance(items, list):
            self.log.append(
                (
                    self.clock(),
                    {
                        str(item.get("id", n)): item.get("status", "pending").strip().lower()
                        for n, item in enumerate(items, 1)
                    },
                )
            )
        return TodoManager.update(self, items)


caught_by("session")(NotesBeforeItIsAccepted)


@caught_by("session")
class ARefusedUpdateBeginsTheSession(ByBeforeAndAfter):
    def update(self, items):
        if self.first is None:
            self.first = self.clock()
        return super().update(items)


@caught_by("session")
class SessionIsTheSum(ByALog):
    def summary(self):
        whole = super().summary()
        return whole | {"session": sum(task["seconds"] for task in whole["tasks"].values())}


@caught_by("session")
class SessionEndsWithTheLastUpdate(ByALog):
    def summary(self):
        whole = super().summary()
        begin = self.log[0][0] if self.log else 0
        return whole | {"session": self.log[-1][0] - begin if self.log else 0}


@caught_by("session")
class SessionBeginsWhenItIsMade(ByALog):
    def __init__(self, clock=time.monotonic):
        super().__init__(clock)
        self.made = clock()

    def summary(self):
        return super().summary() | {"session": self.clock() - self.made if self.log else 0}


@caught_by("session")
class SessionBeginsWithTheFirstStart(ByALog):
    def summary(self):
        whole = super().summary()
        starts = [
            task["started"] for task in whole["tasks"].values() if task["started"] is not None
        ]
        return whole | {"session": self.clock() - min(starts) if starts else whole["session"]}


@caught_by("session")
class AnEmptyListIsNoUpdate(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        if not any(self.total):
            self.first = None
        return text


@caught_by("session")
class AnEmptyListBeginsTheSessionAnew(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        if not self.items:
            self.first = self.clock()
        return text


@caught_by("session")
class StandsStillWithoutAClock(ByALog):
    def __init__(self, clock=lambda: 0):
        super().__init__(clock)


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


@caught_by("old_rules")
class ChecksNothing(ByALog):
    def update(self, items):
        try:
            return super().update(items)
        except ValueError as problem:
            return f"Error: {problem}"


@caught_by("old_rules")
class NoJson(ByALog):
    def update(self, items):
        return super().update([dict(item) for item in items])


@caught_by("old_rules")
class LosesTheActiveForm(ByALog):
    def check(self, item, position):
        clean = super().check(item, position)
        clean.pop("activeForm", None)
        return clean


@caught_by("old_rules")
class FillsInWhatItWasGiven(ByALog):
    def check(self, item, position):
        item.setdefault("id", str(position))
        return super().check(item, position)


@caught_by("refused")
class EmptiesFirst(ByALog):
    def update(self, items):
        self.items = []
        return super().update(items)


@caught_by("refused")
class RefusedTasksAreInTheSummary(ByALog):
    """Known from the moment they were sent, whether or not they were taken."""

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


@caught_by("session")
class SessionFromFirstUpdateToLastCompletion(ByALog):
    def summary(self):
        whole = super().summary()
        last = max((task["completed"] or 0 for task in whole["tasks"].values()), default=0)
        return whole | {"session": last - self.log[0][0] if self.log else 0}


@caught_by("session")
class SessionByAnotherClock(ByALog):
    def summary(self):
        whole = super().summary()
        return whole | {"session": time.time() - self.log[0][0] if self.log else 0}


@caught_by("so_far")
class SummaryByAnotherClock(ByALog):
    def summary(self):
        given, self.clock = self.clock, time.time
        whole = super().summary()
        self.clock = given
        return whole


@caught_by("old_rules")
class SortsTheItems(ByALog):
    def update(self, items):
        super().update(items)
        self.items.sort(key=lambda item: item["status"])
        return self.render()


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


@caught_by("zero")
class AStartAtZeroIsTakenForNone(ByBeforeAndAfter):
    def update(self, items):
        before = {item["id"]: item["status"] for item in self.items}
        text = super().update(items)
        for item in self.items:
            id = item["id"]
            if item["status"] == "in_progress" != before.get(id) and not self.started[id]:
                self.started[id] = self.clock()
        return text


@caught_by("zero")
class ACompletionAtZeroIsTakenForNone(ByBeforeAndAfter):
    def update(self, items):
        text = super().update(items)
        for item in self.items:
            if item["status"] == "completed" and not self.completed[item["id"]]:
                self.completed[item["id"]] = self.clock()
        return text


@caught_by("zero")
class AStartAtZeroIsNone(ByALog):
    def summary(self):
        whole = super().summary()
        for task in whole["tasks"].values():
            task["started"] = task["started"] or None
        return whole


@caught_by("paused")
class APauseCompletesIt(ByBeforeAndAfter):
    def update(self, items):
        before = {item["id"]: item["status"] for item in self.items}
        answer = super().update(items)
        for item in self.items:
            if before.get(item["id"]) == "in_progress" != item["status"]:
                self.completed[item["id"]] = self.clock()
        return answer


@caught_by("paused")
class AfterAPauseItIsNeverCompleted(ByBeforeAndAfter):
    def update(self, items):
        before = {item["id"]: item["status"] for item in self.items}
        answer = super().update(items)
        for id in list(self.completed):
            if before.get(id) == "pending" and id in self.started:
                del self.completed[id]
        return answer


@caught_by("dropped")
class ADropCountsFromTheStart(ByBeforeAndAfter):
    def update(self, items):
        old = [item["id"] for item in self.items]
        answer = super().update(items)
        for id in set(old) - {item["id"] for item in self.items}:
            if id in self.started:
                self.total[id] = self.clock() - self.started[id]
        return answer


@caught_by("old_rules")
class TimesInTheItems(TodoManager):
    """The stamps travel in the items, and so they are on the rendered list, too."""

    def __init__(self, clock=time.monotonic):
        super().__init__()
        self.clock, self.birth, self.gone = clock, None, {}

    def update(self, items):
        old = {item["id"]: item for item in self.items}
        super().update(items)
        now = self.clock()
        self.birth = now if self.birth is None else self.birth
        for item in self.items:
            last = old.pop(item["id"], None) or self.gone.pop(item["id"], {})
            for name in ("started", "completed", "since"):
                item[name] = last.get(name)
            item["seconds"] = last.get("seconds", 0)
            self.stamp(item, now)
        for id, item in old.items():
            self.gone[id] = item
            item["status"] = "dropped"
            self.stamp(item, now)
        return self.render()

    def stamp(self, item, now):
        working = item["status"] == "in_progress"
        if working and item["since"] is None:
            item["since"] = now
            item["started"] = now if item["started"] is None else item["started"]
        if not working and item["since"] is not None:
            item["seconds"] += now - item["since"]
            item["since"] = None
        if item["status"] == "completed" and item["completed"] is None:
            item["completed"] = now

    def summary(self):
        now, tasks = self.clock(), {}
        for item in [*self.gone.values(), *self.items]:
            more = 0 if item["since"] is None else now - item["since"]
            tasks[item["id"]] = {
                "started": item["started"],
                "completed": item["completed"],
                "seconds": item["seconds"] + more,
                "text": item["text"],
            }
        return {"session": 0 if self.birth is None else now - self.birth, "tasks": tasks}


@caught_by("session")
class Milliseconds(ByALog):
    def __init__(self, clock=lambda: time.time() * 1000):
        super().__init__(clock)


@caught_by("session")
class ProcessorTime(ByALog):
    def __init__(self, clock=time.process_time):
        super().__init__(clock)


@caught_by("old_rules")
class OneTaskFewer(ByALog):
    def update(self, items):
        if len(items) >= 20:
            raise ValueError("Max 20 todos allowed")
        return super().update(items)
