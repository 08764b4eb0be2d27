"""What the lesson does in a kernel: imports, errors of cells, and whether a page is looking."""
