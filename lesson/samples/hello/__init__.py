"""hello.py: three steps."""
