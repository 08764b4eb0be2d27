from exercises.cells import SOLUTIONS

MY_NAG = SOLUTIONS["facts"]
PLAIN = MY_NAG + "\n" + SOLUTIONS["reminder"]
RIGHT = {"plain": PLAIN}
WRONG = [
    ("same_rounds", ("is None", "is ...")),
    ("shows_the_list", ("{self.todo.render()}", "{len(self.todo.items)} tasks")),
    ("asks_for_an_update", ("Update your todos. ", "")),
]
