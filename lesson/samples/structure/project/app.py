import sys

from recipes.search import cookable
from recipes.shopping import shopping_list
from recipes.store import load


def main(kitchen):
    recipes = load("data/recipes.json")
    for recipe in cookable(recipes, kitchen, missing=1):
        print(recipe.name)
        for item in shopping_list([recipe], kitchen):
            print("  buy:", item)


if __name__ == "__main__":
    main(sys.argv[1:])
