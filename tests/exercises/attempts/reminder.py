from exercises.cells import SOLUTIONS

MY_NAG = SOLUTIONS["nag"]
PLAIN = MY_NAG + "\n" + SOLUTIONS["reminder"]
RIGHT = {"plain": PLAIN}
# These are in docs/teach.md.
LIKELY = [
    (
        "shows_the_list",
        ("self.todo = todo", "self.todo, self.text = todo, todo.render()"),
        ("{self.todo.render()}", "{self.text}"),
    ),
]
WRONG = [
    ("shows_the_list", ("{self.todo.render()}", "{len(self.todo.items)} tasks")),
    ("same_rounds", ("super().__call__(calls)", "super().__call__(calls) or super().__call__([])")),
    ("shows_the_list", ("{self.todo.render()}", "{self.todo.render() + self.todo.update([])}")),
    ("asks_for_an_update", ("Update your todos. ", "")),
]
