"""Half-done and wrong states of hello.py, by the step that is not done in them."""

from steps_done.states import State, after, original, wrong

FIRST, DONE = original("hello"), after("hello")
HINTED, DOCUMENTED, GUARDED = (
    "Add type hints",
    "Add docstrings",
    "Add a main guard, and run it",
)
GREET = "def greet(name: str, loud: bool) -> str:"
GREET_ALL = "def greet_all(names: list[str], loud: bool = False) -> list[str]:"
SAYS = '    """Return the greeting for one name, in capitals if it is to be loud."""\n'
SAYS_ALL = '    """Return one greeting for each name, in the order of the names."""\n'
GUARD = 'if __name__ == "__main__":\n    main()\n'

REFUSED: dict[str, dict[str, State]] = {
    HINTED: {
        "there are none": wrong(
            ("hello.py", GREET, "def greet(name, loud):"),
            ("hello.py", GREET_ALL, "def greet_all(names, loud=False):"),
        ),
        "one function has none": wrong(("hello.py", GREET, "def greet(name, loud):")),
        "one parameter has none": wrong(("hello.py", "name: str, loud: bool", "name: str, loud")),
        "what is returned has none": wrong(("hello.py", "loud: bool) -> str:", "loud: bool):")),
        "the hints are comments": wrong(
            ("hello.py", GREET, "def greet(name, loud):  # str, bool -> str")
        ),
        "the functions are gone": wrong(
            files={"hello.py": '"""Say hello."""\n'}, also=(DOCUMENTED, GUARDED)
        ),
    },
    DOCUMENTED: {
        "there are none": wrong(
            ("hello.py", SAYS, ""),
            ("hello.py", SAYS_ALL, ""),
        ),
        "one function has none": wrong(("hello.py", SAYS_ALL, "")),
        "one is a comment": wrong(
            ("hello.py", SAYS_ALL, "    # Return one greeting for each name, in their order.\n")
        ),
        "one is empty": wrong(("hello.py", SAYS_ALL, '    """ """\n')),
        "one comes after the first line": wrong(
            ("hello.py", SAYS_ALL + "    greetings = []\n", "    greetings = []\n" + SAYS_ALL)
        ),
    },
    GUARDED: {
        "there is none": wrong(("hello.py", GUARD, "main()\n")),
        "it guards nothing": wrong(
            ("hello.py", GUARD, 'main()\nif __name__ == "__main__":\n    pass\n')
        ),
        "it does not call main": wrong(("hello.py", "    main()\n", "    pass\n")),
        "it compares with another name": wrong(("hello.py", '"__main__"', '"hello"')),
        "one greeting is printed at each import": wrong(
            ("hello.py", GUARD, 'print(greet("world", True))\n\n' + GUARD)
        ),
    },
}
