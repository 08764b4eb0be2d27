"""frame.py of the program itself: three steps."""
