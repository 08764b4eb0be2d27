"""The version of the lesson."""

__version__ = "2.0.0"
