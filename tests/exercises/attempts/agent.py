from exercises.cells import SOLUTIONS, slip

from agentlib.nag import REMINDER

PLAIN = SOLUTIONS["agent"]
IN_CLASSES = """
class Plan:
    def __init__(self):
        self.entries = []

    def write(self, items):
        new = []
        for entry in items:
            new.append((entry["status"], entry["text"].strip()))
        if sum(status == "in_progress" for status, _ in new) > 1:
            raise ValueError("two tasks are in progress: finish one first")
        self.entries = new
        return self.show()

    def show(self):
        return "; ".join(f"{text} ({status})" for status, text in self.entries) or "empty"

class Agent:
    def __init__(self, client, messages, workspace, after, settings):
        self.plan, self.age, self.after = Plan(), 0, after
        self.last, self.same = None, 0
        self.client, self.messages, self.settings = client, messages, settings
        self.tools = {tool.name: tool for tool in workspace.tools()}
        statuses = {"type": "string", "enum": ["pending", "in_progress", "completed"]}
        item = {"type": "object", "required": ["text", "status"],
                "properties": {"text": {"type": "string"}, "status": statuses}}
        schema = {"type": "object", "required": ["items"],
                  "properties": {"items": {"type": "array", "items": item}}}
        self.tools["todo"] = Tool("todo", "Write all steps.", schema, self.plan.write)

    def step(self):
        reply = self.client.messages.create(
            messages=self.messages, tools=[t.spec for t in self.tools.values()], **self.settings)
        said = [b.to_dict() for b in reply.content]
        if reply.stop_reason == "max_tokens" and said and said[-1]["type"] == "tool_use":
            said.pop()
        said = [b for b in said if b["type"] != "text" or b["text"].strip()]
        if not said:
            return False
        self.messages.append({"role": "assistant", "content": said})
        calls = [b for b in said if b["type"] == "tool_use"]
        if not calls:
            return False
        self.age = 0 if any(b["name"] == "todo" for b in calls) else self.age + 1
        answers = []
        for b in calls:
            self.same = self.same + 1 if self.last == (b["name"], b["input"]) else 1
            self.last = b["name"], b["input"]
            done = call_tool(self.tools if self.same < 3 else {}, b["name"], b["input"])
            answers.append({"type": "tool_result", "tool_use_id": b["id"],
                            "content": done.output, "is_error": not done.ok})
        if self.age >= self.after:
            old = f"\\n<reminder>Your todo list is old: update it. {self.plan.show()}</reminder>"
            answers[-1]["content"] += old
        self.messages.append({"role": "user", "content": answers})
        return True

def agent(client, messages, workspace, after=3, missing=lambda workspace: [], **settings):
    one = Agent(client, messages, workspace, after, settings)
    for _ in range(11):
        while one.step():
            pass
        left = missing(workspace)
        if not left or _ == 10:
            return messages[-1]
        messages.append({"role": "user", "content": "<reminder>" + str(left) + "</reminder>"})
"""
CUT = '                if reply.stop_reason == "max_tokens" and use is content[-1]:\n'
CUT += '                    raise ValueError("not run: your reply was cut off in this call")\n'
REPLY = 'messages.append({"role": "assistant", "content": content})'
ASK = "        reply = client.messages.create(messages=messages, tools=specs, **settings)\n"
COUNT = "    rounds = 0  # without a todo call\n"
CALL = "dispatch[use.name](**use.input)"
BY_NAME = '({"todo": update}.get(use.name) or getattr(workspace, use.name))(**use.input)'
CONTINUE = "            continue\n"
LAST = 'results[-1]["content"] = [{"type": "text", "text": text} for text in texts]'
NO_MESSAGE = '                result |= {"content": "Error", "is_error": True}\n'
NOTHING = '        messages.append({"role": "user", "content": []})\n'
RIGHT = {
    "in classes, by other names": IN_CLASSES,
    "an object that yields, reminds in other words, and leaves out a call that was cut off": slip(
        PLAIN,
        ("def agent(client", "def work(self, client"),
        ("        results = []\n", "        results = []\n        yield reply\n"),
        ('f"Error: {problem!r}"', "str(problem)"),
        (CUT, ""),
        (f"{REMINDER} This is your list:", "Your list is out of date:"),
        (
            "        if content:\n",
            "        if reply.stop_reason == 'max_tokens' and content[-1:]:\n"
            "            content = content[: -1 if content[-1].type == 'tool_use' else None]\n"
            "        if content:\n",
        ),
    )
    + "\n\nclass Agent:\n    __call__ = work\n\n\nagent = Agent()\n",
}
WRONG = [
    ("two_calls", ("for use in uses:", "for use in uses[-1:]:")),
    (
        "shows_the_list",
        ("plan[:] = items\n        return show(plan)", "plan = items\n        return show(plan)"),
    ),
    ("goes_on", ('if block.type != "text" or block.text', ""), "an empty text block"),
    ("goes_on", ("if content:", "if True:"), "an empty message"),
    (
        "goes_on",
        ("if not uses:", 'if not uses or reply.stop_reason == "max_tokens" and len(content) == 1:'),
        "a call without a result",
    ),
    ("goes_on", ("if not uses:", 'if reply.stop_reason == "end_turn":')),
    ("acts", ("if not uses:", "if content[-1].type == 'text':")),
    ("ends", ("tools=specs, **settings", "tools=specs, model='practice', max_tokens=8000")),
    ("two_calls", ("for use in uses:", "for use in reversed(uses):")),
    ("raises", (', "is_error": True}', "}"), 'add `"is_error": True`'),
    ("raises", ("except Exception", "except FileNotFoundError")),
    ("raises", ('f"Error: {problem!r}"', '"Error"'), "put the exception's message"),
    ("raises", ('f"Error: {problem!r}"', '"It did not work"'), "put the exception's message"),
    ("raises", ('f"Error: {problem!r}"', "type(problem).__name__"), "put the exception's message"),
    (
        "unknown",
        ("except Exception", "except KeyError:\n" + NO_MESSAGE + "            except Exception"),
        "put the exception's message",
    ),
    (
        "acts",
        ("if content:", "if any(block.type == 'tool_use' for block in content):"),
        "The last reply is not in `messages`",
    ),
    ("ends", ("        if not uses:\n", NOTHING + "        if not uses:\n"), "return before you"),
    (
        "goes_on",
        ("        if content:\n", "        if not content:\n    " + NOTHING + "        else:\n"),
        "an empty message of the user",
    ),
    ("unknown", ("            try:\n", "            dispatch[use.name]\n            try:\n")),
    ("unknown", (CALL, BY_NAME), "a method of the workspace, not a tool"),
    ("unknown", (CALL, f"str({BY_NAME})"), "a method of the workspace, not a tool"),
    (
        "unknown",
        (CALL, f"str({BY_NAME})"),
        (
            "            try:\n",
            "            try:\n                assert use.name[0] != 'r' or "
            + "'_f' in use.name\n",
        ),
        "a method of the workspace, not a tool",
    ),
    ("cut_off", (CUT, "")),
    ("cut_off", (CUT, CUT.replace(" and use is content[-1]", ""))),
    ("two_calls", ("results.append(result)", "results.insert(0, result)")),
    ("has_a_list", ("plan[:] = items\n        return", "new = items\n        return")),
    ("has_a_list", ('"array", "items": ITEM}', '"array"}')),
    ("has_a_list", ("plan[:] = items", "plan.extend(items)")),
    ("rejects", ("> 1:", "> 9:"), "Your code accepts this list"),
    ("rejects", ("> 1:", "== 2:")),
    (
        "reminds",
        (LAST, 'results.append({"type": "text", "text": REMINDER})'),
        "into the content of the last tool_result",
    ),
    ("reminds", "rounds = 0\n" + PLAIN, (COUNT, "    global rounds\n")),
    ("reminds", ("if rounds >= after:", "if rounds >= 3:")),
    ("reminds", ("[use.name for use in uses]", "uses[0].name")),
    ("reminds", ("            texts =", "            rounds = 0\n            texts =")),
    (
        "shows_the_list",
        (
            "        check_list(items)\n        plan[:] = items\n",
            "        plan[:] = items\n        check_list(items)\n",
        ),
    ),
    ("asks", ('"\\n".join(left)', "left[0]"), "join the strings"),
    ("asks", ("if not left or asked == 10", "if True"), "No question was asked"),
    ("reminds", ("workspace, after=3", "workspace, after=4"), "The default of `after` is 3"),
    ("asks", (CONTINUE, ""), "at once, with `continue`"),
    (
        "asks",
        (CONTINUE, ""),
        ("if rounds >= after:", "if rounds >= after and results:"),
        "at once, with `continue`",
    ),
    (
        "asks",
        (CONTINUE, ""),
        ("        if rounds >= after:", "        last = results[-1]\n        if rounds >= after:"),
        "at once, with `continue`",
    ),
    ("asks", ("asked += 1", "asked += 5")),
    ("asks", ("if not left or asked == 10", "if not left"), "asks without end"),
    ("shows_the_list", (".format(show(plan))", ""), "does not contain the list"),
    ("reminds", ("workspace, after=3", "workspace, plan=[], after=3"), ("    plan = []\n", "")),
    (
        "reminds",
        ("calls.append((use.name, use.input))", "calls.append(use.name)"),
        "compare the name and the input",
    ),
    ("repeats", ("calls[-3:] == [calls[-1]] * 3", "calls.count(calls[-1]) >= 3")),
    ("repeats", ("calls[-3:] == [calls[-1]] * 3", "calls[-4:].count(calls[-1]) == 3")),
    (
        "goes_on",
        (
            "            left = missing(workspace)",
            "            left = content and missing(workspace)",
        ),
    ),
    (
        "shows_the_list",
        (".format(show(plan))", ".format(show([i for i in plan if i['status'] != 'completed']))"),
    ),
    ("ten_steps", ("while True:", "for _ in range(20):"), "Does it limit the rounds?"),
    ("acts", (REPLY, "messages = messages + [" + REPLY[16:-1] + "]"), "do not make a new list"),
    ("acts", (ASK, ""), ("    while True:\n", ASK[4:] + "    while True:\n"), "inside `while`"),
    ("cut_off", ("if not uses:", 'if reply.stop_reason != "tool_use":'), "`tool_use` among all"),
    ("two_calls", ('== "tool_use"', '!= "text"'), "'ThinkingBlock' object has no"),
    ("two_calls", ("block.text]", 'block.text if block.type != "thinking"]')),
    ("reminds", (">= after", "> after"), "one round late"),
    ("reminds", (">= after", "== after"), "compared with `==`"),
    ("asks", ("left", "missing"), "choose another name"),
    ("has_a_list", ("return show(plan)", "print(show(plan))"), "use return, not print"),
    ("ends", ("def agent", "async def agent"), "write `def` instead"),
    ("own", ("        plan[:]", "        TodoManager().update(items)\n        plan[:]")),
]
