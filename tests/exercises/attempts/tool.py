from exercises.cells import SOLUTIONS, slip

PLAIN = 'workspace = sample("hello")\n' + SOLUTIONS["tool"]
BODY = 'return f"{len(workspace.read_file(path).split())} words"'
LISTED = "    count_words,\n"
RIGHT = {
    "a partial with an optional field": slip(
        PLAIN,
        (LISTED, "    __import__('functools').partial(count_words, workspace),\n"),
        ("def count_words(path)", "def count_words(workspace, path, letter='e')"),
        ('string"}}', 'string"}, "letter": {"type": "string"}}'),
    ),
    "in Chinese, refuses by itself": slip(
        PLAIN,
        (
            '"Count the words in a text file of the workspace. Returns their number."',
            '"统计文件中的单词数量，并返回结果。"',
        ),
        (
            BODY,
            "file = (workspace.root / path).resolve()\n"
            "    if not file.is_relative_to(workspace.root) or not file.exists():\n"
            '        raise ValueError(f"there is no {path} here")\n'
            "    return str(len(file.read_text().split()))",
        ),
    ),
}
INSIDE = "    if path.startswith('/') or '..' in path: raise ValueError('outside')\n    "
BEGINS = """    import os
    file = os.path.realpath(workspace.root / path)
    if not file.startswith(str(workspace.root)):
        raise ValueError("this is outside")
    """
READ = "workspace.read_file(path)"
WRONG = [
    (
        "outside",
        ("    return f", INSIDE + "return f"),
        (READ, "(workspace.root / path).read_text()"),
    ),
    ("outside", ("    return f", BEGINS + "return f"), (READ, "open(file).read()")),
    (
        "counts_words",
        (
            BODY,
            "import re\n    return str(len(re.findall('[A-Za-z]+', workspace.read_file(path))))",
        ),
    ),
    (
        "counts_words",
        (BODY, "import re\n    return str(len(re.findall(r'\\w+', workspace.read_file(path))))"),
    ),
    ("fields", ('"required": ["path"]', '"required": ["path", "encoding"]')),
    ("outside", ("workspace.read_file(path)", "(workspace.root / path).read_text()")),
    ("name", ('"count_words"', '"count words"')),
    ("description", ('"Count', '"" and "Count')),
    ("schema", ('{"type": "string"}', '{"type": "text"}')),
    ("schema", ('{"type": "string"}', "{}")),
    (
        "schema",
        ("    {", "    count_words,\n    {"),
        (f"}},\n{LISTED}", "},\n"),
        "The third argument of `Tool` is the schema",
    ),
    ("schema", ('"required": ["path"]', '"required": "path"')),
    ("fields", ('"required": ["path"]', '"required": []')),
    ("counts_words", (".split()", ".split(' ')")),
    ("counts_words", (BODY, "return '26 words'")),
    ("counts_words", ("workspace.read_file(path)", "open(path).read()")),
    (
        "missing_path",
        (BODY, "try:\n        " + BODY + "\n    except Exception:\n        return '0 words'"),
        "Do not catch the error",
    ),
    (
        "missing_path",
        (BODY, "try:\n        " + BODY + "\n    except Exception as e:\n        return str(e)"),
        "Do not catch the error",
    ),
    ("counts_words", (".split()", ""), "The file has 26 words"),
    ("counts_words", ("def count", "async def count"), "write `def` instead"),
    ("missing_path", (BODY, "return workspace.bash(f'wc -w {path}')"), "as text"),
    ("schema", ('{"type": "object", ', '{"name": "x", '), "a whole tool definition"),
]
