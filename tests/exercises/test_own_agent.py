"""The finale's check: agents of many makes pass, and each mistake meets its own rule."""

import pytest
from exercises.cells import all_sources, define, first_miss, run, slip

from lesson.exercises import OWN_AGENT, check_agent
from lesson.exercises.own_agent import RULES

BY_THE_PACKAGE = """
def agent(client, messages, workspace, **settings):
    todo = TodoManager()
    tools = [*workspace.tools(), todo.tool()]
    return list(rounds(client, messages, tools, remind=Nag(todo), **settings))
"""
IN_CLASSES = """
class Plan:
    def __init__(self):
        self.entries = []

    def write(self, todos):
        new = []
        for entry in todos:
            new.append((entry["status"], entry["content"].strip()))
        if sum(status == "in_progress" for status, _ in new) > 1:
            raise ValueError("two tasks are in progress: finish one first")
        self.entries = new
        return "; ".join(f"{content} ({status})" for status, content in new) or "empty"

class Agent:
    def __init__(self, client, messages, workspace, settings):
        self.plan, self.age = Plan(), 0
        self.client, self.messages, self.settings = client, messages, settings
        self.tools = {tool.name: tool for tool in workspace.tools()}
        statuses = {"type": "string", "enum": ["pending", "in_progress", "completed"]}
        item = {"type": "object", "required": ["content", "status"],
                "properties": {"content": {"type": "string"}, "status": statuses}}
        schema = {"type": "object", "required": ["todos"],
                  "properties": {"todos": {"type": "array", "items": item}}}
        self.tools["write_plan"] = Tool("write_plan", "Write all steps.", schema, self.plan.write)

    def step(self):
        reply = self.client.messages.create(
            messages=self.messages, tools=[t.spec for t in self.tools.values()], **self.settings)
        said = [b.to_dict() for b in reply.content]
        if reply.stop_reason == "max_tokens" and said and said[-1]["type"] == "tool_use":
            said.pop()
        said = [b for b in said if b["type"] == "tool_use" or b["text"].strip()]
        if not said:
            return False
        self.messages.append({"role": "assistant", "content": said})
        calls = [b for b in said if b["type"] == "tool_use"]
        if not calls:
            return False
        self.age = 0 if any(b["name"] == "write_plan" for b in calls) else self.age + 1
        answers = []
        for b in calls:
            done = call_tool(self.tools, b["name"], b["input"])
            answers.append({"type": "tool_result", "tool_use_id": b["id"],
                            "content": done.output, "is_error": not done.ok})
        if self.age > 3:
            answers[-1]["content"] += "\\n<reminder>Your todo list is old: update it.</reminder>"
        self.messages.append({"role": "user", "content": answers})
        return True

def agent(client, messages, workspace, **settings):
    one = Agent(client, messages, workspace, settings)
    while one.step():
        pass
    return messages[-1]
"""
TRY = """            try:
                if reply.stop_reason == "max_tokens" and use is content[-1]:
                    raise ValueError("not run: your reply was cut off in this call")
                result["content"] = dispatch[use.name](**use.input)
            except Exception as problem:
                result |= {"content": f"Error: {problem!r}", "is_error": True}
"""
CUT = '                if reply.stop_reason == "max_tokens" and use is content[-1]:\n'
CUT += '                    raise ValueError("not run: your reply was cut off in this call")\n'
LAST = 'results[-1]["content"] = [{"type": "text", "text": text} for text in texts]'
NOT_EMPTY = 'if block.type != "text" or block.text'
RIGHT = {
    "the model solution": OWN_AGENT,
    "in classes, by other names": IN_CLASSES,
    "yields": slip(
        OWN_AGENT, ("        results = []\n", "        results = []\n        yield reply\n")
    ),
    "reminds at once": slip(OWN_AGENT, ("AFTER = 3", "AFTER = 1")),
    "reminds after five": slip(OWN_AGENT, ("AFTER = 3", "AFTER = 5")),
    "reminds every third round": slip(
        OWN_AGENT, ("            texts =", "            rounds = 0\n            texts =")
    ),
    "reminds in a string": slip(OWN_AGENT, (LAST, 'results[-1]["content"] = "\\n".join(texts)')),
    "the reminder carries the plan": slip(
        OWN_AGENT, ('"content"], REMINDER]', '"content"], f"{REMINDER}\\n{plan}"]')
    ),
    "ends when it was cut off": slip(
        OWN_AGENT,
        (
            "        if content:\n",
            '        if reply.stop_reason == "max_tokens":\n            return\n'
            "        if content:\n",
        ),
    ),
    "runs none of a reply that was cut off": slip(OWN_AGENT, (" and use is content[-1]", "")),
    "not more than fifty rounds": slip(OWN_AGENT, ("while True:", "for _ in range(50):")),
    "numbers and priorities in its list": slip(
        OWN_AGENT,
        (
            '"text": {"type": "string"},',
            '"text": {"type": "string"}, "id": {"type": "integer"},\n'
            '        "priority": {"type": "string", "enum": ["high", "low"]},',
        ),
        ('["text", "status"]', '["text", "status", "id", "priority"]'),
        (
            'if not item.get("text")',
            'if not item["id"] or item["priority"] not in ("high", "low")',
        ),
    ),
}


def agent(source):
    return define(source, "agent")


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_a_right_agent_passes(source):
    result = check_agent(agent(source))
    assert result.ok, result


@pytest.mark.parametrize(
    "rule, changes",
    [
        ("ends", [("            return\n", "            continue\n")]),
        ("ends", [("if not uses:", 'if reply.stop_reason == "end_turn":')]),
        ("ends", [("        if not uses:\n            return\n", "")]),
        ("acts", [("if not uses:", "if True:")]),
        ("acts", [('{"role": "user", "content": results}', "results")]),
        ("acts", [('"tool_use_id": use.id', '"tool_use_id": use.name')]),
        ("acts", [('"role": "assistant"', '"role": "user"')]),
        ("two_calls", [("for use in uses:", "for use in uses[:1]:")]),
        ("two_calls", [("for use in uses:", "for use in reversed(uses):")]),
        ("two_calls", [('"tool_use_id": use.id', '"tool_use_id": uses[0].id')]),
        ("raises", [(TRY, '            result["content"] = dispatch[use.name](**use.input)\n')]),
        ("raises", [(', "is_error": True}', "}")]),
        ("raises", [("except Exception", "except FileNotFoundError")]),
        ("raises", [('f"Error: {problem!r}"', '""')]),
        (
            "unknown",
            [("            try:\n", "            run = dispatch[use.name]\n            try:\n")],
        ),
        ("cut_off", [(CUT, "")]),
        ("goes_on", [(NOT_EMPTY, "")]),
        ("goes_on", [("if content:", 'if any(b.type == "tool_use" for b in content):')]),
        (
            "goes_on",
            [
                (
                    "        if content:\n            messages",
                    "        if True:\n            messages",
                )
            ],
        ),
        ("has_a_list", [(" + [TODO]", "")]),
        ("has_a_list", [('return "\\n".join(', "str(")]),
        ("has_a_list", [("MARKS[item['status']]} {item['text']", "len(plan)} {item['status']")]),
        ("has_a_list", [("        plan[:] = items\n", "        plan.extend(items)\n")]),
        ("refuses", [("> 1:", "> 9:")]),
        (
            "has_a_list",
            [
                (
                    "        plan[:] = items\n",
                    "        plan.extend(items)\n        check_list(items)\n",
                ),
                ("        check_list(items)\n        plan.ext", "        plan.ext"),
            ],
        ),
        ("reminds", [("if rounds >= AFTER:", "if False:")]),
        ("reminds", [(LAST, 'results.append({"type": "text", "text": REMINDER})')]),
        ("reminds", [(LAST, LAST.replace("[-1]", "[0]", 1))]),
        (
            "reminds",
            [('rounds = 0 if "todo" in [use.name for use in uses] else rounds + 1', "rounds += 1")],
        ),
        ("reminds", [("AFTER = 3", "AFTER = 15")]),
        ("ten_steps", [("AFTER = 3", "AFTER = 6")]),
        ("ten_steps", [("Update your todos.", "The sky is blue.")]),
    ],
)
def test_a_mistake_is_caught_by_its_own_rule_first(rule, changes):
    result = check_agent(agent(slip(OWN_AGENT, *changes)))
    assert first_miss(result) == rule, result


HIDDEN = {
    "named": BY_THE_PACKAGE,
    "imported inside": slip(
        BY_THE_PACKAGE,
        ("    todo =", "    from agentlib.loop import rounds as go\n    todo ="),
        ("list(rounds(", "list(go("),
    ),
    "by the module": "import agentlib\n" + slip(BY_THE_PACKAGE, ("(rounds(", "(agentlib.rounds(")),
    "through a helper": slip(BY_THE_PACKAGE, ("def agent", "def help"))
    + "\nagent = lambda *a, **s: help(*a, **s)\n",
    "a subclass": "class Mine(TodoManager): pass\n"
    + slip(BY_THE_PACKAGE, ("= TodoManager", "= Mine")),
}


@pytest.mark.parametrize("source", HIDDEN.values(), ids=HIDDEN)
def test_the_packages_own_parts_are_told_kindly_and_only_that(source):
    result = check_agent(agent(source))
    assert first_miss(result) == "own" and result.held == len(RULES) - 1, result
    assert "it works" in result.miss.note


def test_names_like_the_packages_are_the_learners_own():
    source = "from agentlib.tools import call_tool\n" + slip(OWN_AGENT, ("check_list", "run"))
    assert "rounds = 0" in source and check_agent(agent(source)).ok


def test_nothing_yet_is_fine():
    assert not check_agent().begun
    bare = "def agent(client, messages, workspace, **settings):\n    ...\n"
    result = check_agent(agent(bare))
    assert not result.begun and "that is fine" in str(result)


def test_every_rule_but_the_last_has_hints_in_three_depths():
    assert [len(rule.hints) for rule in RULES[:-1]] == [3] * (len(RULES) - 1)


def test_the_model_solution_fits_on_a_page():
    assert len(OWN_AGENT.splitlines()) <= 70
    assert max(map(len, OWN_AGENT.splitlines())) <= 100


def test_an_agent_that_asks_for_ever_is_ended():
    more = (
        "            messages.append({'role': 'user', 'content': 'More?'})\n            continue\n"
    )
    source = slip(OWN_AGENT, ("            return\n", more))
    result = check_agent(agent(source))
    assert first_miss(result) == "ends"
    assert "does not stop" in str(result)


def test_what_is_shown_under_tried_runs_where_it_is_pasted():
    for source in all_sources(RULES):
        run(source, agent=agent(OWN_AGENT))
