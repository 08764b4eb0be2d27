"""Wrong solutions of BriefTodo: each has one mistake, and the rule that must fail first."""

from agentlib import TodoManager

from .marks import caught_by


@caught_by("still_a_list")
class CheckReturnsNothing(TodoManager):
    def check(self, item, position):
        if len(super().check(item, position)["text"]) > 60:
            raise ValueError("too long")


@caught_by("too_long")
class ReturnsAnError(TodoManager):
    def check(self, item, position):
        clean = super().check(item, position)
        return clean | {"text": clean["text"][:60]}


@caught_by("too_long")
class SaysNothingOfIt(TodoManager):
    def check(self, item, position):
        clean = super().check(item, position)
        if len(clean["text"]) > 60:
            raise ValueError("bad")
        return clean


@caught_by("just_short_enough")
class OffByOne(TodoManager):
    def check(self, item, position):
        clean = super().check(item, position)
        if len(clean["text"]) >= 60:
            raise ValueError("too long")
        return clean


@caught_by("just_short_enough")
class CountsWhatWasSent(TodoManager):
    def check(self, item, position):
        if len(str(item.get("text", ""))) > 60:
            raise ValueError("too long")
        return super().check(item, position)


@caught_by("same_as_todomanager")
class TakesItFirst(TodoManager):
    def update(self, items):
        text = super().update(items)
        if any(len(item["text"]) > 60 for item in self.items):
            raise ValueError("too long")
        return text
