"""Reach a model's server with the SDK: keys, limits, retries, streams, and what its errors mean.

Only here does safetylib import the SDK.
"""
