"""What the tools stand on, and what protects the reader's computer from them."""
