"""The Messages API without a network: what it takes, what it refuses, and how it answers."""
