"""The version of the lesson."""

__version__ = "2.1.0"
