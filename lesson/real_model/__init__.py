"""A connection for the lesson's runs: settings, limits, and who is asked."""
