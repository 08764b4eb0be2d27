from books import load
from receipt import receipt
from stock import sell, warn

orders = [
    {"customer": "Ada", "gift": False, "lines": [("B1", 1), ("B3", 3)]},
    {"customer": "Grace", "gift": True, "lines": [("B2", 1), ("B4", 1)]},
    {"customer": "Linus", "gift": False, "lines": [("B1", 2)]},
]

books = load("books.csv")
for order in orders:
    receipt(order, books)
    sell(order, books)
warn(books)
