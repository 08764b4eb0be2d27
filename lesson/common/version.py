"""The version of the lesson."""

__version__ = "1.7.0"
