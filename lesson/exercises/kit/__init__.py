"""What several exercises send: lists, their stories, and lists in a few words for each task."""
