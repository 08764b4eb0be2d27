import json

from recipes.model import Recipe


def load(path):
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    return [
        Recipe(row["name"], tuple(row["ingredients"]), row["minutes"])
        for row in rows
    ]
