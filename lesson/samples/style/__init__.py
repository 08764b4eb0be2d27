"""A weather report with flaws of style: five steps."""
