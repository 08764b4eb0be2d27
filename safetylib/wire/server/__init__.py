"""Reach a model's server with the SDK: keys, limits, retries, streams, and explained errors.

The other parts of safetylib do not import the SDK.
"""
