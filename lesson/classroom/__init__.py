"""The settings of nbgrader and of JupyterHub for a class."""
