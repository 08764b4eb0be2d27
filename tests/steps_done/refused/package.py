"""Half-done and wrong states of the package, by the step that is not done in them."""

from steps_done.states import State, after, original, wrong

FIRST, DONE = original("package"), after("package")
WRITTEN, EXPORTED, TESTED, README = (
    "Write the three functions in utils.py",
    "Export them from __init__.py",
    "Write tests in tests/test_utils.py and run them",
    "Say in README.md how to use the package",
)
UTILS, TESTS = DONE["textkit/utils.py"], DONE["tests/test_utils.py"]
TRUNCATE = "def truncate" + UTILS.partition("def truncate")[2]
IMPORT = "from textkit.utils import slugify, truncate, word_count\n"

REFUSED: dict[str, dict[str, State]] = {
    WRITTEN: {
        "there is no file": wrong(
            files={"textkit/utils.py": None}, also=(EXPORTED, TESTED, README)
        ),
        "one function is missing": wrong(
            ("textkit/utils.py", TRUNCATE, ""), also=(EXPORTED, TESTED, README)
        ),
        "one function does nothing yet": wrong(
            ("textkit/utils.py", TRUNCATE, "def truncate(text, length):\n    ...\n")
        ),
        "one function raises NotImplementedError": wrong(
            (
                "textkit/utils.py",
                TRUNCATE,
                "def truncate(text, length):\n    raise NotImplementedError\n",
            )
        ),
        "one function returns nothing": wrong(
            ("textkit/utils.py", "    return len(text.split())\n", "    print(len(text.split()))\n")
        ),
        "the functions are comments": wrong(
            files={"textkit/utils.py": "# slugify, word_count and truncate come here\n"},
            also=(EXPORTED, TESTED, README),
        ),
    },
    EXPORTED: {
        "there is no file": wrong(files={"textkit/__init__.py": None}, also=(TESTED, README)),
        "the file is empty": wrong(files={"textkit/__init__.py": ""}, also=(TESTED, README)),
        "one function is not exported": wrong(
            ("textkit/__init__.py", IMPORT, IMPORT.replace(" truncate,", "")),
            also=(TESTED, README),
        ),
        "they are only in __all__": wrong(
            ("textkit/__init__.py", IMPORT, ""), also=(TESTED, README)
        ),
        "the module is imported, and not its functions": wrong(
            ("textkit/__init__.py", IMPORT, "import textkit.utils\n"), also=(TESTED, README)
        ),
        "they are imported from a module that does not exist": wrong(
            ("textkit/__init__.py", "textkit.utils", "textkit.helpers"), also=(TESTED, README)
        ),
    },
    TESTED: {
        "there are none": wrong(
            ("README.md", "The tests run with `python -m unittest`.", ""),
            files={"tests/test_utils.py": None},
        ),
        "they assert nothing": wrong(
            files={
                "tests/test_utils.py": "from textkit import slugify, truncate, word_count\n\n\n"
                'def test_all():\n    print(slugify("A"), truncate("A", 3), word_count("A"))\n'
            }
        ),
        "one function is not tested": wrong(
            files={"tests/test_utils.py": TESTS.partition("class TruncateTest")[0]}
        ),
        "they are in another file": wrong(
            files={"tests/test_utils.py": None, "tests/utils.py": TESTS}
        ),
        "they test copies": wrong(
            files={
                "tests/test_utils.py": "def slugify(text):\n    return text\n\n\n"
                'def test_slugify():\n    assert slugify("a") == "a"\n'
            }
        ),
    },
    README: {
        "the TODO is there": wrong(
            (
                "README.md",
                "\n    from textkit import slugify, truncate, word_count\n",
                "\nTODO: package, tests\n\n    from textkit import slugify, truncate, word_count\n",
            ),
        ),
        "the TODO went, and nothing came": wrong(
            files={"README.md": FIRST["README.md"].replace("TODO: package, tests\n", "")}
        ),
        "it imports from a package that is not there": wrong(
            ("README.md", "from textkit import", "from textutils import")
        ),
        "it imports a function that is not there": wrong(
            ("README.md", "import slugify, truncate", "import slug, truncate")
        ),
        "it says only how to run the tests": wrong(
            ("README.md", "    from textkit import slugify, truncate, word_count\n", "")
        ),
    },
}
