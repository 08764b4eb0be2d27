from exercises.cells import SOLUTIONS

MY_NAG = SOLUTIONS["facts"]
PLAIN = MY_NAG + "\n" + SOLUTIONS["reminder"]
FROM_NOTHING = """
class MyReminder:
    def __init__(self, todo, after=3):
        self.todo, self.after, self.rounds = todo, after, 0

    def __call__(self, calls):
        names = [call.name for call in calls]
        self.rounds = 0 if "todo" in names else self.rounds + 1
        if self.rounds < self.after:
            return None
        lines = ["<reminder>", "Please update your list:", self.todo.render(), "</reminder>"]
        return "\\n".join(lines)
"""
RIGHT = {"plain": PLAIN, "from nothing": FROM_NOTHING}
WRONG = [
    ("same_rounds", ("is None", "is ...")),
    ("shows_the_list", ("{self.todo.render()}", "{len(self.todo.items)} tasks")),
    ("asks_for_an_update", ("Update your todos. ", "")),
]
