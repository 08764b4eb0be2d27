def shopping_list(recipes, kitchen):
    """What to buy for all of the recipes, each thing once."""
    items = []
    for recipe in recipes:
        for item in recipe.missing(kitchen):
            if item not in items:
                items.append(item)
    return items
