import csv


def load(f):
    d = {}
    with open(f, encoding="utf-8") as x:
        for r in csv.DictReader(x):
            r["cents"] = int(r["cents"])
            r["copies"] = int(r["copies"])
            d[r["code"]] = r
    return d


def load_old(f):
    # the list we had before the move, with semicolons
    d = {}
    for l in open(f):
        c, t, p = l.split(";")
        d[c] = {"code": c, "title": t, "cents": int(p), "copies": 0}
    return d
