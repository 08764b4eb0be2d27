from orders import total
from pricing import discount, shipping, tax, wrapping


def receipt(order, books):
    print("Receipt for " + order["customer"])
    off = 0
    n = 0
    for code, copies in order["lines"]:
        book = books[code]
        what = str(copies) + " x " + book["title"]
        print("  %-28s %6.2f" % (what, book["cents"] * copies / 100))
        off = off + discount(book["cents"], copies)
        n = n + copies
    if off > 0:
        print("  %-28s %6.2f" % ("discount", -off / 100))
    if order["gift"]:
        print("  %-28s %6.2f" % ("gift wrapping", wrapping(n) / 100))
    goods = total(order, books)
    print("  %-28s %6.2f" % ("shipping", shipping(goods) / 100))
    paid = goods + shipping(goods)
    print("  %-28s %6.2f" % ("to pay", paid / 100))
    print("  %-28s %6.2f" % ("tax in this", tax(paid) / 100))
    print()
