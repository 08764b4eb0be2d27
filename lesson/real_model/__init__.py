"""A connection for the lesson's runs: settings, and calls that were cut off."""
