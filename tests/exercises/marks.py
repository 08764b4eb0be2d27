"""What the collections of solutions share: how an entry says what must come of it."""

SOLUTIONS = []


def right(solution):
    """This one must pass."""
    SOLUTIONS.append((solution.__module__, solution, None))
    return solution


def caught_by(rule: str):
    """This one must be caught, and by this rule first."""

    def mark(solution):
        SOLUTIONS.append((solution.__module__, solution, rule))
        return solution

    return mark
