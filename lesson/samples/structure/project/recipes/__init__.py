"""Recipes: reading them, finding them, shopping for them."""
