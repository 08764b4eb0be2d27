"""A class: the names of what is handed in, and two configurations."""
