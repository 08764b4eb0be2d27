import unittest

from recipes.model import Recipe
from recipes.shopping import shopping_list


class ShoppingListTest(unittest.TestCase):
    def test_each_thing_is_bought_once(self):
        bread = Recipe("Bread", ("flour", "salt"), 60)
        soup = Recipe("Soup", ("leek", "salt"), 40)
        items = shopping_list([bread, soup], ["leek"])
        self.assertEqual(items, ["flour", "salt"])
