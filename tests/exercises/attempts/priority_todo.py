"""Right and wrong cells of `PriorityTodo`, on a list like the learner's and on the package's."""

from attempts import my_todo
from lesson.exercises.priority_todo import PAGE

MY_TODO = my_todo.PLAIN
BASES = {"your MyTodo": MY_TODO, "TodoManager": "from agentlib import TodoManager as MyTodo"}
FIELD = """{
            "type": "string",
            "enum": ["high", "medium", "low"],
            "default": "medium",
        }"""
FIELDS = f'''class PriorityTodo(MyTodo):
    """A todo list whose items have a priority: high, medium or low."""

    fields = MyTodo.fields | {{
        "priority": {FIELD},
    }}
'''
PLAIN = PAGE.solution
BETWEEN = (
    PLAIN.replace("class PriorityTodo(MyTodo)", "class Checked(MyTodo)")
    + """

class PriorityTodo(Checked):
    def line(self, item):
        return super().line(item) + f" !{item['priority']}"
"""
)
MORE_KEYWORDS = PLAIN.replace(
    "MyTodo.fields | {",
    'MyTodo.fields | {\n        "text": {**MyTodo.fields["text"], "title": "Task"},',
)
IN_A_NEW_LIST = f"""{FIELDS}
    def update(self, items):
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            return super().update(items)
        new = []
        for item in items:
            priority = item.get("priority", "medium")
            if priority is None:
                priority = "medium"
            if priority not in ["high", "medium", "low"]:
                raise ValueError(f"invalid priority {{priority!r}}: use high, medium or low")
            new.append({{**item, "priority": priority}})
        return super().update(new)
"""
RIGHT = {
    "a class between": BETWEEN,
    "a title for another field": MORE_KEYWORDS,
    "in a new list, and null counts as left out": IN_A_NEW_LIST,
}
WRONG = [
    ("rejects", ("raise ValueError(f", "print(f"), "use `raise`, not `print`"),
]
