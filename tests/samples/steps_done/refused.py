"""Half-done and wrong states of the bookshop, by the step that is not done in them."""

from steps_done.states import State, after, original

FIRST, DONE = original("ten_steps"), after("ten_steps")
RENAMED, CONSTANTS, MERGED, SPLIT, RETURNED, REMOVED, DOCUMENTED, GUARDED, TESTED, README = (
    "Rename the cryptic names in books.py",
    "Turn the magic numbers in pricing.py into constants",
    "Merge the two copies of the loop in orders.py",
    "Split the long function in receipt.py",
    "Let stock.py return its warnings instead of printing them",
    "Remove the code in books.py that nobody calls",
    "Add type hints and docstrings to pricing.py",
    "Add a main guard to shop.py",
    "Write tests for the prices and the totals",
    "Bring README.md up to date",
)
LOAD = FIRST["books.py"].partition("\n\ndef load_old")[0]
CLEAN_OLD_CODE = '''

def load_semicolons(path):
    """Read the list that we had before the move."""
    books = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            code, title, cents = line.split(";")
            books[code] = {"code": code, "title": title, "cents": int(cents), "copies": 0}
    return books
'''
TESTS = DONE["test_shop.py"]
NO_TESTS_IN_README = (
    ("README.md", "    python -m unittest    runs the tests\n", ""),
    ("README.md", "| test_shop.py | the tests of the prices and the totals |", ""),
)


REFUSED: dict[str, dict[str, State]] = {
    RENAMED: {
        "the parameter was renamed, and the variables were not": State(
            files={"books.py": LOAD.replace("(f)", "(path)").replace("open(f", "open(path")}
        ),
        "the names are gone together with the function": State(
            files={"books.py": "import csv\n"}, also=(REMOVED,)
        ),
    },
    CONSTANTS: {
        "one number is left": State(("pricing.py", "return SHIPPING", "return 395")),
    },
    MERGED: {
        "the loops are two calls of map": State(
            files={
                "orders.py": "from pricing import discount, wrapping\n\n\n"
                "def total(order, books):\n"
                "    def plain(line):\n"
                '        return books[line[0]]["cents"] * line[1] - discount(\n'
                '            books[line[0]]["cents"], line[1]\n'
                "        )\n\n"
                '    if order["gift"]:\n'
                '        wrapped = sum(wrapping(copies) for _, copies in order["lines"])\n'
                '        return sum(map(plain, order["lines"])) + wrapped\n'
                '    return sum(map(plain, order["lines"]))\n'
            }
        ),
        "one copy went, and with it the wrapping of gifts": State(
            ("orders.py", '        if order["gift"]:\n            cents += wrapping(copies)\n', "")
        ),
    },
    SPLIT: {
        "everything is in one new function, which the old one calls": State(
            files={
                "receipt.py": FIRST["receipt.py"].replace("def receipt(", "def show_all(")
                + "\n\ndef receipt(order, books):\n    show_all(order, books)\n"
            }
        ),
        "the parts are there, and nobody calls them": State(
            ("receipt.py", "    show_books(order, books)\n", ""),
            ("receipt.py", "    show_extras(order, books)\n", ""),
        ),
        "the file has one short function, which prints half of the receipt": State(
            files={
                "receipt.py": "from orders import total\n\n\n"
                "def receipt(order, books):\n"
                '    print("Receipt for " + order["customer"])\n'
                '    print("  %-28s %6.2f" % ("to pay", total(order, books) / 100))\n'
            }
        ),
    },
    RETURNED: {
        "a new function returns them, and the old one still prints its own": State(
            files={
                "stock.py": FIRST["stock.py"] + "\n\ndef shortages(books):\n"
                "    return [f\"Only {book['copies']} left: {book['title']}\"\n"
                '            for book in books.values() if book["copies"] <= 2]\n',
                "shop.py": DONE["shop.py"]
                .replace("import sell, warn", "import sell, shortages, warn")
                .replace("    warn(books)", "    warn(books)\n    shortages(books)"),
            },
        ),
        "they are returned, and nobody prints them any more": State(
            ("shop.py", "import sell, warn", "import sell"),
            ("shop.py", "    warn(books)\n", ""),
        ),
    },
    REMOVED: {
        "it is imported, and not called": State(
            ("books.py", "    return books\n", "    return books\n" + CLEAN_OLD_CODE),
            ("shop.py", "import load\n", "import load, load_semicolons\n"),
        ),
        "a constant of it is left": State(
            ("books.py", "import csv\n", 'import csv\n\nOLD_SEPARATOR = ";"\n')
        ),
    },
    DOCUMENTED: {
        "one function has no docstring": State(
            ("pricing.py", '    """Cents of tax that the price holds already."""\n', "")
        ),
        "one parameter has no hint": State(
            ("pricing.py", "price: int, copies: int", "price: int, copies")
        ),
        "what is returned has no hint": State(
            ("pricing.py", "def tax(paid: int) -> int", "def tax(paid: int)")
        ),
    },
    GUARDED: {
        "the guard is there, and nobody calls main": State(
            ("shop.py", "    main()\n", "    pass\n")
        ),
        "the guard compares with another name": State(("shop.py", '== "__main__"', '== "main"')),
        "the guard is the wrong way round": State(("shop.py", '== "__main__"', '!= "__main__"')),
        "the books are still loaded at each import": State(
            ("shop.py", '    books = load("books.csv")\n', ""),
            ("shop.py", "def main():", 'books = load("books.csv")\n\n\ndef main():'),
        ),
    },
    TESTED: {
        "there are none": State(*NO_TESTS_IN_README, files={"test_shop.py": None}),
        "they assert nothing": State(
            ("test_shop.py", TESTS, TESTS.replace("self.assertEqual(", "print("))
        ),
        "no test runner finds the file": State(
            ("README.md", "| test_shop.py |", "| shop_checks.py |"),
            files={"test_shop.py": None, "shop_checks.py": TESTS},
        ),
        "no test runner finds the functions": State(
            ("test_shop.py", TESTS, TESTS.replace("def test_", "def check_"))
        ),
        "what they import is gone": State(
            (
                "test_shop.py",
                "from pricing import discount, shipping, tax",
                "from pricing import rebate as discount, shipping, tax",
            ),
        ),
    },
    README: {
        "it names a function that is gone": State(
            ("README.md", "the catalogue, and", "the catalogue, `load_old()`, and"),
        ),
        "the TODO is still there": State(
            ("README.md", "again.\n", "again.\n\nTODO: write down how to run this\n")
        ),
        "it does not say how to run the shop": State(
            ("README.md", "    python shop.py        prints everything\n", "")
        ),
        "it does not say how to run the tests": State(
            ("README.md", "    python -m unittest    runs the tests\n", ""),
        ),
        "a file came later, and is missing in it": State(
            files={"files.py": "def path_of(name):\n    return name\n"},
        ),
        "the tests that it names are not there yet": State(
            files={"test_shop.py": None}, also=(TESTED,)
        ),
    },
}
