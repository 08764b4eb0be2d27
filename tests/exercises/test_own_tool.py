"""A tool of the learner's own: judged by the API, by its function, and by a model that uses it."""

import pytest
from exercises.cells import all_sources, define, first_miss, run, slip

from lesson.exercises import check_tool
from lesson.exercises.own_tool import EXAMPLE_FILE, RULES

PLAIN = """
workspace = sample("hello")

def count_words(path):
    return f"{len(workspace.read_file(path).split())} words in {path}"

my_tool = Tool(
    name="count_words",
    description="Count the words in a text file of the workspace.",
    input_schema={
        "type": "object",
        "properties": {"path": {"type": "string"}},
        "required": ["path"],
    },
    run=count_words,
)
"""
BODY = 'return f"{len(workspace.read_file(path).split())} words in {path}"'
RIGHT = {
    "plain": PLAIN,
    "a method of the workspace": slip(PLAIN, ("run=count_words", "run=workspace.read_file")),
    "a partial": slip(
        PLAIN,
        ("run=count_words", "run=partial(count_words, workspace)"),
        (
            "def count_words(path)",
            "from functools import partial\n\ndef count_words(workspace, path)",
        ),
    ),
    "an object": PLAIN.replace("run=count_words", "run=Counter(workspace)").replace(
        "my_tool =",
        """class Counter:
    def __init__(self, files):
        self.files = files

    def __call__(self, path):
        return f"{len(self.files.read_file(path).split())} words"


my_tool =""",
    ),
    "a lambda": slip(PLAIN, ("run=count_words", "run=lambda path: workspace.read_file(path)[:9]")),
    "keywords": slip(PLAIN, ("(path):", "(**input):"), (BODY, 'path = input["path"]\n    ' + BODY)),
    "refuses by itself": slip(
        PLAIN,
        (
            BODY,
            "file = (workspace.root / path).resolve()\n"
            "    if not file.is_relative_to(workspace.root) or not file.exists():\n"
            '        raise ValueError(f"there is no {path} here")\n'
            "    return str(len(file.read_text()))",
        ),
    ),
    "an optional field": slip(
        PLAIN,
        ("(path):", "(path, letter='e'):"),
        ("len(workspace.read_file(path).split())", "workspace.read_file(path).count(letter)"),
        (
            '{"path": {"type": "string"}}',
            '{"path": {"type": "string"}, "letter": {"type": "string"}}',
        ),
    ),
    "no path at all": """
def shout(text, times):
    return text.upper() * times

my_tool = Tool("shout", "Say a text in capital letters.", {
    "type": "object",
    "properties": {"text": {"type": "string"}, "times": {"type": "integer"}},
    "required": ["text", "times"],
}, shout)
""",
    "one of some words": """
def greet(language):
    return {"english": "Hello", "french": "Bonjour"}[language]

my_tool = Tool("greet", "Say hello in a language.", {
    "type": "object",
    "properties": {"language": {"enum": ["english", "french"]}},
    "required": ["language"],
}, greet)
""",
    "no input": """
workspace = sample("hello")
my_tool = Tool("count_files", "Count the files in the workspace.", {"type": "object"},
               lambda: str(len(list(workspace.root.iterdir()))))
""",
}


def tool(source):
    return define(source, "my_tool")


NOT_A_COUNTER = ("a method of the workspace", "a lambda", "refuses by itself", "an optional field")
for kind in NOT_A_COUNTER:  # they do something else, and say so
    RIGHT[kind] = RIGHT[kind].replace("Count the words in", "Tell something about")


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
def test_a_right_tool_passes(source):
    result = check_tool(tool(source))
    assert result.ok, result


@pytest.mark.parametrize(
    "rule, changes, words",
    [
        ("name", [('"count_words"', '"count words"')], "String should match pattern"),
        ("name", [('"count_words"', '"read_file"')], "Tool names must be unique"),
        ("name", [('"count_words"', '""')], "400"),
        ("description", [("Count the words in a text file of the workspace.", "")], "''"),
        ("description", [("Count the words in a text file of the workspace.", "counts")], "counts"),
        ("schema", [('        "type": "object",\n', "")], "input_schema.type: Field required"),
        ("schema", [('{"type": "string"}}', '"string"}')], "JSON schema is invalid"),
        ("schema", [('{"type": "string"}', '{"type": "text"}')], "JSON schema is invalid"),
        ("schema", [('{"type": "string"}', "{}")], "{'path': None}"),
        ("fields", [('{"path": {', '{"file": {')], "run has no argument 'file'"),
        ("fields", [('"required": ["path"]', '"required": []')], "`required` does not name it"),
        ("fields", [("(path):", "(path, again):")], "the schema has no property 'again'"),
        ("fields", [('"required": ["path"]', '"required": ["path", "limit"]')], "no property"),
        ("runs", [(BODY, "return len(workspace.read_file(path).split())")], "output=5,"),
        ("runs", [("path).split()", "path)")], "23 words"),
        ("runs", [(".split()", ".splitlines()")], "2 words"),
        (
            "runs",
            [("workspace.read_file(path).split()", "set(workspace.read_file(path).split())")],
            "4 words",
        ),
        ("runs", [(".split()", ".split(' ')")], "4 words"),
        ("runs", [(BODY, "workspace.read_file(path)\n    return '54 words'")], "54 words"),
        ("runs", [(BODY, "print(len(workspace.read_file(path).split()))")], "output=None"),
        ("runs", [(BODY, "return workspace.read_fil(path)")], "has no attribute 'read_fil'"),
        (
            "missing_path",
            [(BODY, "try:\n        " + BODY + "\n    except Exception:\n        return '0 words'")],
            "0 words",
        ),
        (
            "missing_path",
            [(BODY, "try:\n        " + BODY + "\n    except Exception:\n        raise ValueError")],
            "Error: ValueError",
        ),
        (
            "outside",
            [("workspace.read_file(path)", "(workspace.root / path).read_text()")],
            "3 words",
        ),
        ("outside", [("workspace.read_file(path)", "open(path).read()")], "3 words"),
    ],
)
def test_a_mistake_is_caught_by_its_own_rule_first(rule, changes, words):
    result = check_tool(tool(slip(PLAIN, *changes)))
    assert first_miss(result) == rule, result
    assert words in result.miss.came


def test_nothing_yet_is_fine_and_a_function_is_told_how_it_becomes_a_tool():
    assert not check_tool().begun and not check_tool(...).begun
    assert "becomes one by `Tool(" in check_tool(len).note


def test_a_tool_that_deletes_gets_a_file_of_the_check_and_leaves_nothing_behind(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("keep me")
    names = run(slip(PLAIN, (BODY, "(workspace.root / path).unlink()\n    return 'It is gone.'")))
    before = sorted(names["workspace"].root.iterdir())
    check_tool(names["my_tool"])
    assert sorted(names["workspace"].root.iterdir()) == before
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert EXAMPLE_FILE not in str(before)


def test_what_is_shown_under_tried_runs_where_it_is_pasted():
    for source in all_sources(RULES):
        run(source, my_tool=tool(PLAIN))
