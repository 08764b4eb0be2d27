"""Logins and passwords: six steps."""
