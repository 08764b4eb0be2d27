"""The ten steps done by hand in another style: every step is done."""

DATACLASSES = {
    "books.csv": """code,title,cents,copies
B1,The Paper Boat,1250,5
B2,Night Trains of Europe,2400,3
B3,A Field Guide to Moss,1890,4
B4,Soup for One,950,1
""",
    "books.py": '''"""The catalogue."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Book:
    """A book, its price in cents, and the copies that are left."""

    code: str
    title: str
    cents: int
    copies: int

    @classmethod
    def from_row(cls, row: dict[str, str]) -> Book:
        """Return the book of a row of the catalogue."""
        return cls(row["code"], row["title"], int(row["cents"]), int(row["copies"]))


def load(path: str | Path) -> dict[str, Book]:
    """Return all books by their code."""
    with open(path, encoding="utf-8", newline="") as f:
        books = map(Book.from_row, csv.DictReader(f))
        return {book.code: book for book in books}
''',
    "pricing.py": '''"""Prices in cents."""

from dataclasses import dataclass
from typing import Final

PERCENT: Final = 100


@dataclass(frozen=True)
class Rules:
    """The numbers of the shop, which may be others in a test."""

    bulk_from: int = 3
    bulk_percent: int = 10
    wrapping: int = 150
    shipping: int = 395
    shipping_free_from: int = 50_00
    tax_percent: int = 7

    def discount(self, price: int, copies: int) -> int:
        """Return what is taken off for several copies of one book."""
        if copies < self.bulk_from:
            return 0
        return price * copies * self.bulk_percent // PERCENT

    def wrap(self, copies: int) -> int:
        """Return the price of wrapping some copies."""
        return copies * self.wrapping

    def ship(self, goods: int) -> int:
        """Return the price of sending goods of this worth."""
        return 0 if goods >= self.shipping_free_from else self.shipping

    def tax(self, paid: int) -> int:
        """Return the tax that is in the price."""
        return paid * self.tax_percent // (PERCENT + self.tax_percent)


RULES = Rules()
''',
    "orders.py": '''"""Orders, and what they cost."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from books import Book
from pricing import RULES


@dataclass(frozen=True)
class Line:
    """Some copies of one book."""

    book: Book
    copies: int

    @property
    def cents(self) -> int:
        """Return the price before the discount."""
        return self.book.cents * self.copies

    @property
    def discount(self) -> int:
        """Return what is taken off."""
        return RULES.discount(self.book.cents, self.copies)


@dataclass(frozen=True)
class Order:
    """What a customer wants: the code of a book and the number of copies, line by line."""

    customer: str
    lines: tuple[tuple[str, int], ...]
    is_gift: bool = False

    def with_books(self, books: Mapping[str, Book]) -> Iterator[Line]:
        """Yield the lines with their books."""
        for code, copies in self.lines:
            yield Line(books[code], copies)

    def wrapping(self) -> int:
        """Return the price of wrapping, which is 0 for what is no gift."""
        return RULES.wrap(sum(copies for _, copies in self.lines)) if self.is_gift else 0

    def total(self, books: Mapping[str, Book]) -> int:
        """Return the price of the goods and of their wrapping."""
        goods = sum(line.cents - line.discount for line in self.with_books(books))
        return goods + self.wrapping()
''',
    "receipt.py": '''"""A receipt as text."""

from collections.abc import Iterator, Mapping

from books import Book
from orders import Order
from pricing import RULES

Row = tuple[str, int]


def receipt(order: Order, books: Mapping[str, Book]) -> str:
    """Return the receipt of an order."""
    rows = [*book_rows(order, books), *extra_rows(order, books), *sum_rows(order, books)]
    lines = [f"  {label:<28} {cents / 100:6.2f}" for label, cents in rows]
    return "\\n".join([f"Receipt for {order.customer}", *lines, ""])


def book_rows(order: Order, books: Mapping[str, Book]) -> Iterator[Row]:
    """Yield a row for each book."""
    for line in order.with_books(books):
        yield f"{line.copies} x {line.book.title}", line.cents


def extra_rows(order: Order, books: Mapping[str, Book]) -> Iterator[Row]:
    """Yield the discount and the wrapping, if there are any."""
    off = sum(line.discount for line in order.with_books(books))
    if off:
        yield "discount", -off
    if order.is_gift:
        yield "gift wrapping", order.wrapping()


def sum_rows(order: Order, books: Mapping[str, Book]) -> Iterator[Row]:
    """Yield the last three rows."""
    goods = order.total(books)
    paid = goods + RULES.ship(goods)
    yield "shipping", RULES.ship(goods)
    yield "to pay", paid
    yield "tax in this", RULES.tax(paid)
''',
    "stock.py": '''"""What is left."""

from collections.abc import Iterator, Mapping

from books import Book
from orders import Order

FEW = 2


def sell(order: Order, books: Mapping[str, Book]) -> None:
    """Take the copies of an order from the shelf."""
    for line in order.with_books(books):
        line.book.copies -= line.copies


def warnings(books: Mapping[str, Book]) -> Iterator[str]:
    """Yield a warning for each book of which few copies are left."""
    for book in books.values():
        if not book.copies:
            yield f"Sold out: {book.title}"
        elif book.copies <= FEW:
            yield f"Only {book.copies} left: {book.title}"
''',
    "shop.py": '''"""The orders of the day: run this file."""

import sys
from pathlib import Path

from books import load
from orders import Order
from receipt import receipt
from stock import sell, warnings

HERE = Path(__file__).parent
ORDERS = (
    Order("Ada", (("B1", 1), ("B3", 3))),
    Order("Grace", (("B2", 1), ("B4", 1)), is_gift=True),
    Order("Linus", (("B1", 2),)),
)


def run() -> int:
    """Print the receipts and the warnings."""
    books = load(HERE / "books.csv")
    for order in ORDERS:
        print(receipt(order, books))
        sell(order, books)
    print(*warnings(books), sep="\\n")
    return 0


if "__main__" == __name__:
    sys.exit(run())
''',
    "tests/test_prices.py": """import pytest

from pricing import RULES, Rules


@pytest.mark.parametrize("copies, off", [(0, 0), (2, 0), (3, 300)])
def test_discount(copies, off):
    assert RULES.discount(1000, copies) == off


def test_shipping():
    rules = Rules(shipping=1, shipping_free_from=2)
    assert [rules.ship(goods) for goods in (0, 1, 2)] == [1, 1, 0]


def test_tax():
    assert RULES.tax(107) == 7
""",
    "tests/test_totals.py": """import pytest

import orders
from books import Book


@pytest.fixture
def books():
    return {"A": Book("A", "Alpha", 1000, 9)}


def check(order, books, cents):
    assert order.total(books) == cents


def test_total_has_the_discount(books):
    check(orders.Order("Ada", (("A", 3),)), books, 2700)


def test_total_of_a_gift(books):
    check(orders.Order("Ada", (("A", 1),), is_gift=True), books, 1150)


def test_unknown_book(books):
    with pytest.raises(KeyError):
        orders.Order("Ada", (("B", 1),)).total(books)
""",
    "README.md": """# The Paper Boat, a bookshop

Prints the receipts of the day, and what we should order again.

Run it with `python shop.py`, from any folder. The tests need
[pytest](https://docs.pytest.org/en/stable/index.html): `python -m pytest`.

- `shop` has the orders of the day.
- `books` reads `books.csv`.
- `orders` adds up an order, with the rules in `pricing`.
- `receipt` writes a receipt, and `stock` the warnings.
- `tests/` has the tests of the prices and the totals.
""",
}
