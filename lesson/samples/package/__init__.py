"""A package from nothing: four steps."""
