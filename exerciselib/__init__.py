"""exerciselib: exercises whose checks say what is wrong, and where, by what the code does."""
