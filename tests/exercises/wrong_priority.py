"""Wrong solutions of PriorityTodo: each has one mistake, and the rule that must fail first."""

from agentlib import TodoManager

from .marks import caught_by
from .right_priority import ByFields

LEVELS = ["high", "medium", "low"]


FIELD = {"type": "string", "enum": LEVELS, "default": "medium"}


def with_field(**changes):
    return TodoManager.fields | {"priority": FIELD | changes}


@caught_by("still_a_list")
class ForgetsTheOldFields(TodoManager):
    fields = {"priority": FIELD}


@caught_by("still_a_list")
class NeedsAPriority(TodoManager):
    fields = with_field()

    def update(self, items):
        for item in items:
            if item["priority"] not in LEVELS:
                raise ValueError(f"invalid priority {item['priority']}")
        return super().update(items)


@caught_by("kept")
class AttributeOfTheList(TodoManager):
    priority = "medium"


@caught_by("kept")
class CheckedButNotKept(TodoManager):
    def check(self, item, position):
        if item.get("priority", "medium") not in LEVELS:
            raise ValueError(f"Item {position}: invalid priority")
        return super().check(item, position)


@caught_by("schema")
class ModelIsNotTold(TodoManager):
    def check(self, item, position):
        priority = item.get("priority", "medium")
        if priority not in LEVELS:
            raise ValueError(f"Item {position}: invalid priority '{priority}'")
        return super().check(item, position) | {"priority": priority}


@caught_by("schema")
class FreeText(TodoManager):
    fields = TodoManager.fields | {"priority": {"type": "string", "default": "medium"}}


@caught_by("left_out")
class NoDefault(TodoManager):
    fields = TodoManager.fields | {"priority": {"type": "string", "enum": LEVELS}}


@caught_by("left_out")
class LowByDefault(TodoManager):
    fields = with_field(default="low")


@caught_by("unknown")
class AnythingGoes(TodoManager):
    fields = with_field()

    def check(self, item, position):
        plain = {key: value for key, value in item.items() if key != "priority"}
        return super().check(plain, position) | {"priority": item.get("priority", "medium")}


@caught_by("unknown")
class SilentlyMedium(TodoManager):
    fields = with_field()

    def check(self, item, position):
        known = item.get("priority") in LEVELS
        return super().check(
            {**item, "priority": item["priority"] if known else "medium"}, position
        )


@caught_by("unchanged")
class EmptiesFirst(TodoManager):
    fields = with_field()

    def update(self, items):
        self.items = []
        return super().update(items)


@caught_by("unchanged")
class AppendsOneByOne(TodoManager):
    fields = with_field()

    def update(self, items):
        new = [dict(item) for item in items] if isinstance(items, list) else items
        self.items = []
        for position, item in enumerate(new, 1):
            self.items.append(self.check(item, position))
        return super().update(new)


@caught_by("order")
class Sorted(TodoManager):
    fields = with_field()

    def update(self, items):
        super().update(items)
        self.items.sort(key=lambda item: LEVELS.index(item["priority"]))
        return self.render()


@caught_by("shown")
class NotShown(TodoManager):
    fields = with_field()

    def line(self, item):
        return f"- {item['text']} [{item['status']}]"


@caught_by("shown")
class OnlyHighIsShown(TodoManager):
    fields = with_field()

    def line(self, item):
        plain = {key: value for key, value in item.items() if key != "priority"}
        return super().line(plain) + (" (high)" if item["priority"] == "high" else "")


@caught_by("same_as_todomanager")
class RuleLifted(TodoManager):
    fields = with_field()
    one_in_progress = False


@caught_by("same_as_todomanager")
class UpdateAnew(TodoManager):
    """Its own check is there, the old ones are gone."""

    fields = with_field()

    def update(self, items):
        new = []
        for position, item in enumerate(items, 1):
            item = {"id": str(position), "priority": "medium", **item}
            if item["priority"] not in LEVELS:
                raise ValueError("invalid priority")
            if item["status"] not in ("pending", "in_progress", "completed"):
                raise ValueError("invalid status")
            new.append(item)
        self.items = new
        return self.render()


@caught_by("shown")
class LosesTheActiveForm(ByFields):
    def check(self, item, position):
        clean = super().check(item, position)
        return {name: clean[name] for name in ("id", "text", "status", "priority")}


@caught_by("own_items")
class ItemsOfTheClass(TodoManager):
    fields = with_field()
    items = []

    def __init__(self):
        pass

    def update(self, items):
        text = TodoManager.update(self, items)
        type(self).items = self.items
        return text


@caught_by("order")
class SortedWhereItIsShown(ByFields):
    def render(self):
        plain = TodoManager()
        plain.items = sorted(self.items, key=lambda item: LEVELS.index(item["priority"]))
        return plain.render()
