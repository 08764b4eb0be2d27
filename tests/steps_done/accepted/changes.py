"""Right ways of doing single steps that were refused once: changes of the script's own work."""

from steps_done.states import State, after, changed

DONE = {name: after(name) for name in ("ten_steps", "auth")}
USER = """

class User:
    def __init__(self, name):
        self.name, self.failures = name, 0

    def set_password(self, password):
        self.salt = os.urandom(16)
        self.password_hash = digest(password, self.salt)

    def matches(self, password):
        return hmac.compare_digest(self.password_hash, digest(password, self.salt))
"""
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
SHORTAGES = """def shortages(books):
    return [text for book in books.values() if (text := describe(book))]


def describe(book):
    match book["copies"]:
        case 0:
            return f"Sold out: {book['title']}"
        case 1 | 2:
            return f"Only {book['copies']} left: {book['title']}"


"""
STOCK = DONE["ten_steps"]["stock.py"]
BY_CLASS = (
    ("auth.py", "\n\ndef register", f"{USER}\n\ndef register"),
    (
        "auth.py",
        "    set_password(name, password)\n",
        "    user = User(name)\n    user.set_password(password)\n    users[name] = user\n",
    ),
    (
        "auth.py",
        "def set_password(name, password):\n    salt = os.urandom(16)\n"
        "    users[name] = salt, digest(password, salt)\n\n\n"
        "def matches(name, password):\n    salt, kept = users[name]\n"
        "    return hmac.compare_digest(kept, digest(password, salt))\n\n\n",
        "",
    ),
    ("auth.py", "    if matches(name, password):", "    if users[name].matches(password):"),
    (
        "auth.py",
        "    set_password(name.strip().lower(), new)",
        "    users[name.strip().lower()].set_password(new)",
    ),
)
ACCEPTED: dict[str, dict[str, State]] = {
    "ten_steps": {
        "one function gives the lines to two loops with different work": changed(
            ("receipt.py", "from orders import total", "from orders import discounts, total"),
            ("receipt.py", "import discount, shipping", "import shipping"),
            (
                "receipt.py",
                'sum(discount(books[code]["cents"], copies) for code, copies in lines)',
                "discounts(order, books)",
            ),
            files={"orders.py": TOTAL},
        ),
        "a match chooses the warning": changed(
            files={
                "stock.py": STOCK.partition("def shortages")[0]
                + SHORTAGES
                + "def warn"
                + STOCK.partition("def warn")[2]
            },
        ),
        "an import that fails raises another error": changed(
            (
                "shop.py",
                "from receipt import receipt\n",
                "\ntry:\n    from receipt import receipt\nexcept ImportError as error:\n"
                '    raise RuntimeError("Run this in its folder.") from error\n',
            )
        ),
        "the command has an option": changed(
            ("README.md", "    python shop.py ", "    python -u shop.py > receipts.txt ")
        ),
    },
    "auth": {
        "the old password is given by name": changed(
            ("auth.py", "login(name, old)", "login(name=name, password=old)")
        ),
        "the hashes are compared as text": changed(
            (
                "auth.py",
                "hmac.compare_digest(kept, digest(password, salt))",
                "encode(digest(password, salt)) == encode(kept)",
            ),
            (
                "auth.py",
                "\n\ndef login",
                "\n\ndef encode(raw):\n    return raw.hex()\n\n\ndef login",
            ),
        ),
        "the function that compares is called verify": changed(
            ("auth.py", "def matches", "def verify"), ("auth.py", "if matches", "if verify")
        ),
        "an object of a class keeps its own hash": changed(*BY_CLASS),
        "a class begins with an empty store": changed(
            (
                "auth.py",
                "users = {}\n",
                "\nclass Store:\n    def __init__(self):\n        self.hashes = {}\n\n\n"
                "users = Store().hashes\n",
            )
        ),
        "the hash is fed in two parts": changed(
            (
                "auth.py",
                "    return hashlib.scrypt(password.encode(), salt=salt, **SCRYPT)",
                "    hasher = hashlib.sha256(salt)\n    hasher.update(password.encode())\n"
                "    return hasher.digest()",
            )
        ),
    },
}
