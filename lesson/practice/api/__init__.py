"""The Messages API, offline: check requests, and answer or reject them as the real API would."""
