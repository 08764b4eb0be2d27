"""Right ways of doing single steps that were refused once: changes of the script's own work."""

from steps_done.states import State, after

DONE = after("ten_steps")
TOTAL = """import pricing


def total(order, books):
    cents = 0
    for price, copies in prices(order, books):
        cents += price * copies - pricing.discount(price, copies)
        if order["gift"]:
            cents += pricing.wrapping(copies)
    return cents


def discounts(order, books):
    return sum(pricing.discount(*line) for line in prices(order, books))


def prices(order, books):
    for code, copies in order["lines"]:
        yield books[code]["cents"], copies
"""
ONE_SUM = """from pricing import discount, wrapping


def total(order, books):
    return sum(price(order, books[code]["cents"], copies) for code, copies in order["lines"])


def price(order, cents, copies): return (
    cents * copies - discount(cents, copies) + (wrapping(copies) if order["gift"] else 0))
"""
SHORTAGES = """def shortages(books):
    return [text for book in books.values() if (text := describe(book))]


def describe(book):
    match book["copies"]:
        case 0:
            return f"Sold out: {book['title']}"
        case 1 | 2:
            return f"Only {book['copies']} left: {book['title']}"


"""
TAX = """

class Tax:
    def of(self, paid: int) -> int:
        \"\"\"Cents of tax that the price holds already.\"\"\"
        return paid * TAX_PERCENT // (100 + TAX_PERCENT)


tax = Tax().of
"""
STOCK = DONE["stock.py"]
ACCEPTED: dict[str, State] = {
    "one function gives the lines to two loops with different work": State(
        ("receipt.py", "from orders import total", "from orders import discounts, total"),
        ("receipt.py", "import discount, shipping", "import shipping"),
        (
            "receipt.py",
            'sum(discount(books[code]["cents"], copies) for code, copies in lines)',
            "discounts(order, books)",
        ),
        files={"orders.py": TOTAL},
    ),
    "a match chooses the warning": State(
        files={
            "stock.py": STOCK.partition("def shortages")[0]
            + SHORTAGES
            + "def warn"
            + STOCK.partition("def warn")[2]
        },
    ),
    "an import that fails raises another error": State(
        (
            "shop.py",
            "from receipt import receipt\n",
            "\ntry:\n    from receipt import receipt\nexcept ImportError as error:\n"
            '    raise RuntimeError("Run this in its folder.") from error\n',
        )
    ),
    "tests in shop_test.py, a star import, and a class that is used at the top": State(
        ("orders.py", "import discount, wrapping", "import *"),
        (
            "books.py",
            "import csv\n",
            "import csv\n\n\nclass Shop(csv.excel):\n    strict = True\n\n\n"
            'csv.register_dialect("shop", Shop)\n',
        ),
        ("books.py", "DictReader(file)", 'DictReader(file, dialect="shop")'),
        ("README.md", "| test_shop.py", "| shop_test.py"),
        files={"test_shop.py": None, "shop_test.py": DONE["test_shop.py"]},
    ),
    "functions of one line, a docstring of one word, and other commands": State(
        ("pricing.py", "Cents off for several copies of one book.", "Discount."),
        (
            "stock.py",
            "    for warning in shortages(books):\n        print(warning)",
            '    print(*shortages(books), sep="\\n")',
        ),
        ("README.md", "    python shop.py ", "    $ python3 shop.py "),
        ("README.md", "    python -m unittest ", "    $ pytest "),
        files={"orders.py": ONE_SUM},
    ),
    "classes, a file called f, a guard the other way round, and a module without its suffix": State(
        ("books.py", "as file:", "as f:"),
        ("books.py", "DictReader(file)", "DictReader(f)"),
        ("shop.py", "\norders = [", "\n\nclass Order(dict):\n    pass\n\n\norders = ["),
        ("shop.py", '__name__ == "__main__"', '"__main__" == __name__'),
        ("README.md", "| pricing.py |", "| `pricing` |"),
        files={"pricing.py": DONE["pricing.py"].partition("\n\ndef tax")[0] + TAX},
    ),
    "the command has an option": State(
        ("README.md", "    python shop.py ", "    python -u shop.py > receipts.txt ")
    ),
}
