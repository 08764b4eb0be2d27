from pricing import discount, wrapping


def total(order, books):
    if order["gift"]:
        cents = 0
        for code, copies in order["lines"]:
            price = books[code]["cents"]
            cents = cents + price * copies
            cents = cents - discount(price, copies)
            cents = cents + wrapping(copies)
        return cents
    else:
        cents = 0
        for code, copies in order["lines"]:
            price = books[code]["cents"]
            cents = cents + price * copies
            cents = cents - discount(price, copies)
        return cents
