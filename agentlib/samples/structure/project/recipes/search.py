def cookable(recipes, kitchen, missing=0):
    """The recipes that lack at most `missing` ingredients, the quickest first."""
    found = [recipe for recipe in recipes if len(recipe.missing(kitchen)) <= missing]
    return sorted(found, key=by_time)


def by_time(recipe):
    return recipe.minutes, recipe.name
