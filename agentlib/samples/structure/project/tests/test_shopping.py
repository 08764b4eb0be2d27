import unittest

from recipes.model import Recipe
from recipes.shopping import shopping_list


class ShoppingListTest(unittest.TestCase):
    def test_each_thing_is_bought_once(self):
        both = [Recipe("Bread", ("flour", "salt"), 60), Recipe("Soup", ("leek", "salt"), 40)]
        self.assertEqual(shopping_list(both, ["leek"]), ["flour", "salt"])
