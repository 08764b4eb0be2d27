"""A real model, where one is asked for: reached, bounded, explained, and kept in check."""
