from exercises.cells import slip

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
    "a partial": slip(
        PLAIN,
        ("run=count_words", "run=partial(count_words, workspace)"),
        (
            "def count_words(path)",
            "from functools import partial\n\ndef count_words(workspace, path)",
        ),
    ),
    "an object that reads the notebook's workspace": slip(
        PLAIN,
        ("run=count_words", "run=Counter()"),
        ("def count_words(path)", "class Counter:\n  def __call__(self, path)"),
    ),
    "keywords": slip(PLAIN, ("(path):", "(**input):"), (BODY, 'path = input["path"]\n    ' + BODY)),
    "refuses by itself": slip(
        PLAIN,
        (
            BODY,
            "file = (workspace.root / path).resolve()\n"
            "    if not file.is_relative_to(workspace.root) or not file.exists():\n"
            '        raise ValueError(f"there is no {path} here")\n'
            "    return str(len(file.read_text().split()))",
        ),
    ),
    "an optional field": slip(
        PLAIN,
        ("(path):", "(path, letter='e'):"),
        (
            '{"path": {"type": "string"}}',
            '{"path": {"type": "string"}, "letter": {"type": "string"}}',
        ),
    ),
}
WRONG = [
    ("name", [('"count_words"', '"count words"')], "String should match pattern"),
    ("name", [('"count_words"', '"read_file"')], "Tool names must be unique"),
    ("description", [("Count the words in a text file of the workspace.", "counts")], "counts"),
    ("schema", [('        "type": "object",\n', "")], "input_schema.type: Field required"),
    ("schema", [('{"type": "string"}', '{"type": "text"}')], "JSON schema is invalid"),
    ("schema", [('{"type": "string"}', "{}")], "None"),
    ("fields", [('"required": ["path"]', '"required": []')], "does not contain 'path'"),
    ("fields", [("(path):", "(path, again):")], "the schema has no property 'again'"),
    ("counts_words", [(BODY, "return len(workspace.read_file(path).split())")], "output=26,"),
    ("counts_words", [(".split()", ".split(' ')")], "output="),
    ("counts_words", [("read_file(path)", "read_file(path, limit=5)")], "output="),
    ("counts_words", [(BODY, "print(len(workspace.read_file(path).split()))")], "output=None"),
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
    ("outside", [("workspace.read_file(path)", "(workspace.root / path).read_text()")], "3 words"),
]
