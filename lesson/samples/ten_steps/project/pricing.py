def discount(price, copies):
    if copies >= 3:
        return price * copies * 10 // 100
    return 0


def wrapping(copies):
    return copies * 150


def shipping(goods):
    if goods >= 5000:
        return 0
    return 395


def tax(paid):
    # already in the price
    return paid * 7 // 107
