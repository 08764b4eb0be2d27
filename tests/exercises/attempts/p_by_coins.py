from exercises.cells import SOLUTIONS

PLAIN = SOLUTIONS["p_by_coins"]
RIGHT = {
    "exactly": "from math import comb\n"
    "def p_by_coins(gained, lost):\n"
    "    coins, most = gained + lost, max(gained, lost)\n"
    "    tail = sum(comb(coins, heads) for heads in range(most, coins + 1))\n"
    "    return min(1, 2 * tail / 2**coins)\n",
    "heads are counted": "from random import Random\n"
    "def p_by_coins(gained, lost):\n"
    "    random, coins, found = Random(7), gained + lost, 0\n"
    "    for _ in range(2000):\n"
    "        heads = bin(random.getrandbits(coins)).count('1') if coins else 0\n"
    "        found += abs(2 * heads - coins) >= abs(gained - lost)\n"
    "    return found / 2000\n",
}
WRONG = [
    ("no_difference", ("abs(toss) >=", "toss >="), "one side only"),
    ("no_difference", ("abs(toss) >=", "abs(toss) >"), "`>=`, not `>`"),
    ("no_difference", ("abs(toss) >=", "abs(toss) =="), "`>=`, not `==`"),
    ("no_difference", ("return ", "print("), ("/ 1000", "/ 1000)"), "use return, not print"),
    (
        "share",
        "from random import Random\n"
        "def p_by_coins(gained, lost):\n"
        "    found = 0\n"
        "    for _ in range(1000):\n"
        "        random = Random(2026)\n"
        "        toss = sum(random.choice((-1, 1)) for _ in range(gained + lost))\n"
        "        found += abs(toss) >= abs(gained - lost)\n"
        "    return found / 1000\n",
        "once, before the loop",
    ),
    ("share", ("random.choice", "Random(2026).choice"), "once, before the loop"),
    ("no_difference", (" / 1000", ""), "by the number of tosses"),
    ("share", ("(-1, 1)", "(0, 1)")),
    ("share", ("range(gained + lost)", "range(gained)")),
    ("no_difference", ("random = Random(2026)", "random = None"), "'NoneType' object has no"),
    ("share", ("1000)]", "100)]"), ("/ 1000", "/ 100")),
    ("share", ("1000)]", "500)]"), ("/ 1000", "/ 500")),
    ("share", ("len(as_large) / 1000", "round(len(as_large) / 1000, 1)")),
    ("share", ("len(as_large) / 1000", "round(len(as_large) / 1000, 2)")),
    ("share", ("abs(toss) >=", "toss >="), ("len(as_large) / 1000", "min(1, len(as_large) / 500)")),
    ("no_difference", ("1000)]", "1001)]")),
    ("either_way", ("abs(gained - lost)", "gained - lost")),
    ("repeatable", ("Random(2026)", "Random()")),
]
