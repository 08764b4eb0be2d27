"""A connection for the lesson's runs: settings, cut-off calls, """
