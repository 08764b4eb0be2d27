"""Half-done and wrong states of the bookshop, by the step that is not done in them."""

from steps_done.states import State, after, original, wrong

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
LOOP = DONE["books.py"].partition("    with open")[2]
LOAD_OLD = FIRST["books.py"].partition("\n\ndef load_old")
OLD_CODE = "\n\n\ndef load_old" + LOAD_OLD[2]
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
BODY_OF_TOTAL = DONE["orders.py"].partition("def total(order, books):\n")[2]
LONG_RECEIPT = "def receipt" + FIRST["receipt.py"].partition("def receipt")[2]
HELPERS = DONE["receipt.py"].partition("def show_books")
TESTS = DONE["test_shop.py"]
PRICES = "class PricingTest" + TESTS.partition("class PricingTest")[2].partition("class Total")[0]
NO_TESTS_IN_README = (
    ("README.md", "    python -m unittest    runs the tests\n", ""),
    ("README.md", "| test_shop.py | the tests of the prices and the totals |", ""),
)


REFUSED: dict[str, dict[str, State]] = {
    RENAMED: {
        "nothing was renamed": wrong(files={"books.py": LOAD_OLD[0]}),
        "only the variable of the loop kept its name": wrong(
            (
                "books.py",
                LOOP,
                LOOP.replace("book[", "r[")
                .replace("for book ", "for r ")
                .replace("= book\n", "= r\n"),
            )
        ),
        "the variables were renamed, and the parameter was not": wrong(
            ("books.py", "def load(path)", "def load(f)"), ("books.py", "open(path", "open(f")
        ),
        "the parameter was renamed, and the variables were not": wrong(
            files={"books.py": LOAD_OLD[0].replace("(f)", "(path)").replace("open(f", "open(path")}
        ),
        "each letter stands twice": wrong(
            files={
                "books.py": LOAD_OLD[0]
                .replace("(f)", "(ff)")
                .replace("open(f", "open(ff")
                .replace("d = {}", "dd = {}")
                .replace("d[r", "dd[r")
                .replace("return d", "return dd")
                .replace("r[", "rr[")
                .replace("for r ", "for rr ")
                .replace("= r\n", "= rr\n")
            }
        ),
        "each letter got a digit": wrong(
            ("books.py", "def load(path)", "def load(f1)"), ("books.py", "open(path", "open(f1")
        ),
        "a comprehension has a cryptic name": wrong(
            ("books.py", "    return books", "    return {k: books[k] for k in books}")
        ),
        "a cryptic name came back later, in a new function that is used": wrong(
            (
                "books.py",
                "    return books",
                "    return only_known(books)\n\n\ndef only_known(b):\n    return dict(b)",
            ),
        ),
        "the names are gone together with the function": wrong(
            files={"books.py": "import csv\n"}, also=(REMOVED,)
        ),
    },
    CONSTANTS: {
        "there are no constants": wrong(
            ("pricing.py", "copies >= BULK_COPIES", "copies >= 3"),
            ("pricing.py", "* BULK_PERCENT //", "* 10 //"),
            ("pricing.py", "copies * WRAPPING", "copies * 150"),
            ("pricing.py", "goods >= FREE_SHIPPING_FROM", "goods >= 5000"),
            ("pricing.py", "return SHIPPING", "return 395"),
            ("pricing.py", "paid * TAX_PERCENT // (100 + TAX_PERCENT)", "paid * 7 // 107"),
        ),
        "there are constants, and one number is still in the code": wrong(
            ("pricing.py", "copies >= BULK_COPIES", "copies >= 3")
        ),
        "the tax kept its second number": wrong(("pricing.py", "(100 + TAX_PERCENT)", "107")),
        "the number is in quotes": wrong(("pricing.py", "return SHIPPING", 'return int("395")')),
        "the number has other digits": wrong(
            ("pricing.py", "goods >= FREE_SHIPPING_FROM", "goods >= 50 * 100")
        ),
        "the number is the default of a parameter": wrong(
            (
                "pricing.py",
                "def wrapping(copies: int)",
                "def wrapping(copies: int, each: int = 150)",
            ),
            ("pricing.py", "copies * WRAPPING", "copies * each"),
        ),
        "a new function brings a number back": wrong(
            (
                "pricing.py",
                "def tax(",
                'def half(cents: int) -> int:\n    """Return half of it."""\n'
                "    return cents * 50 // 100\n\n\ndef tax(",
            )
        ),
        "the numbers are gone together with the functions": wrong(
            files={"pricing.py": "BULK_COPIES = 3\nBULK_PERCENT = 10\n"}, also=(DOCUMENTED, TESTED)
        ),
    },
    MERGED: {
        "the two copies are there": wrong(files={"orders.py": FIRST["orders.py"]}),
        "the copies are in two functions": wrong(
            (
                "orders.py",
                "def total(order, books):\n" + BODY_OF_TOTAL,
                "def total(order, books):\n"
                '    if order["gift"]:\n'
                "        return total_of_gift(order, books)\n"
                "    return plain(order, books)\n\n\n"
                "def total_of_gift(order, books):\n"
                "    cents = 0\n"
                '    for code, copies in order["lines"]:\n'
                '        price = books[code]["cents"]\n'
                "        cents += price * copies - discount(price, copies) + wrapping(copies)\n"
                "    return cents\n\n\n"
                "def plain(order, books):\n"
                "    cents = 0\n"
                '    for code, copies in order["lines"]:\n'
                '        price = books[code]["cents"]\n'
                "        cents += price * copies - discount(price, copies)\n"
                "    return cents\n",
            )
        ),
        "the second copy is a comprehension": wrong(
            (
                "orders.py",
                "    return cents\n",
                '    if not order["gift"]:\n'
                "        return sum(\n"
                '            books[code]["cents"] * number\n'
                '            - discount(books[code]["cents"], number)\n'
                '            for code, number in order["lines"]\n'
                "        )\n"
                "    return cents\n",
            )
        ),
        "a function has what is done for a line, and the loop is there twice": wrong(
            files={
                "orders.py": "from pricing import discount, wrapping\n\n\n"
                "def line(code, copies, books):\n"
                '    price = books[code]["cents"]\n'
                "    return price * copies - discount(price, copies)\n\n\n"
                "def total(order, books):\n"
                '    if order["gift"]:\n'
                "        cents = 0\n"
                '        for code, copies in order["lines"]:\n'
                "            cents += line(code, copies, books) + wrapping(copies)\n"
                "        return cents\n"
                "    cents = 0\n"
                '    for code, copies in order["lines"]:\n'
                "        cents += line(code, copies, books)\n"
                "    return cents\n"
            }
        ),
        "the loops are two calls of map": wrong(
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
        "one copy went, and with it the wrapping of gifts": wrong(
            ("orders.py", '        if order["gift"]:\n            cents += wrapping(copies)\n', "")
        ),
        "both copies went": wrong(
            files={"orders.py": "def total(order, books):\n    return 0\n"},
        ),
    },
    SPLIT: {
        "the long function is there": wrong(files={"receipt.py": FIRST["receipt.py"]}),
        "new functions stand beside the long one, and it calls none of them": wrong(
            (
                "receipt.py",
                DONE["receipt.py"][DONE["receipt.py"].index("def receipt") :],
                LONG_RECEIPT + "\n\ndef show_books" + HELPERS[2],
            ),
        ),
        "one line went into a function, and the rest is as long as before": wrong(
            files={
                "receipt.py": FIRST["receipt.py"].replace(
                    'print("  %-28s %6.2f" % ("shipping", shipping(goods) / 100))',
                    'show("shipping", shipping(goods))',
                )
                + '\n\ndef show(label, cents):\n    print("  %-28s %6.2f" % (label, cents / 100))\n'
            }
        ),
        "everything is in one new function, which the old one calls": wrong(
            files={
                "receipt.py": FIRST["receipt.py"].replace("def receipt(", "def show_all(")
                + "\n\ndef receipt(order, books):\n    show_all(order, books)\n"
            }
        ),
        "the parts are functions inside of the long one": wrong(
            files={
                "receipt.py": "from orders import total\n"
                "from pricing import discount, shipping, tax, wrapping\n\n\n"
                "def receipt(order, books):\n"
                "    def show(label, cents):\n"
                '        print(f"  {label:<28} {cents / 100:6.2f}")\n\n'
                "    def show_books():\n"
                '        for code, copies in order["lines"]:\n'
                "            book = books[code]\n"
                '            show(f"{copies} x {book[\'title\']}", book["cents"] * copies)\n\n'
                "    def show_extras():\n"
                '        lines = order["lines"]\n'
                '        prices = {code: books[code]["cents"] for code, _ in lines}\n'
                "        off = sum(discount(prices[code], copies) for code, copies in lines)\n"
                "        if off > 0:\n"
                '            show("discount", -off)\n'
                '        if order["gift"]:\n'
                "            copies_in_all = sum(copies for _, copies in lines)\n"
                '            show("gift wrapping", wrapping(copies_in_all))\n\n'
                '    print("Receipt for " + order["customer"])\n'
                "    show_books()\n"
                "    show_extras()\n"
                "    goods = total(order, books)\n"
                '    show("shipping", shipping(goods))\n'
                '    show("to pay", goods + shipping(goods))\n'
                '    show("tax in this", tax(goods + shipping(goods)))\n'
                "    print()\n"
            }
        ),
        "the parts are there, and nobody calls them": wrong(
            ("receipt.py", "    show_books(order, books)\n", ""),
            ("receipt.py", "    show_extras(order, books)\n", ""),
        ),
        "the file has one short function, which prints half of the receipt": wrong(
            files={
                "receipt.py": "from orders import total\n\n\n"
                "def receipt(order, books):\n"
                '    print("Receipt for " + order["customer"])\n'
                '    print("  %-28s %6.2f" % ("to pay", total(order, books) / 100))\n'
            }
        ),
    },
    RETURNED: {
        "the warnings are printed": wrong(files={"stock.py": FIRST["stock.py"]}),
        "they are printed and returned": wrong(
            (
                "stock.py",
                "    return warnings\n",
                "    for warning in warnings:\n        print(warning)\n    return warnings\n",
            ),
        ),
        "they are collected, and printed instead of returned": wrong(
            (
                "stock.py",
                "    return warnings\n",
                '    print("\\n".join(warnings))\n    return None\n',
            ),
        ),
        "a new function returns them, and the old one still prints its own": wrong(
            files={
                "stock.py": FIRST["stock.py"] + "\n\ndef shortages(books):\n"
                "    return [f\"Only {book['copies']} left: {book['title']}\"\n"
                '            for book in books.values() if book["copies"] <= 2]\n',
                "shop.py": DONE["shop.py"]
                .replace("import sell, warn", "import sell, shortages, warn")
                .replace("    warn(books)", "    warn(books)\n    shortages(books)"),
            },
        ),
        "one of the two warnings is still printed": wrong(
            (
                "stock.py",
                "warnings.append(f\"Sold out: {book['title']}\")",
                "print(f\"Sold out: {book['title']}\")",
            ),
        ),
        "they are written to the output in another way": wrong(
            ("stock.py", "def sell(", "import sys\n\n\ndef sell("),
            (
                "stock.py",
                "warnings.append(f\"Sold out: {book['title']}\")",
                "sys.stdout.write(f\"Sold out: {book['title']}\\n\")",
            ),
        ),
        "an empty list is returned": wrong(
            files={
                "stock.py": DONE["stock.py"].partition("def shortages")[0]
                + "def shortages(books):\n    return []\n\n\n"
                "def warn(books):\n    for warning in shortages(books):\n        print(warning)\n"
            }
        ),
        "only whether something is short is returned": wrong(
            files={
                "stock.py": DONE["stock.py"].partition("def shortages")[0] + "def warn(books):\n"
                '    return any(book["copies"] <= 2 for book in books.values())\n'
            }
        ),
        "they are returned, and nobody prints them any more": wrong(
            ("shop.py", "import sell, warn", "import sell"),
            ("shop.py", "    warn(books)\n", ""),
        ),
        "shop.py imports a function that is gone": wrong(
            (
                "stock.py",
                "\n\ndef warn(books):\n    for warning in shortages(books):\n"
                "        print(warning)\n",
                "",
            ),
        ),
    },
    REMOVED: {
        "it is still there": wrong(
            ("books.py", "    return books\n", "    return books" + OLD_CODE)
        ),
        "it was cleaned, and nobody calls it": wrong(
            ("books.py", "    return books\n", "    return books\n" + CLEAN_OLD_CODE)
        ),
        "only a test calls it": wrong(
            ("books.py", "    return books\n", "    return books\n" + CLEAN_OLD_CODE),
            (
                "test_shop.py",
                "from orders import total",
                "from books import load_semicolons\nfrom orders import total",
            ),
            (
                "test_shop.py",
                "class TotalTest(unittest.TestCase):",
                "class OldTest(unittest.TestCase):\n    def test_old(self):\n"
                '        self.assertEqual(load_semicolons("no.csv"), {})\n\n\n'
                "class TotalTest(unittest.TestCase):",
            ),
        ),
        "it is imported, and not called": wrong(
            ("books.py", "    return books\n", "    return books\n" + CLEAN_OLD_CODE),
            ("shop.py", "import load\n", "import load, load_semicolons\n"),
        ),
        "it is in __all__": wrong(
            ("books.py", "import csv\n", 'import csv\n\n__all__ = ["load", "load_semicolons"]\n'),
            ("books.py", "    return books\n", "    return books\n" + CLEAN_OLD_CODE),
        ),
        "two functions that nobody calls call each other": wrong(
            (
                "books.py",
                "    return books\n",
                "    return books\n\n\ndef ping(books):\n    return pong(books)\n\n\n"
                "def pong(books):\n    return ping(books)\n",
            ),
        ),
        "a constant of it is left": wrong(
            ("books.py", "import csv\n", 'import csv\n\nOLD_SEPARATOR = ";"\n')
        ),
        "it is a comment that names it, and the function is still there": wrong(
            (
                "books.py",
                "    return books\n",
                "    return books\n\n\n# load_old is not used any more" + OLD_CODE,
            ),
        ),
    },
    DOCUMENTED: {
        "there is neither": wrong(
            files={"pricing.py": after("ten_steps", 6)["pricing.py"]},
        ),
        "there are hints, and no docstrings": wrong(
            ("pricing.py", '    """Cents off for several copies of one book."""\n', ""),
            ("pricing.py", '    """Cents for wrapping that many books as gifts."""\n', ""),
            ("pricing.py", '    """Cents for sending goods of that worth."""\n', ""),
            ("pricing.py", '    """Cents of tax that the price holds already."""\n', ""),
        ),
        "there are docstrings, and no hints": wrong(
            (
                "pricing.py",
                "def discount(price: int, copies: int) -> int:",
                "def discount(price, copies):",
            ),
            ("pricing.py", "def wrapping(copies: int) -> int:", "def wrapping(copies):"),
            ("pricing.py", "def shipping(goods: int) -> int:", "def shipping(goods):"),
            ("pricing.py", "def tax(paid: int) -> int:", "def tax(paid):"),
        ),
        "one function has no docstring": wrong(
            ("pricing.py", '    """Cents of tax that the price holds already."""\n', "")
        ),
        "a comment is in the place of a docstring": wrong(
            (
                "pricing.py",
                '    """Cents of tax that the price holds already."""\n',
                "    # Cents of tax that the price holds already.\n",
            )
        ),
        "a docstring says nothing": wrong(
            ("pricing.py", '"""Cents of tax that the price holds already."""', '"""TODO"""')
        ),
        "one parameter has no hint": wrong(
            ("pricing.py", "price: int, copies: int", "price: int, copies")
        ),
        "what is returned has no hint": wrong(
            ("pricing.py", "def tax(paid: int) -> int", "def tax(paid: int)")
        ),
        "a later function has neither": wrong(
            (
                "pricing.py",
                "def tax(",
                "def gross(paid):\n    return paid + tax(paid)\n\n\ndef tax(",
            )
        ),
    },
    GUARDED: {
        "there is none": wrong(
            ("shop.py", "def main():\n    books", "books"),
            (
                "shop.py",
                "    for order in orders:\n        receipt(order, books)\n"
                "        sell(order, books)\n    warn(books)\n\n\n"
                'if __name__ == "__main__":\n    main()\n',
                "for order in orders:\n    receipt(order, books)\n"
                "    sell(order, books)\nwarn(books)\n",
            ),
        ),
        "there is a main function, and it is called at once": wrong(
            ("shop.py", 'if __name__ == "__main__":\n    main()\n', "main()\n")
        ),
        "the guard guards nothing": wrong(
            (
                "shop.py",
                'if __name__ == "__main__":\n    main()\n',
                'main()\n\nif __name__ == "__main__":\n    pass\n',
            )
        ),
        "the guard is there, and nobody calls main": wrong(
            ("shop.py", "    main()\n", "    pass\n")
        ),
        "the guard compares with another name": wrong(("shop.py", '== "__main__"', '== "main"')),
        "the guard is the wrong way round": wrong(("shop.py", '== "__main__"', '!= "__main__"')),
        "the books are still loaded at each import": wrong(
            ("shop.py", '    books = load("books.csv")\n', ""),
            ("shop.py", "def main():", 'books = load("books.csv")\n\n\ndef main():'),
        ),
        "one loop is still outside": wrong(
            (
                "shop.py",
                'if __name__ == "__main__":',
                'for order in orders:\n    print(order["customer"])\n\nif __name__ == "__main__":',
            ),
        ),
        "the work is done in the end of a try": wrong(
            (
                "shop.py",
                "from stock import sell, warn\n",
                "try:\n    from stock import sell, warn\nfinally:\n    print('Welcome')\n",
            ),
        ),
        "the warnings are still printed at each import": wrong(
            (
                "shop.py",
                "def main():",
                "def greet():\n    print('Welcome')\n    return 1\n\n\n"
                "GREETED = greet()\n\n\ndef main():",
            ),
        ),
    },
    TESTED: {
        "there are none": wrong(*NO_TESTS_IN_README, files={"test_shop.py": None}),
        "they assert nothing": wrong(
            ("test_shop.py", TESTS, TESTS.replace("self.assertEqual(", "print("))
        ),
        "they compare numbers with numbers": wrong(
            (
                "test_shop.py",
                TESTS,
                "import unittest\n\nfrom orders import total\n"
                "from pricing import discount\n\n\nclass ShopTest(unittest.TestCase):\n"
                "    def test_discount(self):\n        self.assertEqual(300, 300)\n\n"
                "    def test_total(self):\n        self.assertTrue(True)\n",
            ),
        ),
        "the functions are not called, and a function is always true": wrong(
            (
                "test_shop.py",
                TESTS,
                "from orders import total\nfrom pricing import discount\n\n\n"
                "def test_discount():\n    assert discount\n\n\n"
                "def test_total():\n    assert total is not None\n",
            ),
        ),
        "the prices are tested, and the totals are not": wrong(
            (
                "test_shop.py",
                TESTS,
                "import unittest\n\nfrom pricing import discount, shipping, tax\n\n\n" + PRICES,
            )
        ),
        "the test of the totals asserts nothing": wrong(
            (
                "test_shop.py",
                "        self.assertEqual(total(order, BOOKS), 2000)\n"
                '        self.assertEqual(total(order | {"gift": True}, BOOKS), 2300)\n',
                "        total(order, BOOKS)\n",
            ),
        ),
        "they test copies of the functions": wrong(
            (
                "test_shop.py",
                TESTS,
                "def discount(price, copies):\n"
                "    return price * copies // 10 if copies >= 3 else 0\n\n\n"
                "def total(order, books):\n    return 2000\n\n\n"
                "def test_discount():\n    assert discount(1000, 3) == 300\n\n\n"
                "def test_total():\n    assert total({}, {}) == 2000\n",
            ),
        ),
        "no test runner finds the file": wrong(
            ("README.md", "| test_shop.py |", "| shop_checks.py |"),
            files={"test_shop.py": None, "shop_checks.py": TESTS},
        ),
        "no test runner finds the functions": wrong(
            ("test_shop.py", TESTS, TESTS.replace("def test_", "def check_"))
        ),
        "no test runner finds the class": wrong(
            ("test_shop.py", "class TotalTest(unittest.TestCase)", "class TotalChecks"),
        ),
        "all tests are skipped": wrong(
            ("test_shop.py", "class PricingTest", '@unittest.skip("later")\nclass PricingTest'),
            ("test_shop.py", "class TotalTest", '@unittest.skip("later")\nclass TotalTest'),
        ),
        "each assertion is a tuple, which is always true": wrong(
            (
                "test_shop.py",
                TESTS,
                "from orders import total\nfrom pricing import discount\n\n\n"
                "def test_discount():\n    assert (discount(1000, 3), 300)\n\n\n"
                'def test_total():\n    assert (total({"lines": []}, {}), 0)\n',
            ),
        ),
        "what they import is gone": wrong(
            (
                "test_shop.py",
                "from pricing import discount, shipping, tax",
                "from pricing import rebate as discount, shipping, tax",
            ),
        ),
    },
    README: {
        "the TODO is still there": wrong(
            (
                "README.md",
                "    python shop.py",
                "TODO: write down what is where\n\n    python shop.py",
            )
        ),
        "nothing was written": wrong(files={"README.md": FIRST["README.md"]}),
        "the TODO went, and nothing came": wrong(
            files={"README.md": "# The Paper Boat, a bookshop\n\nPrints the receipts of the day.\n"}
        ),
        "it names a file that is gone": wrong(
            (
                "README.md",
                "| receipt.py | prints one receipt |",
                "| receipt.py | prints one receipt |\n| prices.py | the old prices |",
            ),
        ),
        "it names a function that is gone": wrong(
            ("README.md", "the catalogue, and", "the catalogue, `load_old()`, and"),
        ),
        "it names a command that does not exist": wrong(
            ("README.md", "    python shop.py ", "    python main.py ")
        ),
        "it does not say how to run the shop": wrong(
            ("README.md", "    python shop.py        prints everything\n", "")
        ),
        "it does not say how to run the tests": wrong(
            ("README.md", "    python -m unittest    runs the tests\n", ""),
        ),
        "a file is missing in it": wrong(
            ("README.md", "| stock.py | counts the copies that are left, and warns |\n", "")
        ),
        "a file came later, and is missing in it": wrong(
            files={"files.py": "def path_of(name):\n    return name\n"},
        ),
        "the tests that it names are not there yet": wrong(
            files={"test_shop.py": None}, also=(TESTED,)
        ),
    },
}
