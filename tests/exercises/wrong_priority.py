"""Priorities, not yet right: each stands for one mistake, and names the rule that must tell."""

from agentlib import TodoManager

from .marks import caught_by
from .right_priority import Anew, ByFields

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


@caught_by("still_a_list")
class UpdateReturnsNothing(TodoManager):
    fields = with_field()

    def update(self, items):
        super().update(items)


@caught_by("still_a_list")
class UpdatePrints(TodoManager):
    fields = with_field()

    def update(self, items):
        print(super().update(items))


@caught_by("still_a_list")
class ForgetsToInit(TodoManager):
    fields = with_field()

    def __init__(self):
        self.levels = LEVELS

    def update(self, items):
        self.old = self.items
        return super().update(items)


@caught_by("still_a_list")
class WantsAnArgument(TodoManager):
    fields = with_field()

    def __init__(self, levels):
        super().__init__()


@caught_by("still_a_list")
class RequiredWithoutADefault(TodoManager):
    fields = TodoManager.fields | {"priority": {"type": "string", "enum": LEVELS}}
    required = (*TodoManager.required, "priority")


@caught_by("kept")
class AttributeOfTheList(TodoManager):
    priority = "medium"


@caught_by("kept")
class CheckedButNotKept(TodoManager):
    def check(self, item, position):
        if item.get("priority", "medium") not in LEVELS:
            raise ValueError(f"Item {position}: invalid priority")
        return super().check(item, position)


@caught_by("kept")
class Misspelled(TodoManager):
    fields = with_field(enum=["high", "med", "low"], default="med")


@caught_by("kept")
class KeptAsNumbers(TodoManager):
    fields = with_field()

    def check(self, item, position):
        clean = super().check(item, position)
        return clean | {"priority": LEVELS.index(clean["priority"])}


@caught_by("kept")
class KeptInCapitals(TodoManager):
    fields = with_field()

    def check(self, item, position):
        clean = super().check(item, position)
        return clean | {"priority": clean["priority"].upper()}


@caught_by("kept")
class WrongCase(TodoManager):
    """`field`, `Fields`, `FIELDS`: a name that nobody reads."""

    Fields = with_field()


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


@caught_by("schema")
class OneLevelMore(TodoManager):
    fields = with_field(enum=[*LEVELS, "urgent"])


@caught_by("schema")
class EnumAsASet(TodoManager):
    """No JSON: the request could not even be sent."""

    fields = with_field(enum=set(LEVELS))


@caught_by("left_out")
class NoDefault(TodoManager):
    fields = TodoManager.fields | {"priority": {"type": "string", "enum": LEVELS}}


@caught_by("left_out")
class LowByDefault(TodoManager):
    fields = with_field(default="low")


@caught_by("left_out")
class TakesTheLastOne(TodoManager):
    """The default of an item is what the item before it had."""

    fields = TodoManager.fields | {"priority": {"type": "string", "enum": LEVELS}}

    def update(self, items):
        last = "medium"
        for item in items:
            last = item.setdefault("priority", last)
        return super().update(items)


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


@caught_by("unknown")
class ReturnsAnError(TodoManager):
    fields = with_field()

    def update(self, items):
        if any(item.get("priority", "medium") not in LEVELS for item in items):
            return "Error: invalid priority"
        return super().update(items)


@caught_by("unknown")
class RaisesSomethingElse(TodoManager):
    fields = with_field()
    ranks = {"high": 1, "medium": 2, "low": 3}

    def check(self, item, position):
        self.ranks[item.get("priority", "medium")]
        return super().check(item, position)


@caught_by("unknown")
class LooksAtTheFirstOnly(TodoManager):
    fields = with_field()

    def check(self, item, position):
        known = position == 1 or item.get("priority") in LEVELS
        return super().check(item if known else {**item, "priority": "medium"}, position)


@caught_by("unknown")
class SaysNothingOfIt(TodoManager):
    fields = with_field()

    def update(self, items):
        if isinstance(items, list) and any(
            item.get("priority", "medium") not in LEVELS for item in items
        ):
            raise ValueError("bad input")
        return super().update(items)


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


@caught_by("unchanged")
class PrioritiesBesides(TodoManager):
    """The priorities in a list of their own, written before the items are checked."""

    fields = with_field()

    def update(self, items):
        if isinstance(items, list):
            self.levels = [item.get("priority", "medium") for item in items]
        return super().update(items)

    def line(self, item):
        place = [one["id"] for one in self.items].index(item["id"])
        plain = {key: value for key, value in item.items() if key != "priority"}
        return f"{super().line(plain)} ({self.levels[place]})"


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


@caught_by("shown")
class ShownWhilePending(TodoManager):
    fields = with_field()

    def line(self, item):
        plain = {key: value for key, value in item.items() if key != "priority"}
        return super().line(item if item["status"] == "pending" else plain)


@caught_by("shown")
class ShownAsALetter(TodoManager):
    fields = with_field()

    def line(self, item):
        plain = {key: value for key, value in item.items() if key != "priority"}
        return f"{super().line(plain)} ({item['priority'][0].upper()})"


@caught_by("old_rules")
class RuleLifted(TodoManager):
    fields = with_field()
    one_in_progress = False


@caught_by("old_rules")
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


@caught_by("unknown")
class TheFirstLettersWillDo(TodoManager):
    """Takes "hig" for high, and "lo" for low."""

    fields = with_field()

    def check(self, item, position):
        given = item.get("priority") or "medium"
        meant = [level for level in LEVELS if level.startswith(given)]
        return super().check({**item, "priority": (meant or [given])[0]}, position)


@caught_by("unknown")
class TheFirstLetterCounts(TodoManager):
    """Takes "highest" for high."""

    fields = with_field()

    def check(self, item, position):
        given = item.get("priority") or "medium"
        meant = [level for level in LEVELS if given.startswith(level)]
        return super().check({**item, "priority": (meant or [given])[0]}, position)


@caught_by("shown")
class AllThreeWordsOnEachLine(TodoManager):
    fields = with_field()

    def line(self, item):
        return f"{super().line(item)} of high/medium/low"


@caught_by("old_rules")
class TakesTheSameTwice(Anew):
    """Written anew, without a look at what is there already."""

    def update(self, items):
        try:
            return super().update(items)
        except ValueError as problem:
            if "same" not in str(problem):
                raise
            self.items = [{"activeForm": "", "priority": "medium", **item} for item in items]
            return self.render()


@caught_by("shown")
class LosesTheActiveForm(ByFields):
    def check(self, item, position):
        clean = super().check(item, position)
        return {name: clean[name] for name in ("id", "text", "status", "priority")}


@caught_by("old_rules")
class NoJson(ByFields):
    def update(self, items):
        return super().update([dict(item) for item in items])


@caught_by("old_rules")
class FillsInWhatItWasGiven(TodoManager):
    fields = TodoManager.fields | {"priority": {"enum": ["high", "medium", "low"]}}

    def check(self, item, position):
        item.setdefault("priority", "medium")
        return super().check(item, position)


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


@caught_by("kept")
class AnotherListsTool(ByFields):
    """What the model sends goes into a list that nobody sees."""

    def tool(self):
        tool = TodoManager().tool()
        item = tool.input_schema["properties"]["items"]["items"]
        item["properties"]["priority"] = FIELD
        return tool


@caught_by("kept")
class TheFirstPriorityStays(ByFields):
    def update(self, items):
        old = {item["id"]: item["priority"] for item in self.items}
        super().update(items)
        for item in self.items:
            item["priority"] = old.get(item["id"], item["priority"])
        return self.render()


@caught_by("kept")
class ThePriorityInTheText(ByFields):
    def check(self, item, position):
        clean = super().check(item, position)
        return clean | {"text": f"[{clean['priority']}] {clean['text']}"}


@caught_by("still_a_list")
class APythonType(TodoManager):
    fields = with_field(type="str")


@caught_by("order")
class SortedWhereItIsShown(ByFields):
    def render(self):
        plain = TodoManager()
        plain.items = sorted(self.items, key=lambda item: LEVELS.index(item["priority"]))
        return plain.render()


@caught_by("shown")
class NoMarks(ByFields):
    def line(self, item):
        active = f" <- {item['activeForm']}" if item.get("activeForm") else ""
        return f"#{item['id']}: {item['text']} ({item['priority']}){active}"


@caught_by("shown")
class NoCount(ByFields):
    def render(self):
        return "\n".join(map(self.line, self.items))


@caught_by("old_rules")
class RefusesAnEmptyList(ByFields):
    def update(self, items):
        if not items:
            raise ValueError("no items")
        return super().update(items)


@caught_by("old_rules")
class OneHighPriorityOnly(ByFields):
    def update(self, items):
        if str(items).count("'high'") > 1:
            raise ValueError("only one task can have the priority high")
        return super().update(items)


@caught_by("old_rules")
class FilledInListsOnly(TodoManager):
    """Of a list that comes as JSON text, the priorities are neither checked nor filled in."""

    fields = TodoManager.fields | {"priority": {"type": "string", "enum": LEVELS}}

    def update(self, items):
        if isinstance(items, list):
            items = [{"priority": "medium", **item} for item in items]
        return super().update(items)


@caught_by("old_rules")
class OneTaskFewer(ByFields):
    def update(self, items):
        if len(items) >= 20:
            raise ValueError("Max 20 todos allowed")
        return super().update(items)


@caught_by("schema")
class TheSchemaHasNothingElse(ByFields):
    def tool(self):
        tool = super().tool()
        item = tool.input_schema["properties"]["items"]["items"]
        item["properties"] = {"priority": FIELD}
        return tool


@caught_by("shown")
class NoIds(ByFields):
    def line(self, item):
        return super().line(item).replace(f"#{item['id']}: ", "")


@caught_by("old_rules")
class OtherWordsForNothing(ByFields):
    def render(self):
        return super().render() if self.items else ""


@caught_by("old_rules")
class AFieldMore(ByFields):
    def check(self, item, position):
        return super().check(item, position) | {"rank": position}


@caught_by("left_out")
class RemembersThePriority(TodoManager):
    fields = TodoManager.fields | {
        "priority": {"type": "string", "enum": ["high", "medium", "low"]}
    }

    def check(self, item, position):
        clean = super().check(item, position)
        before = {old["id"]: old["priority"] for old in self.items}
        clean.setdefault("priority", before.get(clean["id"], "medium"))
        return clean


@caught_by("old_rules")
class ForgetsWhatIsCompleted(TodoManager):
    fields = TodoManager.fields | {"priority": FIELD}

    def update(self, items):
        super().update(items)
        if all(item["status"] == "completed" for item in self.items):
            self.items = []
        return self.render()
