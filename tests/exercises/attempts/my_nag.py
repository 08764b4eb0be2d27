"""Cells of MyNag as learners write them: right ones, and typical mistakes."""

from judge_rules import slip

PLAIN = """
class MyNag:
    def __init__(self, todo, after=3):
        self.todo = todo
        self.after = after
        self.rounds = 0

    def __call__(self, calls):
        if any(call.name == "todo" for call in calls):
            self.rounds = 0
            return None
        self.rounds += 1
        if self.rounds >= self.after:
            return f"<reminder>Update your todos.\\n{self.todo.render()}</reminder>"
        return None
"""
WITHOUT_THE_LIST = slip(PLAIN, ("\\n{self.todo.render()}", ""))
FIRST = {
    "without the list": WITHOUT_THE_LIST,
    "a list that was rendered in __init__": slip(
        PLAIN,
        ("self.todo = todo", "self.todo, self.text = todo, todo.render()"),
        ("{self.todo.render()}", "{self.text}"),
    ),
}
DATACLASS = """
from dataclasses import dataclass
from agentlib.nag import REMINDER

@dataclass
class MyNag:
    todo: object
    after: int = 3
    rounds: int = 0

    @property
    def is_due(self):
        return self.rounds >= self.after

    def __call__(self, calls):
        match [call.name for call in calls]:
            case names if "todo" in names:
                self.rounds = 0
                return None
        self.rounds += 1
        if not self.is_due:
            return
        lines = ["<reminder>" + REMINDER, "Your list:", *self.todo.render().splitlines()]
        return "\\n".join(lines) + "\\n\\n</reminder>"
"""
SILENT_WHEN_DONE = '''
class MyNag:
    """Silent if every task is completed."""

    def __init__(self, todo, after=3, **others):
        self.todo = todo
        self.after = after
        self.rounds = 0

    def __call__(self, calls, **others):
        for call in calls:
            if call.name == "todo":
                self.rounds = 0
                return
        self.rounds = self.rounds + 1
        is_open = [item for item in self.todo.items if item["status"] != "completed"]
        if self.rounds < self.after or not is_open:
            return
        return self.words()

    def words(self):
        return "<reminder>{}\\n{}</reminder>".format("Update your todos.", self.todo.render())
'''
RIGHT = {
    "a dataclass with match": DATACLASS,
    "silent when all is done": SILENT_WHEN_DONE,
    "a count that stops at the threshold": slip(
        PLAIN, ("self.rounds += 1", "self.rounds = min(self.rounds + 1, self.after)")
    ),
    "a copy that is made for each reminder": slip(
        PLAIN, ("{self.todo.render()}", "{__import__('copy').deepcopy(self.todo).render()}")
    ),
}
ANY = 'any(call.name == "todo" for call in calls)'
LIST = "{self.todo.render()}"
SET_BACK = "self.rounds = 0\n            return None"
OPEN = '[item for item in tasks if item["status"] != "completed"]'
KEPT = OPEN.replace("tasks", "self.items")
FIRST_LINE = "        if any("
RENDERED_ONCE = (
    ("self.todo = todo", "self.todo, self.text = todo, todo.render()"),
    (LIST, "{self.text}"),
)
SENTENCES = {
    "The loop calls your nag like a function after each round that has tool calls, with the list "
    "of them,": (
        "counts",
        ("self.rounds +=", "for _ in calls:\n            self.rounds +="),
        "outside the `for`",
    ),
    "and `call.name` is the name of each.": None,
    "1. In `self.rounds`, it counts the rounds without a `todo` call,": (
        "counts",
        ("self.rounds", "self.count"),
        "not in `self.rounds`",
    ),
    "and returns None until there are `after` of them.": (
        "all_together",
        (">= self.after", ">= min(self.after, 10)"),
        "no reminder is due",
    ),
    "2. A call whose `name` is `todo` sets the count back to 0,": (
        "back",
        (ANY, 'any("todo" in call.name for call in calls)'),
        "with `==`",
    ),
    "also if the call was rejected,": (
        "back",
        (ANY, 'any(call.name == "todo" and getattr(call, "ok", True) for call in calls)'),
        "also if it was rejected",
    ),
    "and that round gets no reminder.": (
        "back",
        (SET_BACK, "self.rounds = 0"),
        "begins again at 0",
    ),
    "3. Once the count has reached `after`, it returns the reminder in every round,": (
        "stays_due",
        (">= self.after", "== self.after"),
        "compared with `==`",
    ),
    "until there is a `todo` call.": (
        "stays_due",
        (">= self.after", ">= self.after and self.rounds < self.after + 40"),
        "is not repeated",
    ),
    "4. While every task is completed, you may return None instead (you need not).": (
        "copes_without_open_tasks",
        (FIRST_LINE, f"        tasks = self.todo.items\n        tasks and {OPEN}[0]\n{FIRST_LINE}"),
        "list is empty",
    ),
    "Count these rounds all the same.": (
        "copes_without_open_tasks",
        (FIRST_LINE, f"        if not self.todo.items:\n            return None\n{FIRST_LINE}"),
        "Each round counts",
    ),
    "5. It changes neither the calls": (
        "only_reads",
        (FIRST_LINE, "        calls.sort(key=lambda call: call.name)\n" + FIRST_LINE),
        "changed the list of calls",
    ),
    "nor the list.": (
        "only_reads",
        (FIRST_LINE, '        self.todo.items.sort(key=lambda item: item["text"])\n' + FIRST_LINE),
        "model alone changes it",
    ),
    "Keep the tags, because nothing else divides it from the output of a tool.": None,
    "The reminder is `<reminder>Update your todos.</reminder>`.": (
        "says_the_sentence",
        ("<reminder>Update", "<reminder>Please: Update"),
        "has this sentence first",
    ),
    "Your nag also gets the list, and will need it later in this notebook.": None,
}
SENTENCES_OF_LEVEL = {
    "shows the list": {
        '"Update your todos." helps only while the plan can be seen. But your program has the '
        "whole list, outside the conversation. If the reminder shows it, a plan that has left the "
        "window is back in it.": None,
        "**Go back to [the cell of your nag](#Exercise-E4:-write-the-nag)**, and change one "
        "line:": None,
        "after the sentence": (
            "first:says_the_sentence",
            (f"Update your todos.\\n{LIST}", f"{LIST} Update your todos."),
            "has this sentence first",
        ),
        "and before `</reminder>`,": (
            "first:says_the_sentence",
            (f"\\n{LIST}</reminder>", f"</reminder> {LIST}"),
            "between them",
        ),
        "the reminder shows the list, from a new line on,": (
            "first:shows_the_list",
            (f"\\n{LIST}", f" {LIST}"),
            "begins on a new line",
        ),
        "as `self.todo.render()` returns it": (
            "shows_the_list",
            (LIST, "{TodoManager.render(self.todo)}"),
            "its own `render`",
        ),
        "*at that moment*.": ("as_it_is_now", *RENDERED_ONCE, "not in `__init__`"),
        "Run that cell again, and then this check.": None,
    },
}
WRONG = [
    *filter(None, SENTENCES.values()),
    *filter(None, SENTENCES_OF_LEVEL["shows the list"].values()),
    ("counts", (">=", ">"), "first, then compare it"),
    ("counts", ("+= 1", "=+ 1"), "does not grow"),
    ("counts", (ANY, 'calls.name == "todo"'), "Each of them has a name"),
    (
        "says_the_sentence",
        (f'f"<reminder>Update your todos.\\n{LIST}', '"<" + self.todo + "'),
        "text",
    ),
    ("says_the_sentence", (LIST, "{self.render()}"), "keeps the list in `self.todo`"),
    ("back", (SET_BACK, "return None"), "has not set the count back"),
    (
        "stays_due",
        ("            return f", "            self.rounds = 0\n            return f"),
        "set back by a reminder",
    ),
    ("only_reads", ("self.rounds += 1", "self.rounds += 1; calls.append('x')"), "list of calls"),
    (
        "copes_without_open_tasks",
        (
            "self.rounds += 1\n",
            "self.rounds += 1\n        if not self.todo.items:\n            return 'Plan!'\n",
        ),
        "look at all of them",
    ),
    (
        "copes_without_open_tasks",
        ("if self.rounds >= self.after", "if self.rounds >= self.after or not self.todo.items"),
        "no reminder is due",
    ),
    ("back", (ANY, '"todo" in calls'), "calls, and not names"),
    (
        "back",
        (FIRST_LINE, f"        old, self.old = self.old, str(self.todo.items)\n{FIRST_LINE}"),
        (ANY, f"old != self.old and {ANY}"),
        ("self.rounds = 0\n\n", "self.rounds = 0\n        self.old = str(todo.items)\n\n"),
        "of each call with",
    ),
    ("back", (ANY, 'any(call.name in "todo" for call in calls)'), "parts of names"),
    ("back", (ANY, 'calls[0].name == "todo"'), "at any place"),
    (
        "counts",
        (ANY, 'any(call.output and call.name == "todo" for call in calls)'),
        "look only at `call.name`",
    ),
    ("says_the_sentence", (f"\\n{LIST}", " The plan?"), "each character"),
    ("says_the_sentence", (f"todos.\\n{LIST}", f"todos:\\n{LIST}"), "has this sentence first"),
    ("says_the_sentence", (LIST, "{self.todos.render()}"), "misspelled"),
    (
        "counts",
        ("self.rounds += 1\n", "self.count = getattr(self, 'count', 0) + 1\n"),
        ("self.rounds >=", "self.count >="),
        ("self.rounds = 0\n            return", "self.count = 0\n            return"),
        "not in `self.rounds`",
    ),
    (
        "counts",
        (
            "self.rounds += 1",
            'self.rounds += "in_progress" in str(self.todo.items)',
        ),
        "missing or too late",
    ),
    (
        "copes_without_open_tasks",
        (
            FIRST_LINE,
            f"        if not {OPEN.replace('tasks', 'self.todo.items')}:\n            return\n"
            + FIRST_LINE,
        ),
        "Each round counts",
    ),
    (
        "copes_without_open_tasks",
        (
            "if self.rounds >= self.after",
            'pending = [t for t in self.todo.items if t["status"] == "pending"]\n'
            "        if self.rounds >= self.after and pending",
        ),
        "Only while each task",
    ),
    *(
        (
            "copes_without_open_tasks",
            ("self.todo = todo", "self.todo, self.items = todo, todo.items"),
            ("if self.rounds >= self.after", f"if self.rounds >= self.after and {is_open}"),
            "because `update` makes a new list",
        )
        for is_open in (KEPT, f"(not self.items or {KEPT})")
    ),
    ("only_reads", (LIST, "{self.todo.update(self.todo.items)}"), "as `update` does"),
    (
        "only_reads",
        (
            FIRST_LINE,
            "        self.todo.items = [dict(one) for one in self.todo.items]\n" + FIRST_LINE,
        ),
        "put other objects",
    ),
    ("counts", ("after=3", "after=4"), "given default"),
    ("counts", ("return None", "return False"), "a string with the reminder, or None"),
    ("counts", ("self.after", "type(self).after"), "Two nags share"),
    ("only_reads", ("self.todo = todo", "self.todo, todo.items = todo, []"), "model alone changes"),
    ("only_reads", (FIRST_LINE, f"        calls[0].input.clear()\n{FIRST_LINE}"), "list of calls"),
    ("shows_the_list", ("self.todo", "type(self).todo"), "Two nags share"),
    ("shows_the_list", (LIST, "{self.todo.render().encode('ascii', 'ignore').decode()}"), "cut or"),
    ("shows_the_list", (f"\\n{LIST}", f"\\\\n{LIST}"), "a backslash and an n"),
    (
        "all_together",
        ("self.rounds += 1", 'self.rounds += all(getattr(call, "ok", True) for call in calls)'),
        "a reminder is due",
    ),
    ("counts", ("self.rounds", "type(self).rounds"), "Two nags share"),
    ("counts", (">= self.after", ">= min(self.after, 3)"), "too early"),
    ("back", (SET_BACK, SET_BACK.replace("None", "'<reminder>'")), "still has a reminder"),
    *(("back", ('"todo"', f'"{name}"'), "with the string") for name in ("Todo", "todo_write")),
    *(
        ("says_the_sentence", change, "nothing is before the first tag")
        for change in [
            ("<reminder>Update", "\\n<reminder>Update"),
            ("<reminder>Update", "<reminder> Update"),
            ("</reminder>", "</reminder>\\n"),
        ]
    ),
    ("says_the_sentence", (LIST, "{self.todo.items.render()}"), "plain list of dicts"),
    ("shows_the_list", (LIST, "{{self.todo.render()}}"), "two braces"),
    ("shows_the_list", (LIST, "{self.todo.render()[:2000]}"), "cut or changed"),
    (
        "shows_the_list",
        (LIST, "{__import__('textwrap').indent(self.todo.render(), '  ')}"),
        "other whitespace",
    ),
    ("shows_the_list", WITHOUT_THE_LIST, "does not show the list"),
    (
        "shows_the_list",
        (
            "            return f",
            "            if self.rounds > self.after:\n"
            "                return '<reminder>Update your todos.</reminder>'\n"
            "            return f",
        ),
        "An earlier reminder has shown the list",
    ),
    ("shows_the_list", (LIST, "{self.todo.items}"), "do not make the lines yourself"),
    (
        "shows_the_list",
        (LIST, "{'; '.join(item['text'] for item in self.todo.items)}"),
        "do not make the lines yourself",
    ),
    (
        "shows_the_list",
        (
            "            return f",
            f"{' ' * 12}other = TodoManager()\n{' ' * 12}other.update(self.todo.items)\n"
            "            return f",
        ),
        ("self.todo.render()", "other.render()"),
        "its own `render`",
    ),
    ("shows_the_list", (LIST, "{self.todo.render}"), "with its parentheses"),
    ("shows_the_list", (LIST, "{self.todo}"), "the list itself"),
    ("shows_the_list", (LIST, LIST + " Go on."), "more in it"),
    (
        "shows_the_list",
        (f'f"<reminder>Update your todos.\\n{LIST}', f'"<reminder>Update your todos.\\n{LIST}'),
        "an f-string",
    ),
    (
        "shows_the_list",
        ('f"<reminder>', '"<reminder>'),
        (LIST, LIST[1:-1]),
        "inside of the quotes",
    ),
    (
        "says_the_sentence",
        (LIST, "{self.todo.render() if self.rounds == self.after else ''}"),
        "in each reminder",
    ),
    (
        "shows_the_list",
        ("return f", f"tasks = self.todo.items\n            tasks = {OPEN}\n            return f"),
        (LIST, "{chr(10).join(map(self.todo.line, tasks))}"),
        "A completed task is missing",
    ),
    (
        "shows_the_list",
        (LIST, "{chr(10).join(filter(str.strip, self.todo.render().splitlines()))}"),
        "other empty lines",
    ),
    ("shows_the_list", (LIST, "{__import__('html').escape(self.todo.render())}"), "cut or changed"),
    (
        "as_it_is_now",
        ("self.todo = todo", "self.todo = __import__('copy').deepcopy(todo)"),
        "nor a copy",
    ),
    (
        "as_it_is_now",
        (
            "return f",
            "self.text = getattr(self, 'text', None) or self.todo.render()\n            return f",
        ),
        (LIST, "{self.text}"),
        "again for each reminder",
    ),
    (
        "as_it_is_now",
        ("self.rounds = 0\n\n", "self.rounds = 0\n        self.items = None\n\n"),
        (
            "return f",
            "if self.items is not self.todo.items:\n"
            "                self.items, self.text = self.todo.items, self.todo.render()\n"
            "            return f",
        ),
        (LIST, "{self.text}"),
        "again for each reminder",
    ),
]
