"""The files of a project: one step, for a program with the tool list_files."""
