"""A small job for a tool of the learner's own: found by its schema, called once."""

import pytest

from agentlib import TodoManager, Tool, run
from lesson import PracticeModel, sample
from lesson.practice.policy.learners_tool import arguments_for

README = "Count the words in README.md with my tool."


def schema(required=None, **fields):
    """An input_schema with these fields, each given by its type or by its own schema."""
    properties = {
        name: field if isinstance(field, dict) else {"type": field}
        for name, field in fields.items()
    }
    made = {"type": "object", "properties": properties}
    return made if required is None else made | {"required": required}


def ask(prompt, *tools, **others):
    """The rounds of the agent that is asked `prompt` and has these tools."""
    messages = [{"role": "user", "content": prompt}]
    return run(
        PracticeModel().client(), messages, tools, model="practice", max_tokens=999, **others
    )


def word_count():
    """A learner's tool, and the inputs with which it was called."""
    asked = []

    def count_words(path):
        asked.append(path)
        return "42 words"

    return Tool("count_words", "Count the words.", schema(path="string"), count_words), asked


def test_a_tool_of_ones_own_is_called_once_and_its_result_is_told():
    tool, asked = word_count()
    first, last = ask(README, tool)
    assert asked == ["README.md"]
    assert first.calls[0].name == "count_words"
    assert last.text == "Your tool count_words says: 42 words"


def test_it_is_found_among_the_four_tools_and_the_todo_tool():
    tool, asked = word_count()
    ask(README, *sample("package").tools(), TodoManager().tool(), tool)
    assert asked == ["README.md"]


def test_a_tool_may_be_called_by_its_name():
    tool, asked = word_count()
    other = Tool("shout", "", schema(path="string"), str.upper)
    ask("Use count_words on notes/today.md, please.", other, tool)
    assert asked == ["notes/today.md"]


def test_the_first_tool_whose_schema_fits_is_called():
    tool, asked = word_count()
    adding = Tool("add", "", schema(a="number", b="number"), lambda a, b: a + b)
    assert ask("Add 17 and 25 with my tool.", tool, adding)[-1].text == "Your tool add says: 42"
    assert asked == []


def test_a_tool_that_fails_is_said_to_have_failed():
    def fail(path):
        raise ValueError("no such file")

    last = ask(README, Tool("count_words", "", schema(path="string"), fail))[-1]
    assert last.text.startswith("Your tool count_words failed, and said: ")
    assert "no such file" in last.text


def test_without_a_tool_of_ones_own_it_says_how_to_add_one():
    (only,) = ask(README, *sample("package").tools())
    assert "I see no tool of yours" in only.text
    assert "bash, read_file, write_file, edit_file" in only.text
    assert "input_schema" in only.text


def test_where_no_schema_can_be_filled_it_says_what_it_needs():
    tool = Tool("count_words", "", schema(path="string", depth="integer"), print)
    (only,) = ask(README, tool)
    assert "I would use your tool count_words" in only.text


def test_the_next_prompt_is_another_job():
    tool, asked = word_count()
    client, messages = PracticeModel().client(), []
    for prompt in (README, "Count the words in notes.md with my tool."):
        messages.append({"role": "user", "content": prompt})
        run(client, messages, [tool], model="practice", max_tokens=999)
    assert asked == ["README.md", "notes.md"]


UNITS = {"type": "string", "enum": ["celsius", "fahrenheit"]}
FILLED = [
    (schema(text="string"), 'Reverse "stressed" with my tool', {"text": "stressed"}),
    (schema(text="string"), "Reverse this with my tool: one two three", {"text": "one two three"}),
    (schema(city="string"), "What is the weather in Paris? Use my tool.", {"city": "Paris"}),
    (schema(city="string"), "The weather for the city with my tool", {"city": "city"}),
    (schema(path="string"), "How long is src/app.py? Use my tool.", {"path": "src/app.py"}),
    (schema(n="integer"), "Is 97 prime? Ask my tool.", {"n": 97}),
    (schema(x="number"), "Take the root of 2.25 with my tool.", {"x": 2.25}),
    (
        schema(numbers={"type": "array", "items": {"type": "number"}}),
        "Sum 3, 4 and 5 with my tool",
        {"numbers": [3, 4, 5]},
    ),
    (
        schema(city="string", unit=UNITS),
        "Weather in Rome in Celsius, with my tool",
        {"city": "Rome", "unit": "celsius"},
    ),
    (schema(["path"], path="string", depth="integer"), README, {"path": "README.md"}),
    (schema(), "Tell me the time with my tool", {}),
    (schema(n="integer"), "Is it prime? Ask my tool.", None),
    (schema(n="integer"), "Is 2.5 prime? Ask my tool.", None),
    (schema(flag="boolean"), "Use my tool.", None),
    ({"type": "object"}, "Use my tool.", {}),
]


@pytest.mark.parametrize(("fields", "prompt", "arguments"), FILLED)
def test_an_input_is_filled_from_the_prompt_by_the_schema(fields, prompt, arguments):
    assert arguments_for(fields, prompt) == arguments
