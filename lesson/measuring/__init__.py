"""Measure whether a plan helps a model: one job, several conditions, several runs of each."""
