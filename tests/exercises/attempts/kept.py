from exercises.cells import SOLUTIONS, slip

PLAIN = SOLUTIONS["kept"]
CLASS = "(TodoManager):"
IN_UPDATE = """
class KeptTodo(TodoManager):
    def update(self, items):
        before = self.items
        answer = super().update(items)
        KNOWN = {item[name] for item in self.items for name in ("id", "text")}
        missing = [i["text"] for i in before
                   if i["status"] != "completed" and not KNOWN & {i["id"], i["text"]}]
        if missing:
            self.items = before
            raise ValueError("Not completed: " + "; ".join(missing))
        return answer
"""
RIGHT = {
    "in update, with the old list put back": IN_UPDATE,
    # The cell after the check shows what such a message does.
    "with one missing task in the message": slip(PLAIN, ("'; '.join(missing)", "missing[0]")),
}
WRONG = [
    ("shrunk", ("if missing:", "if missing and len(items) < len(self.items):")),
    (
        "first_list",
        (CLASS, CLASS + "\n    OLD = []"),
        ("in self.items if", "in self.OLD if"),
        ("        missing", "        self.OLD[:] = items\n        missing"),
    ),
    ("first_list", ("if missing:", "if missing or len(items) > 3:")),
    ("without_completed", ('item["status"] != "completed"', "True")),
    ("shrunk", ('!= "completed"', '== "pending"'), "Your code accepts this list"),
    ("shrunk", ("if missing:", "if missing and items:")),
    (
        "shrunk",
        ("if missing:", "if missing and not all(i['status'] == 'completed' for i in items):"),
    ),
    ("shrunk", ("if missing:", "if missing and len(items) <= len(self.items):")),
    ("same", ('{i["id"], i["text"]}', '{i["id"]}')),
    ("same", ('{i["id"], i["text"]}', '{i["text"]}')),
    ("unchanged", IN_UPDATE, ("            self.items = before\n", "")),
    ("same_as_todomanager", ("        super().check_list(items)\n", "")),
    ("shrunk", ("def check_list(", "def checklist("), "Did you mean `check_list`?"),
    (
        "shrunk",
        IN_UPDATE,
        ("answer = super().update(items)", "pass"),
        ("in self.items for name", "in items for name"),
        ("return answer", "return super().update(items)"),
        "the list was sent as a JSON string",
    ),
]
