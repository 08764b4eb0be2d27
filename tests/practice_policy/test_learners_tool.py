"""The practice model calls the learner's own tool once, with arguments from the prompt."""

import pytest

from agentlib import TodoManager, Tool, run
from lesson import PracticeModel, sample
from lesson.practice.policy.learners_tool import arguments_for

README = "Count the words in README.md with my tool."


def schema(required=None, **types):
    """Return an input_schema with fields of these types."""
    properties = {name: {"type": type} for name, type in types.items()}
    made = {"type": "object", "properties": properties}
    return made if required is None else made | {"required": required}


def ask(prompt, *tools):
    """Return the rounds of an agent with this prompt and these tools."""
    messages = [{"role": "user", "content": prompt}]
    return run(PracticeModel().client(), messages, tools, model="practice", max_tokens=999)


def test_own_tool_is_called_once_and_its_failure_is_reported():
    tool = Tool("count_words", "Count them.", schema(path="string"), lambda path: {}[path])
    first, last = ask(README, *sample("package").tools(), TodoManager().tool(), tool)
    assert [(call.name, call.input) for call in first.calls] == [
        ("count_words", {"path": "README.md"})
    ]
    assert last.text == "Your tool count_words failed, and said: Error: 'README.md'"


def test_reply_without_an_own_tool_explains_how_to_add_one():
    (only,) = ask(README, *sample("package").tools())
    assert "I see no tool of yours" in only.text
    assert "bash, read_file, write_file, edit_file" in only.text


FILLED = [
    (
        schema(words="string", path="string", n="integer"),
        'Find "a b" in b.py and c.py with my tool, 97 times',
        {"words": "a b", "path": "b.py", "n": 97},
    ),
    (schema(["path"], path="string", depth="integer"), README, {"path": "README.md"}),
    (schema(n="integer"), "Is it prime? Ask my tool.", None),
    ({"type": "object"}, "Use my tool.", {}),
]


@pytest.mark.parametrize(("fields", "prompt", "arguments"), FILLED)
def test_schema_is_filled_from_the_prompt(fields, prompt, arguments):
    assert arguments_for(fields, prompt) == arguments
