"""What several rooms of the lesson use: parts, messages, words, and how a learner's code runs."""
