from exercises.cells import SOLUTIONS

from agentlib.nag import REMINDER

MY_NAG = SOLUTIONS["nag"]
PLAIN = MY_NAG + "\n" + SOLUTIONS["reminder"]
METHOD = "    def reminder(self):\n        return f'<reminder>{self.todo.render()}</reminder>'\n"
RIGHT = {"plain": PLAIN}
WRONG = [
    (
        "shows_the_list",
        ("self.todo = todo", "self.todo, self.text = todo, todo.render()"),
        ("{self.todo.render()}", "{self.text}"),
    ),
    ("shows_the_list", ("{self.todo.render()}", "{len(self.todo.items)} tasks")),
    ("same_rounds", ("super().__call__(calls)", "super().__call__(calls) or super().__call__([])")),
    ("shows_the_list", ("{self.todo.render()}", "{self.todo.render() + self.todo.update([])}")),
    (
        "shows_the_list",
        (PLAIN[PLAIN.index("    def __call__(self, calls):\n        if super") :], METHOD),
        "Nothing calls the method `reminder`",
    ),
    ("asks_for_an_update", (f"{REMINDER} ", "")),
    ("asks_for_an_update", (REMINDER, "This is your list since its last update:")),
    ("same_rounds", ("todo, after=3", "todo, after=5")),
    (
        "shows_the_list",
        ("self.todo = todo", "self.todo, self.text = todo, None"),
        ("        return f", "        self.text = self.text or self.todo.RENDER\n        return f"),
        ("{self.todo.render()}", "{self.text}"),
        ("RENDER", "render()"),
    ),
]
