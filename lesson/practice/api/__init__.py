"""The Messages API without a network: what it accepts, what it refuses, and how it answers."""
