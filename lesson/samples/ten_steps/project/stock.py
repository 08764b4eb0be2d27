def sell(order, books):
    for code, copies in order["lines"]:
        books[code]["copies"] -= copies


def warn(books):
    for book in books.values():
        if book["copies"] == 0:
            print("Sold out: " + book["title"])
        elif book["copies"] <= 2:
            print("Only", book["copies"], "left:", book["title"])
