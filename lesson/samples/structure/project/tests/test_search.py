import unittest

from recipes.model import Recipe
from recipes.search import cookable

OMELETTE = Recipe("Omelette", ("eggs",), 10)
PANCAKES = Recipe("Pancakes", ("eggs", "milk"), 25)


class CookableTest(unittest.TestCase):
    def test_only_what_the_kitchen_has_can_be_cooked(self):
        self.assertEqual(cookable([PANCAKES, OMELETTE], ["eggs"]), [OMELETTE])

    def test_the_quickest_comes_first(self):
        found = cookable([PANCAKES, OMELETTE], ["eggs"], missing=1)
        self.assertEqual(found, [OMELETTE, PANCAKES])
