"""A connection for the lesson's runs: settings, cut-off calls, and how a run ended."""
