def cookable(recipes, kitchen, missing=0):
    """The recipes that lack at most `missing` ingredients, quickest first."""
    found = [each for each in recipes if len(each.missing(kitchen)) <= missing]
    return sorted(found, key=by_time)


def by_time(recipe):
    return recipe.minutes, recipe.name
