"""The bookshop: ten steps of a refactoring."""
