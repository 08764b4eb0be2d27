"""Draws runs: one list of marks, written as HTML, as SVG and as text."""
