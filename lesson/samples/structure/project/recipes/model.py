from dataclasses import dataclass


@dataclass(frozen=True)
class Recipe:
    name: str
    ingredients: tuple[str, ...]
    minutes: int

    def missing(self, kitchen):
        return [item for item in self.ingredients if item not in kitchen]
